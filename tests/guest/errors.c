// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver refuses what it must with the right errno, and nothing else. A refused
 * sibling does not disturb the group that it was to join.
 */
#include "tap.h"
#include "loops.h"
#include "pmu.h"

struct bad_attr {
	const char *what;
	uint64_t config, config1, config2;
	uint64_t period;
	int expected;		/* errno, 0 if it must open */
};

static const struct bad_attr bad_attrs[] = {
	{ "event 31", .config = 31 },
	{ "event 32 (r20)", .config = 0x20, .expected = EINVAL },
	{ "config bit 5 and an event", .config = 0x2f, .expected = EINVAL },
	{ "config bit 7", .config = 0x80, .expected = EINVAL },
	{ "exl=1", .config = 15 | PMU_EXL_ALWAYS },
	{ "exl=2", .config = 15 | PMU_EXL_NEVER },
	{ "exl=3", .config = 15 | PMU_EXL_INVALID, .expected = EINVAL },
	{ "config bit 10", .config = 1 << 10, .expected = EINVAL },
	{ "config bit 31", .config = 1u << 31, .expected = EINVAL },
	{ "config bit 32", .config = 1ull << 32, .expected = EINVAL },
	{ "config bit 63", .config = 1ull << 63, .expected = EINVAL },
	{ "config1", .config = 15, .config1 = 1, .expected = EINVAL },
	{ "config2", .config = 15, .config2 = 1, .expected = EINVAL },
	{ "a period of 1", .config = 15, .period = 1 },
	{ "a period of 2^31 - 1", .config = 15, .period = 0x7fffffff },
	{ "a period of 2^40", .config = 15, .period = 1ull << 40 },
};

/*
 * Pairs and triples of events, and whether they can be a group; on the R12000 also if
 * each counter has half of the events
 */
struct group {
	const char *what;
	unsigned int events[3];
	unsigned int nr;
	bool r10000, r12000, halves;	/* does the last one open? */
};

static const struct group groups[] = {
	{ "0 and 16", { 0, 16 }, 2, true, true, true },
	{ "15 and 18", { 15, 18 }, 2, true, true, true },
	{ "15 and 17", { 15, 17 }, 2, true, true, true },
	{ "15 and 15", { 15, 15 }, 2, true, true, false },
	{ "0 and 15, both move", { 0, 15 }, 2, true, true, false },
	{ "5 and 6, both on counter 0", { 5, 6 }, 2, false, true, false },
	{ "18 and 19, both on counter 1", { 18, 19 }, 2, false, true, false },
	{ "5, 18 and 19: three", { 5, 18, 19 }, 3, false, false, false },
	{ "0, 17 and 15: three", { 0, 17, 15 }, 3, false, false, false },
};

