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

/*
 * Labels of irixperf_system_set(): the functions, from 0; the clock rate for time stamps;
 * how system mode counts the functions, so that all programs find the counts in the same
 * place; and a mark.
 */
enum {
	PCTR_LABEL_MHZ = PCTR_NUM,
	PCTR_LABEL_HOW,
	PCTR_LABEL_OWNER,
};

/* In PCTR_LABEL_OWNER: the labels are libpctr's, and not another program's */
#define PCTR_OWNER	UINT32_C(0x70637472)

/* A function is an event of system mode; or code n of it, for counter n */
enum pctr_how {
	PCTR_HOW_EVENT,
	PCTR_HOW_CODE,
	PCTR_HOW_RAW,
};

/* device.c */
int pctr_look(struct irixperf_system *system, int cpu);

/* function.c */
int pctr_cpu_of(struct pctr_cpu *cpu, const struct irixperf_system *system);
void pctr_functions_to_attr(struct irixperf_system_attr *attr, bool raw,
			    const unsigned int fn[PCTR_NUM]);
unsigned int pctr_function_slot(enum pctr_how how, unsigned int ctr, unsigned int fn);
bool pctr_function_counts(const unsigned int fn[PCTR_NUM], unsigned int ctr);

/* tsc.c: in MHz, 0 where time stamps do not need it or it is unknown */
uint32_t pctr_mhz(void);
void pctr_mhz_is(uint32_t mhz);

#endif
