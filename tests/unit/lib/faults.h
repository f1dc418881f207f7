/* SPDX-License-Identifier: GPL-2.0-only */
/* Page faults, and the events of maps/software.map that count them. */
#ifndef FAULTS_H
#define FAULTS_H

#include <sys/procfs.h>
#include <irixperf.h>
#include "pages.h"
#include "process.h"

/* Slots of maps/software.map that count them, and nothing */
#define FAULTS		9
#define NOTHING		27	/* dummy */

/* Want an event, with a threshold or 0 */
static inline void want(hwperf_profevctrarg_t *arg, unsigned int event, int n)
{
	arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U;
	arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg.hwp_ie = 1;
	arg->hwp_ovflw_freq[event] = n;
}

#endif
