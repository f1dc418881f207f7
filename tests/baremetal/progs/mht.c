// SPDX-License-Identifier: GPL-2.0-only
/*
 * The R12000's miss handling table: events 4 (entries in use, summed over cycles) and
 * 30 (entries that wait for memory). A request far enough from others holds an entry
 * for the latency of L2, plus that of memory if it goes there.
 *
 * @run cpu=R12000,R14000
 * @run cpu=R12000 way=icount props=l2-latency=7,memory-latency=100 qemu=-append slow
 * @run cpu=R12000 way=icount props=l2-latency=1,memory-latency=1 qemu=-append fast
 * @run cpu=R12000,R14000 way=icount props=l2-latency=10000,memory-latency=10000 qemu=-append long
 */
#include "mem.h"

#define A		0x1040
#define NEXT		32
#define MAX_LIST	12
/* Ticks of Count, which are two cycles each; more than all latencies together */
#define APART		(l2_latency() + memory_latency())
#define TOLERANCE	4

static u32 l2_latency(void)
{
	return bm_argument("slow") ? 7 : bm_argument("fast") ? 1 :
	       bm_argument("long") ? 10000 : 10;
}

static u32 memory_latency(void)
{
	return bm_argument("slow") ? 100 : bm_argument("fast") ? 1 :
	       bm_argument("long") ? 10000 : 60;
}

static void wait_apart(u64 unused)
{
	u32 began = c0_read(C0_COUNT), apart = APART;

	(void)unused;
	while ((u32)c0_read(C0_COUNT) - began < apart)
		;
}

static void store_count(u64 address)
{
	*(u32 *)address = c0_read(C0_COUNT);
}

/* The cycles that the last run_list() took */
static u32 began, ended;

static u32 elapsed(void)
{
	return 2 * (ended - began) + TOLERANCE;
}

/* Event 4 on counter 0, event 30 on counter 1, with or without time between */
static struct counts run_list(const u32 *ops, u32 n, int apart)
{
	static struct counts counted;
	struct step steps[3 * MAX_LIST + 10], *to = steps;

	*to++ = (struct step){ (void *)wait_apart, 0 };
	*to++ = (struct step){ (void *)op_clear, 0 };
	*to++ = (struct step){ (void *)op_control,
			       (u64)ctl_event(30, MODE_K) << 32 | ctl_event(4, MODE_K) };
	*to++ = (struct step){ (void *)store_count, (u64)&began };
	for (u32 i = 0; i < n; i++) {
		*to++ = op_step(ops[i]);
		if (apart)
			*to++ = (struct step){ (void *)wait_apart, 0 };
	}
	*to++ = (struct step){ (void *)store_count, (u64)&ended };
	*to++ = (struct step){ (void *)op_snap, (u64)&counted };
	*to++ = (struct step){ (void *)op_control, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
	return counted;
}

/* The expected counts for requests that L2 answers and that memory answers */
static void requests(const char *what, const u32 *ops, u32 n, u32 l2, u32 memory)
{
	struct counts got;

	clean_ops(ops, n);
	got = run_list(ops, n, 1);
	if (!expect("cycles of entries in use", (l2 + memory) * l2_latency() +
		    memory * memory_latency(), got.c[0]) ||
	    !expect("cycles of entries waiting for memory", memory * memory_latency(), got.c[1]))
		note("  ... %s", what);
}

#define REQUESTS(what, l2, memory, ...)	({				\
	const u32 ops_[] = { __VA_ARGS__ };				\
	requests(what, ops_, ARRAY_SIZE(ops_), l2, memory); })

static void one_by_one(void)
{
	mem_init();
	REQUESTS("an L2 miss", 0, 1, LOAD(0, A));
	REQUESTS("hits of L1", 0, 1, LOAD(0, A), LOAD(0, A), LOAD(0, A));
	REQUESTS("an L2 hit", 1, 1, LOAD(0, A), LOAD(0, A ^ NEXT));
	REQUESTS("fetches", 1, 1, LOAD(0, A), FETCH(0, A));
	REQUESTS("a fetch from memory", 0, 1, FETCH(0, A));
	REQUESTS("an update of a clean block", 1, 1, LOAD(0, A), STORE(0, A), STORE(0, A));
	REQUESTS("a store that misses", 0, 1, STORE(0, A));
	REQUESTS("prefetches", 1, 1, PREFETCH(1, 0, A), PREFETCH(0, 0, A ^ NEXT));
	REQUESTS("operations on L1D", 3, 1, LOAD(0, A), CACHE(D_INDEX_LOAD_TAG, 0, A),
		 CACHE(D_HIT_WRITEBACK, 0, A), CACHE(D_HIT_WRITEBACK, 0, A));
	REQUESTS("operations on L1I and L2", 0, 1, FETCH(0, A), CACHE(I_INDEX_LOAD_TAG, 0, A),
		 CACHE(S_INDEX_LOAD_TAG, 0, A), CACHE(S_HIT_WRITEBACK, 0, A));
	REQUESTS("uncached accesses", 0, 0, IN(2, LOAD(0, A)), IN(2, STORE(0, A)));
}

/* A store to a shared block takes a request to memory. A tag makes it shared: tags.c. */
static void shared_block(void)
{
	const u32 line[] = { LOAD(0, A) };
	const u32 ops[] = { CACHE(S_INDEX_STORE_TAG, 0, A), LOAD(0, A), STORE(0, A) };
	u32 lo = op_physical(LOAD(0, A)) >> 12 << 8 | 1 << 10 | 1 << 7;
	struct counts got;

	mem_init();
	clean_ops(line, 1);
	asm volatile("mtc0 %0, $28\n\tmtc0 $0, $29" : : "r"((u64)lo));
	got = run_list(ops, 3, 1);
	expect("cycles in use", 2 * l2_latency() + memory_latency(), got.c[0]);
	expect("cycles waiting for memory", memory_latency(), got.c[1]);
}

/*
 * There are four entries: four requests at once count in full. With more requests, each
 * entry is at most in use from the first request to the end of the last one.
 */
static void bursts(void)
{
	u32 ops[MAX_LIST], each = l2_latency() + memory_latency();
	struct counts got;

	mem_init();
	for (u32 i = 0; i < MAX_LIST; i++)
		ops[i] = LOAD(0, A + i * 128);
	clean_ops(ops, MAX_LIST);
	got = run_list(ops, 4, 0);
	expect("cycles in use, of four at once", 4 * each, got.c[0]);
	expect("cycles waiting for memory", 4 * memory_latency(), got.c[1]);
	clean_ops(ops, MAX_LIST);
	got = run_list(ops, MAX_LIST, 0);
	expect_range("cycles in use, of twelve", 4 * each, 4 * (each + elapsed()), got.c[0]);
	expect_range("cycles waiting for memory", 4 * memory_latency(),
		     4 * (memory_latency() + elapsed()), got.c[1]);
	expect_true("no more wait for memory than are in use", got.c[1] <= got.c[0]);
	if (bm_argument("long"))
		expect_true("a fifth entry would show", 4 * elapsed() < each);
}

static const struct tap_case cases[] = {
	{ "requests one by one", one_by_one },
	{ "a store to a shared block", shared_block },
	{ "requests at once", bursts },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
