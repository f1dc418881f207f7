// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a function means: which event of system mode counts it, and in which modes. On
 * x86 CPUs counter n uses the event number n, and a code stands for it (struct
 * irixperf_system_attr). On all others a function's event is a number of the R10000,
 * by an event map if the CPU is another one.
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
 * The kernel's PMUs of x86 CPUs; the second one is that of CPUs with cores of two
 * kinds. A PMU of another CPU has no counter mask. A user who names an event map wants
 * its events.
 */
static const char *const raw_pmus[] = {
	"/sys/bus/event_source/devices/cpu/format/cmask",
	"/sys/bus/event_source/devices/cpu_core/format/cmask",
};

static bool has_raw_pmu(void)
{
	const char *map = secure_getenv("IRIXPERF_EVENTMAP");
	size_t i;

	if (map && *map)
		return false;
	for (i = 0; i < sizeof(raw_pmus) / sizeof(raw_pmus[0]); i++)
		if (access(raw_pmus[i], F_OK) == 0)
			return true;

	return false;
}

int pctr_cpu_look(struct pctr_cpu *cpu)
{
	struct irixperf_cpu found = { .chip = IRIXPERF_CHIP_NONE };
	int ret;

	*cpu = (struct pctr_cpu){ .counters = PCTR_NUM };
	ret = irixperf_cpu_detect(&found);
	if (ret == 0 && found.chip != IRIXPERF_MAPPED)
		cpu->counters = 2;
	else
		cpu->raw = has_raw_pmu();
	if (cpu->raw)
		return 0;
	cpu->chip = found.chip;

	return ret;
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
unsigned int pctr_function_slot(bool raw, unsigned int ctr, unsigned int fn)
{
	return raw ? ctr : fn & (IRIXPERF_EVENTS - 1);
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

/**
 * pctr_functions_to_attr() - say what system mode is to count
 * @attr: gets the events, with the functions as labels
 * @raw: functions are codes
 * @fn: the functions, which are valid
 *
 * Return: 0; -EINVAL if two counters are to count the same event in different modes:
 * system mode has each event once.
 */
int pctr_functions_to_attr(struct irixperf_system_attr *attr, bool raw,
			   const unsigned int fn[PCTR_NUM])
{
	unsigned int ctr;

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->label[PCTR_LABEL_RAW] = raw;
	for (ctr = 0; ctr < PCTR_NUM; ctr++) {
		unsigned char *mode = &attr->mode[pctr_function_slot(raw, ctr, fn[ctr])];

		attr->label[ctr] = fn[ctr];
		if (!pctr_function_counts(fn, ctr))
			continue;
		if (*mode && *mode != mode_of(fn[ctr]))
			return -EINVAL;
		*mode = mode_of(fn[ctr]);
		if (raw)
			attr->code[ctr] = fn[ctr] & FN_CODE;
	}

	return 0;
}
