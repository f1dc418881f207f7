// SPDX-License-Identifier: GPL-2.0-only
/*
 * User mode and system mode: pages 10, 11 and 13 of r10k_evcntrs(5). One program
 * is root's, the other an ordinary user's. Prints TAP.
 */
#define _GNU_SOURCE
#include <irixperf.h>
#include <sched.h>
#include "party.h"

static int self;
static bool apart;		/* the party has other CPUs than this program */

/*
 * The holder, which this program starts, takes the CPU from whoever is on it when it looks
 * who runs. So this program and the holder stay on one, and the party goes elsewhere.
 */
static bool stay_on_one_cpu(cpu_set_t *others)
{
	cpu_set_t one;

	sched_getaffinity(0, sizeof(*others), others);
	if (CPU_COUNT(others) < 2)
		return false;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	CPU_XOR(others, others, &one);

	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

static long root_acquires(void)
{
	return proc_does(self, PIOCENEVCTRS, &kernel_arg);
}

static void root_releases(void)
{
	proc_does(self, PIOCRELEVCTRS, NULL);
}

static void through_proc(void)
{
	long generation = root_acquires();
	hwperf_prusage_t usage;
	count_t before;

	check(generation > 0 && system_is_on(),
	      "7.01 7.04 9.03: root that counts kernel mode is in system mode",
	      "got: %ld", generation);
	before = count_of(self, SECOND);
	ask(WORK);
	check_at_least(count_of(self, SECOND) - before, UNITS,
		       "7.06 7.35: its counts are those of all programs");
	check_is(proc_does(self, PIOCGETEVCTRS, &counts), generation,
		 "7.24: with a generation number");
	check(proc_does(self, PIOCGETPREVCTRS, &usage) == generation &&
	      usage.pu_cpu_mon.cm_cntrs.hwp_evctr[SECOND] >= before + UNITS,
	      "7.24 7.35: PIOCGETPREVCTRS gives both as well", "got: %llu",
	      (count_t)usage.pu_cpu_mon.cm_cntrs.hwp_evctr[SECOND]);
	check_is(proc_does(self, PIOCGETEVCTRL, &ctrl), generation,
		 "7.24: and PIOCGETEVCTRL the number");
	check(memcmp(&ctrl, &kernel_arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "7.24: with the events and modes", "others");
	check_is(ask(ACQUIRE), -EBUSY,
		 "7.07 7.10 7.11 9.10: a user's request is EBUSY meanwhile");
	check_is(system_does(HWPERF_ENSYSCNTRS, &kernel_arg), -EBUSY,
		 "7.10: root's by syssgi, too");
	before = system_count(SECOND);
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), 0,
		 "7.36: a release ends it");
	check_at_least(system_count(SECOND), before,
		       "7.36: the sum of all CPUs can be read after it");
	check(ask(ACQUIRE) > 0, "7.01: then there is user mode", "there is not");
	check_party(-1, "7.01 7.06: which counts a program alone, exactly");
	ask(RELEASE);
}

static void changed_through_proc(void)
{
	long generation = root_acquires();
	hwperf_profevctrarg_t other;
	count_t kept;

	want_none(&other);
	want(&other, SECOND, KERNEL);
	check_is(proc_does(self, PIOCSETEVCTRL, &other), generation + 1,
		 "7.24: PIOCSETEVCTRL adds one to the generation");
	check_is(system_does(HWPERF_SET_SYSEVCTRL, &kernel_arg), generation + 2,
		 "7.24: and so does SET_SYSEVCTRL");
	check_is(proc_does(self, PIOCGETEVCTRS, &counts), generation + 2,
		 "7.24: which PIOCGETEVCTRS sees");
	root_releases();
	check(!system_is_on(), "7.36: PIOCRELEVCTRS ends system mode", "not so");
	kept = count_of(self, SECOND);
	work(UNITS);
	check_count(count_of(self, SECOND), kept,
		    "7.36: the counts stay as they were");
	check(proc_does(self, PIOCSETEVCTRL, &kernel_arg) > generation + 2 &&
	      system_is_on(), "7.04: PIOCSETEVCTRL begins it again", "not so");
	check_is(system_does(HWPERF_RELSYSCNTRS, NULL), 0,
		 "7.36: RELSYSCNTRS ends it as well");
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), -EINVAL,
		 "7.36: then PIOCRELEVCTRS has nothing to release");
}

