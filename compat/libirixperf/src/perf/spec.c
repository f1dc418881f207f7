// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Check the argument of PIOCENEVCTRS and PIOCSETEVCTRL.
 *
 * The index of a slot in the array is the number of its event, as the manual page says
 * for the counts: hwp_evctr[25] is event 25. In slot 25, hwp_ev may be the same number
 * (25), the number within the counter (9), or 0: programs do all three. Any other
 * hwp_ev contradicts its slot and is refused.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <irixperf.h>
#include "spec.h"
#include "kernel.h"
#include "mode.h"
#include "overflow.h"
#include "plan.h"

/* Two slots, read as one word: most slots are empty, so this checks them faster */
typedef uint32_t __attribute__((may_alias)) two_slots;

#define TWICE	(HWPERF_EVENTMAX / 2)

/**
 * ixp_spec_bits() - combine all slots
 * @arg: the program's request
 *
 * Return: the bitwise or of hwperf_spec of all slots; 0 if no event is wanted.
 */
unsigned int ixp_spec_bits(const hwperf_profevctrarg_t *arg)
{
	const two_slots *two = (const void *)arg->hwp_evctrargs.hwp_evctrl;
	uint32_t bits = 0;
	unsigned int i;

#pragma GCC unroll 16
	for (i = 0; i < TWICE; i++)
		bits |= two[i];

	return (bits | bits >> 16) & 0xffff;
}

static bool event_fits(unsigned int slot, unsigned int event)
{
	return event == slot || event == slot % IXP_HALF_EVENTS || event == 0;
}

/* Check a slot, and store its mode. Return: the mode, or an error */
static int spec_slot(struct irixperf_attr *attr, unsigned int slot,
		     const hwperf_ctrl_t *ctrl)
{
	const struct hwperf_ctrlreg *reg = &ctrl->hwperf_creg;

	if (ctrl->hwperf_spec == 0)
		return 0;
	if (reg->hwp_mode == 0 || !event_fits(slot, reg->hwp_ev))
		return -EINVAL;

	attr->mode[slot] = reg->hwp_mode;

	return reg->hwp_mode;
}

static int spec_two(struct irixperf_attr *attr, unsigned int slot,
		    const hwperf_ctrl_t *ctrl)
{
	int first = spec_slot(attr, slot, ctrl);

	return first | spec_slot(attr, slot + 1, ctrl + 1);
}

/* A loop, because memset() takes four times as long in some C libraries */
static void modes_clear(struct irixperf_attr *attr)
{
	two_slots *four = (void *)attr->mode;
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < IRIXPERF_EVENTS / sizeof(*four); i++) {
		four[i] = 0;
		__asm__ volatile("" : : : "memory");
	}
}

/*
 * Check all slots. Return: the bitwise or of their results: of all modes, or, if there
 * is an error among them, a negative number.
 */
static int spec_slots(struct irixperf_attr *attr,
		      const hwperf_profevctrarg_t *arg)
{
	const hwperf_ctrl_t *ctrl = arg->hwp_evctrargs.hwp_evctrl;
	const two_slots *two = (const void *)ctrl;
	unsigned int i;
	int modes = 0;

	modes_clear(attr);
#pragma GCC unroll 16
	for (i = 0; i < TWICE; i++)
		if (__builtin_expect(two[i] != 0, 0))
			modes |= spec_two(attr, 2 * i, &ctrl[2 * i]);

	return modes < 0 ? -EINVAL : modes;
}

/**
 * ixp_spec_decode() - check a program's request
 * @attr: gets the mode of each event; zero for events that are not wanted
 * @arg: the program's request
 *
 * Return: the bitwise or of all modes, 0 if no event is wanted; -EINVAL for an
 * invalid event, mode, threshold or signal; -EPERM for a mode above the caller's
 * rights.
 */
int ixp_spec_decode(struct irixperf_attr *attr,
		    const hwperf_profevctrarg_t *arg)
{
	int ret = ixp_overflow_check(arg), modes;

	if (ret < 0)
		return ret;
	modes = spec_slots(attr, arg);
	if (modes <= 0)
		return modes;
	/*
	 * perf_event_paranoid may allow all users to count in kernel mode. These requests
	 * do not: for them kernel mode means system mode, which only root may start.
	 */
	if ((modes & HWPERF_CNTEN_K) && ixp_kernel.euid() != 0)
		return -EPERM;
	ret = ixp_mode_check((unsigned int)modes);

	return ret < 0 ? ret : modes;
}
