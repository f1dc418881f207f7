// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The buckets of a profile. It works as IRIX's sprofil(2), with overflows of the
 * counters instead of clock ticks: each overflow adds one to the bucket of the program
 * counter.
 *
 * Choices that the manual page leaves open: buckets have 16 bits and stop at their
 * highest value, as those of profil(2) do. If an address is in several regions, the
 * region with the highest start gets it. The first bucket of a region with pr_off 0 and
 * pr_scale 2 gets all addresses outside the other regions; without such a region, these
 * are not counted.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include "buckets.h"
#include "mem.h"
#include "user.h"

#define SCALE_BITS	16
#define SCALE_OFF	1		/* 0 and 1: no profile */
#define SCALE_REST	2		/* with pr_off 0: all other addresses */

struct region {
	uintptr_t start;
	uint64_t scale;
	uint16_t *bucket;
	size_t nr;
};

/**
 * struct ixp_profile - a profile
 * @stat: its statistics
 * @rest: the region for addresses outside all others; its nr is 0 if there is none
 * @nr: how many regions
 * @region: the regions, sorted by descending start
 */
struct ixp_profile {
	struct irixperf_profile_stat stat;
	struct region rest;
	unsigned int nr;
	struct region region[];
};

static int region_order(const void *a, const void *b)
{
	uintptr_t left = ((const struct region *)a)->start;
	uintptr_t right = ((const struct region *)b)->start;

	return left < right ? 1 : -(left > right);
}

/* Check that the buckets can be written: one byte of each page is enough */
static int buckets_check(const struct prof *p)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *base = p->pr_base;
	size_t at = 0, next;
	int ret = 0;

	if ((uintptr_t)base % sizeof(uint16_t))
		return -EINVAL;
	if (p->pr_size > UINTPTR_MAX - (uintptr_t)base)
		return -EFAULT;

	while (at < p->pr_size && ret == 0) {
		ret = ixp_user_write(base + at, base + at, 1);
		next = page - (uintptr_t)(base + at) % page;
		at = next < p->pr_size - at ? at + next : p->pr_size;
	}

	return ret;
}

/* Add a region. One without scale or buckets is legal, and has no effect */
static int profile_add(struct ixp_profile *profile, const struct prof *p)
{
	struct region region = {
		.start = p->pr_off,
		.scale = p->pr_scale,
		.bucket = p->pr_base,
		.nr = p->pr_size / sizeof(uint16_t),
	};
	int ret;

	if (p->pr_scale > UINT32_MAX)
		return -EINVAL;
	if (p->pr_scale <= SCALE_OFF || region.nr == 0)
		return 0;
	ret = buckets_check(p);
	if (ret < 0)
		return ret;

	if (p->pr_off == 0 && p->pr_scale == SCALE_REST)
		profile->rest = region;
	else
		profile->region[profile->nr++] = region;

	return 0;
}

/**
 * ixp_profile_new() - make a profile
 * @profile: where to put it; ixp_profile_free() frees it
 * @profp: the regions
 * @profcnt: how many
 *
 * Return: 0; -EINVAL if there are no regions, or too many, or if a region's buckets
 * are at an odd address; -EFAULT if they cannot be written; -ENOMEM.
 */
int ixp_profile_new(struct ixp_profile **profile, const struct prof *profp,
		    int profcnt)
{
	struct ixp_profile *new;
	int i, ret = 0;

	if (profcnt <= 0 || profcnt > IXP_PROFILE_REGIONS)
		return -EINVAL;
	new = ixp_alloc(sizeof(*new) + (size_t)profcnt * sizeof(struct region));
	if (!new)
		return -ENOMEM;

	for (i = 0; i < profcnt && ret == 0; i++)
		ret = profile_add(new, &profp[i]);
	if (ret < 0) {
		ixp_free(new);
		return ret;
	}
	qsort(new->region, new->nr, sizeof(struct region), region_order);
	*profile = new;

	return 0;
}

void ixp_profile_free(struct ixp_profile *profile)
{
	ixp_free(profile);
}

/* The index of the bucket of @pc; @region->nr or more if there is no such bucket */
static uint64_t region_index(const struct region *region, uint64_t pc)
{
	uint64_t from = pc - region->start;
	uint64_t whole = from >> SCALE_BITS;
	uint64_t part = from & ((1 << SCALE_BITS) - 1);

	if (whole > UINT64_MAX / region->scale / 2)
		return UINT64_MAX;

	return (whole * region->scale + (part * region->scale >> SCALE_BITS)) /
	       sizeof(uint16_t);
}

static void bucket_hit(struct ixp_profile *profile, uint16_t *bucket)
{
	if (*bucket == UINT16_MAX) {
		profile->stat.full++;
		return;
	}
	++*bucket;
	profile->stat.samples++;
}

/**
 * ixp_profile_hit() - count an overflow
 * @profile: the profile
 * @pc: the program counter
 */
void ixp_profile_hit(struct ixp_profile *profile, uint64_t pc)
{
	unsigned int i;

	for (i = 0; i < profile->nr; i++) {
		const struct region *region = &profile->region[i];
		uint64_t index;

		if (pc < region->start)
			continue;
		index = region_index(region, pc);
		if (index < region->nr) {
			bucket_hit(profile, &region->bucket[index]);
			return;
		}
	}
	if (profile->rest.nr)
		bucket_hit(profile, profile->rest.bucket);
	else
		profile->stat.outside++;
}

/**
 * ixp_profile_missed() - count overflows whose program counter is unknown
 * @profile: the profile
 * @lost: how many
 * @throttled: the kernel has stopped the events for a while
 */
void ixp_profile_missed(struct ixp_profile *profile, uint64_t lost, bool throttled)
{
	profile->stat.lost += lost;
	profile->stat.throttled += throttled;
}

/* The statistics. The caller must have brought the profile up to date */
struct irixperf_profile_stat ixp_profile_stat(const struct ixp_profile *profile)
{
	struct irixperf_profile_stat stat = profile->stat;

	stat.size = sizeof(stat);

	return stat;
}
