// SPDX-License-Identifier: GPL-2.0-only
/*
 * Storms of overflows: perf throttles periods from 1 to 100, other work goes on, and
 * the interrupts stop afterwards. Steady sampling loses no tick of the timer, which
 * has the same interrupt line. Virtual time has to be bound to the instruction count, or
 * ticks are late for other reasons.
 *
 *   storm              some seconds of guest time
 *   storm --long       ten minutes of guest time
 *   storm --clock SEC  samples for SEC seconds, and prints the clock before and
 *                      after, to be compared with another clock
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define DEFAULT_RATE	100000u
#define LOW_RATE	25000u
#define TICK_S		0.004		/* HZ is 250 */
#define STORM_S		0.2
#define PIECE		2000ul		/* iterations: a small part of a tick */

struct sampler {
	int fd;
	struct ring ring;
	unsigned long samples;
	unsigned long lost;
	unsigned long throttled;
	unsigned long unthrottled;
};

static unsigned long *progress;		/* of the other task */

static double seconds(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void add_record(const struct perf_event_header *header, void *arg)
{
	const uint64_t *words = (const void *)header;
	struct sampler *s = arg;

	s->samples += header->type == PERF_RECORD_SAMPLE;
	s->throttled += header->type == PERF_RECORD_THROTTLE;
	s->unthrottled += header->type == PERF_RECORD_UNTHROTTLE;
	if (header->type == PERF_RECORD_LOST)
		s->lost += words[2];
}

static void start(struct sampler *s, unsigned int event, unsigned int modes,
		  uint64_t period, bool everybody)
{
	struct perf_event_attr attr;

	memset(s, 0, sizeof(*s));
	pmu_attr(&attr, event, modes);
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP;
	s->fd = pmu_must_open_attr(&attr, everybody ? -1 : 0,
				   everybody ? 0 : -1, -1,
				   "a sampling event");
	ring_map(&s->ring, s->fd, 256);
	pmu_enable(s->fd);
}

static void stop(struct sampler *s)
{
	pmu_disable(s->fd);
	ring_drain(&s->ring, add_record, s);
	ring_unmap(&s->ring);
	pmu_close(s->fd);
}

static void work_for(double time)
{
	double end = seconds(CLOCK_MONOTONIC) + time;

	while (seconds(CLOCK_MONOTONIC) < end)
		loop_run(&loops[LOOP_INT], PIECE);
}

static pid_t start_other_task(void)
{
	pid_t pid = fork();

	if (pid < 0)
		tap_bail_errno("fork");
	if (pid)
		return pid;
	for (;;) {
		loop_run(&loops[LOOP_INT], PIECE);
		__atomic_fetch_add(progress, 1, __ATOMIC_RELAXED);
	}
}

static unsigned long progress_in(double time)
{
	unsigned long before = __atomic_load_n(progress, __ATOMIC_RELAXED);

	work_for(time);
	return __atomic_load_n(progress, __ATOMIC_RELAXED) - before;
}

/* perf throttles the event after the allowed number of samples in each tick */
static void check_throttled(uint64_t period, unsigned int modes,
			    const char *where)
{
	unsigned long ticks = STORM_S / TICK_S + 2;
	unsigned long switches = pmu_switches(), limit, most;
	struct sampler s;
	char what[96];

	start(&s, EV_INSNS, modes, period, false);
	work_for(STORM_S);
	stop(&s);
	/* perf also unthrottles an event when its task returns to the CPU */
	limit = ticks + pmu_switches() - switches;
	most = limit * LOW_RATE * TICK_S;
	tap_note("%lu samples, throttled %lu times, %lu times let go\n",
		 s.samples, s.throttled, s.unthrottled);
	snprintf(what, sizeof(what), "period %llu in %s is throttled each tick",
		 (unsigned long long)period, where);
	check_true(what, s.throttled > ticks / 2 && s.throttled <= limit &&
		   s.throttled - s.unthrottled <= 1, "%lu times in %lu ticks",
		   s.throttled, ticks);
	snprintf(what, sizeof(what), "period %llu in %s: %u samples a second, no more",
		 (unsigned long long)period, where, LOW_RATE);
	check_true(what, s.samples && s.samples + s.lost <= most,
		   "%lu samples, %lu lost", s.samples, s.lost);
}

static void check_usable(uint64_t period, bool everybody, double least)
{
	unsigned long quiet = progress_in(STORM_S), stormy;
	struct sampler s;
	char what[96];

	start(&s, EV_INSNS, PMU_ALL, period, everybody);
	stormy = progress_in(STORM_S);
	stop(&s);
	tap_note("%lu samples, throttled %lu times, progress %lu of %lu\n",
		 s.samples + s.lost, s.throttled, stormy, quiet);
	snprintf(what, sizeof(what),
		 "period %llu on %s: another task keeps %.0f %% of its speed",
		 (unsigned long long)period,
		 everybody ? "the CPU" : "one task", 100 * least);
	check_true(what, stormy >= least * quiet, "%lu of %lu", stormy, quiet);
}

static void check_storms(void)
{
	static const uint64_t periods[] = { 1, 2, 10, 100 };
	pid_t other;
	size_t i;

	pmu_set_sample_rate(LOW_RATE);
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		check_throttled(periods[i], PMU_U, "user mode");
		check_throttled(periods[i], PMU_ALL, "all modes");
	}
	pmu_set_sample_rate(DEFAULT_RATE);
	other = start_other_task();
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		check_usable(periods[i], false, 0.8);
		check_usable(periods[i], true, 0.05);
	}
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