#define CACHE(cache, op, result)					\
	(PERF_COUNT_HW_CACHE_##cache |					\
	 PERF_COUNT_HW_CACHE_OP_##op << 8 |				\
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Events of perf's own: those open for which an event of the CPU means the same */
struct generic {
	const char *name;
	uint32_t type;
	uint64_t config;
	bool r10000, r12000;	/* does it open? */
};

static const struct generic generics[] = {
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, false, false },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, false, false },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, true, true },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, true, true },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, true, true },
	{ "branch-loads", PERF_TYPE_HW_CACHE, CACHE(BPU, READ, ACCESS), true, true },
	{ "branch-load-misses", PERF_TYPE_HW_CACHE, CACHE(BPU, READ, MISS), true, true },
	{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, ACCESS), false, false },
	{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), false, false },
	{ "L1-dcache-stores", PERF_TYPE_HW_CACHE, CACHE(L1D, WRITE, ACCESS), true, true },
	{ "L1-dcache-store-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, WRITE, MISS), false, false },
	{ "L1-dcache-prefetches", PERF_TYPE_HW_CACHE, CACHE(L1D, PREFETCH, ACCESS), false, true },
	{ "L1-dcache-prefetch-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, PREFETCH, MISS), false, true },
	{ "L1-icache-loads", PERF_TYPE_HW_CACHE, CACHE(L1I, READ, ACCESS), false, false },
	{ "L1-icache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1I, READ, MISS), true, true },
	{ "LLC-loads", PERF_TYPE_HW_CACHE, CACHE(LL, READ, ACCESS), false, false },
	{ "LLC-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS), false, false },
	{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS), false, false },
	{ "iTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS), false, false },
};

static const char *errno_text(int err)
{
	return err ? strerror(err) : "it opens";
}

static int try_open(struct perf_event_attr *attr)
{
	int fd = pmu_open_attr(attr, 0, -1, -1);

	if (fd < 0)
		return errno;
	pmu_close(fd);
	return 0;
}

static void check_attr(const struct bad_attr *bad)
{
	struct perf_event_attr attr;
	int got;

	pmu_attr(&attr, 0, PMU_ALL);
	attr.config = bad->config;
	attr.config1 = bad->config1;
	attr.config2 = bad->config2;
	attr.sample_period = bad->period;
	got = try_open(&attr);
	if (got != bad->expected)
		tap_note("expected: %s\n", errno_text(bad->expected));
	check_true(bad->what, got == bad->expected, "%s", errno_text(got));
}

static int open_group_event(unsigned int event, int leader)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, event, PMU_U);
	attr.disabled = leader < 0;
	return pmu_open_attr(&attr, 0, -1, leader);
}

/* The leader must count as if the sibling had not been tried */
static bool leader_still_counts(int leader)
{
	struct pmu_count c;

	pmu_enable(leader);
	loop_run(&loops[LOOP_MIX], 100000);
	pmu_disable(leader);
	c = pmu_read(leader);
	return c.running && c.running == c.enabled;
}

static void check_group(const struct group *g, bool expected)
{
	char what[120];
	int fds[3], err = 0;
	unsigned int i, opened;

	for (i = 0; i < g->nr; i++) {
		fds[i] = open_group_event(g->events[i], i ? fds[0] : -1);
		if (fds[i] < 0) {
			err = errno;
			break;
		}
	}
	opened = i;
	snprintf(what, sizeof(what), "group of %s: %s", g->what,
		 expected ? "opens" : "EINVAL at the last");
	check_true(what, expected ? !err : opened == g->nr - 1 && err == EINVAL,
		   "%s after %u events", errno_text(err), opened);
	snprintf(what, sizeof(what), "group of %s: its leader counts", g->what);
	check_true(what, opened && leader_still_counts(fds[0]), "it does not");
	while (opened--)
		pmu_close(fds[opened]);
}

/* The driver must not accept a type that no PMU has registered */
static void check_other_type(void)
{
	struct perf_event_attr attr;
	int got;

	pmu_attr(&attr, 15, PMU_ALL);
	attr.type = 0x7ffffff0;
	got = try_open(&attr);
	check_true("an unknown type is ENOENT", got == ENOENT, "%s",
		   errno_text(got));
}

static void check_generic(const struct generic *g, bool expected)
{
	struct perf_event_attr attr;
	char what[80];
	int got;

	pmu_attr(&attr, 0, PMU_ALL);
	attr.type = g->type;
	attr.config = g->config;
	got = try_open(&attr);
	snprintf(what, sizeof(what), "%s: %s", g->name,
		 expected ? "opens" : "EOPNOTSUPP, no event means the same");
	check_true(what, got == (expected ? 0 : EOPNOTSUPP), "%s", errno_text(got));
}

int main(void)
{
	bool r12000 = pmu_chip() == PMU_CHIP_R12000;
	bool halves = r12000 && pmu_halves();
	size_t i;

	tap_start(ARRAY_SIZE(bad_attrs) + 2 * ARRAY_SIZE(groups) + 1 +
		  ARRAY_SIZE(generics));
	for (i = 0; i < ARRAY_SIZE(bad_attrs); i++)
		check_attr(&bad_attrs[i]);
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		check_group(&groups[i], halves ? groups[i].halves :
					r12000 ? groups[i].r12000 :
						 groups[i].r10000);
	check_other_type();
	for (i = 0; i < ARRAY_SIZE(generics); i++)
		check_generic(&generics[i], r12000 ? generics[i].r12000 :
						     generics[i].r10000);
	return tap_end();
}
