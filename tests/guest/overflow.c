// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow: both counters at once, a changed period and a small period, none of
 * which disturbs the counts. The long run (tap_long()) has a period of 40 bits as well.
 */
#include <poll.h>
#include <sys/ioctl.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define N	10000000ul

struct sampler {
	int fd;
	struct ring ring;
	unsigned long samples;
	unsigned long throttled;
};

static void add_record(const struct perf_event_header *header, void *arg)
{
	struct sampler *s = arg;

	s->samples += header->type == PERF_RECORD_SAMPLE;
	s->throttled += header->type == PERF_RECORD_THROTTLE;
}

static void start_in(struct sampler *s, unsigned int event, unsigned int modes,
		     uint64_t period, unsigned int wakeup)
{
	struct perf_event_attr attr;

	memset(s, 0, sizeof(*s));
	pmu_attr(&attr, event, modes);
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.wakeup_events = wakeup;
	s->fd = pmu_must_open_attr(&attr, 0, -1, -1, "a sampling event");
	ring_map(&s->ring, s->fd, 16);
}

static void start(struct sampler *s, unsigned int event, uint64_t period,
		  unsigned int wakeup)
{
	start_in(s, event, PMU_U, period, wakeup);
}

static uint64_t stop(struct sampler *s)
{
	uint64_t value = pmu_read(s->fd).value;

	ring_drain(&s->ring, add_record, s);
	ring_unmap(&s->ring);
	pmu_close(s->fd);
	return value;
}

static void check_samples(const char *what, const struct sampler *s,
			  uint64_t value, uint64_t period)
{
	if (s->samples != value / period)
		tap_note("expected: %llu samples for a count of %llu\n",
			 (unsigned long long)(value / period),
			 (unsigned long long)value);
	check_true(what, s->samples == value / period && !s->throttled,
		   "%lu samples, throttled %lu times", s->samples,
		   s->throttled);
}

/* Run the loop while two samplers count, which the caller has started */
static void sample_both(struct sampler *a, struct sampler *b, uint64_t *va,
			uint64_t *vb)
{
	pmu_enable(a->fd);
	pmu_enable(b->fd);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(b->fd);
	pmu_disable(a->fd);
	*va = stop(a);
	*vb = stop(b);
}

/* Periods without a common divisor, so their overflows meet in all ways */
static void check_both_counters(void)
{
	struct sampler a, b;
	uint64_t va, vb;

	start(&a, EV_INSNS, 100003, 0);
	start(&b, EV_LOADS, 20011, 0);
	sample_both(&a, &b, &va, &vb);
	check_samples("both counters overflow: instructions", &a, va, 100003);
	check_samples("both counters overflow: loads", &b, vb, 20011);
	check_true("counts under two samplings are whole",
		   vb >= 2 * N && vb < 2 * N + 1000, "%llu loads",
		   (unsigned long long)vb);
}

/* The same period and the same count per iteration: both always overflow together */
static void check_at_the_same_time(void)
{
	struct sampler a, b;
	uint64_t va, vb;

	start(&a, EV_BRANCHES, 50000, 0);
	start(&b, EV_STORES, 50000, 0);
	sample_both(&a, &b, &va, &vb);
	check_samples("overflow in the same iteration: branches", &a, va, 50000);
	check_samples("overflow in the same iteration: stores", &b, vb, 50000);
}

/* A new period is valid as soon as it is set, not only after the next overflow */
static void check_period_change(void)
{
	uint64_t period = 1000000, before;
	struct sampler s;

	start(&s, EV_LOADS, 2000000000, 0);
	pmu_enable(s.fd);
	loop_run(&loops[LOOP_MIX], N);
	ring_drain(&s.ring, add_record, &s);
	check_true("a period of 2e9 is not reached after 2e7 events",
		   !s.samples, "%lu samples", s.samples);
	before = pmu_read(s.fd).value;
	if (ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period))
		tap_bail_errno("PERF_EVENT_IOC_PERIOD");
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(s.fd);
	check_samples("a shorter period holds at once", &s,
		      stop(&s) - before, period);
}

/* A period of 40 bits, which does not fit into the counter */
static void check_long_period(void)
{
	struct sampler s;
	uint64_t value;

	start(&s, EV_INSNS, 5000000000ull, 0);
	pmu_enable(s.fd);
	loop_run(&loops[LOOP_INT], 300000000);
	pmu_disable(s.fd);
	value = stop(&s);
	check_true("a period above 2^31 gives no sample early",
		   !s.samples && value >= 2400000000ull && value < 2400001000ull,
		   "%lu samples for a count of %llu", s.samples,
		   (unsigned long long)value);
}

/* As many interrupts as the CPU can take: the program goes on, and no count is lost */
static void check_shortest_period(const char *where, unsigned int modes)
{
	const unsigned long n = 2000;
	struct sampler s;
	uint64_t value;
	char what[80];

	start_in(&s, EV_INSNS, modes, 1, 0);
	pmu_enable(s.fd);
	loop_run(&loops[LOOP_MIX], n);
	pmu_disable(s.fd);
	value = stop(&s);
	snprintf(what, sizeof(what), "a period of 1 in %s: samples come", where);
	check_true(what, s.samples > 0 && value >= s.samples,
		   "%lu samples for a count of %llu", s.samples,
		   (unsigned long long)value);
	snprintf(what, sizeof(what), "a period of 1 in %s: the count is whole",
		 where);
	check_true(what, value >= n * loop_expect(&loops[LOOP_MIX], EV_INSNS) &&
		   !s.throttled, "%llu, throttled %lu times",
		   (unsigned long long)value, s.throttled);
}

static void check_wakeup(void)
{
	struct pollfd p = { .events = POLLIN };
	struct sampler s;

	start(&s, EV_INSNS, 1000000, 1);
	p.fd = s.fd;
	check_true("no wake-up before the first sample", poll(&p, 1, 0) == 0,
		   "revents %x", p.revents);
	pmu_enable(s.fd);
	loop_run(&loops[LOOP_MIX], 200000);
	pmu_disable(s.fd);
	check_true("a sample wakes who polls", poll(&p, 1, 0) == 1 &&
		   p.revents & POLLIN, "revents %x", p.revents);
	stop(&s);
}

int main(void)
{
	tap_start(tap_long() ? 14 : 13);
	/* An event that is throttled does not count for the rest of a tick */
	pmu_set_sample_rate(PMU_NO_THROTTLING);
	check_both_counters();
	check_at_the_same_time();
	check_period_change();
	if (tap_long())
		check_long_period();
	check_shortest_period("user mode", PMU_U);
	check_shortest_period("all modes", PMU_ALL);
	check_wakeup();
	return tap_end();
}
