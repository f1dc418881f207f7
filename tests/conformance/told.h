/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that count as their parent does. The program that includes this has the
 * functions value(ctr) and children(ctr) and the number SLACK. It counts SECOND on the
 * counter TOLD, of which a library itself does nothing on an R10000.
 */
#ifndef TOLD_H
#define TOLD_H

#define TOLD	1

static void check_between(count_t got, count_t least, const char *what)
{
	check(got >= least && got < least + SLACK, what,
	      "expected: %llu and less than %ld more, got: %llu", least, (long)SLACK, got);
}

static long amount;
static int go[2], done[2];

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		bail_out("read");
}

static void tell(int fd)
{
	if (write(fd, "", 1) != 1)
		bail_out("write");
}

/* Works, says so, and exits when it is told to */
static void child_when_told(void)
{
	work(amount);
	tell(done[1]);
	await(go[0]);
	_exit(0);
}

/* A child that has said that it has worked, and still lives */
static pid_t start_told(void (*child)(void))
{
	pid_t pid;

	if (pipe(go) || pipe(done))
		bail_out("pipe");
	pid = start(child);
	close(go[0]);
	close(done[1]);
	await(done[0]);

	return pid;
}

static pid_t worked(long n)
{
	amount = n;

	return start_told(child_when_told);
}

/* It exits, or a signal ends it; then it can still be waited for */
static void finish_child(pid_t pid, bool by_signal)
{
	if (by_signal)
		kill(pid, SIGKILL);
	else
		tell(go[1]);
	await_exit(pid);
	close(go[1]);
	close(done[0]);
}

enum way { WAITED, LEFT, KILLED };

/* What a child that does so much adds to its parent's sum of children */
static count_t added(long n, enum way way)
{
	count_t before = children(TOLD), after;
	pid_t pid = worked(n);

	finish_child(pid, way == KILLED);
	if (way == WAITED)
		waitpid(pid, NULL, 0);
	after = children(TOLD);
	waitpid(pid, NULL, 0);
	if (children(TOLD) != after)
		return -1ULL;

	return after - before;
}

static void check_added(enum way way, const char *what)
{
	count_t one[TIMES], other[TIMES];
	int i;

	for (i = 0; i < TIMES; i++) {
		one[i] = added(UNITS, way);
		other[i] = added(3 * UNITS, way);
	}
	check_more(one, other, 2 * UNITS, what);
}

static void check_children(void)
{
	count_t own;
	pid_t pid;

	check_count(children(TOLD), 0, "pmc9.5.25: without children the sum is 0");
	own = value(TOLD);
	check_added(WAITED, "pmc9.5.25 pmc9.5.26: a child that was waited for adds its count, once");
	check_added(LEFT, "pmc9.5.25 pmc9.5.26: one that has exited adds it without a wait");
	check_added(KILLED, "pmc9.5.25 pmc9.5.26: as does one that a signal has ended");
	check_at_most(value(TOLD) - own, TIMES * UNITS,
		      "pmc9.5.23: the own count is without children's");

	own = children(TOLD);
	pid = worked(UNITS);
	check_count(children(TOLD), own, "pmc9.5.25: a living child is left out");
	finish_child(pid, false);
	check_between(children(TOLD), own + UNITS, "pmc9.5.25: until it exits");
	waitpid(pid, NULL, 0);
}

#endif
