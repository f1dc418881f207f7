// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * hwp_mode, in perf's words. The driver's format/exl (config bits 8 and 9)
 * says what happens at exception level: 0 counts it with kernel mode, 1 counts
 * it whatever exclude_kernel says, 2 never counts it.
 */
#include <errno.h>
#include <string.h>
#include "internal.h"

#define CONFIG_EXL_ALWAYS	(1 << 8)
#define CONFIG_EXL_NEVER	(2 << 8)

/*
 * The kernel decides about kernel mode and exception level when the event is
 * opened. Of supervisor mode it knows nothing; r10k_evcntrs(5) leaves it to
 * root, for whom it counts the nothing that runs in it.
 */
int ixp_mode_check(unsigned int mode)
{
	if (mode == 0 || (mode & ~(unsigned int)HWPERF_MODEMASK))
		return -EINVAL;
	if ((mode & HWPERF_CNTEN_S) && ixp_kernel.euid() != 0)
		return -EPERM;
	return 0;
}

/* Four events' modes, which are looked at together as most are not wanted */
typedef uint32_t __attribute__((may_alias)) four_modes;

static uint32_t events_of_four(const struct irixperf_attr *attr,
			       unsigned int first, unsigned int *modes)
{
	uint32_t events = 0;
	unsigned int i;

	for (i = first; i < first + 4; i++) {
		events |= (uint32_t)(attr->mode[i] != 0) << i;
		*modes |= attr->mode[i];
	}

	return events;
}

/**
 * ixp_mode_events() - find the events that are wanted
 * @attr: the modes of all events
 * @modes: gets all modes in one, for ixp_mode_check(); 0 if there is no event
 *
 * Return: the events.
 */
uint32_t ixp_mode_events(const struct irixperf_attr *attr, unsigned int *modes)
{
	const four_modes *four = (const void *)attr->mode;
	uint32_t events = 0;
	unsigned int i;

	*modes = 0;
#pragma GCC unroll 8
	for (i = 0; i < IRIXPERF_EVENTS / 4; i++)
		if (__builtin_expect(four[i] != 0, 0))
			events |= events_of_four(attr, 4 * i, modes);

	return events;
}

static unsigned int mode_exl(unsigned int mode)
{
	switch (mode & (HWPERF_CNTEN_K | HWPERF_CNTEN_E)) {
	case HWPERF_CNTEN_K:
		return CONFIG_EXL_NEVER;
	case HWPERF_CNTEN_E:
		return CONFIG_EXL_ALWAYS;
	default:
		return 0;
	}
}

void ixp_mode_apply(struct perf_event_attr *attr, unsigned int event,
		    unsigned int mode)
{
	attr->config = event | mode_exl(mode);
	attr->exclude_user = !(mode & HWPERF_CNTEN_U);
	attr->exclude_kernel = !(mode & HWPERF_CNTEN_K);
	attr->exclude_hv = !(mode & HWPERF_CNTEN_S);
}
