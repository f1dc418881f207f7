// SPDX-License-Identifier: GPL-2.0-only
/*
 * The requests on one's own counters: pages 8, 11 to 14 of r10k_evcntrs(5).
 * Prints TAP.
 */
#define _GNU_SOURCE
#include "conf.h"

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static int self;

static int acquire(void)
{
	return ioctl(self, PIOCENEVCTRS, &arg);
}

static int acquire_only(unsigned int event)
{
	want_only(&arg, event);

	return acquire();
}

static void generations(void)
{
	int first, second;

	first = acquire_only(FIRST);
	check_generation(first, "9.13: PIOCENEVCTRS gives a generation");
	check_exact(self, FIRST, FIRST_COST,
		    "6.11 6.17 6.18 8.25 9.02 9.14: one's own counts, exactly");
	second = ioctl(self, PIOCGETEVCTRS, &counts);
	check_generation(second, "9.16: PIOCGETEVCTRS gives a generation");
	check_count((count_t)second, (count_t)first,
		    "10.19 10.20: the same when nothing was lost");
	check_count((count_t)ioctl(self, PIOCGETEVCTRL, &ctrl), (count_t)first,
		    "9.22: PIOCGETEVCTRL gives the generation");
	work(10 * UNITS);
	acquire();
	check_at_most(count_of(self, FIRST), 5 * UNITS * FIRST_COST,
		      "9.04: PIOCENEVCTRS starts the counters from their start");
}

/* The events that are there are in their places, the others are 0 */
static void the_whole_array(void)
{
	bool clean = true;
	unsigned int i;

	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_U);
	want(&arg, SECOND, HWPERF_CNTEN_U);
	acquire();
	work(UNITS);
	memset(&counts, 0xff, sizeof(counts));
	ioctl(self, PIOCGETEVCTRS, &counts);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (i != FIRST && i != SECOND && counts.hwp_evctr[i] != 0)
			clean = false;
	check(clean, "8.10 8.11 9.15: events that are not wanted read 0",
	      "they do not");
	check(counts.hwp_evctr[FIRST] >= UNITS &&
	      counts.hwp_evctr[SECOND] >= UNITS,
	      "8.08 8.11 9.15: each wanted event is in its place",
	      "got: %llu and %llu", (count_t)counts.hwp_evctr[FIRST],
	      (count_t)counts.hwp_evctr[SECOND]);
	check_exact(self, FIRST, FIRST_COST,
		    "6.04: two events at once: that of counter 0, exactly");
	check_exact(self, SECOND, 1,
		    "6.04: two events at once: that of counter 1, exactly");
	check_refused(ioctl(self, PIOCGETEVCTRS, (void *)8), EFAULT,
		      "9.15: PIOCGETEVCTRS to a bad address: EFAULT");
}

#if ON_R10K
#define MEMORY	(16 << 20)	/* more than the caches and the TLB hold */

/* A bit of everything that a user's program can make the CPU do */
static void all_sorts(void)
{
	static volatile int memory[MEMORY / sizeof(int)];
	static unsigned int random = 1;
	unsigned int i;
	int word;

	for (i = 0; i < 500; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		if (random & 64)	/* no predictor knows */
			memory[random % COUNT(memory)] += 1;
		__asm__ volatile("pref 0, %0" : : "m"(memory[(random >> 3) % COUNT(memory)]));
		__asm__ volatile("ll %0, %1\n\tsc %0, %1"
				 : "=&r"(word), "+m"(memory[0]));
		work(1);
	}
	fetch_lines(1);
}

/*
 * All but those of another CPU (12, 13, 28, 29), of broken memory (8), of a failure
 * of SC (5), and those that depend on the model (10, 11, 14, 27, 31)
 */
#define HAPPEN	(~(NEVER | 1u << 5 | 1u << 10 | 1u << 11 | 1u << 14 | 1u << 27 | \
		   1u << 31))
#define NEVER	(1u << 8 | BETWEEN_CPUS)
#define BETWEEN_CPUS	(1u << 12 | 1u << 13 | 1u << 28 | 1u << 29)
#else
static void all_sorts(void)
{
	work(UNITS);
}

/* The events of host.map that are no dummies */
#define HAPPEN	(1u << 0 | 1u << 9 | 1u << 15 | 1u << 16 | 1u << 21 | 1u << 25)
#define NEVER	(~HAPPEN)
#define BETWEEN_CPUS	0u
#endif

