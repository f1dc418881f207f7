// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel functions and memory that perfex may lack. FAKE_PIDFD is "none" for a
 * kernel without pidfd_open(2), or "late" for a process that ends just before that
 * call. FAKE_REALLOC_MAX is the largest block of memory, in bytes.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	while (kill(pid, 0) == 0)
		usleep(1000);
}

static long fake_pidfd_open(const char *how, pid_t pid)
{
	bool late = strcmp(how, "late") == 0;

	if (late)
		end_process(pid);
	errno = late ? ESRCH : ENOSYS;

	return -1;
}

long __wrap_syscall(long nr, ...)
{
	const char *how = getenv("FAKE_PIDFD");
	long arg[6];
	va_list args;
	size_t i;

	va_start(args, nr);
	for (i = 0; i < sizeof(arg) / sizeof(arg[0]); i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (how && nr == SYS_pidfd_open)
		return fake_pidfd_open(how, (pid_t)arg[0]);

	return __real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4],
			      arg[5]);
}

void *__wrap_realloc(void *old, size_t size)
{
	const char *max = getenv("FAKE_REALLOC_MAX");

	if (!max || size <= strtoul(max, NULL, 10))
		return __real_realloc(old, size);
	errno = ENOMEM;

	return NULL;
}
