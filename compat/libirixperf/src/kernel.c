// SPDX-License-Identifier: LGPL-2.1-or-later
/* The real kernel behind struct ixp_kernel, and reads of its small files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "internal.h"

static int kernel_perf_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			    int group)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static ssize_t kernel_perf_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, buf, size);
	} while (n < 0 && errno == EINTR);

	return n < 0 ? -errno : n;
}

static int kernel_perf_ioctl(int fd, unsigned long request)
{
	/* Without the flag an event's ioctl leaves out its group */
	int ret = ioctl(fd, request, PERF_IOC_FLAG_GROUP);

	return ret < 0 ? -errno : 0;
}

static void kernel_perf_close(int fd)
{
	close(fd);
}

static const char *kernel_env(const char *name)
{
	return secure_getenv(name);
}

/* The kernel's hardware: an x86-64's for its 32-bit programs, too */
static void kernel_machine(char *buf, size_t size)
{
	struct utsname name;

	if (uname(&name) < 0)
		name.machine[0] = '\0';
	snprintf(buf, size, "%s", name.machine);
}

struct ixp_kernel ixp_kernel = {
	.perf_open = kernel_perf_open,
	.perf_read = kernel_perf_read,
	.perf_ioctl = kernel_perf_ioctl,
	.perf_close = kernel_perf_close,
	.euid = geteuid,
	.env = kernel_env,
	.machine = kernel_machine,
	.pfm = ixp_pfm_load,
	.remote = true,
	.root = "",
};

/*
 * A process of one thread may stop sharing with its threads, which does nothing.
 * Where even that is forbidden, the answer is no.
 */
bool ixp_single_threaded(void)
{
	int saved = errno;
	bool single = unshare(CLONE_THREAD) == 0;

	errno = saved;

	return single;
}

int ixp_file_path(char *full, size_t size, const char *path)
{
	size_t root = strlen(ixp_kernel.root), len = strlen(path);

	if (root + len >= size)
		return -ENAMETOOLONG;
	memcpy(full, ixp_kernel.root, root);
	memcpy(full + root, path, len + 1);

	return 0;
}

int ixp_file_open(const char *path, int flags)
{
	char full[PATH_MAX];
	int fd;

	fd = ixp_file_path(full, sizeof(full), path);
	if (fd < 0)
		return fd;
	fd = openat(AT_FDCWD, full, flags | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

int ixp_file_mkdir(const char *path, mode_t mode)
{
	char full[PATH_MAX];
	int ret = ixp_file_path(full, sizeof(full), path);

	if (ret == 0 && mkdir(full, mode) < 0)
		ret = -errno;

	return ret;
}

int ixp_file_chmod(const char *path, mode_t mode)
{
	char full[PATH_MAX];
	int ret = ixp_file_path(full, sizeof(full), path);

	if (ret == 0 && chmod(full, mode) < 0)
		ret = -errno;

	return ret;
}

int ixp_file_stat(const char *path, struct stat *st)
{
	char full[PATH_MAX];
	int ret = ixp_file_path(full, sizeof(full), path);

	if (ret == 0 && stat(full, st) < 0)
		ret = -errno;

	return ret;
}

/* Read the start of a file as a string; return its length or -errno */
ssize_t ixp_file_read(const char *path, char *buf, size_t size)
{
	int fd = ixp_file_open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;

	n = kernel_perf_read(fd, buf, size - 1);
	close(fd);
	buf[n < 0 ? 0 : n] = '\0';

	return n;
}

bool ixp_file_exists(const char *path)
{
	char full[PATH_MAX];

	return ixp_file_path(full, sizeof(full), path) == 0 &&
	       access(full, F_OK) == 0;
}
