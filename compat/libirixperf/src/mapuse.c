// SPDX-License-Identifier: LGPL-2.1-or-later
/* The event map at work: which events it brings, and what the kernel is asked. */
#include <errno.h>
#include "map.h"

#define KERNEL_MODES	(HWPERF_CNTEN_K | HWPERF_CNTEN_E)

/*
 * Exception level is a mode of the R10000 alone. Elsewhere it is part of kernel
 * mode, and goes with it; without it, it is refused: what would count would be
 * something else.
 */
static bool mode_fits(unsigned int mode)
{
	return (mode & KERNEL_MODES) != HWPERF_CNTEN_E;
}

/**
 * ixp_map_check() - can all of this be counted by the map?
 * @machine: the machine
 * @attr: what is wanted
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

/* Nothing runs in supervisor mode: a hypervisor, which could, is not meant */
void ixp_map_apply(const struct ixp_machine *machine,
		   struct perf_event_attr *pea, unsigned int event,
		   unsigned int mode)
{
	const struct ixp_code *code = &machine->event[event].code;

	pea->type = code->type;
	pea->config = code->config[0];
	pea->config1 = code->config[1];
	pea->config2 = code->config[2];
	pea->exclude_user = !(mode & HWPERF_CNTEN_U);
	pea->exclude_kernel = !(mode & HWPERF_CNTEN_K);
	pea->exclude_hv = 1;
}

/* The events that the kernel counts by itself, bit n for event n */
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
