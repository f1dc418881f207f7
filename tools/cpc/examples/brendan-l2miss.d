#!/usr/bin/env -S cpctrace -s
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Secondary cache misses, by function, of all programs that are called "brendan" */

cpc:::l2_data_misses-user-5000
/execname == "brendan"/
{
	@[ufunc(arg1)] = count();
}
