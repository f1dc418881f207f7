// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that a process and others use at the same time: whoever acquires,
 * changes or releases them, all see the same, until the process is gone. What others
 * have begun is kept by a holder, of which nothing may be left. Pages 9, 13 and 14
 * of r10k_evcntrs(5). Prints TAP.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include "party.h"

static hwperf_profevctrarg_t first_arg;
static int party_fd;

static void begin_party(void)
{
	start_party(0);
	party_fd = open_process(party.pid);
}

static long others_do(unsigned int request, void *arg)
{
	return proc_does(party_fd, request, arg);
}

/* Another program, which has ended when this returns */
static long one_that_ends_does(unsigned int request, void *arg)
{
	int result[2];
	long ret = -EIO;
	pid_t pid;

	fflush(stdout);
	if (pipe(result))
		bail_out("pipe");
	pid = fork();
	if (pid == 0) {
		ret = proc_does(open_process(party.pid), request, arg);
		_exit(write(result[1], &ret, sizeof(ret)) != sizeof(ret));
	}
	close(result[1]);
	if (read(result[0], &ret, sizeof(ret)) != sizeof(ret))
		bail_out("another program");
	close(result[0]);
	waitpid(pid, NULL, 0);

	return ret;
}

/* Holders have the directory of the process open: the last, and how many */
static pid_t find_holder(unsigned int *nr)
{
	char command[256];
	int pid = 0, next;
	FILE *f;

	snprintf(command, sizeof(command), "for d in /proc/[0-9]*; do"
		 " read -r name <$d/comm && [ \"$name\" = irixperf-holder ] &&"
		 " ls -l $d/fd | grep -qw /proc/%d && echo ${d#/proc/};"
		 " done 2>/dev/null", party.pid);
	f = popen(command, "r");
	if (!f)
		bail_out("popen");
	*nr = 0;
	while (fscanf(f, "%d", &next) == 1) {
		pid = next;
		++*nr;
	}
	pclose(f);

	return pid;
}

static void check_holders(unsigned int expected, const char *what)
{
	unsigned int got;

	find_holder(&got);
	check_count(got, expected, what);
}

/* A descriptor that tells when the holder has ended; -1 if there is none */
static int watch_holder(void)
{
	unsigned int nr_holders;
	pid_t holder = find_holder(&nr_holders);

	return holder > 0 ? (int)syscall(SYS_pidfd_open, holder, 0) : -1;
}

static void await_holder(int holder)
{
	struct pollfd gone = { .fd = holder, .events = POLLIN };

	if (holder < 0)
		return;
	if (poll(&gone, 1, HANGS * 1000) == 0) {
		errno = ETIMEDOUT;
		bail_out("the end of a holder");
	}
	close(holder);
}

static void end_of_party(void)
{
	int holder = watch_holder();

	end_party();
	check_is(others_do(PIOCGETEVCTRS, &counts), -ESRCH,
		 "6.28: the counters are gone with the process");
	await_holder(holder);
	check_holders(0, "6.28: and so is who held them");
	close(party_fd);
}

/* What the party counts, and that it goes on from where it was */
static bool counts_on(long generation)
{
	count_t before = count_of(party_fd, SECOND);

	ask(WORK);

	return others_do(PIOCGETEVCTRS, &counts) == generation &&
	       counts.hwp_evctr[SECOND] >= before + UNITS;
}

static bool control_is(long generation, const hwperf_profevctrarg_t *arg)
{
	return others_do(PIOCGETEVCTRL, &ctrl) == generation &&
	       memcmp(&ctrl, &arg->hwp_evctrargs, sizeof(ctrl)) == 0;
}

