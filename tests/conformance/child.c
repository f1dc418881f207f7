// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters over fork(), wait() and exit(): pages 9, 10 and 14 of r10k_evcntrs(5).
 * What the C library does for a fork differs from process to process, but is the same
 * for two children that differ in their amount of work: see check_more(). Prints TAP.
 */
#define _GNU_SOURCE
#include <sys/socket.h>
#include "conf.h"

static hwperf_profevctrarg_t arg;
static int self;

/* How a parent comes by what a child has counted */
enum way { WAITED, SAVED, SAVED_BY_FILE, LEFT };

static int acquire(void)
{
	want_only(&arg, SECOND);

	return ioctl(self, PIOCENEVCTRS, &arg);
}

static long amount;

static void child(void)
{
	work(amount);
}

/*
 * Between a parent and its child: the child says that it runs, since the library waits a
 * second at most for a child that has just been forked, and works when it is told to. A
 * byte either way does not show in the counts.
 */
static int line[2];

static void wait_for_word(void)
{
	char byte;

	close(line[0]);
	if (write(line[1], "", 1) != 1 || read(line[1], &byte, 1) != 1)
		_exit(1);
}

static void child_when_told(void)
{
	wait_for_word();
	work(amount);
}

/* A child that has come to wait_for_word() */
static pid_t start_waiting(void (*run)(void))
{
	char byte;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, line))
		bail_out("socketpair");
	pid = start(run);
	close(line[1]);
	if (read(line[0], &byte, 1) != 1)
		bail_out("a child");

	return pid;
}

static void give_word(void)
{
	if (send(line[0], "", 1, MSG_NOSIGNAL) != 1)
		bail_out("a child");
	close(line[0]);
}

static int save(pid_t pid, enum way way)
{
	int fd, ret;

	if (way == SAVED)
		return ioctl(self, PIOCSAVECCNTRS, (void *)(long)pid);

	fd = open_process(pid);
	ret = ioctl(fd, PIOCSAVECCNTRS, NULL);
	close(fd);

	return ret;
}

/* What a child that does so much adds to its parent's counts */
static count_t added(long n, enum way way)
{
	count_t before, after;
	pid_t pid;

	amount = n;
	pid = start_waiting(child_when_told);
	if ((way == SAVED || way == SAVED_BY_FILE) && save(pid, way) < 0)
		bail_out("PIOCSAVECCNTRS");
	before = count_of(self, SECOND);
	give_word();
	if (way == WAITED)
		waitpid(pid, NULL, 0);
	else
		await_exit(pid);
	after = count_of(self, SECOND);
	if (way != WAITED)
		waitpid(pid, NULL, 0);

	return after - before;
}

static void check_added(enum way way, count_t each, const char *what)
{
	count_t one[TIMES], three[TIMES];
	int i;

	added(1, way);
	for (i = 0; i < TIMES; i++) {
		one[i] = added(UNITS, way);
		three[i] = added(3 * UNITS, way);
	}
	check_more(one, three, 2 * UNITS * each, what);
}

static void waits(void)
{
	acquire();
	check_added(WAITED, 1, "6.33 6.34 6.35 9.35: a child that is waited for "
		    "adds its counts");
	check_added(LEFT, 0, "6.36 9.34: one that only exits adds nothing yet");
}

static void saves(void)
{
	acquire();
	check_added(SAVED, 1,
		    "6.36 9.34 9.37: PIOCSAVECCNTRS adds them without a wait");
	check_added(SAVED_BY_FILE, 1,
		    "9.37: the descriptor of the child's own file will do");
}

/* Of a process that was never acquired, or whose parent has released */
static void parent_without(void)
{
	pid_t pid;
	count_t got;

	amount = UNITS;
	acquire();
	pid = start_waiting(child_when_told);
	ioctl(self, PIOCRELEVCTRS);
	got = count_of(self, SECOND);
	check_done(save(pid, SAVED),
		   "9.36: a parent that does not count may ask for them");
	give_word();
	await_exit(pid);
	check_at_least(count_of(self, SECOND), got + UNITS,
		       "9.36: and gets them");
	waitpid(pid, NULL, 0);
}

