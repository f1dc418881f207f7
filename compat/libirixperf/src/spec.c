// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The argument of PIOCENEVCTRS and PIOCSETEVCTRL.
 *
 * The place in the array says which event is meant, as the manual page reads
 * the counts: hwp_evctr[25] is event 25. hwp_ev may repeat it, as the full
 * number or as the number within the counter (9), or be 0: programs do all
 * three. Anything else contradicts its place and is refused.
 */
#include <errno.h>
#include <string.h>
#include "overflow.h"

static bool spec_event_fits(unsigned int place, unsigned int event)
{
	return event == place || event == place % IXP_HALF_EVENTS || event == 0;
}

static int spec_slot(struct irixperf_attr *attr, unsigned int place,
		     const hwperf_ctrl_t *ctrl)
{
	const struct hwperf_ctrlreg *reg = &ctrl->hwperf_creg;

	if (ctrl->hwperf_spec == 0)
		return 0;
	if (reg->hwp_mode == 0 || !spec_event_fits(place, reg->hwp_ev))
		return -EINVAL;

	attr->mode[place] = reg->hwp_mode;

	return 0;
}

/*
 * perf_event_paranoid may let others than root count kernel mode. It is not
 * theirs here: for root it is system mode.
 */
static int spec_privilege(const struct irixperf_attr *attr)
{
	unsigned int i;
	int ret;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		if ((attr->mode[i] & HWPERF_CNTEN_K) && ixp_kernel.euid() != 0)
			return -EPERM;
		ret = attr->mode[i] ? ixp_mode_check(attr->mode[i]) : 0;
		if (ret < 0)
			return ret;
	}

	return 0;
}

/**
 * ixp_spec_decode() - check what a program asks for
 * @attr: gets the mode of each event; zero where it is not wanted
 * @arg: the program's words
 *
 * Return: 0; -EINVAL for an improper event, mode, threshold or signal; -EPERM
 * for a mode above the caller's rights.
 */
int ixp_spec_decode(struct irixperf_attr *attr,
		    const hwperf_profevctrarg_t *arg)
{
	unsigned int i;
	int ret;

	memset(attr->mode, 0, sizeof(attr->mode));
	ret = ixp_overflow_check(arg);
	for (i = 0; i < HWPERF_EVENTMAX && ret == 0; i++)
		ret = spec_slot(attr, i, &arg->hwp_evctrargs.hwp_evctrl[i]);
	if (ret == 0)
		ret = spec_privilege(attr);

	return ret;
}
