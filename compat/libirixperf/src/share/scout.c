// SPDX-License-Identifier: LGPL-2.1-or-later
/* Send scouts, wait for them and end them: see scout.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "scout.h"
#include "descriptor.h"
#include "kernel.h"
#include "thread.h"

/*
 * For how many milliseconds a scout may sleep without progress, and in all if it has a
 * time limit: a stranger may let each of many processes block it for a moment
 */
#define STAYING		500
#define ASLEEP		3000

/* A look adds so many at most, as this process itself may wait for a CPU between two */
#define LATE		10

/* How many scouts may hang after they were killed; then no more are sent */
#define LOST		64

static pid_t lost[LOST];

/*
 * Reap a process; false if it has not ended. The system call is made directly, because
 * the C library's waitid() may be the door's, which is for the program's own calls.
 */
static bool reap(pid_t pid, int flags)
{
	siginfo_t info;
	long ret;

	info.si_pid = 0;
	do {
		ret = syscall(SYS_waitid, P_PID, pid, &info,
			      WEXITED | __WALL | flags, NULL);
	} while (ret < 0 && errno == EINTR);

	return ret < 0 || info.si_pid == pid;
}

/* Reap lost scouts that have ended, and return a free entry; NULL if there is none */
static pid_t *lost_entry(void)
{
	pid_t *entry = NULL;
	unsigned int i;

	for (i = 0; i < LOST; i++) {
		if (lost[i] && reap(lost[i], WNOHANG))
			lost[i] = 0;
		if (!lost[i])
			entry = &lost[i];
	}

	return entry;
}

/*
 * Runs in the scout. When the sender ends, for whatever reason, the kernel kills the
 * scout.
 */
static void scout_main(struct ixp_scout *scout,
		       int (*work)(struct ixp_scout *scout), pid_t sender)
{
	const int a = scout->keep[0], b = scout->keep[1];
	const int low = a < b ? a : b, high = a < b ? b : a;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* Close all descriptors but these two */
	ixp_descriptors_close(0, low - 1);
	ixp_descriptors_close(low + 1, high - 1);
	ixp_descriptors_close(high + 1, INT_MAX);
	scout->ret = work(scout);
	__atomic_store_n(&scout->done, true, __ATOMIC_RELEASE);
	while (getppid() == sender)
		pause();
	syscall(SYS_exit_group, 0);
}

/* The scout's state: 'R' if it runs or waits for a CPU, 0 if it has ended */
static char scout_state(pid_t pid)
{
	char path[32], state;
	int task;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	task = openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (task < 0)
		return 0;
	state = ixp_thread_state(task, pid);
	close(task);

	return state == 'Z' ? 0 : state;
}

static bool scout_done(const struct ixp_scout *scout)
{
	return __atomic_load_n(&scout->done, __ATOMIC_ACQUIRE);
}

/* Wait until the scout has done its work; false if it has ended or takes too long */
static bool scout_await(const struct ixp_scout *scout, uint64_t until)
{
	const struct timespec moment = { .tv_nsec = 200000 };
	uint64_t now = ixp_now_ms(), before, slept, staying = 0, asleep = 0;
	uint32_t at = 0, was;
	char state;

	while (!scout_done(scout)) {
		before = now;
		now = ixp_now_ms();
		was = at;
		at = __atomic_load_n(&scout->at, __ATOMIC_ACQUIRE);
		state = scout_state(scout->pid);
		slept = now - before < LATE ? now - before : LATE;
		if (state == 'R')
			slept = 0;
		asleep += slept;
		staying = at == was && state != 'R' ? staying + slept : 0;
		if (!state || now > until || staying > STAYING ||
		    (asleep > ASLEEP && until != UINT64_MAX))
			return scout_done(scout);
		nanosleep(&moment, NULL);
	}

	return true;
}

/**
 * ixp_scout_new() - allocate the memory that a scout shares with its sender
 * @size: its size; it starts with struct ixp_scout
 *
 * Return: the memory, which ixp_scout_free() frees, for a scout that keeps no
 * descriptors; or NULL.
 */
void *ixp_scout_new(size_t size)
{
	struct ixp_scout *scout = mmap(NULL, size, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (scout == MAP_FAILED)
		return NULL;
	scout->keep[0] = scout->keep[1] = -1;

	return scout;
}

/**
 * ixp_scout_send() - let a scout do some work
 * @scout: the scout, which must not be running
 * @work: the work; it must not take locks of the C library, as another thread may have
 *	held one when the scout was made
 * @until: when to give up, by ixp_now_ms(); then a scout that has slept for 3 seconds in
 *	all is given up, too. UINT64_MAX if the scout may take any time as long as it
 *	makes progress
 *
 * Return: what @work returns; the scout then keeps running, with the descriptors that
 * it has opened. -ETIMEDOUT if it did not finish: @scout->at tells how far it came.
 * -EAGAIN if too many scouts hang; or another negative errno value.
 */
int ixp_scout_send(struct ixp_scout *scout, int (*work)(struct ixp_scout *scout),
		   uint64_t until)
{
	const pid_t sender = getpid();
	pid_t pid;

	if (!lost_entry())
		return -EAGAIN;
	scout->at = 0;
	scout->done = false;
	scout->stuck = false;
	/*
	 * Not fork(): its handlers must not run for a scout. With exit signal 0, the
	 * program's wait(2) does not find the scout.
	 */
	pid = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	if (pid == 0)
		scout_main(scout, work, sender);
	if (pid < 0)
		return -errno;
	scout->pid = pid;
	if (scout_await(scout, until))
		return scout->ret;
	ixp_scout_end(scout);

	return -ETIMEDOUT;
}

/**
 * ixp_scout_end() - end a scout
 * @scout: the scout; nothing happens if it has already been ended, or was never sent
 *
 * If the scout has a file that may not close, this function does not wait for its end.
 */
void ixp_scout_end(struct ixp_scout *scout)
{
	if (scout->pid == 0)
		return;
	kill(scout->pid, SIGKILL);
	if (scout->stuck || !scout_done(scout))
		*lost_entry() = scout->pid;
	else
		reap(scout->pid, 0);
	scout->pid = 0;
}

/* End the scout, and free its memory */
void ixp_scout_free(struct ixp_scout *scout, size_t size)
{
	ixp_scout_end(scout);
	munmap(scout, size);
}
