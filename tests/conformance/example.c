// SPDX-License-Identifier: GPL-2.0-only
/*
 * The worked example of r10k_evcntrs(5), pages 14 to 16, step by step: as it was
 * meant and as it was printed. Prints TAP.
 */
#define _GNU_SOURCE
#include "conf.h"

#define MISSES		9	/* of both counters */
#define DATA		(HWPERF_CNT1BASE + MISSES)

#define LINE		32	/* bytes of the primary data cache */
#define LINES		4096	/* four times what it holds */

static hwperf_profevctrarg_t evctr_args;
static hwperf_cntr_t cnts;
static int fd;

#if ON_R10K
/* More than a cache holds: each line of data and of code misses it */
static void body_of_program(int data, int code)
{
	static volatile char memory[LINES * LINE];
	size_t i;
	int pass;

	/* Pages that are not those of all zeros, which would be the same */
	if (memory[0] == 0)
		for (i = 0; i < sizeof(memory); i += 1024)
			memory[i] = 1;
	for (pass = 0; pass < data; pass++)
		for (i = 0; i < sizeof(memory); i += LINE)
			(void)memory[i];
	fetch_lines(code);
}
#define DATA_MISSES	LINES
#define CODE_MISSES	CODE_LINES
/*
 * The secondary cache may evict a line of the requests' own data, and the primary cache
 * with it. That depends on where the pages lie. One run in 30 misses one line more or
 * less, and none of 3000 more than two
 */
#define STRAY		8
#else
/* Page faults, for both events */
static void body_of_program(int data, int code)
{
	work((data + code) * UNITS);
}
#define DATA_MISSES	UNITS
#define CODE_MISSES	UNITS
#define STRAY		0
#endif

static void choose(int i, int event)
{
	struct hwperf_ctrlreg *reg =
		&evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg;

	reg->hwp_mode = HWPERF_CNTEN_U;
	reg->hwp_ie = 1;
	reg->hwp_ev = (unsigned int)event & 2047;
	evctr_args.hwp_ovflw_freq[i] = 0;
}

static void choose_none(int i)
{
	evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_spec = 0;
	evctr_args.hwp_ovflw_freq[i] = 0;
}

/* @second: which slot the second loop looks for */
static void fill(int second)
{
	int i;

	memset(&evctr_args, 0xff, sizeof(evctr_args));
	for (i = 0; i < HWPERF_CNTEVENTMAX; i++) {
		if (i == MISSES)
			choose(i, i);
		else
			choose_none(i);
	}
	for (i = HWPERF_CNT1BASE; i < HWPERF_EVENTMAX; i++) {
		if (i == second)
			choose(i, i - HWPERF_CNT1BASE);
		else
			choose_none(i);
	}
	evctr_args.hwp_ovflw_sig = 0;
}

static bool others_are_zero(void)
{
	int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (i != MISSES && i != DATA && cnts.hwp_evctr[i] != 0)
			return false;

	return true;
}

static void process_file(void)
{
	char name[32], again[32];
	int other, generation;

	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	fd = open(name, O_RDWR);
	check_done(fd, "10.04 10.05: it opens for reading and writing");
	/* A number of five digits needs no zeros: these make sure of some */
	snprintf(again, sizeof(again), "/proc/%010d", getpid());
	other = open(again, O_RDWR);
	fill(DATA);
	generation = ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args);
	check_count((count_t)ioctl(other, PIOCGETEVCTRS, (void *)&cnts),
		    (count_t)generation, "10.04: zeros in front name the same process");
	check_done(ioctl(other, PIOCRELEVCTRS), "10.04: to all requests");
	close(other);
	snprintf(again, sizeof(again), "/proc/pinfo/%05d", getpid());
	other = open(again, O_RDONLY);
	check_done(other, "10.05: and for reading alone, as programs did");
	close(other);
}

/* Wait for a tick: the next one, which evicts lines, comes 4 ms later */
static void after_a_tick(void)
{
	struct timespec before, now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &before);
	do {
		clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	} while (now.tv_nsec == before.tv_nsec);
}

