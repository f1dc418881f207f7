#!/usr/bin/env -S cpctrace -s
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions executed by applications, by name */

cpc:::PAPI_tot_ins-user-100000
{
	@[execname] = count();
}

tick-10s
{
	exit(0);
}
