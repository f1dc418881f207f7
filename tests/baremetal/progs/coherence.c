// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two CPUs: what one does to the caches of the other, counted by hand. An L2 miss
 * asks the other CPU (event 12 there), a store to a shared block tells it (13).
 * caches.c checks that these events are 0 with one CPU.
 *
 * @run way=icount qemu=-smp 2 -accel tcg,thread=single
 */
#include "mem.h"

#define ROW_OPS		8

/* Operations of the first CPU and of the second; coherent if not named otherwise */
#define C1(op)		IN(5, op)
#define C2(op)		(IN(5, op) | 1U << 25)
/* Coherent exclusive, and noncoherent */
#define EXCLUSIVE(op)	IN(4, op)
#define LOCAL(op)	IN(3, op)
#define BY_2(op)	((op) | 1U << 25)

#define A		0
#define NEXT		32

struct row {
	const char *name;
	u32 ops[ROW_OPS];
	struct seen cpu[2];
};

static const struct row rows[] = {
	{ "a load asks the other CPU", { C1(LOAD(0, A)) },
	  { { .misses = 1 }, { .interventions = 1 } } },
	{ "a block is shared", { C1(LOAD(0, A)), C2(LOAD(0, A)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = CLEAN },
	    { .misses = 1, .interventions = 1 } } },
	{ "a store to a shared block invalidates it elsewhere",
	  { C1(LOAD(0, A)), C2(LOAD(0, A)), C2(STORE(0, A)), C1(LOAD(0, A)) },
	  { { .misses = 2, .interventions = 1, .hits = 1, .states = CLEAN,
	      .invalidates = 1, .inv_hits = 1, .inv_states = SHARED },
	    { .misses = 1, .shared = 1, .interventions = 2, .hits = 1, .states = DIRTY,
	      .lines = 1, .blocks = 1 } } },
	{ "so does a successful SC",
	  { C1(LOAD(0, A)), C2(LOAD(0, A)), C2(LLSC(0, A)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = CLEAN,
	      .invalidates = 1, .inv_hits = 1, .inv_states = SHARED },
	    { .misses = 1, .shared = 1, .interventions = 1 } } },
	{ "and a prefetch with store hint",
	  { C1(LOAD(0, A)), C2(LOAD(0, A)), C1(PREFETCH(1, 0, A)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = CLEAN, .shared = 1 },
	    { .misses = 1, .interventions = 1, .invalidates = 1, .inv_hits = 1,
	      .inv_states = SHARED } } },
	{ "the store counts once", { C1(LOAD(0, A)), C2(LOAD(0, A)), C1(STORE(0, A)),
	  C1(STORE(0, A)), C1(STORE(0, NEXT)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = CLEAN, .shared = 1 },
	    { .misses = 1, .interventions = 1, .invalidates = 1, .inv_hits = 1,
	      .inv_states = SHARED } } },
	{ "a store that misses takes a modified block",
	  { C1(STORE(0, A)), C2(STORE(0, A)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = DIRTY, .lines = 1,
	      .blocks = 1 },
	    { .misses = 1, .interventions = 1 } } },
	{ "and a clean one, which is not written back",
	  { C1(LOAD(0, A)), C2(STORE(0, A)), C1(LOAD(0, A)) },
	  { { .misses = 2, .interventions = 1, .hits = 1, .states = CLEAN },
	    { .misses = 1, .interventions = 2, .hits = 1, .states = DIRTY, .lines = 1,
	      .blocks = 1 } } },
	{ "a load of a modified block leaves both with a shared one",
	  { C1(STORE(0, A)), C2(LOAD(0, A)), C1(STORE(0, A)) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = DIRTY, .lines = 1,
	      .blocks = 1, .shared = 1 },
	    { .misses = 1, .interventions = 1, .invalidates = 1, .inv_hits = 1,
	      .inv_states = SHARED } } },
	{ "a coherent exclusive load takes the block",
	  { EXCLUSIVE(LOAD(0, A)), BY_2(EXCLUSIVE(LOAD(0, A))), BY_2(EXCLUSIVE(STORE(0, A))) },
	  { { .misses = 1, .interventions = 1, .hits = 1, .states = CLEAN },
	    { .misses = 1, .interventions = 1, .clean = 1 } } },
	{ "noncoherent accesses ask nobody",
	  { LOCAL(LOAD(0, A)), BY_2(LOCAL(LOAD(0, A))), BY_2(LOCAL(STORE(0, A))) },
	  { { .misses = 1 }, { .misses = 1, .clean = 1 } } },
	{ "neither do uncached ones",
	  { IN(2, LOAD(0, A)), BY_2(IN(2, STORE(0, A))) }, { { .misses = 0 }, { .misses = 0 } } },
	{ "a fetch asks, too", { C1(FETCH(0, A)), C2(FETCH(0, A)) },
	  { { .fetches = 1, .fetch_misses = 1, .interventions = 1, .hits = 1, .states = CLEAN },
	    { .fetches = 1, .fetch_misses = 1, .interventions = 1 } } },
	{ "a store elsewhere removes a fetched line",
	  { C1(FETCH(0, A)), C2(STORE(0, A)), C1(FETCH(0, A)) },
	  { { .fetches = 2, .fetch_misses = 2, .interventions = 1, .hits = 1, .states = CLEAN },
	    { .misses = 1, .interventions = 2, .hits = 1, .states = DIRTY, .lines = 1,
	      .blocks = 1 } } },
	{ "an intervention that hits in the way not predicted",
	  { C1(LOAD(0, A)), C1(LOAD(1, NEXT)), C2(LOAD(0, A)) },
	  { { .misses = 2, .interventions = 1, .hits = 1, .states = CLEAN, .way = 1 },
	    { .misses = 1, .interventions = 2 } } },
};

