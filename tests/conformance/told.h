/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that count as their parent does. The program that includes this has the
 * functions value(ctr) and children(ctr), and counts SECOND on the counter TOLD.
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
static int go[2];

/* Works when it is told to, and then exits when it is told again */
static void child_when_told(void)
{
	char byte;

	if (read(go[0], &byte, 1) == 1)
		work(amount);
	if (read(go[0], &byte, 1) == 1)
		_exit(0);
}

static void tell(void)
{
	if (write(go[1], "", 1) != 1)
		bail_out("write");
}

enum way { WAITED, LEFT };

/* What a child that does so much adds to its parent's sum of children */
static count_t added(long n, enum way way)
{
	count_t before = children(TOLD), after;
	pid_t pid;

	amount = n;
	if (pipe(go))
		bail_out("pipe");
	pid = start(child_when_told);
	tell();
	tell();
	await_exit(pid);
	if (way == WAITED)
		waitpid(pid, NULL, 0);
	after = children(TOLD);
	waitpid(pid, NULL, 0);
	if (children(TOLD) != after)
		return -1ULL;
	close(go[0]);
	close(go[1]);

	return after - before;
}

static void check_added(enum way way, const char *what)
{
	count_t least[2] = { -1ULL, -1ULL }, got;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		got = added(i % 2 ? 3 * UNITS : UNITS, way);
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	check_count(least[1] - least[0], 2 * UNITS, what);
}

static void check_children(void)
{
	count_t own;
	pid_t pid;

	check_count(children(TOLD), 0, "pmc9.5.25: without children the sum is 0");
	own = value(TOLD);
	check_added(WAITED, "pmc9.5.25 pmc9.5.26: a child that was waited for adds its count, once");
	check_added(LEFT, "pmc9.5.25 pmc9.5.26: one that has exited adds it without a wait");
	check_at_most(value(TOLD) - own, 8 * UNITS, "pmc9.5.23: the own count is without children's");

	amount = UNITS;
	if (pipe(go))
		bail_out("pipe");
	own = children(TOLD);
	pid = start(child_when_told);
	tell();
	usleep(50000);
	check_count(children(TOLD), own, "pmc9.5.25: a living child is left out");
	tell();
	await_exit(pid);
	check_between(children(TOLD), own + UNITS, "pmc9.5.25: until it exits");
	waitpid(pid, NULL, 0);
	close(go[0]);
	close(go[1]);
}

#endif
