// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of another process: who may have them, when they begin to count, and
 * how long they can be read. Pages 9, 13 and 14 of r10k_evcntrs(5). Prints TAP.
 */
#define _GNU_SOURCE
#include "conf.h"

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;

static long amount;

static void stop_and_work(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	work(1);
	raise(SIGSTOP);
	work(amount);
	raise(SIGSTOP);
	_exit(0);
}

/* How many units it has done, for others to see, and a byte for each */
static volatile long *done;
static int units[2];

static void work_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(units[0]);
	do {
		work(UNITS);
		++*done;
	} while (write(units[1], "", 1) == 1);
}

static void wait_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

/* A child that has stopped, and works when it goes on until it stops again */
static pid_t start_stopped(long n, int *fd)
{
	pid_t pid;

	amount = n;
	pid = start(stop_and_work);
	await_stop(pid);
	*fd = open_process(pid);

	return pid;
}

static void go_on(pid_t pid)
{
	kill(pid, SIGCONT);
	await_stop(pid);
}

static count_t count_child(long n)
{
	count_t got;
	pid_t pid;
	int fd;

	pid = start_stopped(n, &fd);
	want_only(&arg, SECOND);
	if (ioctl(fd, PIOCENEVCTRS, &arg) <= 0)
		bail_out("a child's counters");
	go_on(pid);
	kill(pid, SIGCONT);
	await_exit(pid);
	got = count_of(fd, SECOND);
	waitpid(pid, NULL, 0);
	close(fd);

	return got;
}

static void a_stopped_process(void)
{
	count_t one[TIMES], three[TIMES];
	pid_t pid;
	int fd, i;

	pid = start_stopped(UNITS, &fd);
	want_only(&arg, FIRST);
	check_generation(ioctl(fd, PIOCENEVCTRS, &arg),
			 "6.20 9.06: a process that has stopped is acquired");
	check_count(count_of(fd, FIRST), 0, "9.06: it does not count yet");
	go_on(pid);
	check_at_least(count_of(fd, FIRST), UNITS * FIRST_COST,
		       "9.06: it counts when it runs next");
	end(pid);
	close(fd);
	for (i = 0; i < TIMES; i++) {
		one[i] = count_child(UNITS);
		three[i] = count_child(3 * UNITS);
	}
	check_more(one, three, 2 * UNITS, "6.20 9.06 9.14: another's counts, exactly");
}

static void until_done(long nr_units)
{
	static long seen;
	char byte;

	for (; seen < nr_units; seen++)
		if (read(units[0], &byte, 1) != 1)
			bail_out("a child");
}

/* Units that begin after the request count in full, and none from before it does */
static void a_running_process(void)
{
	long before, at, after;
	count_t got;
	pid_t pid;
	int fd;

	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pipe(units))
		bail_out("pipe");
	pid = start(work_for_ever);
	close(units[1]);
	fd = open_process(pid);
	want_only(&arg, SECOND);
	until_done(20);
	before = *done;
	check_generation(ioctl(fd, PIOCENEVCTRS, &arg),
			 "9.05: a process that runs is acquired");
	at = *done;
	until_done(at + 20);
	kill(pid, SIGSTOP);
	await_stop(pid);
	after = *done;
	got = count_of(fd, SECOND);
	check(got >= (count_t)((after - at - 1) * UNITS) &&
	      got <= (count_t)((after - before + 2) * UNITS),
	      "9.05: it counts at once", "units: %ld, at the request %ld, %ld; got: "
	      "%llu", before, at, after, got);
	end(pid);
	close(units[0]);
	close(fd);
}

