// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Translate hwp_mode to perf attributes. The driver's field exl (config bits 8 and 9)
 * says when an event counts at exception level: 0: when it counts in kernel mode;
 * 1: always, even with exclude_kernel; 2: never.
 */
#include <errno.h>
#include <string.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "mode.h"
#include "kernel.h"

#define CONFIG_EXL_ALWAYS	(1 << 8)
#define CONFIG_EXL_NEVER	(2 << 8)

/*
 * The kernel checks the rights for kernel mode and exception level when the event is
 * opened. It does not know supervisor mode, which r10k_evcntrs(5) reserves for root:
 * nothing runs in it, so the count is 0.
 */
int ixp_mode_check(unsigned int mode)
{
	if (mode == 0 || (mode & ~(unsigned int)HWPERF_MODEMASK))
		return -EINVAL;
	if ((mode & HWPERF_CNTEN_S) && ixp_kernel.euid() != 0)
		return -EPERM;
	return 0;
}

/* The modes of four events, read as one word: most are 0, so this checks them faster */
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
 * @modes: gets the bitwise or of all modes, for ixp_mode_check(); 0 if there is no
 *	event
 *
 * Return: the events, bit n for event n.
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

void ixp_mode_apply(struct perf_event_attr *attr, unsigned int mode)
{
	attr->config |= mode_exl(mode);
	attr->exclude_user = !(mode & HWPERF_CNTEN_U);
	attr->exclude_kernel = !(mode & HWPERF_CNTEN_K);
	attr->exclude_hv = !(mode & HWPERF_CNTEN_S);
}
