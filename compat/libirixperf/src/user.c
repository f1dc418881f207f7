// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copies from and to memory whose address came from the caller. IRIX answered
 * a bad address with EFAULT, a library would crash: so the kernel copies.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include "internal.h"

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

int ixp_user_copy(void *to, const void *from, size_t size)
{
	struct iovec local = { .iov_base = to, .iov_len = size };
	struct iovec remote = { .iov_base = (void *)from, .iov_len = size };
	ssize_t n;

	if (!to || !from)
		return -EFAULT;

	n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	if (n < 0 && errno != EFAULT)
		return user_copy_pipe(to, from, size);

	return n == (ssize_t)size ? 0 : -EFAULT;
}