/* The first pass, before the count is read, leaves the same in the caches each time */
static count_t count_passes(int event, int data, int code)
{
	count_t before;

	after_a_tick();
	body_of_program(1, 1);
	ioctl(fd, PIOCGETEVCTRS, (void *)&cnts);
	before = cnts.hwp_evctr[event];
	body_of_program(data, code);
	ioctl(fd, PIOCGETEVCTRS, (void *)&cnts);

	return cnts.hwp_evctr[event] - before;
}

/*
 * A TLB refill comes at random, and its handler evicts lines of code. On an Octane one of
 * them is a request's own at times, and misses once more. On a Malta none is
 */
static bool handlers_evict(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[64] = "";
	bool first = file && fgets(line, sizeof(line), file);

	if (file)
		fclose(file);

	return !first || !strstr(line, "MIPS Malta");
}

/* One pass and three: both have the same two requests, which the difference cancels */
static void check_misses(int event, count_t each, count_t stray, const char *what)
{
	count_t one = -1ULL, three = -1ULL, got;
	int rounds = ON_R10K && !handlers_evict() ? 1 : ROUNDS, i;

	/* Page faults, too, are the least of some rounds, as in check_exact() */
	for (i = 0; i < rounds; i++) {
		got = count_passes(event, 1, 1);
		one = got < one ? got : one;
		got = event == DATA ? count_passes(event, 3, 1) :
				      count_passes(event, 1, 3);
		three = got < three ? got : three;
	}
	check(three - one + stray - 2 * each <= 2 * stray, what,
	      "expected: %llu +- %llu, got: %llu", 2 * each, stray, three - one);
}

static void as_meant(void)
{
	int generation1, generation2;

	fill(DATA);
	generation1 = ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args);
	check_generation(generation1,
			 "10.01 10.09 10.11 10.14 10.15 10.17: it acquires");
	body_of_program(1, 1);
	memset(&cnts, 0xff, sizeof(cnts));
	generation2 = ioctl(fd, PIOCGETEVCTRS, (void *)&cnts);
	check_count((count_t)generation2, (count_t)generation1,
		    "10.19 10.20: the generation is the same at the end");
	check_misses(MISSES, CODE_MISSES, 0,
		     "10.01 10.23: hwp_evctr[9] is event 9 of counter 0, exactly");
	check_misses(DATA, DATA_MISSES, STRAY,
		     "10.01 10.24: hwp_evctr[25] is event 9 of counter 1");
	check(others_are_zero(), "10.11 10.15: all others read 0",
	      "some do not");
	check_done(ioctl(fd, PIOCRELEVCTRS), "10.22: it releases");
}

static void as_printed(void)
{
	fill(MISSES);
	check_generation(ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args),
			 "10.13: as printed it is legal");
	body_of_program(1, 1);
	ioctl(fd, PIOCGETEVCTRS, (void *)&cnts);
	check_count(cnts.hwp_evctr[DATA], 0,
		    "10.13: and the second loop selects nothing");
	ioctl(fd, PIOCRELEVCTRS);
}

static volatile int signals;

static void on_signal(int sig)
{
	signals += sig > 0;
}

/* hwp_ie without a threshold, and no signal: nothing comes */
static void in_silence(void)
{
	int i;

	for (i = 1; i < NSIG; i++)
		if (i != SIGCHLD && i != SIGCONT)
			signal(i, on_signal);
	fill(DATA);
	check_generation(ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args),
			 "10.08: hwp_ie = 1 without thresholds is legal");
	for (i = 0; i < 10; i++)
		body_of_program(1, 1);
	ioctl(fd, PIOCRELEVCTRS);
	check_count((count_t)signals, 0,
		    "8.20 8.23 10.08 10.10 10.16: and raises no signals");
}

static void failures(void)
{
	fill(DATA);
	evctr_args.hwp_evctrargs.hwp_evctrl[0].hwperf_creg.hwp_ev = 100;
	errno = 0;
	check_refused(ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args), EINVAL,
		      "10.18: a failed request is less than 0 and sets errno");
}

int main(void)
{
	begin(&fd);
	ioctl(fd, PIOCRELEVCTRS);
	process_file();
	as_meant();
	as_printed();
	in_silence();
	failures();

	return finish();
}
