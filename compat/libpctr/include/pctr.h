/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What this machine's counters can count, for programs that show functions to users, as
 * pctr(1) does. Functions return a negative errno value if they fail.
 */
#ifndef PCTR_H
#define PCTR_H

#include <irixperf.h>
#include <machine/pctr.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct pctr_cpu - the CPU, as far as functions depend on it
 * @raw: not 0: a function is a code of the CPU's own; 0: its event is a number of the
 *	R10000
 * @chip: if it is a number, whose
 * @counters: how many counters there are, at most PCTR_NUM
 */
struct pctr_cpu {
	int raw;
	enum irixperf_chip chip;
	unsigned int counters;
};

/**
 * pctr_cpu_look() - find out what kind of CPU this is
 * @cpu: gets it
 *
 * Return: 0, or -ENODEV if it has no counters.
 */
int pctr_cpu_look(struct pctr_cpu *cpu);

/**
 * pctr_function_check() - check a function
 * @cpu: the CPU
 * @ctr: the counter
 * @fn: the function
 *
 * Return: 0; -EINVAL if there is no such counter, or it cannot count that.
 */
int pctr_function_check(const struct pctr_cpu *cpu, unsigned int ctr, unsigned int fn);

#ifdef __cplusplus
}
#endif

#endif
