// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translation of perf_event_attr to an event number and mode bits, or to an error.
 *
 *   -ENOENT       an event of another PMU
 *   -EOPNOTSUPP   valid, but these CPUs cannot do it
 *   -EINVAL       malformed, or a group that can never run
 *   -EACCES       counts the kernel, which the caller is not allowed to
 *
 * Each refusal prints a debug line, because perf shows only the error number.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/bitfield.h>
#include <linux/nospec.h>
#include <linux/perf_event.h>
#include <linux/printk.h>

#include "attr.h"
#include "event.h"

/*
 * perf's generic events for which an event of these CPUs means the same. Not
 * mapped: cache-references, which no event counts; branches and branch-loads on
 * revision 2.x of the R10000, because event 6 also counts unconditional and
 * killed branches there.
 */
struct r10k_generic {
	u8 num;
	u8 chips;
};

static const struct r10k_generic r10k_generic_events[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES] = { 0, R10K_CHIP_ALL },
	[PERF_COUNT_HW_INSTRUCTIONS] = { 15, R10K_CHIP_ALL },
	[PERF_COUNT_HW_CACHE_MISSES] = { 26, R10K_CHIP_ALL },
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = { 6, R10K_CHIP_V3 | R10K_CHIP_R12K },
	[PERF_COUNT_HW_BRANCH_MISSES] = { 24, R10K_CHIP_ALL },
};

#define C(cache)	PERF_COUNT_HW_CACHE_##cache
#define OP(op)		PERF_COUNT_HW_CACHE_OP_##op
#define RES(result)	PERF_COUNT_HW_CACHE_RESULT_##result

/*
 * Not mapped: L1-dcache-loads, because event 18 counts prefetches too; misses
 * of L1D and LL, because events 25 and 26 count loads and stores together; both
 * TLBs, because event 23 counts data and instructions together.
 */
static const struct r10k_generic r10k_cache_events[C(MAX)][OP(MAX)][RES(MAX)] = {
	[C(L1D)][OP(WRITE)][RES(ACCESS)] = { 19, R10K_CHIP_ALL },
	[C(L1D)][OP(PREFETCH)][RES(ACCESS)] = { 16, R10K_CHIP_R12K },
	[C(L1D)][OP(PREFETCH)][RES(MISS)] = { 17, R10K_CHIP_R12K },
	[C(L1I)][OP(READ)][RES(MISS)] = { 9, R10K_CHIP_ALL },
	[C(BPU)][OP(READ)][RES(ACCESS)] = { 6, R10K_CHIP_V3 | R10K_CHIP_R12K },
	[C(BPU)][OP(READ)][RES(MISS)] = { 24, R10K_CHIP_ALL },
};

static int r10k_attr_refuse(struct perf_event *event, int err, const char *why)
{
	pr_debug_ratelimited("type %u, config %#llx: %s\n", event->attr.type,
			     event->attr.config, why);
	return err;
}

static int r10k_attr_generic(struct perf_event *event, const struct r10k_generic *generic)
{
	if (!(generic->chips & r10k_model.chip))
		return r10k_attr_refuse(event, -EOPNOTSUPP,
					"no event of this CPU means the same");
	return generic->num;
}

static int r10k_attr_hardware(struct perf_event *event)
{
	unsigned int generic = event->attr.config;

	if (event->attr.config >= PERF_COUNT_HW_MAX)
		return r10k_attr_refuse(event, -EINVAL, "no such generic event");
	generic = array_index_nospec(generic, PERF_COUNT_HW_MAX);
	return r10k_attr_generic(event, &r10k_generic_events[generic]);
}

static int r10k_attr_cache(struct perf_event *event)
{
	u64 config = event->attr.config;
	unsigned int cache = config & 0xff;
	unsigned int op = (config >> 8) & 0xff;
	unsigned int result = (config >> 16) & 0xff;

	if (config >> 24 || cache >= C(MAX) || op >= OP(MAX) || result >= RES(MAX))
		return r10k_attr_refuse(event, -EINVAL, "no such cache event");
	cache = array_index_nospec(cache, C(MAX));
	op = array_index_nospec(op, OP(MAX));
	result = array_index_nospec(result, RES(MAX));
	return r10k_attr_generic(event, &r10k_cache_events[cache][op][result]);
}

static int r10k_attr_raw(struct perf_event *event)
{
	u64 config = event->attr.config;

	if (config & ~(R10K_CFG_EVENT | R10K_CFG_EXL))
		return r10k_attr_refuse(event, -EINVAL,
					"only config bits 0-4 (event) and 8-9 (exl) exist");
	return FIELD_GET(R10K_CFG_EVENT, config);
}

/* The event's number, or an error */
static int r10k_attr_number(struct perf_event *event)
{
	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
		return r10k_attr_hardware(event);
	case PERF_TYPE_HW_CACHE:
		return r10k_attr_cache(event);
	default:
		return r10k_attr_raw(event);
	}
}

