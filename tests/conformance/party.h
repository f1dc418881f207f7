/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Another program, of an ordinary user: it does what it is told over a pipe, with
 * counters of its own. And system mode, as root has it.
 */
#ifndef PARTY_H
#define PARTY_H

#include <poll.h>
#include <sys/syssgi.h>
#include "conf.h"

#define KERNEL		(HWPERF_CNTEN_U | HWPERF_CNTEN_K)

enum order { ACQUIRE, ACQUIRE_KERNEL, READ, CONTROL, SET, RELEASE, WORK, COUNTED,
	     SPIN, FORCE, SYSTEM_SET, SYSTEM_READ, SYSTEM_RELEASE, FORK_READ, BECOME,
	     BECOME_OTHER, BECOME_NONE };

static hwperf_profevctrarg_t user_arg, kernel_arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;

static struct {
	pid_t pid;
	int to;
	int from;
} party;

/* As a negative errno value or what there is */
static inline long done(long ret)
{
	return ret < 0 ? -errno : ret;
}

static inline long system_does(int command, void *arg)
{
	return done(syssgi(SGI_EVENTCTR, command, arg));
}

static inline long proc_does(int fd, unsigned int request, void *arg)
{
	return done(ioctl(fd, request, arg));
}

/* On a CPU of its own, if there is one, until there is another order */
static void party_spins(int orders)
{
	struct pollfd input = { .fd = orders, .events = POLLIN };

	while (poll(&input, 1, 0) == 0)
		work(1);
}

static long party_counts(int fd)
{
	long ret = proc_does(fd, PIOCGETEVCTRS, &counts);

	return ret < 0 ? ret : (long)counts.hwp_evctr[SECOND];
}

static long party_works(void)
{
	work(UNITS);

	return 0;
}

/* What a child reads, which has what its parent has */
static long party_forks(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open_process(getpid());
		bool more = count_of(fd, SECOND) >= UNITS;

		_exit(ioctl(fd, PIOCGETEVCTRS, &counts) <= 0 || more);
	}
	waitpid(pid, &status, 0);

	return status;
}

/* This program anew, one that knows nothing of counters and repeats orders, or none */
static long party_becomes(int orders, int answers, enum order order)
{
	char from[16], to[16];

	snprintf(from, sizeof(from), "%d", orders);
	snprintf(to, sizeof(to), "%d", answers);
	if (order == BECOME) {
		execl("/proc/self/exe", "party", from, to, NULL);
	} else if (order == BECOME_OTHER) {
		dup2(orders, STDIN_FILENO);
		dup2(answers, STDOUT_FILENO);
		execlp("cat", "cat", NULL);
	} else {
		execl("/nowhere", "nowhere", NULL);
	}

	return -errno;
}

static long party_obeys(int fd, enum order order)
{
	switch (order) {
	case ACQUIRE:
		return proc_does(fd, PIOCENEVCTRS, &user_arg);
	case ACQUIRE_KERNEL:
		return proc_does(fd, PIOCENEVCTRS, &kernel_arg);
	case READ:
		return proc_does(fd, PIOCGETEVCTRS, &counts);
	case CONTROL:
		return proc_does(fd, PIOCGETEVCTRL, &ctrl);
	case SET:
		return proc_does(fd, PIOCSETEVCTRL, &user_arg);
	case RELEASE:
		return proc_does(fd, PIOCRELEVCTRS, NULL);
	case WORK:
		return party_works();
	case COUNTED:
		return party_counts(fd);
	case SPIN:
		return 0;
	case FORCE:
		return system_does(HWPERF_ENSYSCNTRS, &kernel_arg);
	case SYSTEM_SET:
		return system_does(HWPERF_SET_SYSEVCTRL, &kernel_arg);
	case SYSTEM_READ:
		return system_does(HWPERF_GET_SYSCNTRS, &counts);
	case FORK_READ:
		return party_forks();
	default:
		return system_does(HWPERF_RELSYSCNTRS, NULL);
	}
}

static void party_main(int orders, int answers, uid_t uid)
{
	char order;
	long ret;
	int fd;

	if (uid && (setgid(uid) || setuid(uid)))
		_exit(1);
	/* Not before: setuid() takes it back */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = open_process(getpid());
	while (read(orders, &order, 1) == 1) {
		ret = order >= BECOME ? party_becomes(orders, answers, order) :
		      party_obeys(fd, order);
		if (write(answers, &ret, sizeof(ret)) < 0)
			break;
		if (order == SPIN)
			party_spins(orders);
	}
	_exit(0);
}

/* A program with a party calls it first */
static inline void party_begins(int argc, char **argv)
{
	want_only(&user_arg, SECOND);
	if (argc > 2)
		party_main(atoi(argv[1]), atoi(argv[2]), 0);
}

static inline void start_party(uid_t uid)
{
	int to[2], from[2];

	fflush(stdout);
	if (pipe(to) || pipe(from))
		bail_out("pipe");
	party.pid = fork();
	if (party.pid == 0) {
		close(to[1]);
		party_main(to[0], from[1], uid);
	}
	close(to[0]);
	close(from[1]);
	party.to = to[1];
	party.from = from[0];
}

static inline void end_party(void)
{
	end(party.pid);
	close(party.to);
	close(party.from);
}

/* An order that is not answered */
static inline void tell(enum order order)
{
	char byte = (char)order;

	if (write(party.to, &byte, 1) != 1)
		bail_out("the other program");
}

static inline long ask(enum order order)
{
	long ret;

	tell(order);
	if (read(party.from, &ret, sizeof(ret)) != sizeof(ret))
		bail_out("the other program");

	return ret;
}

static inline void check_is(long got, long expected, const char *what)
{
	check(got == expected, what, "expected: %ld, got: %ld", expected, got);
}

/* What the party counts, read by the descriptor, or told by itself if it is -1 */
static inline count_t party_count(int fd)
{
	return fd < 0 ? (count_t)ask(COUNTED) : count_of(fd, SECOND);
}

/* The least of some rounds, as in check_exact() */
static inline count_t least_of_party(int fd, int times)
{
	count_t least = 0, before, got;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		before = party_count(fd);
		for (i = 0; i < times; i++)
			ask(WORK);
		got = party_count(fd) - before;
		least = round == 0 || got < least ? got : least;
	}

	return least;
}

static inline void check_party(int fd, const char *what)
{
	count_t one = least_of_party(fd, 1), three = least_of_party(fd, 3);

	check_count(three - one, 2 * UNITS, what);
}

static inline bool system_is_on(void)
{
	return system_does(HWPERF_GET_SYSEVCTRL, &ctrl) > 0;
}

static inline count_t system_count(unsigned int event)
{
	if (system_does(HWPERF_GET_SYSCNTRS, &counts) <= 0)
		bail_out("HWPERF_GET_SYSCNTRS");

	return counts.hwp_evctr[event];
}

static inline void want_kernel(void)
{
	want_none(&kernel_arg);
	want(&kernel_arg, FIRST, KERNEL);
	want(&kernel_arg, SECOND, HWPERF_CNTEN_U);
}

/* What programs and the suite agree on: SECOND of the user, both of the kernel */
static inline bool begin_as_root(int *self)
{
	begin(self);
	ioctl(*self, PIOCRELEVCTRS);
	want_only(&user_arg, SECOND);
	want_kernel();

	return geteuid() == 0;
}

#endif
