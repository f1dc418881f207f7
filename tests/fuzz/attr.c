// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random attributes. Most are ones that our PMU takes, for what is refused at
 * the door reaches nothing; the rest differ from such in a field or two.
 */
#include <string.h>

#include "fuzz.h"

#define SAMPLE_TYPES	24	/* bits of sample_type that exist */
#define FLAG_BITS	38	/* bits of the flags word that exist */

static uint64_t raw_config(void)
{
	uint64_t config = random_below(32);

	if (random_once_in(3))
		config |= (uint64_t)random_below(4) << 8;
	if (random_once_in(40))
		config |= random_bits();
	return config;
}

static void type_and_config(struct perf_event_attr *attr)
{
	unsigned int kind = random_below(20);

	if (kind < 13) {
		attr->type = PERF_TYPE_RAW;
		attr->config = raw_config();
	} else if (kind < 16) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = random_below(PERF_COUNT_HW_MAX + 1);
	} else if (kind < 17) {
		attr->type = PERF_TYPE_HW_CACHE;
		attr->config = random_below(8) | random_below(4) << 8 |
			       random_below(3) << 16;
	} else if (kind < 19) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = random_below(PERF_COUNT_SW_MAX + 1);
	} else {
		attr->type = random_below(10);
		attr->config = random_size(64);
	}
}

/* Very short periods are rare: a few of them keep the guest busy. */
static uint64_t random_period(void)
{
	if (random_once_in(60))
		return 1 + random_below(100);
	return 10000 + random_size(41);
}

static void sampling(struct perf_event_attr *attr)
{
	if (random_once_in(3))
		return;
	if (random_once_in(5)) {
		attr->freq = 1;
		attr->sample_freq = 1 + random_size(11);
	} else {
		attr->sample_period = random_period();
	}
	attr->sample_type = random_bits() & random_bits() &
			    ((1ull << SAMPLE_TYPES) - 1);
	attr->sample_type &= ~PERF_SAMPLE_STACK_USER;
	attr->wakeup_events = random_below(4);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		attr->sample_regs_user = random_bits();
}

static void modes(struct perf_event_attr *attr)
{
	unsigned int bits = random_bits();

	attr->exclude_user = bits & 1;
	attr->exclude_kernel = bits >> 1 & 1;
	attr->exclude_hv = bits >> 2 & 1;
	attr->exclude_guest = !(bits >> 3 & 7);
	attr->exclude_idle = !(bits >> 6 & 31);
}

static void flags(struct perf_event_attr *attr)
{
	unsigned int bits = random_bits();

	attr->disabled = bits & 1;
	attr->inherit = bits >> 1 & 1;
	attr->pinned = !(bits >> 2 & 3);
	attr->exclusive = !(bits >> 4 & 15);
	attr->mmap = bits >> 8 & 1;
	attr->comm = bits >> 9 & 1;
	attr->task = bits >> 10 & 1;
	attr->enable_on_exec = !(bits >> 11 & 7);
	attr->inherit_stat = !(bits >> 14 & 3);
	attr->context_switch = !(bits >> 16 & 3);
	attr->remove_on_exec = !(bits >> 18 & 7);
	attr->inherit_thread = !(bits >> 21 & 15);
	attr->watermark = !(bits >> 25 & 7);
	attr->read_format = random_bits() & 31;
}

/* One bit of the flags, or one word, as it should not be */
static void spoil(struct perf_event_attr *attr)
{
	uint64_t *word = (uint64_t *)attr;

	if (random_once_in(2))
		word[5] ^= 1ull << (63 - random_below(FLAG_BITS));
	else
		word[random_below(sizeof(*attr) / 8)] = random_size(64);
}

void random_attr(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	type_and_config(attr);
	sampling(attr);
	modes(attr);
	flags(attr);
	if (random_once_in(8))
		spoil(attr);
}
