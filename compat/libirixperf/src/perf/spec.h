/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The argument of PIOCENEVCTRS and PIOCSETEVCTRL */
#ifndef IXP_SPEC_H
#define IXP_SPEC_H

#include <sys/hwperftypes.h>

struct irixperf_attr;

unsigned int ixp_spec_bits(const hwperf_profevctrarg_t *arg);
int ixp_spec_decode(struct irixperf_attr *attr,
		    const hwperf_profevctrarg_t *arg);

#endif
