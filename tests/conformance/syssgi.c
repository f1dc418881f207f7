// SPDX-License-Identifier: GPL-2.0-only
/*
 * syssgi(SGI_EVENTCTR, ...) and the counters of the system: pages 10, 11 and 16 to
 * 18 of r10k_evcntrs(5). Prints TAP.
 *
 * usage: syssgi [enable | read | control | release]
 *
 * With an argument it does this one thing, prints the result, and ends.
 */
#define _GNU_SOURCE
#include <sched.h>
#include "party.h"

#define NO_CPU		4999

static hwperf_profevctrarg_t other_arg;
static int self;

static long force(void)
{
	return system_does(HWPERF_ENSYSCNTRS, &kernel_arg);
}

static long let_go(void)
{
	return system_does(HWPERF_RELSYSCNTRS, NULL);
}

static long read_cpu(int cpu)
{
	return done(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, cpu, &counts));
}

static void rights(void)
{
	long generation;

	start_party(USER_ID);
	check_is(ask(FORCE), -EPERM, "11.12: ENSYSCNTRS without root: EPERM");
	check_is(ask(SYSTEM_SET), -EPERM,
		 "11.38 11.39: SET_SYSEVCTRL without root, and nothing on: EPERM");
	check_is(ask(SYSTEM_RELEASE), -EPERM,
		 "11.46: RELSYSCNTRS without root, and nothing on: EPERM");
	generation = force();
	check_is(ask(SYSTEM_READ), generation,
		 "11.21: GET_SYSCNTRS is for all users");
	check_is(ask(FORCE), -EPERM, "11.12: ENSYSCNTRS when it is on: EPERM");
	check_is(ask(SYSTEM_SET), -EPERM,
		 "11.38 11.39: SET_SYSEVCTRL without root: EPERM");
	check_is(ask(SYSTEM_RELEASE), -EPERM,
		 "11.46: RELSYSCNTRS without root: EPERM");
	check(system_is_on(), "11.46: it is still on", "it is off");
	let_go();
	end_party();
}

/* As on a machine that has just been started */
static void forget_all(void)
{
	let_go();
	unlink("/run/irixperf/system");
	unlink("/run/irixperf/control");
}

static void before_the_first(void)
{
	forget_all();
	start_party(USER_ID);
	check(ask(ACQUIRE) > 0 && ask(RELEASE) == 0,
	      "11.45: a user counts before any system mode", "he does not");
	end_party();
	check_is(system_does(HWPERF_GET_SYSCNTRS, &counts), -EINVAL,
		 "11.21: GET_SYSCNTRS before any system mode: EINVAL");
	check_is(let_go(), -EINVAL, "11.44: there is nothing to release");
	check_is(access("/run/irixperf/system", F_OK), -1,
		 "11.44: none of this has left a file");
}

/* One who has counted since before there was any file of system mode */
static void the_first(void)
{
	long generation;

	start_party(USER_ID);
	generation = ask(ACQUIRE);
	force();
	let_go();
	check_is(ask(READ), generation + 1,
		 "11.11: the first ENSYSCNTRS takes counters from who has them, too");
	end_party();
}

/* Arguments that PIOCENEVCTRS refuses, too */
static void improper(void)
{
	hwperf_profevctrarg_t bad;

	want_none(&bad);
	check_is(system_does(HWPERF_ENSYSCNTRS, &bad), -EINVAL,
		 "11.13: ENSYSCNTRS of nothing: EINVAL");
	bad = kernel_arg;
	bad.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_ev = 2047;
	bad.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	check_is(system_does(HWPERF_ENSYSCNTRS, &bad), -EINVAL,
		 "11.19: ENSYSCNTRS of an event out of range: EINVAL");
	check_is(proc_does(self, PIOCENEVCTRS, &bad), -EINVAL,
		 "11.19: as by PIOCENEVCTRS");
	bad = kernel_arg;
	bad.hwp_ovflw_freq[SECOND] = -1;
	check_is(system_does(HWPERF_ENSYSCNTRS, &bad), -EINVAL,
		 "11.19: ENSYSCNTRS of a negative threshold: EINVAL");
	check(!system_is_on(), "11.13 11.19: none of them has begun it", "one has");
}

static void before_it_is_on(void)
{
	hwperf_profevctrarg_t arg;

	check_is(system_does(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL,
		 "11.32: GET_SYSEVCTRL while it is off: EINVAL");
	check_is(system_does(HWPERF_ENSYSCNTRS, &user_arg), -EINVAL,
		 "11.13: ENSYSCNTRS without kernel mode: EINVAL");
	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_U | HWPERF_CNTEN_E);
	check_is(system_does(HWPERF_ENSYSCNTRS, &arg), -EINVAL,
		 "11.13: with EXL in its place: EINVAL");
	check_is(system_does(HWPERF_ENSYSCNTRS, (void *)8), -EFAULT,
		 "11.19: ENSYSCNTRS of a bad address: EFAULT");
	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_A);
	check(system_does(HWPERF_ENSYSCNTRS, &arg) > 0 && let_go() == 0,
	      "11.13: user mode and EXL may be added", "they may not");
	check_is(done(syssgi(SGI_EVENTCTR, 99, &arg)), -EINVAL,
		 "11.02: another sub-command: EINVAL");
}