/* Events of perf that are opened past this interface */
static void past_the_library(void)
{
	const char *what = "7.07: events opened past it find no counter";
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct irixperf_count count = { 0 };
	struct irixperf_set *set = NULL;

	/* Software events are never used up */
	if (!ON_R10K)
		return;
	attr.mode[FIRST] = HWPERF_CNTEN_U;
	attr.mode[SECOND] = HWPERF_CNTEN_U;
	if (irixperf_set_open(&set, &attr))
		bail_out("irixperf_set_open");
	work(UNITS);
	irixperf_set_read(set, FIRST, &count);
	check(count.enabled > 0 && count.running == 0, what,
	      "running %llu of %llu ns", (count_t)count.running,
	      (count_t)count.enabled);
	irixperf_set_close(set);
}

static void everyone_is_kept_out(void)
{
	int others = open_process(party.pid);
	hwperf_profevctrarg_t none;

	want_none(&none);
	system_does(HWPERF_ENSYSCNTRS, &kernel_arg);
	check_is(proc_does(others, PIOCENEVCTRS, &user_arg), -EBUSY,
		 "7.10 9.10: root's request for another process is EBUSY");
	check_is(proc_does(self, PIOCENEVCTRS, &user_arg), -EBUSY,
		 "7.10 9.10: root's own request for user mode is EBUSY");
	check_is(proc_does(self, PIOCENEVCTRS, &kernel_arg), -EBUSY,
		 "7.10 9.10: for system mode, too");
	check_is(proc_does(self, PIOCENEVCTRS, &none), -EBUSY,
		 "7.10 9.10: even for nothing");
	past_the_library();
	system_does(HWPERF_RELSYSCNTRS, NULL);
	close(others);
}

static void begin_it_and_end(void)
{
	int fd = open_process(getpid());

	proc_does(fd, PIOCENEVCTRS, &kernel_arg);
}

static void outlives_who_asked(void)
{
	await_exit(start(begin_it_and_end));
	waitpid(-1, NULL, WNOHANG);
	check(system_is_on(),
	      "7.07: system mode outlives the program that has begun it", "not so");
	check_is(ask(ACQUIRE), -EBUSY, "7.07 7.10: and keeps users out");
	check_is(system_does(HWPERF_RELSYSCNTRS, NULL), 0,
		 "7.36: until it is ended");
}

/* Root as another program, too */
static void another_root(void)
{
	root_acquires();
	start_party(0);
	check_is(ask(ACQUIRE_KERNEL), -EBUSY,
		 "7.10 9.10: another program of root gets EBUSY in kernel mode");
	check_is(ask(ACQUIRE), -EBUSY, "7.10 9.10: and in user mode");
	end_party();
	root_releases();
}

/*
 * What FIRST, with user mode, counts of this work more than SECOND, without it. The counts
 * of the whole machine are in both.
 */
static count_t count_user_code(unsigned int mode)
{
	hwperf_profevctrarg_t both;
	hwperf_cntr_t before, after;

	want_none(&both);
	want(&both, FIRST, mode | HWPERF_CNTEN_U);
	want(&both, SECOND, mode);
	if (proc_does(self, PIOCSETEVCTRL, &both) < 0 ||
	    proc_does(self, PIOCGETEVCTRS, &before) < 0)
		bail_out("counters of both modes");
	work(2 * UNITS);
	if (proc_does(self, PIOCGETEVCTRS, &after) < 0)
		bail_out("counters of both modes");

	return after.hwp_evctr[FIRST] - before.hwp_evctr[FIRST] -
	       (after.hwp_evctr[SECOND] - before.hwp_evctr[SECOND]);
}

