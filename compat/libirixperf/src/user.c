// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copies from and to memory whose address came from the caller. IRIX answered
 * a bad address with EFAULT, a library would crash: so the kernel is asked. It
 * could copy, too, but takes thousands of instructions for that; two calls that
 * touch little else than the first and the last bytes tell as much of anything
 * that is not larger than a page.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "internal.h"

/* No page is smaller */
#define PAGE	4096

/* Bytes of the kernel's sigset_t */
#ifdef __mips__
#define MASK	16
#else
#define MASK	8
#endif

/* Bytes of it that sigpending() writes if that many are wanted */
#define PENDING	8

/* No such way to change the mask: EINVAL, once the new one has been read */
static bool can_read_bytes(const char *at)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigprocmask, -1, at, NULL, MASK) < 0 &&
		    errno == EINVAL;

	errno = saved;

	return good;
}

static bool can_write_bytes(char *at)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigpending, at, PENDING) == 0;

	errno = saved;

	return good;
}

static bool can_copy(char *to, const char *from, size_t size)
{
	return can_read_bytes(from) && can_read_bytes(from + size - MASK) &&
	       can_write_bytes(to) && can_write_bytes(to + size - PENDING);
}

/* For kernels without CONFIG_CROSS_MEMORY_ATTACH; what fits a page fits a pipe */
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
	ssize_t n;

	n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	if (n < 0 && errno != EFAULT)
		return user_copy_pipe(to, from, size);

	return n == (ssize_t)size ? 0 : -EFAULT;
}

int ixp_user_copy(void *to, const void *from, size_t size)
{
	if (!to || !from)
		return -EFAULT;
	if (size < MASK || size > PAGE)
		return user_copy_kernel(to, from, size);
	if (!can_copy(to, from, size))
		return -EFAULT;
	memcpy(to, from, size);

	return 0;
}