static void by_force(void)
{
	long generation;

	start_party(USER_ID);
	ask(ACQUIRE);
	generation = force();
	check(generation > 0,
	      "6.12 7.12 11.02 11.11 11.14 11.16 11.19 11.20: ENSYSCNTRS gets "
	      "the counters and a generation", "got: %ld", generation);
	check_is(ask(SET), -EBUSY, "11.11: others have lost them");
	check_is(force(), -EBUSY, "11.15: ENSYSCNTRS while it is on: EBUSY");
	check_is(system_does(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "11.24: GET_SYSCNTRS gives the generation");
	check_is(system_does(HWPERF_GET_SYSEVCTRL, &ctrl), generation,
		 "11.33: GET_SYSEVCTRL gives the generation");
	check(memcmp(&ctrl, &kernel_arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "11.30 11.31: GET_SYSEVCTRL tells events and modes", "others");
	check_is(read_cpu(0), generation,
		 "11.28: GET_CPUCNTRS gives the generation");
	check_is(let_go(), 0, "11.44 11.47: RELSYSCNTRS gives 0");
	check_is(system_does(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL,
		 "11.44: system mode is over");
	check(ask(ACQUIRE) > 0, "11.45: the counters are free again",
	      "they are not");
	end_party();
}

/* The next system mode, and what the last one leaves behind */
static void one_after_another(void)
{
	long generation = force();
	count_t last;

	work(UNITS);
	let_go();
	last = system_count(SECOND);
	work(UNITS);
	check_count(system_count(SECOND), last,
		    "11.44: after RELSYSCNTRS the counts are the last");
	check_is(system_does(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "11.24: with their generation");
	check_is(let_go(), -EINVAL, "11.44: a second RELSYSCNTRS: EINVAL");
	check(force() > generation, "11.20: the next one has a higher number",
	      "it has not");
	let_go();
}

static void some_work(void)
{
	work(UNITS);
}

static void all_events(void)
{
	hwperf_profevctrarg_t all;
	unsigned int i, seconds = 0;
	long times = 0;

	want_none(&all);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(&all, i, HWPERF_CNTEN_A);
	check(system_does(HWPERF_ENSYSCNTRS, &all) > 0,
	      "11.18: all 32 events of the system at once", "%s", strerror(errno));
	/* One that has had no turn in a minute of processor time will never have one */
	do {
		times += for_a_second(some_work);
		system_count(FIRST);
	} while (++seconds < 60 && !(counts.hwp_evctr[CYCLES] &&
		 counts.hwp_evctr[FIRST] && counts.hwp_evctr[SECOND]));
	check(counts.hwp_evctr[CYCLES] > 0 && counts.hwp_evctr[FIRST] > 0 &&
	      counts.hwp_evctr[SECOND] > 0,
	      "11.18: events of both counters take turns", "one has none");
	if (ON_R10K)
		check_at_most(counts.hwp_evctr[SECOND], times * UNITS / 2,
			      "11.18: a share of the time is returned as it is");
	let_go();
}

/* The work of other programs; elsewhere all of them have page faults */
static void work_of_others(void)
{
	const char *what = "11.21 11.22: the work of other programs is counted";
	count_t one, three;

	start_party(USER_ID);
	force();
	one = system_count(SECOND);
	ask(WORK);
	one = system_count(SECOND) - one;
	three = system_count(SECOND);
	ask(WORK);
	ask(WORK);
	ask(WORK);
	three = system_count(SECOND) - three;
	if (ON_R10K)
		check_count(three - one, 2 * UNITS, what);
	else
		check(one >= UNITS && three >= 3 * UNITS, what,
		      "once: %llu, three times: %llu", one, three);
	let_go();
	end_party();
}

/* Without a threshold there is nothing to signal, and without a signal nothing to do */
static void thresholds_and_signals(void)
{
	hwperf_profevctrarg_t arg = kernel_arg;
	long generation = force();

	arg.hwp_ovflw_freq[SECOND] = 100000;
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &arg), generation + 1,
		 "11.36: SET_SYSEVCTRL takes a threshold without a signal");
	arg.hwp_ovflw_freq[SECOND] = 0;
	arg.hwp_ovflw_sig = SIGUSR1;
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &arg), generation + 2,
		 "11.37: SET_SYSEVCTRL takes a signal without a threshold");
	let_go();
}

static void bad_addresses(void)
{
	force();
	check_is(system_does(HWPERF_GET_SYSCNTRS, (void *)8), -EFAULT,
		 "11.23: GET_SYSCNTRS to a bad address: EFAULT");
	check_is(system_does(HWPERF_GET_SYSEVCTRL, (void *)8), -EFAULT,
		 "11.31: GET_SYSEVCTRL to a bad address: EFAULT");
	check_is(system_does(HWPERF_SET_SYSEVCTRL, (void *)8), -EFAULT,
		 "11.42: SET_SYSEVCTRL of a bad address: EFAULT");
	check_is(done(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 0, (void *)8)),
		 -EFAULT, "11.27: GET_CPUCNTRS to a bad address: EFAULT");
	let_go();
}