/* Line 7 of the CPU, which counters share with the timer on most machines */
struct line {
	unsigned long interrupts;
	bool timer;
};

static struct line line_7(void)
{
	static char text[4096];
	struct line line = { 0 };
	char *at, *end;

	if (!pmu_file("/proc/interrupts", text, sizeof(text)))
		tap_bail_errno("/proc/interrupts");
	at = strstr(text, "MIPS   7");
	if (!at)
		return line;
	end = strchr(at, '\n');
	if (end)
		*end = '\0';
	line.timer = strstr(at, "timer");
	while (at > text && at[-1] != '\n')
		at--;
	line.interrupts = strtoul(strchr(at, ':') + 1, NULL, 10);
	return line;
}

/* If the counters have a line of their own, only a rare match of Compare uses it */
static void check_quiet(void)
{
	unsigned long before = line_7().interrupts, got, ticks;

	work_for(STORM_S);
	got = line_7().interrupts - before;
	ticks = line_7().timer ? STORM_S / TICK_S : 0;
	check_true("afterwards the line has the timer's interrupts alone",
		   got + 2 >= ticks && got <= ticks + (ticks ? 10 : 1),
		   "%lu in %g s", got, STORM_S);
}

struct ticks {
	unsigned long seen;
	double first, last;
	double longest;
};

static void drain(struct sampler *s)
{
	ring_drain(&s->ring, add_record, s);
}

/* Each tick advances the coarse clock: this reads it far more often */
static struct ticks watch_ticks(double time, struct sampler s[2])
{
	double first = seconds(CLOCK_MONOTONIC_COARSE), now;
	struct ticks t = { .first = first, .last = first };

	while (t.last < first + time) {
		loop_run(&loops[LOOP_INT], PIECE);
		now = seconds(CLOCK_MONOTONIC_COARSE);
		if (now == t.last)
			continue;
		t.seen++;
		if (now - t.last > t.longest)
			t.longest = now - t.last;
		t.last = now;
		drain(&s[0]);
		drain(&s[1]);
	}
	return t;
}

static struct ticks sample_for(double time)
{
	struct sampler s[2];
	struct ticks t;

	start(&s[0], EV_INSNS, PMU_ALL, 10007, false);
	start(&s[1], EV_LOADS, PMU_ALL, 1009, true);
	t = watch_ticks(time, s);
	stop(&s[1]);
	stop(&s[0]);
	tap_note("%lu and %lu samples, %lu lost, throttled %lu times\n",
		 s[0].samples, s[1].samples, s[0].lost + s[1].lost,
		 s[0].throttled + s[1].throttled);
	if (s[0].samples < 100 * time || s[1].samples < 100 * time)
		tap_bail("too few samples to disturb anything\n");
	return t;
}

static void check_ticks(double time)
{
	struct ticks t = sample_for(time);
	double expected = (t.last - t.first) / TICK_S;

	tap_note("%lu ticks in %.6f s, %.6f s between two at most\n", t.seen,
		 t.last - t.first, t.longest);
	check_near("sampling all modes on both counters: no tick is lost",
		   t.seen, expected, 0.001);
	check_true("no two ticks are further apart than one and a half",
		   t.longest < 1.5 * TICK_S, "%g s", t.longest);
}

static int print_clock(double time)
{
	printf("clock %.6f\n", seconds(CLOCK_MONOTONIC_RAW));
	fflush(stdout);
	sample_for(time);
	printf("clock %.6f\n", seconds(CLOCK_MONOTONIC_RAW));
	return 0;
}

int main(int argc, char **argv)
{
	bool is_long = argc == 2 && !strcmp(argv[1], "--long");

	if (argc == 3 && !strcmp(argv[1], "--clock"))
		return print_clock(atof(argv[2]));
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		tap_bail_errno("mmap");
	tap_start(4 * 6 + 1 + 2 + 1);
	/* The storm, the other task and the ticks that are counted are of one CPU */
	pmu_stay_on_cpu0(true);
	check_storms();
	check_quiet();
	check_ticks(is_long ? 600 : 4);
	check_quiet();
	return tap_end();
}