/* SECOND is counted with this mode. On an R10000 nobody else does what it counts */
static void check_user_code(unsigned int mode)
{
	const char *with = "7.05: user code is counted if user mode is asked for";
	const char *without = "7.05: and is not if it is not";

	if (mode & HWPERF_CNTEN_U)
		check_at_least(count_work(self, SECOND, UNITS), UNITS, with);
	else if (ON_R10K)
		check_at_most(count_work(self, SECOND, UNITS), UNITS - 1, without);
	else
		check_at_least(count_user_code(mode), UNITS, without);
}

static void other_modes(void)
{
	static const struct {
		unsigned int mode;
		bool is;
		const char *what;
	} table[] = {
		{ HWPERF_CNTEN_K, true, "7.05: kernel mode alone is system mode" },
		{ HWPERF_CNTEN_A, true, "7.05: and with user mode and EXL" },
		{ HWPERF_CNTEN_U, false, "7.05: user mode alone is not" },
		{ HWPERF_CNTEN_S, false, "7.05: nor supervisor mode" },
#if ON_R10K
		{ HWPERF_CNTEN_K | HWPERF_CNTEN_E, true,
		  "7.05: kernel mode with EXL is" },
		{ HWPERF_MODEMASK, true, "7.05: as are all modes together" },
		{ HWPERF_CNTEN_E, false, "7.05: EXL alone is not" },
		{ HWPERF_CNTEN_U | HWPERF_CNTEN_E, false, "7.05: nor with EXL" },
#endif
	};
	hwperf_profevctrarg_t arg;
	size_t i;
	long ret;

	for (i = 0; i < COUNT(table); i++) {
		want_none(&arg);
		want(&arg, SECOND, table[i].mode);
		ret = proc_does(self, PIOCENEVCTRS, &arg);
		check(ret > 0 && system_is_on() == table[i].is, table[i].what,
		      "got: %ld, system mode %d", ret, system_is_on());
		check_user_code(table[i].mode);
		check_is(proc_does(self, PIOCRELEVCTRS, NULL), 0,
			 "7.36: it is released");
	}
}

/* Whoever asks is running; on a second CPU another may as well be */
static void in_use(void)
{
	const char *other = "7.08 7.21 9.11: on another CPU a user counts: EBUSY";
	long generation = proc_does(self, PIOCENEVCTRS, &user_arg), got;
	time_t since = 0;

	check_is(root_acquires(), -EBUSY,
		 "7.08 7.21 9.11: user mode that is in use is EBUSY");
	check_is(proc_does(self, PIOCSETEVCTRL, &kernel_arg), -EBUSY,
		 "7.08 7.21: by PIOCSETEVCTRL as well");
	check_is(proc_does(self, PIOCGETEVCTRS, &counts), generation,
		 "9.12: nothing has been taken by force");
	check_exact(self, SECOND, 1, "9.12: and it counts as before");
	proc_does(self, PIOCRELEVCTRS, NULL);
	if (!apart) {
		if (!ON_R10K)
			skip(other, "there is one CPU");
		return;
	}
	/* If he only waits for that CPU at that moment, he is in nobody's way */
	do {
		generation = ask(ACQUIRE);
		ask(SPIN);
		got = root_acquires();
		if (got > 0)
			root_releases();
	} while (got != -EBUSY && !hangs(&since));
	check_is(got, -EBUSY, other);
	check_is(ask(READ), generation, "9.12: who keeps his counters");
	ask(RELEASE);
}

