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
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <irixperf.h>
#include "kernel.h"

static int kernel_perf_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			    int group)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Not read(3), which is a cancellation point: the caller may hold the lock */
static ssize_t kernel_perf_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	do {
		n = syscall(SYS_read, fd, buf, size);
	} while (n < 0 && errno == EINTR);

	return n < 0 ? -errno : n;
}

static int kernel_perf_ioctl(int fd, unsigned long request)
{
	/* Not ioctl(3), which goes through the door: that is for the program's calls */
	long ret = syscall(SYS_ioctl, fd, request, 0);

	return ret < 0 ? -errno : 0;
}

static void kernel_perf_close(int fd)
{
	close(fd);
}

/* Copy @fd to the lowest free descriptor from 32 up that is @event modulo 32 */
static int number_for(int fd, unsigned int event)
{
	int at = IRIXPERF_EVENTS + (int)event, new;

	for (;;) {
		new = fcntl(fd, F_DUPFD_CLOEXEC, at);
		if (new < 0)
			return errno == EINVAL ? -EMFILE : -errno;
		if (new % IRIXPERF_EVENTS == (int)event)
			return new;
		close(new);
		while (at < new)
			at += IRIXPERF_EVENTS;
	}
}

static int send_signals(int fd, int sig, pid_t pid)
{
	struct f_owner_ex owner = { .type = F_OWNER_PID, .pid = pid };
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETSIG, sig) < 0 ||
	    fcntl(fd, F_SETOWN_EX, &owner) < 0 ||
	    fcntl(fd, F_SETFL, flags | O_ASYNC) < 0)
		return -errno;

	return 0;
}

static int kernel_perf_signal(int fd, unsigned int event, int sig, pid_t pid)
{
	int new = number_for(fd, event);
	int ret;

	if (new < 0)
		return new;
	ret = send_signals(new, sig, pid);
	close(ret < 0 ? new : fd);

	return ret < 0 ? ret : new;
}

static int kernel_perf_output(int fd, int ring)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) < 0 ? -errno : 0;
}

static int kernel_perf_map(int fd, size_t size, void **map)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	*map = at;

	return 0;
}

static void kernel_perf_unmap(void *map, size_t size)
{
	munmap(map, size);
}

static const char *kernel_env(const char *name)
{
	return secure_getenv(name);
}

/* The kernel's architecture: "x86_64" for 32-bit programs, too */
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
	.perf_signal = kernel_perf_signal,
	.perf_output = kernel_perf_output,
	.perf_map = kernel_perf_map,
	.perf_unmap = kernel_perf_unmap,
	.euid = geteuid,
	.env = kernel_env,
	.machine = kernel_machine,
	.remote = true,
	.root = "",
};

/*
 * unshare(CLONE_THREAD) does nothing: it succeeds if the process has one thread, and
 * else fails. If a sandbox forbids the system call, the result is false, too.
 */
bool ixp_single_threaded(void)
{
	return unshare(CLONE_THREAD) == 0;
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

/* ixp_kernel.root and @path; only @path outside of tests, where root is empty */
static const char *file_full(char *full, size_t size, const char *path)
{
	if (!ixp_kernel.root[0])
		return path;

	return ixp_file_path(full, size, path) < 0 ? NULL : full;
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

static ssize_t read_start(int fd, char *buf, size_t size)
{
	ssize_t n;

	*buf = '\0';
	if (fd < 0)
		return fd;

	n = kernel_perf_read(fd, buf, size - 1);
	close(fd);
	buf[n < 0 ? 0 : n] = '\0';

	return n;
}

/* Read the start of a file as a string; return its length or -errno */
ssize_t ixp_file_read(const char *path, char *buf, size_t size)
{
	return read_start(ixp_file_open(path, O_RDONLY), buf, size);
}

/* The same for a file in an open directory, such as /proc/PID */
ssize_t ixp_file_read_at(int folder, const char *name, char *buf, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);

	return read_start(fd < 0 ? -errno : fd, buf, size);
}

bool ixp_file_exists(const char *path)
{
	char buf[PATH_MAX];
	const char *full = file_full(buf, sizeof(buf), path);

	return full && access(full, F_OK) == 0;
}

/* Milliseconds of the monotonic clock */
uint64_t ixp_now_ms(void)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);

	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