/* What a process has acquired itself is no less its own, and no more */
static void acquired_by_itself(void)
{
	hwperf_prusage_t usage;
	long first;

	begin_party();
	first = ask(ACQUIRE);
	check_is(others_do(PIOCGETEVCTRS, &counts), first,
		 "6.20 6.28 9.14: others read what a process acquired itself");
	check_party(party_fd, "6.20 6.28 9.14: exactly");
	check(others_do(PIOCGETPREVCTRS, &usage) == first &&
	      usage.pu_cpu_mon.cm_cntrs.hwp_evctr[SECOND] >= UNITS,
	      "6.20: with its usage, too", "without");
	check(control_is(first, &user_arg),
	      "6.20 9.20: and are told what it counts", "they are not");
	check_is(ask(SET), first + 1, "9.28: it changes them itself");
	check(others_do(PIOCGETEVCTRS, &counts) == first + 1 &&
	      counts.hwp_evctr[SECOND] < UNITS,
	      "6.28 9.28: which others see, and counts from zero", "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND]);
	check_holders(0, "6.28: all this is without a holder");
	check_is(one_that_ends_does(PIOCSETEVCTRL, &first_arg), first + 2,
		 "6.20 9.23 9.28: others change it, and its number rises");
	ask(WORK);
	check(ask(READ) == first + 2 && ask(COUNTED) == 0 &&
	      count_of(party_fd, FIRST) >= UNITS,
	      "6.20 6.28: for the process itself as well", "not the same");
	check_holders(1, "6.28: which a holder keeps");
	check(ask(RELEASE) == 0 && others_do(PIOCRELEVCTRS, NULL) == -EINVAL,
	      "6.28 9.31: the process releases them for all", "it does not");
	check_is(others_do(PIOCENEVCTRS, &user_arg), first + 3,
		 "6.20: another one acquires them anew");
	check_party(party_fd, "6.20 6.28: which count");
	check_is(ask(ACQUIRE), first + 4, "6.28: and the process does, again");
	check_is(others_do(PIOCGETEVCTRS, &counts), first + 4,
		 "6.28: which others see");
	end_of_party();
}

/*
 * This program counts, and so does what it forks: whether that has begun to or
 * not when another one comes, all see one and the same
 */
static void acquired_by_another(void)
{
	long first;

	begin_party();
	check_is(others_do(PIOCGETEVCTRS, &counts), -EINVAL,
		 "9.14: there is nothing to read before");
	first = one_that_ends_does(PIOCENEVCTRS, &user_arg);
	check(first > 0 && ask(READ) == first,
	      "6.28: a process sees what others acquire for it",
	      "got: %ld, %ld", first, ask(READ));
	check_party(party_fd, "6.28 9.14: as they do");
	check(control_is(first, &user_arg),
	      "6.28 9.20: and what it counts is what they asked for", "other");
	check_is(one_that_ends_does(PIOCSETEVCTRL, &first_arg), first + 1,
		 "6.20 9.28: another one changes that");
	check(others_do(PIOCGETEVCTRS, &counts) == first + 1 &&
	      counts.hwp_evctr[SECOND] == 0 && ask(READ) == first + 1,
	      "6.28 9.28: all see it, and the old event is gone", "not so");
	check_is(ask(ACQUIRE), first + 2, "6.28: the process acquires them anew");
	end_of_party();
}

/* @itself: the process has acquired them, and not another one */
static void released_by_another(bool itself)
{
	count_t kept;
	long first;

	first = itself ? ask(ACQUIRE) :
		one_that_ends_does(PIOCENEVCTRS, &user_arg);
	ask(WORK);
	check_is(one_that_ends_does(PIOCRELEVCTRS, NULL), 0, itself ?
		 "6.20 9.31: what a process acquired itself others release" :
		 "6.20 9.31: what others acquired others release");
	kept = count_of(party_fd, SECOND);
	ask(WORK);
	check(kept >= UNITS && count_of(party_fd, SECOND) == kept &&
	      ask(COUNTED) == (long)kept && ask(READ) == first,
	      "6.20 9.31 9.32: it counts no more, and all read the same",
	      "got: %llu, %llu, %ld", kept, count_of(party_fd, SECOND),
	      ask(COUNTED));
	check_is(others_do(PIOCGETEVCTRL, &ctrl), -EINVAL,
		 "9.20: no events are in use");
	check_is(others_do(PIOCRELEVCTRS, NULL), -EINVAL,
		 "9.31: nobody releases them twice");
	check_is(ask(RELEASE), -EINVAL, "6.28: for itself they are released");
	if (itself)
		check_is(ask(FORK_READ), 0, "6.28: and for its children");
	first = others_do(PIOCENEVCTRS, &user_arg);
	check(first > 0 && ask(READ) == first,
	      "6.28: what others acquire then it sees", "got: %ld, %ld",
	      first, ask(READ));
	end_of_party();
}

static int another_users_counters(void)
{
	int fd = open_process(party.pid);

	return ioctl(fd, PIOCGETEVCTRS, &counts) >= 0 || errno != EPERM ||
	       ioctl(fd, PIOCRELEVCTRS) >= 0 || errno != EPERM;
}

static void refused(bool itself)
{
	const char *others = itself ?
		"6.21: what another user has acquired is refused" :
		"6.21: and so is what was acquired for another user";
	hwperf_profevctrarg_t bad = user_arg;
	long first;

	begin_party();
	first = itself ? ask(ACQUIRE) : others_do(PIOCENEVCTRS, &user_arg);
	bad.hwp_evctrargs.hwp_evctrl[SECOND].hwperf_creg.hwp_ev = 14;
	check_is(others_do(PIOCSETEVCTRL, &bad), -EINVAL,
		 "9.29: a bad event is refused");
	check_is(others_do(PIOCENEVCTRS, &bad), -EINVAL, "9.07: in either way");
	check_is(others_do(PIOCSETEVCTRL, (void *)8), -EFAULT,
		 "9.29: so is a bad address");
	check_is(others_do(PIOCGETEVCTRS, (void *)8), -EFAULT,
		 "9.15: of either sort");
	check(counts_on(first) && ask(READ) == first,
	      "9.28: nothing has changed", "it has");
	if (geteuid() == 0)
		check_is(as_user(another_users_counters), 0, others);
	else
		skip(others, "not run by root");
	end_of_party();
}

static void holder_is_killed(void)
{
	int holder;

	begin_party();
	others_do(PIOCENEVCTRS, &user_arg);
	check_holders(1, "6.28: one process holds them");
	holder = watch_holder();
	syscall(SYS_pidfd_send_signal, holder, SIGKILL, NULL, 0);
	await_holder(holder);
	check_holders(0, "6.28: it can be killed");
	check_is(others_do(PIOCGETEVCTRS, &counts), -EINVAL,
		 "6.28: then nobody has acquired them");
	check(others_do(PIOCENEVCTRS, &user_arg) > 0,
	      "6.28: and anybody can", "%s", strerror(errno));
	end_of_party();
}

/* The state is the process', and a process may become another program */
static void as_another_program(void)
{
	count_t before;
	long first;

	begin_party();
	first = ask(ACQUIRE);
	check_is(ask(BECOME_NONE), -ENOENT,
		 "6.28: a process fails to become another program");
	check(counts_on(first) && ask(READ) == first,
	      "6.28: and goes on as before", "not so");
	before = count_of(party_fd, SECOND);
	tell(BECOME);
	ask(WORK);
	check_is(ask(READ), first, "6.28: a process that becomes another "
		 "program keeps its counters");
	check_at_least(count_of(party_fd, SECOND) - before, UNITS,
		       "6.20 6.28: they go on, and others read them");
	check_party(party_fd, "6.20 6.28: exactly, there as well");
	check_is(ask(RELEASE), 0, "6.28: the new program releases them");
	end_of_party();
}

static void as_one_without_the_library(void)
{
	long first, word = 1, answer = 0;

	begin_party();
	first = ask(ACQUIRE);
	ask(WORK);
	tell(BECOME_OTHER);
	/* It is the other one as soon as it repeats a word */
	errno = 0;
	if (write(party.to, &word, sizeof(word)) != sizeof(word) ||
	    read(party.from, &answer, sizeof(answer)) != sizeof(answer) ||
	    answer != word)
		bail_out("cat");
	check(others_do(PIOCGETEVCTRS, &counts) == first &&
	      counts.hwp_evctr[SECOND] >= UNITS,
	      "6.20 6.28: it becomes one without this library: others read its "
	      "counters", "got: %llu", (count_t)counts.hwp_evctr[SECOND]);
	check_is(one_that_ends_does(PIOCSETEVCTRL, &first_arg), first + 1,
		 "6.20 6.28: and change them");
	check_is(one_that_ends_does(PIOCRELEVCTRS, NULL), 0,
		 "6.20 6.28: and release them");
	end_of_party();
}

static int acquired_in_the_same_group(void)
{
	int ret;

	begin_party();
	ask(ACQUIRE);
	ret = others_do(PIOCGETEVCTRS, &counts) <= 0 ||
	      others_do(PIOCRELEVCTRS, NULL) < 0;
	end_party();

	return ret;
}

static void roots_rights(void)
{
	const char *what = "6.21: root sees what any user has acquired";
	time_t since = 0;
	long first, got;

	if (geteuid() != 0) {
		skip(what, "not run by root");
		return;
	}
	start_party(USER_ID);
	party_fd = open_process(party.pid);
	first = ask(ACQUIRE);
	/* The library waits for a stranger's answer for a second: a guest's comes at once */
	do
		got = others_do(PIOCGETEVCTRS, &counts);
	while (!ON_R10K && got == -EAGAIN && !hangs(&since));
	check_is(got, first, what);
	end_of_party();
}

int main(int argc, char **argv)
{
	int self;

	party_begins(argc, argv);
	/* Before this program has counters, as the party inherits their release */
	begin_party();
	begin(&self);
	ioctl(self, PIOCRELEVCTRS);
	want_only(&first_arg, FIRST);
	released_by_another(false);
	/* One that has inherited the release, and nothing to show */
	begin_party();
	released_by_another(false);
	acquired_by_itself();
	acquired_by_another();
	begin_party();
	released_by_another(true);
	refused(true);
	refused(false);
	holder_is_killed();
	as_another_program();
	as_one_without_the_library();
	roots_rights();
	check_is(as_user(acquired_in_the_same_group), 0,
		 "6.21: a user sees what a process of his own group has acquired");

	return finish();
}
