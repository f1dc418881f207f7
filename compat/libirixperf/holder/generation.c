// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Generation numbers of system mode. The last one is kept in the file "control",
 * so that the numbers of one system mode are not those of the one before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>
#include "holder.h"

#define OFFSET	offsetof(struct ixp_system_control, generation)

static int number_read(int fd, int32_t *last)
{
	ssize_t n = pread(fd, last, sizeof(*last), OFFSET);

	if (n < 0)
		return -errno;
	if (n != sizeof(*last) || *last < 0)
		*last = 0;

	return 0;
}

static int number_write(int fd, int32_t next)
{
	ssize_t n = pwrite(fd, &next, sizeof(next), OFFSET);

	if (n < 0)
		return -errno;
	return n == sizeof(next) ? 0 : -EIO;
}

/**
 * holder_generation_next() - take the next generation number
 * @after: it is higher than this one
 *
 * Return: a positive number, or a negative errno value.
 */
int holder_generation_next(int after)
{
	int fd = ixp_file_open(IXP_RUN_CONTROL, O_RDWR);
	int32_t last;
	int ret;

	if (fd < 0)
		return fd;

	ret = number_read(fd, &last);
	if (ret == 0) {
		if (last < after)
			last = after;
		last = last == INT32_MAX ? 1 : last + 1;
		ret = number_write(fd, last);
	}
	close(fd);

	return ret < 0 ? ret : last;
}