/* Of a process that has never asked for counters, and a child that has */
static struct {
	int saved;
	int before;
	int generation;
	int control;
	count_t count;
	count_t waited;
} other;

static void child_of_its_own(void)
{
	self = open_process(getpid());
	acquire();
	wait_for_word();
	work(UNITS);
}

static void parent_that_never_acquired(void)
{
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t counts;
	pid_t pid;

	self = open_process(getpid());
	other.before = ioctl(self, PIOCGETEVCTRS, &counts);
	pid = start_waiting(child_of_its_own);
	other.saved = save(pid, SAVED);
	give_word();
	await_exit(pid);
	other.generation = ioctl(self, PIOCGETEVCTRS, &counts);
	other.count = counts.hwp_evctr[SECOND];
	other.control = ioctl(self, PIOCGETEVCTRL, &ctrl);
	waitpid(pid, NULL, 0);
	other.waited = count_of(self, SECOND);
	close(self);
}

static void check_other(void)
{
	check(other.before < 0 && other.saved >= 0 && other.generation > 0 &&
	      other.count >= UNITS,
	      "9.36: a parent that never asked for counters gets them as well",
	      "%d, %d, %d, %llu", other.before, other.saved, other.generation,
	      other.count);
	check_count(other.waited, other.count, "9.36: once: the wait adds nothing");
	check(other.control < 0, "9.36: and has none of its own", "got: %d",
	      other.control);
}

/* What a child sees: bits of what is wrong */
static int generation;

static void as_child(void)
{
	int mine = open_process(getpid()), wrong = 0;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t counts;
	count_t before;

	if (ioctl(mine, PIOCGETEVCTRS, &counts) != generation)
		_exit(255);
	before = counts.hwp_evctr[SECOND];
	if (before >= 2 * UNITS)
		wrong |= 1;
	if (ioctl(mine, PIOCGETEVCTRL, &ctrl) != generation ||
	    memcmp(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl)))
		wrong |= 2;
	work(UNITS);
	if (count_of(mine, SECOND) < before + UNITS ||
	    count_of(mine, SECOND) > before + UNITS * 2)
		wrong |= 4;
	_exit(wrong);
}

static void what_it_has(void)
{
	int status;
	pid_t pid;

	generation = acquire();
	work(5 * UNITS);
	pid = start(as_child);
	waitpid(pid, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	check(status != 255, "6.29: a child has counters without asking",
	      "it has none");
	check(!(status & 2), "6.29 6.30: with its parent's events", "it has not");
	check(!(status & 1), "6.31: they begin at zero", "they do not");
	check(!(status & 4), "6.30 6.32: and count what the child does",
	      "status %d", status);
}

static void as_child_of_one_who_has_released(void)
{
	work(UNITS);
	_exit(count_of(open_process(getpid()), SECOND) != 0);
}

static void after_a_release(void)
{
	int status;
	count_t kept;
	pid_t pid;

	acquire();
	work(UNITS);
	ioctl(self, PIOCRELEVCTRS);
	kept = count_of(self, SECOND);
	pid = start(as_child_of_one_who_has_released);
	waitpid(pid, &status, 0);
	check(status == 0, "6.31: they are zero if the parent has released, too",
	      "status %x", status);
	check_count(count_of(self, SECOND), kept,
		    "6.32: and so the wait adds nothing");
}

/* The child's work is not the parent's, until it waits */
static void apart(void)
{
	count_t before;
	pid_t pid;

	acquire();
	amount = 5 * UNITS;
	pid = start(child);
	await_exit(pid);
	before = count_of(self, SECOND);
	check_at_most(before, UNITS,
		      "6.32: while it runs its counts are not the parent's");
	waitpid(pid, NULL, 0);
	check_at_least(count_of(self, SECOND), 5 * UNITS,
		       "6.34: the wait brings all of them");
	check_at_most(count_of(self, SECOND), 7 * UNITS, "6.34: once");
}

int main(void)
{
	parent_that_never_acquired();
	begin(&self);
	check_other();
	what_it_has();
	after_a_release();
	apart();
	waits();
	saves();
	parent_without();

	return finish();
}