static void control_of_another(void)
{
	int fd, first;
	pid_t pid;

	pid = start_stopped(UNITS, &fd);
	want_only(&arg, FIRST);
	first = ioctl(fd, PIOCENEVCTRS, &arg);
	want_only(&arg, SECOND);
	check_count((count_t)ioctl(fd, PIOCSETEVCTRL, &arg), (count_t)first + 1,
		    "6.20 9.28: another's events are changed: its number rises");
	ioctl(fd, PIOCGETEVCTRL, &ctrl);
	check(memcmp(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "6.20 9.20: another's events are told", "others are");
	go_on(pid);
	ioctl(fd, PIOCGETEVCTRS, &counts);
	check(counts.hwp_evctr[FIRST] == 0 && counts.hwp_evctr[SECOND] >= UNITS,
	      "6.20 9.23: it counts the new ones", "got: %llu and %llu",
	      (count_t)counts.hwp_evctr[FIRST],
	      (count_t)counts.hwp_evctr[SECOND]);
	check_count((count_t)ioctl(fd, PIOCRELEVCTRS), 0,
		    "6.20 9.31: another's counters are released");
	end(pid);
	close(fd);
}

static void until_it_has_exited(void)
{
	count_t kept;
	pid_t pid;
	int fd;

	pid = start_stopped(UNITS, &fd);
	want_only(&arg, SECOND);
	ioctl(fd, PIOCENEVCTRS, &arg);
	go_on(pid);
	ioctl(fd, PIOCRELEVCTRS);
	kept = count_of(fd, SECOND);
	kill(pid, SIGCONT);
	await_exit(pid);
	check_count(count_of(fd, SECOND), kept,
		    "9.31 9.32: after the release the counts stay as they were");
	waitpid(pid, NULL, 0);
	check_refused(ioctl(fd, PIOCGETEVCTRS, &counts), ESRCH,
		      "9.32: until the process is gone: ESRCH");
	check_refused(ioctl(fd, PIOCENEVCTRS, &arg), ESRCH,
		      "9.02: nothing begins for a process that is gone: ESRCH");
	close(fd);
}

/* What a program does with another process, and then it ends */
static pid_t whom;

static void acquire_and_end(void)
{
	int fd = open_process(whom);

	want_only(&arg, SECOND);
	_exit(ioctl(fd, PIOCENEVCTRS, &arg) <= 0);
}

static void look_at_oneself(void)
{
	int fd = open_process(getpid());
	bool found;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	raise(SIGSTOP);
	work(UNITS);
	found = ioctl(fd, PIOCGETEVCTRS, &counts) > 0 &&
		counts.hwp_evctr[SECOND] >= UNITS;
	_exit(!found);
}

/* The counters are the process' own, not those of whoever has acquired them */
static void of_the_process(void)
{
	int status, fd, generation;
	pid_t pid;

	pid = start(acquire_and_end);
	waitpid(pid, &status, 0);
	fd = open_process(whom);
	generation = ioctl(fd, PIOCGETEVCTRS, &counts);
	check(status == 0 && generation > 0,
	      "6.20 6.28: counters outlive the program that acquired them",
	      "status %x, generation %d (%s)", status, generation,
	      strerror(errno));
	check(ioctl(fd, PIOCGETEVCTRL, &ctrl) == generation &&
	      ctrl.hwp_evctrl[SECOND].hwperf_creg.hwp_mode == HWPERF_CNTEN_U,
	      "6.20 6.28: others are told of them", "they are not");
	kill(whom, SIGCONT);
	await_exit(whom);
	check(ioctl(fd, PIOCGETEVCTRS, &counts) == generation &&
	      counts.hwp_evctr[SECOND] >= UNITS,
	      "6.20 6.28 9.14: and read them, until the process is gone",
	      "got: %llu", (count_t)counts.hwp_evctr[SECOND]);
	waitpid(whom, &status, 0);
	check(status == 0, "6.28: so does the process itself", "it does not");
	close(fd);
}

/* Two processes with other events each, and this one with its own */
static void each_its_own(void)
{
	int fd[3], first[3];
	pid_t pid[2];

	pid[0] = start_stopped(UNITS, &fd[0]);
	pid[1] = start_stopped(UNITS, &fd[1]);
	fd[2] = open_process(getpid());
	want_only(&arg, FIRST);
	first[0] = ioctl(fd[0], PIOCENEVCTRS, &arg);
	first[2] = ioctl(fd[2], PIOCENEVCTRS, &arg);
	want_only(&arg, SECOND);
	first[1] = ioctl(fd[1], PIOCENEVCTRS, &arg);
	ioctl(fd[1], PIOCSETEVCTRL, &arg);
	go_on(pid[0]);
	go_on(pid[1]);
	check(count_of(fd[0], FIRST) > 0 && count_of(fd[0], SECOND) == 0 &&
	      count_of(fd[1], FIRST) == 0 && count_of(fd[1], SECOND) > 0,
	      "6.28 7.02 7.16: two processes have counters of their own", "they share");
	check(ioctl(fd[0], PIOCGETEVCTRS, &counts) == first[0] &&
	      ioctl(fd[1], PIOCGETEVCTRS, &counts) == first[1] + 1 &&
	      ioctl(fd[2], PIOCGETEVCTRS, &counts) == first[2],
	      "6.28 9.28: and generations of their own", "they share");
	end(pid[0]);
	end(pid[1]);
	check_exact(fd[2], FIRST, FIRST_COST,
		    "6.28 7.02 7.03: what they do does not reach the parent");
}

static int another_users_process(void)
{
	int fd = open_process(getppid());

	want_only(&arg, FIRST);
	if (fd >= 0)
		return ioctl(fd, PIOCENEVCTRS, &arg) >= 0 || errno != EPERM;

	return errno != EACCES && errno != EPERM;
}

static void an_ordinary_user(void)
{
	if (setgid(USER_ID) || setuid(USER_ID))
		_exit(1);
	stop_and_work();
}

static void permissions(void)
{
	const char *others = "6.21: another user's process is refused";
	const char *roots = "6.21: root counts a process of any user";
	pid_t pid;
	int fd;

	if (geteuid() != 0) {
		skip(others, "not run by root");
		skip(roots, "not run by root");
		return;
	}
	check_count((count_t)as_user(another_users_process), 0, others);
	pid = start(an_ordinary_user);
	await_stop(pid);
	fd = open_process(pid);
	want_only(&arg, FIRST);
	check_generation(ioctl(fd, PIOCENEVCTRS, &arg), roots);
	end(pid);
	close(fd);
}

/* One's own child is in one's process group */
static int in_the_same_group(void)
{
	pid_t pid = start(wait_for_ever);
	int fd = open_process(pid), ret;

	want_only(&arg, FIRST);
	ret = ioctl(fd, PIOCENEVCTRS, &arg);
	end(pid);

	return ret <= 0;
}

int main(void)
{
	int self;

	/* Before this program has counters, which it would inherit */
	whom = start(look_at_oneself);
	await_stop(whom);
	begin(&self);
	ioctl(self, PIOCRELEVCTRS);
	a_stopped_process();
	a_running_process();
	control_of_another();
	until_it_has_exited();
	of_the_process();
	each_its_own();
	permissions();
	check_count((count_t)as_user(in_the_same_group), 0,
		    "6.21: a user counts a process of his own group");

	return finish();
}
