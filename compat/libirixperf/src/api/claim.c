// SPDX-License-Identifier: LGPL-2.1-or-later
/* Claims on the counters of all CPUs, and what they count. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/hwperfmacros.h>
#include <irixperf.h>
#include "claimfile.h"
#include "counters.h"
#include "enter.h"
#include "kernel.h"
#include "lock.h"
#include "mode.h"
#include "system.h"

/**
 * struct irixperf_claim - a claim
 * @lock: the descriptor that keeps it
 * @counters: what it counts, or NULL
 */
struct irixperf_claim {
	int lock;
	struct ixp_counters *counters;
};

int irixperf_claim(struct irixperf_claim **claim, unsigned int flags)
{
	struct irixperf_claim *new;
	struct ixp_held held;

	if (!claim || flags & ~(unsigned int)IRIXPERF_CLAIM_SHARED)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	/* As in eventctr.c: the start of a holder must not be interrupted */
	ixp_thread_hold(&held);
	new->lock = ixp_claim_begin(flags & IRIXPERF_CLAIM_SHARED);
	ixp_thread_release(&held);
	if (new->lock < 0) {
		int ret = new->lock;

		free(new);
		return ret;
	}
	*claim = new;

	return 0;
}

static int check_modes(const unsigned char mode[IRIXPERF_EVENTS])
{
	unsigned int modes = 0, i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		modes |= mode[i];
	if (modes & ~(unsigned int)HWPERF_MODEMASK)
		return -EINVAL;

	return modes ? ixp_mode_check(modes) : 0;
}

/* Others that share the counters must not take them between the old and the new events */
static int replace(struct irixperf_claim *claim, struct ixp_counters *new)
{
	int control = ixp_system_control(), ret;

	if (control < 0) {
		ixp_counters_close(new);
		return control;
	}
	ret = ixp_counters_replace(&claim->counters, new);
	ixp_lock_close(control);

	return ret;
}

int irixperf_claim_count(struct irixperf_claim *claim,
			 const unsigned char mode[IRIXPERF_EVENTS],
			 const struct irixperf_code code[IRIXPERF_CODES])
{
	static const struct irixperf_code none[IRIXPERF_CODES];
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct ixp_counters *new;
	struct ixp_held held;
	int ret = check_modes(mode);

	if (ret < 0)
		return ret;
	memcpy(attr.mode, mode, sizeof(attr.mode));
	ixp_thread_hold(&held);
	ret = ixp_counters_open(&new, &attr, code ? code : none, IXP_PIN_ALL);
	if (ret == 0)
		ret = replace(claim, new);
	ixp_thread_release(&held);

	return ret;
}

int irixperf_claim_read(struct irixperf_claim *claim, int cpu,
			struct irixperf_count count[IRIXPERF_EVENTS])
{
	struct irixperf_count found[IRIXPERF_EVENTS];
	uint64_t starved = 0;
	int index, number, ret;

	if (!claim->counters)
		return -EINVAL;
	index = ixp_counters_index(claim->counters, cpu);
	if (index < 0)
		return index;
	ret = ixp_counters_follow_one(claim->counters, (unsigned int)index);
	if (ret == 0)
		ret = ixp_counters_read(claim->counters, (unsigned int)index, &number, found,
					&starved);
	if (ret == 0 && number < 0)
		ret = number;
	if (ret == 0)
		memcpy(count, found, sizeof(found));

	return ret;
}

void irixperf_claim_close(struct irixperf_claim *claim)
{
	if (!claim)
		return;
	ixp_counters_close(claim->counters);
	close(claim->lock);
	free(claim);
}
