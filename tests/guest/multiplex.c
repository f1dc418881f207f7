// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sharing the counters: events that fit run all the time; others take turns fairly,
 * and their scaled counts are right. The loop does not change and its counts are
 * known, so the expected counts are those of dedicated counters.
 *
 * Scaling assumes that the program runs at an even speed. It does if virtual time is
 * bound to the instruction count. The long run (tap_long()) has three times the turns.
 */
#include "tap.h"
#include "loops.h"
#include "pmu.h"

static unsigned long n = 20000000;	/* iterations: some hundred turns */

struct shared {
	unsigned int event;
	int fd;
	struct pmu_count count;
	uint64_t dedicated;
};

static void count_together(struct shared *shared, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		shared[i].fd = pmu_must_open(shared[i].event, PMU_U);
	for (i = 0; i < nr; i++)
		pmu_enable(shared[i].fd);
	loop_run(&loops[LOOP_MIX], n);
	for (i = 0; i < nr; i++)
		pmu_disable(shared[i].fd);
	for (i = 0; i < nr; i++) {
		shared[i].count = pmu_read(shared[i].fd);
		pmu_close(shared[i].fd);
	}
}

static void count_alone(struct shared *shared)
{
	int fd = pmu_must_open(shared->event, PMU_U);

	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], n);
	pmu_disable(fd);
	shared->dedicated = pmu_read(fd).value;
	pmu_close(fd);
}

static double share_percent(const struct pmu_count *c)
{
	return 100.0 * c->running / c->enabled;
}

static void check_share(const struct shared *s, double expected)
{
	double got = share_percent(&s->count);
	char what[80];

	snprintf(what, sizeof(what), "event %u runs %.0f %% +- 2 of the time",
		 s->event, expected);
	check_true(what, got >= expected - 2 && got <= expected + 2,
		   "%.2f %%", got);
}

static void check_scaled(const struct shared *s)
{
	double scaled = (double)s->count.value * s->count.enabled /
			s->count.running;
	char what[80];

	snprintf(what, sizeof(what), "event %u scaled equals the dedicated count",
		 s->event);
	check_near(what, scaled, s->dedicated, 0.02);
}

/* Cycles and instructions, as perf stat opens them: nothing to share */
static void check_both_fit(void)
{
	struct shared s[] = { { .event = EV_CYCLES }, { .event = EV_INSNS } };
	struct perf_event_attr attr;
	int fds[2], i;

	for (i = 0; i < 2; i++) {
		pmu_attr(&attr, 0, PMU_U);
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = i ? PERF_COUNT_HW_INSTRUCTIONS :
				  PERF_COUNT_HW_CPU_CYCLES;
		fds[i] = pmu_must_open_attr(&attr, 0, -1, -1,
					    "a generic event");
		pmu_enable(fds[i]);
	}
	loop_run(&loops[LOOP_MIX], n);
	for (i = 0; i < 2; i++) {
		pmu_disable(fds[i]);
		s[i].count = pmu_read(fds[i]);
		pmu_close(fds[i]);
	}
	check_true("cycles and instructions run all the time",
		   s[0].count.running == s[0].count.enabled &&
		   s[1].count.running == s[1].count.enabled,
		   "%.2f %% and %.2f %%", share_percent(&s[0].count),
		   share_percent(&s[1].count));
	check_true("cycles and instructions both count",
		   s[0].count.value > 0 && s[1].count.value >= n,
		   "%llu and %llu", (unsigned long long)s[0].count.value,
		   (unsigned long long)s[1].count.value);
}

int main(void)
{
	struct shared s[] = {
		{ .event = EV_LOADS }, { .event = EV_STORES }, { .event = EV_FP }
	};
	/* the R12000 counts all three on either counter: two at a time */
	double expected = pmu_chip() == PMU_CHIP_R12000 ? 200.0 / 3 : 100.0 / 3;
	size_t i;

	tap_start(2 + 2 * ARRAY_SIZE(s));
	if (tap_long())
		n *= 3;
	check_both_fit();
	count_together(s, ARRAY_SIZE(s));
	for (i = 0; i < ARRAY_SIZE(s); i++) {
		count_alone(&s[i]);
		check_share(&s[i], expected);
		check_scaled(&s[i]);
	}
	return tap_end();
}
