// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copy from and to addresses that the caller has given. On IRIX a request with an
 * invalid address fails with EFAULT; a library that uses the address crashes. So the
 * library first asks the kernel whether the address is valid. The kernel could do the
 * copy itself, but needs thousands of instructions for that. A cheap system call that
 * accesses a few bytes shows whether their page can be accessed, and memory not larger
 * than a page lies in two pages at most.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <irixperf.h>
#include "user.h"
#include "kernel.h"

/* How many bytes rt_sigpending(2) is asked to write */
#define PENDING	8

/* EINVAL: the kernel has read the mask, and then refused -1, the first argument */
static bool can_read_bytes(const char *at)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigprocmask, -1, at, NULL, IXP_MASK) < 0 &&
		    errno == EINVAL;

	errno = saved;

	return good;
}

static bool can_write_bytes(uintptr_t at)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigpending, at, PENDING) == 0;

	errno = saved;

	return good;
}

static bool in_two_pages(const void *at, size_t size)
{
	return (uintptr_t)at % IXP_PAGE + size > IXP_PAGE;
}

static bool can_read(const char *from, size_t size)
{
	return can_read_bytes(from) &&
	       (!in_two_pages(from, size) || can_read_bytes(from + size - IXP_MASK));
}

static bool can_write(const void *to, size_t size)
{
	const uintptr_t end = (uintptr_t)to + size;

	/* The end first: if that is not valid, nothing has been written */
	return (!in_two_pages(to, size) || can_write_bytes(end - PENDING)) &&
	       can_write_bytes((uintptr_t)to);
}

/* Copy through a pipe, for kernels without CONFIG_CROSS_MEMORY_ATTACH */
static int user_copy_pipe(void *to, const void *from, size_t size)
{
	ssize_t n;
	int fds[2];
	int ret = 0;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;

	n = write(fds[1], from, size);
	if (n == (ssize_t)size)
		n = read(fds[0], to, size);
	if (n != (ssize_t)size)
		ret = -EFAULT;

	close(fds[0]);
	close(fds[1]);

	return ret;
}

static int user_copy_kernel(void *to, const void *from, size_t size)
{
	struct iovec local = { .iov_base = to, .iov_len = size };
	struct iovec remote = { .iov_base = (void *)from, .iov_len = size };
	int saved = errno, ret;
	ssize_t n;

	n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	if (n < 0 && errno != EFAULT)
		ret = user_copy_pipe(to, from, size);
	else
		ret = n == (ssize_t)size ? 0 : -EFAULT;
	errno = saved;

	return ret;
}

typedef uint32_t __attribute__((may_alias)) word;

/* For whole words this loop is faster than memcpy() of some C libraries */
static void copy_words(void *to, const void *from, size_t size)
{
	const word *source = from;
	word *sink = to;
	size_t i;

	if (((uintptr_t)to | (uintptr_t)from | size) % sizeof(*sink)) {
		memcpy(to, from, size);
		return;
	}
#pragma GCC unroll 8
	for (i = 0; i < size / sizeof(*sink); i++) {
		sink[i] = source[i];
		__asm__ volatile("" : : : "memory");
	}
}

static bool can_probe(size_t size)
{
	return size >= IXP_MASK && size <= IXP_PAGE;
}

/**
 * ixp_user_read() - copy from the caller's memory
 * @to: memory of our own
 * @from: the caller's address
 * @size: bytes
 *
 * Return: 0, or -EFAULT if the caller may not read it.
 */
int ixp_user_read(void *to, const void *from, size_t size)
{
	if (!from)
		return -EFAULT;
	if (!can_probe(size))
		return user_copy_kernel(to, from, size);
	if (!can_read(from, size))
		return -EFAULT;
	copy_words(to, from, size);

	return 0;
}

/**
 * ixp_user_write() - copy to the caller's memory
 * @to: the caller's address
 * @from: memory of our own
 * @size: bytes
 *
 * Return: 0, or -EFAULT if the caller may not write there.
 */
int ixp_user_write(void *to, const void *from, size_t size)
{
	if (!to)
		return -EFAULT;
	if (!can_probe(size))
		return user_copy_kernel(to, from, size);
	if (!can_write(to, size))
		return -EFAULT;
	memcpy(to, from, size);

	return 0;
}

int irixperf_user_read(void *to, const void *from, size_t size)
{
	return ixp_user_read(to, from, size);
}

int irixperf_user_write(void *to, const void *from, size_t size)
{
	return ixp_user_write(to, from, size);
}