static void all_events(void)
{
	unsigned int i, same = 0, counted = 0, seconds;
	int ret;

	want_none(&arg);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(&arg, i, HWPERF_CNTEN_U);
	ret = acquire();
	check_generation(ret, "6.03 6.05 6.09 8.09: 32 events at once");
	ioctl(self, PIOCGETEVCTRL, &ctrl);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		same += ctrl.hwp_evctrl[i].hwperf_spec ==
			arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec;
	check_count(same, HWPERF_EVENTMAX, "6.03 8.09: all 32 are in use");
	/* One that has had no turn in a minute of processor time will never have one */
	for (seconds = 0; seconds < 60 && (counted & HAPPEN) != HAPPEN; seconds++) {
		for_a_second(all_sorts);
		ioctl(self, PIOCGETEVCTRS, &counts);
		for (i = 0; i < HWPERF_EVENTMAX; i++)
			counted |= counts.hwp_evctr[i] ? 1u << i : 0;
	}
	check((counted & HAPPEN) == HAPPEN,
	      "6.03 6.05 6.09: each event that happens has its counts",
	      "no counts, by bits: %#x", HAPPEN & ~counted);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		counted &= ~BETWEEN_CPUS;
	check(!(counted & NEVER), "6.03 6.09: and none that does not happen",
	      "counts, by bits: %#x", counted & NEVER);
}

/* Sixteen events of a counter take turns: of much work each sees a share */
static void turns(void)
{
	const char *what = "6.06 6.07 6.08: sixteen events of a counter take turns";
	unsigned int i;
	count_t got;

	/* Software events need no turns */
	if (!ON_R10K)
		return;
	want_none(&arg);
	for (i = 0; i < HWPERF_CNTEVENTMAX; i++)
		want(&arg, i, HWPERF_CNTEN_U);
	acquire();
	for (i = 0; i < 1000; i++)
		work(UNITS);
	got = count_of(self, FIRST);
	check(got > 0 && got < 1000 * UNITS * FIRST_COST / 4, what,
	      "got: %llu of %llu", got, (count_t)(1000 * UNITS * FIRST_COST));
}

static void modes(void)
{
	const char *mixed = "3.13 8.12: each event counts in its own mode";
	const char *none = "3.07: supervisor mode alone counts nothing";
	const char *change = "9.24: PIOCSETEVCTRL changes the modes";

	if (geteuid() != 0) {
		skip(mixed, "not run by root");
		skip(none, "not run by root");
		skip(change, "not run by root");
		return;
	}
	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_U);
	want(&arg, SECOND, HWPERF_CNTEN_S);
	acquire();
	work(UNITS);
	ioctl(self, PIOCGETEVCTRS, &counts);
	check(counts.hwp_evctr[FIRST] >= UNITS * FIRST_COST &&
	      counts.hwp_evctr[SECOND] == 0, mixed, "got: %llu and %llu",
	      (count_t)counts.hwp_evctr[FIRST],
	      (count_t)counts.hwp_evctr[SECOND]);
	check_count(counts.hwp_evctr[SECOND], 0, none);
	want(&arg, FIRST, HWPERF_CNTEN_S);
	want(&arg, SECOND, HWPERF_CNTEN_U);
	ioctl(self, PIOCSETEVCTRL, &arg);
	work(UNITS);
	ioctl(self, PIOCGETEVCTRS, &counts);
	check(counts.hwp_evctr[FIRST] == 0 && counts.hwp_evctr[SECOND] >= UNITS,
	      change, "got: %llu and %llu", (count_t)counts.hwp_evctr[FIRST],
	      (count_t)counts.hwp_evctr[SECOND]);
	ioctl(self, PIOCGETEVCTRL, &ctrl);
	check(ctrl.hwp_evctrl[FIRST].hwperf_creg.hwp_mode == HWPERF_CNTEN_S &&
	      ctrl.hwp_evctrl[SECOND].hwperf_creg.hwp_mode == HWPERF_CNTEN_U,
	      "9.20 9.24: PIOCGETEVCTRL tells the new modes", "it does not");
}

static void control(void)
{
	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_U);
	want(&arg, SECOND, HWPERF_CNTEN_U);
	acquire();
	memset(&ctrl, 0xff, sizeof(ctrl));
	ioctl(self, PIOCGETEVCTRL, &ctrl);
	check(memcmp(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "9.20 9.21: PIOCGETEVCTRL gives all 32 places as they were set",
	      "it does not");
	check_refused(ioctl(self, PIOCGETEVCTRL, (void *)8), EFAULT,
		      "9.21: PIOCGETEVCTRL to a bad address: EFAULT");
}