static bool only_these_events(void)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (i != FIRST && i != SECOND && counts.hwp_evctr[i] != 0)
			return false;

	return true;
}

static bool go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);

	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

/* What work on one CPU adds to the counts of each; and of all */
static void each_cpu(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	bool all = true, same = true;
	count_t before, sum;
	cpu_set_t old;
	int cpu;

	sched_getaffinity(0, sizeof(old), &old);
	force();
	for (cpu = 0; cpu < cpus; cpu++) {
		if (!go_to(cpu))
			continue;
		work(1);
		read_cpu(cpu);
		before = counts.hwp_evctr[SECOND];
		sum = system_count(SECOND);
		work(UNITS);
		read_cpu(cpu);
		all = all && counts.hwp_evctr[SECOND] >= before + UNITS &&
		      system_count(SECOND) >= sum + UNITS;
		read_cpu(cpu);
		same = same && counts.hwp_evctr[FIRST] > 0 && only_these_events();
	}
	sched_setaffinity(0, sizeof(old), &old);
	check(all, "7.29 7.30 7.37 11.17 11.25 11.26 11.27: each CPU counts, "
	      "and the whole with it", "one does not");
	check(same, "11.18: all of them the same events", "others");
	errno = 0;
	check_is(read_cpu(NO_CPU), 0, "11.29: GET_CPUCNTRS of no CPU: 0");
	check_is(read_cpu((int)cpus), 0, "11.29: nor is there one after the last");
	check_is(read_cpu(-1), 0, "11.29: nor is there one below 0");
	check_is(errno, 0, "11.29: which is no error");
	let_go();
}

static count_t sum_of_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), cpu;
	count_t sum = 0;

	for (cpu = 0; cpu < cpus; cpu++)
		if (read_cpu((int)cpu) > 0)
			sum += counts.hwp_evctr[SECOND];

	return sum;
}

static void the_sum(void)
{
	count_t before, all, after;

	force();
	work(UNITS);
	before = sum_of_cpus();
	all = system_count(SECOND);
	after = sum_of_cpus();
	check(before >= UNITS && before <= all && all <= after,
	      "7.30 11.21 11.22: GET_SYSCNTRS gives the sum of all CPUs",
	      "%llu, %llu, %llu", before, all, after);
	let_go();
	check_at_least(system_count(SECOND), all,
		       "7.36 11.44: it can be read after the release");
}

static void changes(void)
{
	long generation = force();

	work(UNITS);
	want_none(&other_arg);
	want(&other_arg, SECOND, KERNEL);
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &other_arg), generation + 1,
		 "11.40 11.41 11.43: SET_SYSEVCTRL adds one to the generation");
	system_does(HWPERF_GET_SYSEVCTRL, &ctrl);
	check(memcmp(&ctrl, &other_arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "11.34 11.35 11.42: events and modes are the new ones", "old");
	work(UNITS);
	check_at_least(system_count(SECOND), UNITS, "11.34: the new event counts");
	check_is((long)system_count(FIRST), 0, "11.34: the old one is gone");
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &user_arg), -EINVAL,
		 "11.35: kernel mode has to be there still");
	check_is(system_does(HWPERF_GET_SYSCNTRS, &counts), generation + 1,
		 "11.41: a call that fails adds nothing");
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &kernel_arg), generation + 2,
		 "11.41: each call adds one");
	check(system_is_on(), "11.40: without a release", "it is off");
	let_go();
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &kernel_arg), -EINVAL,
		 "11.40: SET_SYSEVCTRL while it is off: EINVAL");
}

static int one_request(const char *what)
{
	static const struct {
		const char *name;
		int command;
		void *arg;
	} table[] = {
		{ "enable", HWPERF_ENSYSCNTRS, &kernel_arg },
		{ "read", HWPERF_GET_SYSCNTRS, &counts },
		{ "control", HWPERF_GET_SYSEVCTRL, &ctrl },
		{ "release", HWPERF_RELSYSCNTRS, NULL },
	};
	long ret = -EINVAL;
	size_t i;

	want_kernel();
	for (i = 0; i < COUNT(table); i++)
		if (strcmp(table[i].name, what) == 0)
			ret = system_does(table[i].command, table[i].arg);
	printf("%s %ld\n", what, ret);

	return ret < 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return one_request(argv[1]);
	if (!begin_as_root(&self)) {
		skip("11.11 11.12 11.13 11.14 11.15 11.16 11.17: system mode",
		     "not run by root");
		return finish();
	}
	before_the_first();
	the_first();
	improper();
	before_it_is_on();
	rights();
	by_force();
	one_after_another();
	bad_addresses();
	each_cpu();
	the_sum();
	work_of_others();
	all_events();
	changes();
	thresholds_and_signals();

	return finish();
}
