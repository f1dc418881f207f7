// SPDX-License-Identifier: LGPL-2.1-or-later
/* HWPERF_PROFENABLE, by which a program profiles itself: see also profile.c. */
#include <errno.h>
#include <stdint.h>
#include "profenable.h"
#include "buckets.h"
#include "enter.h"
#include "machine.h"
#include "mem.h"
#include "proc.h"
#include "target.h"
#include "user.h"

/* Does any event have a threshold? If not, no overflow would ever fill a bucket */
static bool any_clock(const hwperf_profevctrarg_t *arg)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (arg->hwp_evctrargs.hwp_evctrl[i].hwperf_spec != 0 &&
		    arg->hwp_ovflw_freq[i] > 0)
			return true;

	return false;
}

static int profile_copy(struct ixp_profile **profile, uintptr_t profp,
			int profcnt)
{
	struct prof *copy;
	size_t size;
	int ret;

	if (profcnt <= 0 || profcnt > IXP_PROFILE_REGIONS)
		return -EINVAL;
	size = (size_t)profcnt * sizeof(*copy);
	copy = ixp_alloc(size);
	if (!copy)
		return -ENOMEM;

	ret = ixp_user_read(copy, (const void *)profp, size);
	if (ret == 0)
		ret = ixp_profile_new(profile, copy, profcnt);
	ixp_free(copy);

	return ret;
}

/**
 * ixp_profile_enable() - HWPERF_PROFENABLE
 * @arg: address of a hwperf_profevctrarg_t
 * @profp: address of an array of struct prof
 * @profcnt: its length, an int
 *
 * Return: a positive generation number;
 * -EINVAL: invalid events, no event with a threshold, or invalid regions;
 * -EFAULT: an invalid address;
 * -EBUSY: the counters are in system mode, another process has acquired them, or another
 * user of perf has them for itself;
 * or another error of irixperf_proc_ioctl().
 */
int ixp_profile_enable(uintptr_t arg, uintptr_t profp, uintptr_t profcnt)
{
	struct ixp_profile *profile;
	hwperf_profevctrarg_t copy;
	char why[IXP_WHY_SIZE];
	int ret;

	/* Not under the lock, as this calls malloc(3): see irixperf_proc_ioctl() */
	ixp_machine(why, sizeof(why));
	ret = ixp_user_read(&copy, (const void *)arg, sizeof(copy));
	if (ret == 0 && !any_clock(&copy))
		ret = -EINVAL;
	if (ret == 0)
		ret = profile_copy(&profile, profp, (int)profcnt);
	if (ret < 0)
		return ret;

	ixp_enter();
	ret = ixp_proc_profile(&copy, profile);
	ixp_leave();
	if (ret < 0)
		ixp_profile_free(profile);

	return ret;
}

int irixperf_profile_stat(struct irixperf_profile_stat *stat)
{
	const struct ixp_target *self;
	int ret = -EINVAL;

	if (stat->size != sizeof(*stat))
		return ret;

	ixp_enter();
	self = ixp_target_self();
	if (self && self->profile) {
		*stat = ixp_profile_stat(self->profile);
		ret = 0;
	}
	ixp_leave();

	return ret;
}
