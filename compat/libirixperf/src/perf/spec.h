/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The argument of PIOCENEVCTRS and PIOCSETEVCTRL */
#ifndef IXP_SPEC_H
#define IXP_SPEC_H

#include <sys/hwperftypes.h>

struct irixperf_attr;

unsigned int ixp_spec_bits(const hwperf_profevctrarg_t *arg);
void ixp_spec_encode(hwperf_profevctrarg_t *arg,
		     const unsigned char mode[HWPERF_EVENTMAX]);
int ixp_spec_decode(struct irixperf_attr *attr,
		    const hwperf_profevctrarg_t *arg);

#endif