/* A user who sleeps while root asks */
static void lost_unseen(void)
{
	long generation = ask(ACQUIRE), kept;
	time_t since = 0;

	ask(WORK);
	/* What he does after an answer touches nothing for the first time then */
	ask(COUNTED);
	kept = ask(COUNTED);
	/* He has answered, but may not sleep yet */
	while (root_acquires() == -EBUSY && !hangs(&since))
		;
	check(system_is_on(),
	      "7.17 7.22: root gets system mode while the users do not run",
	      "it does not");
	ask(WORK);
	check_is(ask(COUNTED), kept,
		 "7.14 7.15 7.18 7.23: they do not count when they run again");
	check_is(ask(READ), generation + 1,
		 "7.25 7.26 7.27 10.21: the generation number has risen by one");
	check_is(ask(SET), -EBUSY, "7.11 7.18: nor can they get them back");
	root_releases();
	ask(WORK);
	check_is(ask(COUNTED), kept,
		 "7.19 7.23: nor does the end of system mode start them");
	check(ask(SET) > generation + 1, "7.19: unless they do it themselves",
	      "they cannot");
	ask(WORK);
	check(ask(COUNTED) >= UNITS, "7.19: and then they count", "not so");
	ask(RELEASE);
}

/* He does not look while system mode is on */
static void lost_and_over(void)
{
	long generation = ask(ACQUIRE);

	system_does(HWPERF_ENSYSCNTRS, &kernel_arg);
	system_does(HWPERF_RELSYSCNTRS, NULL);
	ask(WORK);
	check_is(ask(READ), generation + 1,
		 "7.25 7.26: a loss shows when system mode is over as well");
	check(ask(COUNTED) < UNITS,
	      "7.19 7.27: what he did since then is not in his counts", "it is");
	ask(RELEASE);
}

/* He could run at any time, but not at that one */
static void waiting_for_the_cpu(void)
{
	const char *what = "7.17 7.22: a user who waits for the CPU is in nobody's way";
	int fd, i, got = 0;

	/* On one CPU he cannot run at that moment, because the asker does */
	if (!ON_R10K || apart)
		return;
	fd = open_process(party.pid);
	ask(SPIN);
	for (i = 0; i < 20; i++) {
		proc_does(fd, PIOCENEVCTRS, &user_arg);
		got += root_acquires() > 0;
		root_releases();
	}
	check_is(got, 20, what);
	ask(RELEASE);
	close(fd);
}

/* One who runs, or would like to */
static void taken_by_force(void)
{
	long generation = ask(ACQUIRE), kept;

	proc_does(self, PIOCENEVCTRS, &user_arg);
	ask(SPIN);
	check(system_does(HWPERF_ENSYSCNTRS, &kernel_arg) > 0,
	      "7.09 7.12 7.13: the counters of a user who runs are taken by force",
	      "%s", strerror(errno));
	kept = ask(COUNTED);
	ask(WORK);
	check_is(ask(COUNTED), kept, "7.13 7.15: he has to give them up");
	check_is(ask(READ), generation + 1,
		 "7.25 7.26: his generation number has risen by one");
	check_is(ask(READ), generation + 1, "7.25: once");
	check_is(ask(CONTROL), -EINVAL, "7.13: he has no events any more");
	check_is(ask(ACQUIRE), -EBUSY, "7.11 7.18: nor can he get new ones");
	check_is(ask(RELEASE), -EINVAL, "7.13: there is nothing to release");
	system_does(HWPERF_RELSYSCNTRS, NULL);
	ask(WORK);
	check_is(ask(COUNTED), kept, "7.15 7.19: and does not count afterwards");
	check_is(ask(READ), generation + 1, "7.25: his number stays as it is");
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), -EINVAL,
		 "7.13: who asked has lost his own counters, too");
}

int main(void)
{
	cpu_set_t others;

	apart = stay_on_one_cpu(&others);
	if (!begin_as_root(&self)) {
		skip("7.01 7.04 7.05 7.06 7.07 7.08 7.09 7.10: system mode",
		     "not run by root");
		return finish();
	}
	start_party(USER_ID);
	if (apart)
		sched_setaffinity(party.pid, sizeof(others), &others);
	through_proc();
	changed_through_proc();
	everyone_is_kept_out();
	outlives_who_asked();
	other_modes();
	in_use();
	lost_unseen();
	lost_and_over();
	waiting_for_the_cpu();
	taken_by_force();
	end_party();
	another_root();

	return finish();
}
