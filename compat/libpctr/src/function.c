// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a function means: which event of system mode counts it, and in which modes. On
 * x86 CPUs a function is a code of the CPU's own, on all others an event's number of the
 * R10000, by an event map if the CPU is another one. Codes, and events that count in two
 * ways at once, are code n of struct irixperf_system_attr for counter n.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/hwperfmacros.h>
#include "internal.h"

#define FN_EVENT	0x000000ffu
#define FN_MODES	((unsigned int)(PCTR_U | PCTR_K))

/* The bits that the CPU's hardware knows, as the kernel takes them in attr.config */
#define FN_CODE		(0xff00ffffu | PCTR_E | PCTR_I)

/*
 * Only x86 CPUs have a counter mask. Where the CPUs are of two kinds, the PMUs have other
 * names: there a code is no event of all CPUs. A user who names an event map wants its
 * events.
 */
static bool has_raw_pmu(void)
{
	const char *map = secure_getenv("IRIXPERF_EVENTMAP");

	return !(map && *map) &&
	       access("/sys/bus/event_source/devices/cpu/format/cmask", F_OK) == 0;
}

/* While functions are set, all programs take them as the first one has */
int pctr_cpu_of(struct pctr_cpu *cpu, const struct irixperf_system *system)
{
	struct irixperf_cpu found = { .chip = IRIXPERF_CHIP_NONE };
	int ret = irixperf_cpu_detect(&found);

	*cpu = (struct pctr_cpu){ .counters = PCTR_NUM };
	if (ret == 0 && found.chip != IRIXPERF_MAPPED)
		cpu->counters = 2;
	else if (system->on)
		cpu->raw = system->label[PCTR_LABEL_HOW] == PCTR_HOW_RAW;
	else
		cpu->raw = has_raw_pmu();
	if (cpu->raw)
		return 0;
	cpu->chip = found.chip;

	return ret;
}

int pctr_cpu_look(struct pctr_cpu *cpu)
{
	struct irixperf_system system;

	pctr_look(&system, -1);

	return pctr_cpu_of(cpu, &system);
}

/* On an R10000 each counter has half of the events */
static bool counter_has(const struct pctr_cpu *cpu, unsigned int ctr,
			unsigned int event)
{
	bool halves = cpu->chip == IRIXPERF_R10000_V2 || cpu->chip == IRIXPERF_R10000_V3;

	return event < IRIXPERF_EVENTS && irixperf_event_counterpart(cpu->chip, event) &&
	       (!halves || event / HWPERF_CNTEVENTMAX == ctr);
}

int pctr_function_check(const struct pctr_cpu *cpu, unsigned int ctr, unsigned int fn)
{
	unsigned int known = FN_MODES | PCTR_EN | (cpu->raw ? FN_CODE : FN_EVENT);

	if (ctr >= cpu->counters || (fn & ~known))
		return -EINVAL;
	if (!(fn & (FN_CODE | FN_MODES)))
		return 0;
	if (cpu->raw)
		return (fn & FN_CODE) ? 0 : -EINVAL;

	return counter_has(cpu, ctr, fn & FN_EVENT) ? 0 : -EINVAL;
}

/* The event of system mode that counts a function */
unsigned int pctr_function_slot(enum pctr_how how, unsigned int ctr, unsigned int fn)
{
	return how == PCTR_HOW_EVENT ? fn & (IRIXPERF_EVENTS - 1) : ctr;
}

/* True if a counter counts: PCTR_EN of counter 0 is for all */
bool pctr_function_counts(const unsigned int fn[PCTR_NUM], unsigned int ctr)
{
	return (fn[0] & PCTR_EN) && (fn[ctr] & FN_MODES);
}

/* Kernel mode includes exception level, which only an R10000 can leave out */
static unsigned char mode_of(unsigned int fn)
{
	return (unsigned char)((fn & PCTR_U ? HWPERF_CNTEN_U : 0) |
			       (fn & PCTR_K ? HWPERF_CNTEN_K | HWPERF_CNTEN_E : 0));
}

/* True if two counters count one event in different modes: system mode has it once */
static bool differ(const unsigned int fn[PCTR_NUM])
{
	unsigned int i, j;

	for (i = 1; i < PCTR_NUM; i++)
		for (j = 0; j < i; j++)
			if (pctr_function_counts(fn, i) && pctr_function_counts(fn, j) &&
			    (fn[i] & FN_EVENT) == (fn[j] & FN_EVENT) &&
			    mode_of(fn[i]) != mode_of(fn[j]))
				return true;

	return false;
}

/**
 * pctr_functions_to_attr() - say what system mode is to count
 * @attr: gets the events, with the functions as labels
 * @raw: functions are codes of the CPU's own
 * @fn: the functions, which are valid
 */
void pctr_functions_to_attr(struct irixperf_system_attr *attr, bool raw,
			    const unsigned int fn[PCTR_NUM])
{
	const enum pctr_how how = raw ? PCTR_HOW_RAW :
				  differ(fn) ? PCTR_HOW_CODE : PCTR_HOW_EVENT;
	unsigned int ctr;

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->label[PCTR_LABEL_HOW] = how;
	attr->label[PCTR_LABEL_OWNER] = PCTR_OWNER;
	for (ctr = 0; ctr < PCTR_NUM; ctr++) {
		attr->label[ctr] = fn[ctr];
		if (!pctr_function_counts(fn, ctr))
			continue;
		attr->mode[pctr_function_slot(how, ctr, fn[ctr])] = mode_of(fn[ctr]);
		if (how == PCTR_HOW_RAW)
			attr->code[ctr] = (struct irixperf_code){
				IRIXPERF_CODE_RAW, fn[ctr] & FN_CODE };
		else if (how == PCTR_HOW_CODE)
			attr->code[ctr] = (struct irixperf_code){
				IRIXPERF_CODE_EVENT, fn[ctr] & FN_EVENT };
	}
}