static const u8 events[] = { 7, 8, 9, 10, 11, 12, 13, 22, 26, 27, 28, 29, 31, 30 };

/* One step of the second CPU, with its preparations */
struct job {
	const struct row *row;
	u32 op, event, modes, count;
};

static u32 place(u32 op)
{
	return op & ~(1U << 25);
}

static void job_start(void *p)
{
	const struct job *j = p;
	u32 second = !is_r12000() && j->event >= 16, ctl = ctl_event(j->event, j->modes);

	kseg0_cca(UNCACHED);
	pmu_stop();
	ctl_write(0, second ? 0 : ctl);
	ctl_write(1, second ? ctl : 0);
}

static void job_op(void *p)
{
	run_ops(&((struct job *)p)->op, 1);
}

static void job_stop(void *p)
{
	struct job *j = p;

	j->count = !is_r12000() && j->event >= 16 ? ctr_read(1) : ctr_read(0);
	pmu_stop();
}

static void job_clean(void *p)
{
	const struct row *r = ((struct job *)p)->row;
	u32 ops[ROW_OPS], n = 0;

	kseg0_cca(UNCACHED);
	for (; n < ROW_OPS && r->ops[n]; n++)
		ops[n] = place(r->ops[n]);
	clean_ops(ops, n);
}

static void clean(const struct row *r)
{
	struct job j = { .row = r };

	on_cpu(0, job_clean, &j);
	on_cpu(1, job_clean, &j);
}

static void run_event(const struct row *r, u32 event)
{
	struct job j[2] = {
		{ .event = event, .modes = MODE_K }, { .event = event, .modes = MODE_K },
	};

	clean(r);
	on_cpu(0, job_start, &j[0]);
	on_cpu(1, job_start, &j[1]);
	for (u32 i = 0; i < ROW_OPS && r->ops[i]; i++) {
		u32 cpu = r->ops[i] >> 25 & 1;

		j[cpu].op = place(r->ops[i]);
		on_cpu(cpu, job_op, &j[cpu]);
	}
	on_cpu(1, job_stop, &j[1]);
	on_cpu(0, job_stop, &j[0]);
	for (u32 cpu = 0; cpu < 2; cpu++)
		if (!expect("count", seen_count(&r->cpu[cpu], event), j[cpu].count))
			note("  ... of event %u by CPU %u", event, cpu);
}

/* Requests from outside count in the mode that the CPU is in. */
static u32 seen_in(u32 modes)
{
	struct job asks = { .op = C1(LOAD(0, A)), .event = 26, .modes = MODE_K };
	struct job other = { .event = 12, .modes = modes };

	clean(&rows[0]);
	on_cpu(0, job_start, &asks);
	on_cpu(1, job_start, &other);
	on_cpu(0, job_op, &asks);
	on_cpu(1, job_stop, &other);
	on_cpu(0, job_stop, &asks);
	return other.count;
}

static void modes(void)
{
	expect("kernel mode", 1, seen_in(MODE_K));
	expect("all but kernel mode", 0, seen_in(MODE_ALL ^ MODE_K));
	expect("all", 1, seen_in(MODE_ALL));
}

static const struct tap_case cases[] = {
	{ "requests count in the mode of the CPU that receives them", modes },
};

void tests(void)
{
	/* Event 30 of the R12000 is another one. */
	u32 n = ARRAY_SIZE(events) - is_r12000();

	kseg0_cca(UNCACHED);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		tap_begin();
		for (u32 e = 0; e < n; e++)
			run_event(&rows[i], events[e]);
		tap_end("%s", rows[i].name);
	}
	tap_run(cases, ARRAY_SIZE(cases));
}