static void changes(void)
{
	int before = acquire_only(FIRST), after;

	work(UNITS);
	want_only(&arg, SECOND);
	after = ioctl(self, PIOCSETEVCTRL, &arg);
	check_generation(after, "9.30: PIOCSETEVCTRL gives a generation");
	check_count((count_t)after, (count_t)before + 1,
		    "9.27 9.28: it is one more, without a release");
	check_count((count_t)ioctl(self, PIOCGETEVCTRS, &counts), (count_t)after,
		    "9.28: reads give the new one");
	check_count(count_of(self, FIRST), 0, "9.23: the old event is gone");
	check_exact(self, SECOND, 1, "6.19 9.23: the new event counts");
	check_refused(ioctl(self, PIOCSETEVCTRL, (void *)8), EFAULT,
		      "9.29: PIOCSETEVCTRL of a bad address: EFAULT");
	arg.hwp_evctrargs.hwp_evctrl[3].hwperf_spec = 1 << 5;
	check_refused(ioctl(self, PIOCSETEVCTRL, &arg), EINVAL,
		      "9.07 9.29: PIOCSETEVCTRL of an improper event: EINVAL");
	check_exact(self, SECOND, 1, "9.29: both leave the counting alone");
	check_count((count_t)ioctl(self, PIOCGETEVCTRS, &counts), (count_t)after,
		    "9.28: a call that fails adds nothing");
	want_only(&arg, SECOND);
	check_count((count_t)ioctl(self, PIOCSETEVCTRL, &arg),
		    (count_t)after + 1, "9.28: each call adds one");
	check_at_most(count_of(self, SECOND), UNITS,
		      "9.23: an event that stays counts from zero");
}

/* Programs acquire before they choose, and stop by choosing nothing */
static void no_event(void)
{
	int generation;

	want_none(&arg);
	generation = acquire();
	check_generation(generation, "8.10: PIOCENEVCTRS of no event acquires");
	check_count((count_t)ioctl(self, PIOCGETEVCTRS, &counts), (count_t)generation,
		    "8.10: and its counts can be read");
	want(&arg, FIRST, HWPERF_CNTEN_U);
	ioctl(self, PIOCSETEVCTRL, &arg);
	check_exact(self, FIRST, FIRST_COST, "9.23: PIOCSETEVCTRL adds one, which counts");
	want_none(&arg);
	check_count((count_t)ioctl(self, PIOCSETEVCTRL, &arg), (count_t)generation + 2,
		    "9.23: PIOCSETEVCTRL of no event stops all");
	work(UNITS);
	check_count(count_of(self, FIRST), 0, "8.10: and nothing counts");
}

static void releases(void)
{
	count_t kept;

	acquire_only(FIRST);
	work(UNITS);
	check_count((count_t)ioctl(self, PIOCRELEVCTRS), 0,
		    "9.33 10.22: PIOCRELEVCTRS without an argument");
	kept = count_of(self, FIRST);
	check_at_least(kept, UNITS * FIRST_COST,
		       "9.32: the counts can be read after the release");
	work(UNITS);
	check_count(count_of(self, FIRST), kept,
		    "6.17 9.31: after it nothing is counted");
	check_refused(ioctl(self, PIOCRELEVCTRS), EINVAL,
		      "10.22: a release that fails is less than 0");
	check_refused(ioctl(self, PIOCGETEVCTRL, &ctrl), EINVAL,
		      "9.20: nothing is in use after it");
	check_generation(ioctl(self, PIOCSETEVCTRL, &arg),
			 "9.27: PIOCSETEVCTRL acquires what was released");
	check_exact(self, FIRST, FIRST_COST, "9.27: and counts");
}

/* Slots and words that are no event */
static void improper(void)
{
	static const struct {
		unsigned int slot;
		unsigned int ev;
		unsigned int mode;
		const char *what;
	} table[] = {
		{ 3, 2047, HWPERF_CNTEN_U, "9.07: an event out of range: EINVAL" },
		{ 3, 32, HWPERF_CNTEN_U, "9.07: event 32: EINVAL" },
		{ 3, 4, HWPERF_CNTEN_U, "9.07: an event in another's place: EINVAL" },
		{ 3, 3, 0, "3.13 9.07: an event without a mode: EINVAL" },
	};
	struct hwperf_ctrlreg *reg;
	size_t i;

	for (i = 0; i < COUNT(table); i++) {
		want_only(&arg, FIRST);
		reg = &arg.hwp_evctrargs.hwp_evctrl[table[i].slot].hwperf_creg;
		reg->hwp_ev = table[i].ev & 2047;
		reg->hwp_mode = table[i].mode & HWPERF_MODEMASK;
		check_refused(acquire(), EINVAL, table[i].what);
	}
	want_only(&arg, FIRST);
	arg.hwp_ovflw_freq[FIRST] = -1;
	check_refused(acquire(), EINVAL, "9.08: a negative threshold: EINVAL");
	check_refused(ioctl(self, PIOCENEVCTRS, (void *)8), EFAULT,
		      "9.07: a bad address: EFAULT");
}

