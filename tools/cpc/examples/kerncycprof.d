#!/usr/bin/env -S cpctrace -s
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the kernel spends its cycles, by function, until ^C or the end of -c COMMAND */

cpc:::cycles-kernel-100000
{
	@[func(arg0)] = count();
}
