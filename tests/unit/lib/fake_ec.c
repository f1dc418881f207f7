// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into commands that run on the fake machine that FAKE_ROOT names, as the user that
 * FAKE_UID names; see fake_take() as well. If FAKE_SLEEPS is set, it names a pipe, and each
 * sleep lasts until a byte comes from it. A sleep in ppoll(2) then takes the time that was
 * asked for, by a clock that stands still otherwise, and with the byte "9" nine seconds
 * more.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "fake.h"

int __real_clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
			   struct timespec *left);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
			   struct timespec *left);
int __wrap_ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *limit,
		 const sigset_t *mask);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static struct timespec fake_now;

/* The byte that has come, instead of a real sleep; 0 if sleeps are real */
static char slept(void)
{
	const char *name = getenv("FAKE_SLEEPS");
	static int from = -1;
	ssize_t n;
	char byte;

	if (!name)
		return 0;
	if (from < 0)
		from = open(name, O_RDONLY | O_CLOEXEC);

	do
		n = read(from, &byte, 1);
	while (n < 0 && errno == EINTR);
	/* Who writes is gone */
	if (n != 1)
		_exit(1);

	return byte;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
			   struct timespec *left)
{
	return slept() ? 0 : __real_clock_nanosleep(clock, flags, until, left);
}

/* Of tools that only sleep in it */
int __wrap_ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *limit,
		 const sigset_t *mask)
{
	char byte = slept();

	if (!byte)
		return (int)syscall(SYS_ppoll, fds, nr, limit, mask, _NSIG / 8);
	fake_now.tv_sec += limit->tv_sec + (byte == '9' ? 9 : 0);
	fake_now.tv_nsec += limit->tv_nsec;
	fake_now.tv_sec += fake_now.tv_nsec / 1000000000;
	fake_now.tv_nsec %= 1000000000;

	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	if (!getenv("FAKE_SLEEPS"))
		return (int)syscall(SYS_clock_gettime, clock, now);
	*now = fake_now;

	return 0;
}

__attribute__((constructor))
static void join(void)
{
	const char *uid = getenv("FAKE_UID");

	fake_join();
	fake_take();
	if (uid)
		fake.uid = (uid_t)atoi(uid);
}
