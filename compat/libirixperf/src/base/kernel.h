/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of the kernel's interface that this library needs, and the small files of
 * /proc and /sys. All other files use the kernel's events through struct ixp_kernel,
 * which unit tests replace by a fake kernel.
 */
#ifndef IXP_KERNEL_H
#define IXP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ixp_pfm;
struct perf_event_attr;
struct stat;

/* The smallest page size of all machines */
#define IXP_PAGE		4096

/* Bytes of the kernel's sigset_t; the C library's starts with the same bytes */
#ifdef __mips__
#define IXP_MASK		16
#else
#define IXP_MASK		8
#endif

/**
 * struct ixp_kernel - the part of the kernel's interface that this library needs
 * @perf_open: perf_event_open(2) of a thread, or of a CPU with pid -1; or -errno
 * @perf_read: read(2) of an event, or -errno
 * @perf_ioctl: ioctl(2) on an event, or -errno
 * @perf_close: close(2) of an event
 * @perf_signal: let an event send a signal to a process at each overflow; returns
 *	the event's new descriptor, whose number is @event modulo 32, or -errno
 * @perf_output: let an event write its samples to the ring of another one
 * @perf_map: mmap(2) of an event with its ring, or -errno
 * @perf_unmap: munmap(2) of that
 * @euid: geteuid(2)
 * @env: secure_getenv(3)
 * @machine: the hardware's name, as uname(2) has it
 * @pfm: libpfm4, or NULL if it is not installed
 * @remote: process holders can be started and asked
 * @root: prefix of each path that the library itself chooses
 */
struct ixp_kernel {
	int (*perf_open)(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group);
	ssize_t (*perf_read)(int fd, void *buf, size_t size);
	int (*perf_ioctl)(int fd, unsigned long request);
	void (*perf_close)(int fd);
	int (*perf_signal)(int fd, unsigned int event, int sig, pid_t pid);
	int (*perf_output)(int fd, int ring);
	int (*perf_map)(int fd, size_t size, void **map);
	void (*perf_unmap)(void *map, size_t size);
	uid_t (*euid)(void);
	const char *(*env)(const char *name);
	void (*machine)(char *buf, size_t size);
	const struct ixp_pfm *(*pfm)(void);
	bool remote;
	const char *root;
};

extern struct ixp_kernel ixp_kernel;

bool ixp_single_threaded(void);
uint64_t ixp_now_ms(void);

/* Files; ixp_kernel.root is put before @path. New files have the mode 0600 */
int ixp_file_path(char *full, size_t size, const char *path);
int ixp_file_open(const char *path, int flags);
int ixp_file_mkdir(const char *path, mode_t mode);
int ixp_file_chmod(const char *path, mode_t mode);
int ixp_file_stat(const char *path, struct stat *st);
ssize_t ixp_file_read(const char *path, char *buf, size_t size);
ssize_t ixp_file_read_at(int folder, const char *name, char *buf, size_t size);
bool ixp_file_exists(const char *path);

#endif