static void signals(void)
{
	int i;

	want_only(&arg, FIRST);
	for (i = 1; i <= 32; i++) {
		arg.hwp_ovflw_sig = i;
		if (acquire() <= 0)
			break;
	}
	check_count((count_t)i, 33,
		    "8.20 8.22: signals 1 to 32 are accepted, thresholds are 0");
	arg.hwp_ovflw_sig = 0;
	check_generation(acquire(), "8.23: signal 0 is none");
	arg.hwp_ovflw_sig = 33;
	check_refused(acquire(), EINVAL, "8.22: signal 33: EINVAL");
	arg.hwp_ovflw_sig = -1;
	check_refused(acquire(), EINVAL, "8.22: signal -1: EINVAL");
}

static void failed_calls_change_nothing(void)
{
	int before = acquire_only(FIRST);

	signals();
	want_only(&arg, FIRST);
	before = acquire();
	improper();
	check_count((count_t)ioctl(self, PIOCGETEVCTRS, &counts),
		    (count_t)before, "9.07: refused calls leave the generation");
	check_exact(self, FIRST, FIRST_COST, "9.07: and the counting alone");
}

/* The number of the enable bits that an ordinary user got, or 16 */
static int modes_of_a_user(void)
{
	static const unsigned int modes[] = { HWPERF_CNTEN_S, HWPERF_CNTEN_K };
	hwperf_profevctrarg_t mine;
	int fd = open_process(getpid()), got = 0;
	size_t i;

	for (i = 0; i < COUNT(modes); i++) {
		want_only(&mine, FIRST);
		want(&mine, SECOND, HWPERF_CNTEN_U | modes[i]);
		if (ioctl(fd, PIOCENEVCTRS, &mine) >= 0 || errno != EPERM)
			got |= (int)modes[i];
	}
	want_only(&mine, FIRST);
	if (ioctl(fd, PIOCENEVCTRS, &mine) <= 0)
		got |= 16;

	return got;
}

static void privileges(void)
{
	check_count((count_t)as_user(modes_of_a_user), 0,
		    "9.09: supervisor and kernel mode without root: EPERM");
}

/* No request is for profiles */
static void nothing_else(void)
{
	static const unsigned int others[] = {
		HWPERF_PROFENABLE, PIOCENEVCTRS - 1, PIOCSAVECCNTRS + 1,
	};
	bool refused = true;
	size_t i;

	for (i = 0; i < COUNT(others); i++)
		refused = refused && ioctl(self, others[i], &arg) < 0;
	check(refused, "6.27: no request of /proc turns profiling on",
	      "one succeeds");
}

static void wide_counts(void)
{
	const char *what = "6.01 6.02 6.09: a count beyond 32 bits";
	int rounds = 5000;	/* some 100 seconds */

	/* 2^32 events take too long there */
	if (ON_R10K)
		return;
	acquire_only(CYCLES);
	while (count_of(self, CYCLES) < (1ULL << 32) && rounds--)
		for (volatile int i = 0; i < 10000000; i++)
			;
	check_at_least(count_of(self, CYCLES), 1ULL << 32, what);
}

/* The state belongs to the process, not to the descriptor */
static void state(void)
{
	int generation = acquire_only(FIRST), other;

	work(UNITS);
	other = open_process(getpid());
	close(self);
	self = open_process(getpid());
	check_count((count_t)ioctl(self, PIOCGETEVCTRS, &counts),
		    (count_t)generation,
		    "6.28: a new descriptor finds the same counters");
	check_at_least(counts.hwp_evctr[FIRST], UNITS * FIRST_COST,
		       "6.28: with what they have counted");
	ioctl(other, PIOCRELEVCTRS);
	check_refused(ioctl(self, PIOCGETEVCTRL, &ctrl), EINVAL,
		      "6.28: a release by another descriptor holds for all");
	close(other);
}

int main(void)
{
	int before;

	self = open_process(getpid());
	before = ioctl(self, PIOCGETEVCTRS, &counts) < 0 ? errno : 0;
	close(self);
	begin(&self);
	check_count((count_t)before, EINVAL,
		    "9.14: nothing can be read before it is acquired: EINVAL");
	generations();
	the_whole_array();
	all_events();
	turns();
	modes();
	control();
	changes();
	no_event();
	releases();
	failed_calls_change_nothing();
	privileges();
	nothing_else();
	state();
	wide_counts();

	return finish();
}