/* Only the config of a raw event has this field. */
static unsigned int r10k_attr_exl(const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_RAW)
		return R10K_EXL_AS_KERNEL;
	return FIELD_GET(R10K_CFG_EXL, attr->config);
}

/*
 * Linux never enters supervisor mode: exclude_hv controls its bit, being the
 * nearest attribute that perf has. exclude_guest has no effect: no guests exist.
 */
static u32 r10k_attr_modes(const struct perf_event_attr *attr)
{
	unsigned int exl = r10k_attr_exl(attr);
	u32 modes = 0;

	if (!attr->exclude_user)
		modes |= R10K_CTRL_U;
	if (!attr->exclude_kernel)
		modes |= R10K_CTRL_K;
	if (!attr->exclude_hv)
		modes |= R10K_CTRL_S;
	if (exl == R10K_EXL_ALWAYS || (exl == R10K_EXL_AS_KERNEL && !attr->exclude_kernel))
		modes |= R10K_CTRL_EXL;
	return modes;
}

/* Refuse malformed configs, and exl=1 without the right to count the kernel */
static int r10k_attr_check_config(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;
	unsigned int exl = r10k_attr_exl(attr);

	if (attr->config1 || attr->config2 || attr->config3)
		return r10k_attr_refuse(event, -EINVAL, "config1 and later must be 0");
	if (exl > R10K_EXL_NEVER)
		return r10k_attr_refuse(event, -EINVAL, "exl must be 0, 1 or 2");
	/* An inherited event was allowed when it was opened; the child needs no right. */
	if (exl == R10K_EXL_ALWAYS && attr->exclude_kernel && !event->parent &&
	    perf_allow_kernel())
		return r10k_attr_refuse(event, -EACCES,
					"exl=1 counts parts of the kernel");
	return 0;
}

/* Refuse what these CPUs cannot do, rather than count something else. */
static int r10k_attr_check_ability(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;

	if (has_branch_stack(event))
		return r10k_attr_refuse(event, -EOPNOTSUPP, "no branch stack");
	if (attr->exclude_idle)
		return r10k_attr_refuse(event, -EOPNOTSUPP, "cannot exclude idle");
	if (attr->exclude_host)
		return r10k_attr_refuse(event, -EOPNOTSUPP, "no guests to count");
	if (attr->precise_ip)
		return r10k_attr_refuse(event, -EOPNOTSUPP, "no precise samples");
	return 0;
}

/* Events of other PMUs in the same group have counters of their own. */
static bool r10k_attr_fits(struct r10k_placement *placement, struct perf_event *event,
			   const struct pmu *pmu)
{
	if (event->pmu != pmu)
		return true;
	return r10k_place(placement, &r10k_model.rules[event->hw.config]) >= 0;
}

/*
 * Refuse a group that can never run: it would count nothing. To find out, place
 * all members as pmu->add() does, but on a scratch copy. Disabled members are
 * included, because they can be enabled at any time.
 */
static bool r10k_attr_group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;
	struct r10k_placement placement = { };
	struct perf_event *sibling;

	if (!r10k_attr_fits(&placement, event, event->pmu))
		return false;
	if (leader == event)
		return true;
	if (!r10k_attr_fits(&placement, leader, event->pmu))
		return false;
	for_each_sibling_event(sibling, leader)
		if (!r10k_attr_fits(&placement, sibling, event->pmu))
			return false;
	return true;
}

/**
 * r10k_attr_init() - pmu->event_init()
 * @event: the new event, with its attributes and its group's leader
 *
 * Return: 0, or one of the errors at the top of this file.
 */
int r10k_attr_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	int num, err;

	if (event->attr.type != PERF_TYPE_RAW &&
	    event->attr.type != PERF_TYPE_HARDWARE &&
	    event->attr.type != PERF_TYPE_HW_CACHE)
		return -ENOENT;

	num = r10k_attr_number(event);
	if (num < 0)
		return num;
	if (!r10k_model.rules[num].counters)
		return r10k_attr_refuse(event, -EOPNOTSUPP, "not an event of this CPU");
	err = r10k_attr_check_ability(event) ?: r10k_attr_check_config(event);
	if (err)
		return err;

	hwc->config = num;
	hwc->config_base = r10k_attr_modes(&event->attr) | R10K_CTRL_IE;
	hwc->idx = -1;
	if (!is_sampling_event(event)) {
		hwc->sample_period = R10K_PERIOD_MAX;
		hwc->last_period = hwc->sample_period;
		local64_set(&hwc->period_left, hwc->sample_period);
	}
	if (!r10k_attr_group_fits(event))
		return r10k_attr_refuse(event, -EINVAL,
					"the counters cannot hold the group at once");
	return 0;
}
