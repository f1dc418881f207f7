// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the CPU has: counters, events and their names. The events are those of
 * libirixperf; some of them have a second name, by which NetBSD's libpmc(3) knows what
 * counts the same on other CPUs.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <strings.h>
#include <irixperf.h>
#include <pmc.h>
#include "internal.h"

static const struct {
	const char *netbsd;
	const char *name;
} aliases[] = {
	{ "clock", "cycles" },
	{ "unhalted-cycles", "cycles" },
	{ "ins-decoded", "decoded_instructions" },
	{ "instruction-executed", "graduated_instructions" },
	{ "ins-retired", "graduated_instructions" },
	{ "branch-decoded", "decoded_branches" },
	{ "branch-mispredicted", "mispredicted_branches" },
	{ "branch-miss-retired", "mispredicted_branches" },
	{ "insfetch-miss", "l1i_misses" },
	{ "l1cache-ins-miss", "l1i_misses" },
	{ "dcache-miss", "l1d_misses" },
	{ "l1cache-data-miss", "l1d_misses" },
	{ "mem-read", "graduated_loads" },
	{ "mem-write", "graduated_stores" },
	{ "fpu-flops", "graduated_fp_instructions" },
};

#define NR_ALIASES	(sizeof(aliases) / sizeof(aliases[0]))

static enum irixperf_chip chip(void)
{
	struct irixperf_cpu cpu;

	return irixperf_cpu_detect(&cpu) == 0 ? cpu.chip : IRIXPERF_CHIP_NONE;
}

int libpmc_nr_counters(void)
{
	return chip() == IRIXPERF_CHIP_NONE ? 0 : LIBPMC_COUNTERS;
}

int libpmc_class(void)
{
	switch (chip()) {
	case IRIXPERF_R10000_V2:
		return PMC_CLASS_R10000_V2;
	case IRIXPERF_R10000_V3:
		return PMC_CLASS_R10000;
	case IRIXPERF_R12000:
		return PMC_CLASS_R12000;
	case IRIXPERF_MAPPED:
		return PMC_CLASS_GENERIC;
	case IRIXPERF_CHIP_NONE:
		break;
	}

	return -ENXIO;
}

int libpmc_type(int ctr)
{
	if (ctr < 0 || ctr >= libpmc_nr_counters())
		return -EINVAL;
	switch (libpmc_class()) {
	case PMC_CLASS_R12000:
		return PMC_TYPE_R12000;
	case PMC_CLASS_GENERIC:
		return PMC_TYPE_GENERIC;
	}

	return ctr == 0 ? PMC_TYPE_R10000_0 : PMC_TYPE_R10000_1;
}

bool libpmc_counts(int ctr, pmc_evid_t event)
{
	int type = libpmc_type(ctr);

	if (!irixperf_event_counterpart(chip(), event))
		return false;
	if (type == PMC_TYPE_R10000_0)
		return event < IRIXPERF_EVENTS / 2;

	return type != PMC_TYPE_R10000_1 || event >= IRIXPERF_EVENTS / 2;
}

/* libpmc(3) */

static struct pmc_event list[IRIXPERF_EVENTS + NR_ALIASES + 1];

static void list_make(void)
{
	const enum irixperf_chip here = chip();
	struct pmc_event *entry = list;
	const struct irixperf_event *event;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		event = irixperf_event_get(here, i);
		if (event && irixperf_event_counterpart(here, i))
			*entry++ = (struct pmc_event){ event->name, i };
	}
	for (i = 0; i < NR_ALIASES; i++) {
		event = irixperf_event_find(here, aliases[i].name);
		if (event && irixperf_event_counterpart(here, event->num))
			*entry++ = (struct pmc_event){ aliases[i].netbsd, event->num };
	}
}

const struct pmc_event *pmc_get_counter_event_list(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (chip() == IRIXPERF_CHIP_NONE) {
		errno = ENXIO;
		return NULL;
	}
	pthread_once(&once, list_make);

	return list;
}

/* By libirixperf's name, for which case and dashes do not matter, or by NetBSD's */
static int event_find(pmc_evid_t *num, const char *evname)
{
	const struct pmc_event *entry = pmc_get_counter_event_list();
	const struct irixperf_event *event;

	if (!entry)
		return -EINVAL;
	event = irixperf_event_find(chip(), evname);
	while (entry->name && !(event ? entry->val == event->num :
				strcasecmp(entry->name, evname) == 0))
		entry++;
	*num = entry->val;

	return entry->name ? 0 : -ENODEV;
}

int pmc_configure_counter(int ctr, const char *evname, pmc_ctr_t reset_val,
			  uint32_t flags)
{
	struct pmc_counter_cfg cfg = { .reset_value = reset_val, .flags = flags };
	int ret = event_find(&cfg.event_id, evname);

	if (ret < 0) {
		errno = -ret;
		return -1;
	}

	return pmc_control(ctr, PMC_OP_CONFIGURE, &cfg);
}

const char *pmc_get_counter_event_name(pmc_evid_t event)
{
	const struct pmc_event *entry = pmc_get_counter_event_list();

	while (entry && entry->name && entry->val != event)
		entry++;
	if (!entry || !entry->name) {
		errno = ESRCH;
		return NULL;
	}

	return entry->name;
}

static const char *name_of(const char *const *names, size_t nr, int number)
{
	if (number > 0 && (size_t)number < nr)
		return names[number];
	errno = ESRCH;

	return NULL;
}

const char *pmc_get_counter_class_name(int classval)
{
	static const char *const names[] = {
		[PMC_CLASS_R10000_V2] = "R10000 2.x",
		[PMC_CLASS_R10000] = "R10000",
		[PMC_CLASS_R12000] = "R12000",
		[PMC_CLASS_GENERIC] = "perf",
	};

	return name_of(names, sizeof(names) / sizeof(names[0]), classval);
}

const char *pmc_get_counter_type_name(int type)
{
	static const char *const names[] = {
		[PMC_TYPE_R10000_0] = "R10000 counter 0",
		[PMC_TYPE_R10000_1] = "R10000 counter 1",
		[PMC_TYPE_R12000] = "R12000 counter",
		[PMC_TYPE_GENERIC] = "perf counter",
	};

	return name_of(names, sizeof(names) / sizeof(names[0]), type);
}
