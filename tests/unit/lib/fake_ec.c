// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into ecadmin, ecstats and cpustat: these run on the fake machine that FAKE_ROOT
 * names, as the user that FAKE_UID names. If FAKE_SLEEPS is set, it names a pipe, and
 * each sleep lasts until a byte comes from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
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

/* True if a byte has come, instead of a real sleep */
static bool slept(void)
{
	const char *name = getenv("FAKE_SLEEPS");
	static int from = -1;
	ssize_t n;
	char byte;

	if (!name)
		return false;
	if (from < 0)
		from = open(name, O_RDONLY | O_CLOEXEC);

	do
		n = read(from, &byte, 1);
	while (n < 0 && errno == EINTR);
	/* Who writes is gone */
	if (n != 1)
		_exit(1);

	return true;
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
	return slept() ? 0 : (int)syscall(SYS_ppoll, fds, nr, limit, mask, _NSIG / 8);
}

__attribute__((constructor))
static void join(void)
{
	const char *uid = getenv("FAKE_UID");

	fake_join();
	if (uid)
		fake.uid = (uid_t)atoi(uid);
}
