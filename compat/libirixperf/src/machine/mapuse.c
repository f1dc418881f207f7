// SPDX-License-Identifier: LGPL-2.1-or-later
/* Use the event map: which events it has, and how perf_event_open(2) gets them. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "mapuse.h"
#include "machine.h"

#define KERNEL_MODES	(HWPERF_CNTEN_K | HWPERF_CNTEN_E)

/*
 * Only the R10000 can count exception level by itself. On other CPUs it is part of
 * kernel mode. So it is accepted together with kernel mode, and refused without it,
 * because the count would include all of kernel mode.
 */
static bool mode_fits(unsigned int mode)
{
	return (mode & KERNEL_MODES) != HWPERF_CNTEN_E;
}

/**
 * ixp_map_check() - check whether the map can count all events that are wanted
 * @machine: the machine
 * @attr: the events and modes
 *
 * Return: 0, or -EINVAL.
 */
int ixp_map_check(const struct ixp_machine *machine,
		  const struct irixperf_attr *attr)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] &&
		    (!machine->event[i].there || !mode_fits(attr->mode[i])))
			return -EINVAL;

	return 0;
}

/*
 * Set the members of @pea for a mode. Supervisor mode adds nothing, because nothing runs
 * in it. It has nothing to do with hypervisors: exclude_hv is always set.
 */
void ixp_map_apply(struct perf_event_attr *pea, unsigned int mode)
{
	pea->exclude_user = !(mode & HWPERF_CNTEN_U);
	pea->exclude_kernel = !(mode & HWPERF_CNTEN_K);
	pea->exclude_hv = 1;
}

/* The events that the kernel counts in software, bit n for event n */
uint32_t ixp_map_software(const struct ixp_machine *machine)
{
	uint32_t events = 0;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (machine->event[i].there &&
		    machine->event[i].code.type == PERF_TYPE_SOFTWARE)
			events |= UINT32_C(1) << i;

	return events;
}

const char *irixperf_event_counterpart(enum irixperf_chip chip,
				       unsigned int num)
{
	const struct irixperf_event *event = irixperf_event_get(chip, num);
	const struct ixp_machine *machine;
	char why[IXP_WHY_SIZE];

	if (!event || chip != IRIXPERF_MAPPED)
		return event ? event->name : NULL;

	machine = ixp_machine(why, sizeof(why));

	return machine && machine->event[num].there ?
	       machine->event[num].name : NULL;
}

const char *irixperf_map_file(void)
{
	char why[IXP_WHY_SIZE];
	const struct ixp_machine *machine = ixp_machine(why, sizeof(why));

	return machine && machine->path[0] ? machine->path : NULL;
}
