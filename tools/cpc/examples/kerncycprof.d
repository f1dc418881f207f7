#!/usr/bin/env -S cpctrace -s
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel profiled by its cycles; an argument may end it: cpctrace -s FILE -c COMMAND */

cpc:::cycles-kernel-100000
{
	@[func(arg0)] = count();
}
