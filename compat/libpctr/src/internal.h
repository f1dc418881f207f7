/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libpctr share. Functions return a negative errno value if they fail. */
#ifndef PCTR_INTERNAL_H
#define PCTR_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <irixperf.h>
#include <pctr.h>

/* A counter on x86 CPUs has no more bits for rdpmc(), and so has none here */
#define PCTR_BITS	40

/* function.c */
int pctr_functions_to_attr(struct irixperf_system_attr *attr, bool raw,
			   const unsigned int fn[PCTR_NUM]);
unsigned int pctr_function_slot(bool raw, unsigned int ctr, unsigned int fn);
bool pctr_function_counts(const unsigned int fn[PCTR_NUM], unsigned int ctr);

/* tsc.c */
uint32_t pctr_mhz(void);
void pctr_mhz_is(uint32_t mhz);

/*
 * Labels of irixperf_system_set(): the functions, the clock rate for time stamps, and
 * whether functions are codes (struct pctr_cpu). So programs with other event maps read
 * them in the same way.
 */
enum {
	PCTR_LABEL_FN = 0,
	PCTR_LABEL_MHZ = PCTR_NUM,
	PCTR_LABEL_RAW,
};

#endif
