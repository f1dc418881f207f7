// SPDX-License-Identifier: GPL-2.0-only
/*
 * All 32 events on two counters: each pair gets a sixteenth of the time, no time is
 * wasted, and the projections for a steady program are the counts that it has with
 * dedicated counters. Virtual time has to be bound to the instruction count. The long
 * run (tap_long()) shares for twice the time.
 */
#include <math.h>
#include <time.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define NR_PAIRS	(PMU_NR_EVENTS / 2)
#define SHARE		(1.0 / NR_PAIRS)
#define BUSY		0.95
#define SECONDS		5.0	/* of guest time */
#define PART		1000000ul	/* iterations at a time */
#define ALONE		500000ul
#define RARE		0.01	/* in an iteration: less is by chance, not steady */
#define INTERVALS	32
#define INTERVAL	"/sys/bus/event_source/devices/cpu/" \
			"perf_event_mux_interval_ms"

struct event {
	int fd;
	struct pmu_count count;
	double alone;		/* of one iteration */
};

static struct event events[PMU_NR_EVENTS];

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void open_pair(unsigned int i)
{
	struct pmu_pair pair;

	pmu_pair_open(&pair, i, i + NR_PAIRS, PMU_U);
	events[i].fd = pair.fd[0];
	events[i + NR_PAIRS].fd = pair.fd[1];
}

static void open_pairs(void)
{
	unsigned int i;

	for (i = 0; i < NR_PAIRS; i++)
		open_pair(i);
}

/* Open each event as a group of its own, alternately one of either half */
static void open_singles(void)
{
	unsigned int i;

	for (i = 0; i < NR_PAIRS; i++) {
		events[i].fd = pmu_must_open(i, PMU_U);
		events[i + NR_PAIRS].fd = pmu_must_open(i + NR_PAIRS, PMU_U);
	}
}

static void enable_all(void)
{
	unsigned int i;

	for (i = 0; i < NR_PAIRS; i++) {
		pmu_enable(events[i].fd);
		pmu_enable(events[i + NR_PAIRS].fd);
	}
}

/* Disable all events before any is read, so that they stop nearly together */
static void disable_and_read(void)
{
	unsigned int i;

	for (i = 0; i < PMU_NR_EVENTS; i++)
		pmu_disable(events[i].fd);
	for (i = 0; i < PMU_NR_EVENTS; i++)
		events[i].count = pmu_read(events[i].fd);
	for (i = PMU_NR_EVENTS; i-- > 0;)
		pmu_close(events[i].fd);
}

static unsigned long work_for(double time)
{
	double end = seconds() + time;
	unsigned long done;

	for (done = 0; seconds() < end; done += PART)
		loop_run(&loops[LOOP_MIX], PART);
	return done;
}

static double share(unsigned int event)
{
	const struct pmu_count *c = &events[event].count;

	return (double)c->running / c->enabled;
}

static void check_shares(void)
{
	double busy[2] = { 0 }, least = 1, most = 0;
	unsigned int i, bad = 0;

	for (i = 0; i < PMU_NR_EVENTS; i++) {
		busy[i / NR_PAIRS] += share(i);
		least = fmin(least, share(i));
		most = fmax(most, share(i));
		if (share(i) >= 0.9 * SHARE && share(i) <= 1.1 * SHARE)
			continue;
		bad++;
		tap_note("event %u has %.2f %% of the time\n", i, 100 * share(i));
	}
	tap_note("shares: %.4f %% to %.4f %%\n", 100 * least, 100 * most);
	check_true("each of 32 events has 1/16 of the time +- 10 %", !bad,
		   "%u have not", bad);
	tap_note("busy: %.2f %% and %.2f %%\n", 100 * busy[0], 100 * busy[1]);
	check_true("both counters are busy at least 95 % of the time",
		   busy[0] >= BUSY && busy[1] >= BUSY, "%g and %g", busy[0],
		   busy[1]);
}

static void check_projected(unsigned int event, unsigned long iterations)
{
	const struct pmu_count *c = &events[event].count;
	double got = (double)c->value * c->enabled / c->running;
	double expected = events[event].alone * iterations;
	char what[80];

	snprintf(what, sizeof(what),
		 "event %u: projected from 1/16 is what it is alone, +- 1 %%",
		 event);
	if (events[event].alone < RARE)
		check_true(what, got < RARE * iterations, "%g, alone %g", got,
			   expected);
	else
		check_near(what, got, expected, 0.01);
}

/* The steady program: what one iteration counts, from long minus short */
static void count_alone(unsigned int i)
{
	uint64_t few[2], many[2];
	struct pmu_pair pair;

	pmu_pair_open(&pair, i, i + NR_PAIRS, PMU_U);
	pmu_enable(pair.fd[0]);
	loop_run(&loops[LOOP_MIX], ALONE / 10);
	pmu_pair_read(&pair, few);
	loop_run(&loops[LOOP_MIX], ALONE);
	pmu_disable(pair.fd[0]);
	pmu_pair_read(&pair, many);
	pmu_pair_close(&pair);
	events[i].alone = (double)(many[0] - few[0]) / ALONE;
	events[i + NR_PAIRS].alone = (double)(many[1] - few[1]) / ALONE;
}

static double interval_s(void)
{
	char buf[32];

	if (!pmu_file(INTERVAL, buf, sizeof(buf)))
		tap_bail_errno(INTERVAL);
	return atoi(buf) / 1e3;
}

static void check_nobody_waits(const char *how, void (*open_all)(void))
{
	unsigned int i, without = 0;
	char what[96];

	open_all();
	enable_all();
	work_for(INTERVALS * interval_s());
	disable_and_read();
	for (i = 0; i < PMU_NR_EVENTS; i++)
		without += !events[i].count.running;
	snprintf(what, sizeof(what),
		 "after %u intervals each of 32 events has run, opened as %s",
		 INTERVALS, how);
	check_true(what, !without, "%u have not", without);
}

int main(void)
{
	unsigned long iterations;
	unsigned int i;

	tap_start(2 + 2 + PMU_NR_EVENTS);
	check_nobody_waits("pairs", open_pairs);
	check_nobody_waits("single events", open_singles);
	for (i = 0; i < NR_PAIRS; i++)
		count_alone(i);
	open_pairs();
	enable_all();
	iterations = work_for(tap_long() ? 2 * SECONDS : SECONDS);
	disable_and_read();
	check_shares();
	for (i = 0; i < PMU_NR_EVENTS; i++)
		check_projected(i, iterations);
	return tap_end();
}
