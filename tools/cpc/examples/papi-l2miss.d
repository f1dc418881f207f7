#!/usr/bin/env -S cpctrace -s
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same as brendan-l2miss.d, by the generic name of the event */

cpc:::PAPI_l2_dcm-user-5000
/execname == "brendan"/
{
	@[ufunc(arg1)] = count();
}
