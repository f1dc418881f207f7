// SPDX-License-Identifier: GPL-2.0-only
/*
 * User mode and system mode: pages 10, 11 and 13 of r10k_evcntrs(5). One program
 * is root's, the other an ordinary user's. Prints TAP.
 */
#define _GNU_SOURCE
#include "party.h"

static int self;

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
	check_is(ask(ACQUIRE), -EBUSY,
		 "7.07 7.10 7.11 9.10: a user's request is EBUSY meanwhile");
	check_is(system_does(HWPERF_ENSYSCNTRS, &kernel_arg), -EBUSY,
		 "7.10: root's by syssgi, too");
	before = system_count(SECOND);
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), 0,
		 "7.36: a release ends it");
	check_at_least(system_count(SECOND), before,
		       "7.36: the sum of all CPUs can be read after it");
	check(ask(ACQUIRE) > 0 && ask(RELEASE) == 0,
	      "7.01: then there is user mode", "there is not");
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
#if ON_R10K
		{ HWPERF_CNTEN_U | HWPERF_CNTEN_E, false, "7.05: nor with EXL" },
#endif
	};
	hwperf_profevctrarg_t arg;
	size_t i;
	long ret;

	for (i = 0; i < COUNT(table); i++) {
		want_none(&arg);
		want(&arg, FIRST, table[i].mode);
		ret = proc_does(self, PIOCENEVCTRS, &arg);
		check(ret > 0 && system_is_on() == table[i].is, table[i].what,
		      "got: %ld, system mode %d", ret, system_is_on());
		root_releases();
	}
}

/*
 * Whoever asks is running; if there is a second CPU, another may as well be, but
 * only while the machine has no other work for that CPU.
 */
static void in_use(void)
{
	const char *other = "7.08 7.21 9.11: on another CPU a user counts: EBUSY";
	long generation = proc_does(self, PIOCENEVCTRS, &user_arg), got = 0;
	int i;

	check_is(root_acquires(), -EBUSY,
		 "7.08 7.21 9.11: user mode that is in use is EBUSY");
	check_is(proc_does(self, PIOCGETEVCTRS, &counts), generation,
		 "9.12: nothing has been taken by force");
	check_exact(self, SECOND, 1, "9.12: and it counts as before");
	proc_does(self, PIOCRELEVCTRS, NULL);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		skip(other, "there is one CPU");
		return;
	}
	for (i = 0; i < 100 && got != -EBUSY; i++) {
		generation = ask(ACQUIRE);
		tell(SPIN);
		usleep(20000);
		got = root_acquires();
		if (got > 0)
			root_releases();
	}
	check_is(got, -EBUSY, other);
	check_is(ask(READ), generation, "9.12: who keeps his counters");
	ask(RELEASE);
}

/* A user who sleeps while root asks */
static void lost_unseen(void)
{
	long generation = ask(ACQUIRE), kept, i;

	ask(WORK);
	kept = ask(COUNTED);
	for (i = 0; i < 100 && root_acquires() == -EBUSY; i++)
		usleep(10000);
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

/* One who runs, or would like to */
static void taken_by_force(void)
{
	long generation = ask(ACQUIRE), kept;

	tell(SPIN);
	usleep(50000);
	check(system_does(HWPERF_ENSYSCNTRS, &kernel_arg) > 0,
	      "7.09 7.12 7.13: the counters of a user who runs are taken by force",
	      "%s", strerror(errno));
	kept = ask(COUNTED);
	ask(WORK);
	check_is(ask(COUNTED), kept, "7.13 7.15: he has to give them up");
	check_is(ask(READ), generation + 1,
		 "7.25 7.26: his generation number has risen by one");
	check_is(ask(CONTROL), -EINVAL, "7.13: he has no events any more");
	system_does(HWPERF_RELSYSCNTRS, NULL);
	ask(WORK);
	check_is(ask(COUNTED), kept, "7.15 7.19: and does not count afterwards");
}

int main(void)
{
	if (!begin_as_root(&self)) {
		skip("7.01 7.04 7.05 7.06 7.07 7.08 7.09 7.10: system mode",
		     "not run by root");
		return finish();
	}
	start_party(USER_ID);
	through_proc();
	other_modes();
	in_use();
	lost_unseen();
	taken_by_force();
	end_party();
	another_root();

	return finish();
}
