// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /dev/pctr: opens, and the requests of pctr(4). libirixperf's door brings them here.
 *
 * A descriptor of /dev/pctr is one of an empty file in memory, opened with the mode that
 * the program asks for. Copies of it work, in this process and in others, and need no
 * list. All state belongs to system mode: its labels are the functions.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/hwperfmacros.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <time.h>
#include <unistd.h>
#include <irixperf-door.h>
#include "internal.h"

#define DEVICE_NAME	"pctr"
#define DEVICE_LINK	"/memfd:" DEVICE_NAME " (deleted)"

/* A CPU that goes offline just after the caller has run on it */
#define CPU_TRIES	3

/* A function is one of four, and system mode is set as a whole: one caller at a time */
#ifndef PCTR_RUN
#define PCTR_RUN	"/run/"
#endif
#define LOCK		PCTR_RUN "pctr.lock"
#define LOCK_SECONDS	1

#define COUNT_MASK	((UINT64_C(1) << PCTR_BITS) - 1)

static void fd_path(char *path, size_t size, int fd)
{
	snprintf(path, size, "/proc/thread-self/fd/%d", fd);
}

/* "//dev///pctr" is the same file */
static bool names_device(const char *path)
{
	const char *name = _PATH_PCTR;

	for (; *name; name++) {
		if (*path++ != *name)
			return false;
		if (*name == '/')
			path += strspn(path, "/");
	}

	return !*path;
}

/* Makes the system calls itself, because the door replaces the C library's open() */
static int device_open(int flags)
{
	int memory = (int)syscall(SYS_memfd_create, DEVICE_NAME,
				  MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char path[64];
	int fd = -1, err;

	if (memory >= 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK |
				 F_SEAL_GROW | F_SEAL_WRITE) == 0) {
		fd_path(path, sizeof(path), memory);
		fd = (int)syscall(SYS_openat, AT_FDCWD, path,
				  flags & (O_ACCMODE | O_CLOEXEC | O_NONBLOCK));
	}
	err = errno;
	if (memory >= 0)
		close(memory);

	return fd < 0 ? -err : fd;
}

/*
 * Every user may read, and root write, as OpenBSD makes the device. If the kernel has a
 * device of this name, the program gets that one.
 */
int irixperf_door_open(const char *path, int flags)
{
	int saved = errno, ret = -ENOTTY;

	if (!path || !names_device(path) || (flags & (O_PATH | O_DIRECTORY)))
		return -ENOTTY;
	if (access(_PATH_PCTR, F_OK) < 0)
		ret = (flags & O_ACCMODE) != O_RDONLY && geteuid() != 0 ?
		      -EACCES : device_open(flags);
	errno = saved;

	return ret;
}

static bool is_device(int fd)
{
	char path[64], name[sizeof(DEVICE_LINK)];
	int saved = errno;
	ssize_t n;

	fd_path(path, sizeof(path), fd);
	n = readlink(path, name, sizeof(name));
	errno = saved;

	return n == (ssize_t)strlen(DEVICE_LINK) &&
	       memcmp(name, DEVICE_LINK, (size_t)n) == 0;
}

/* True if system mode counts functions, and not what another program has asked for */
static bool is_ours(const struct irixperf_system *system)
{
	unsigned int ctr;

	for (ctr = 0; ctr < PCTR_NUM; ctr++)
		if (system->label[ctr])
			return true;

	return false;
}

static void state_fill(struct pctrst *st, const struct irixperf_system *system)
{
	const bool raw = system->label[PCTR_LABEL_RAW];
	unsigned int ctr;

	memcpy(st->pctr_fn, system->label, sizeof(st->pctr_fn));
	for (ctr = 0; ctr < PCTR_NUM; ctr++)
		if (pctr_function_counts(st->pctr_fn, ctr))
			st->pctr_hwc[ctr] = COUNT_MASK & irixperf_count_scale(
				&system->count[pctr_function_slot(raw, ctr,
								  st->pctr_fn[ctr])]);
}

/* -EINVAL: there has been no system mode yet */
static int state_read(struct pctrst *st)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int tries = CPU_TRIES, ret;

	memset(st, 0, sizeof(*st));
	do {
		ret = irixperf_system_read_cpu(&system, irixperf_get_cpu());
	} while (ret == -ENOENT && --tries);
	if (ret < 0 && ret != -EINVAL)
		return ret;
	if (ret == 0 && system.on && is_ours(&system)) {
		pctr_mhz_is(system.label[PCTR_LABEL_MHZ]);
		st->pctr_tsc = pctr_rdtsc();
		state_fill(st, &system);
	} else {
		st->pctr_tsc = pctr_rdtsc();
	}

	return 0;
}

pctrval pctr_rdpmc(unsigned int ctr)
{
	struct pctr_cpu cpu;
	struct pctrst st;

	if (pctr_cpu_look(&cpu) < 0 || ctr >= cpu.counters || state_read(&st) < 0)
		return ~(pctrval)0;

	return st.pctr_hwc[ctr];
}

/* The functions that are set; -EBUSY if system mode counts something else */
static int functions_now(unsigned int fn[PCTR_NUM], bool *on)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int ret = irixperf_system_read(&system);

	*on = ret == 0 && system.on;
	memset(fn, 0, PCTR_NUM * sizeof(*fn));
	if (*on && !is_ours(&system))
		return -EBUSY;
	if (*on) {
		memcpy(fn, system.label, PCTR_NUM * sizeof(*fn));
		pctr_mhz_is(system.label[PCTR_LABEL_MHZ]);
	}

	return ret == -EINVAL ? 0 : ret;
}

static bool all_off(const unsigned int fn[PCTR_NUM])
{
	static const unsigned int off[PCTR_NUM];

	return memcmp(fn, off, sizeof(off)) == 0;
}

/*
 * A descriptor that keeps others out; -ENOENT if there can be none; -EAGAIN. The system
 * call is not open(2), which is the door's.
 */
static int functions_lock(void)
{
	struct timespec now, end;
	int saved = errno, fd;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += LOCK_SECONDS;
	fd = (int)syscall(SYS_openat, AT_FDCWD, LOCK,
			  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			close(fd);
			fd = -1;
			break;
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec > end.tv_sec ||
		    (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) {
			close(fd);
			errno = saved;
			return -EAGAIN;
		}
		usleep(1000);
	}
	errno = saved;

	return fd < 0 ? -ENOENT : fd;
}

/* A child that another thread has forked may have a copy of the descriptor */
static void functions_unlock(int fd)
{
	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	close(fd);
}

/* Without any function the counters are free again */
static int function_change(const struct pctr_cpu *cpu, unsigned int ctr, unsigned int new)
{
	struct irixperf_system_attr attr;
	unsigned int fn[PCTR_NUM];
	bool on;
	int ret = functions_now(fn, &on);

	if (ret < 0)
		return ret;
	fn[ctr] = new;
	if (all_off(fn))
		return on ? (int)irixperf_syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS,
						 0, 0, 0) : 0;
	ret = pctr_functions_to_attr(&attr, cpu->raw, fn);
	if (ret < 0)
		return ret;
	attr.label[PCTR_LABEL_MHZ] = pctr_mhz();
	ret = irixperf_system_set(&attr);

	return ret < 0 ? ret : 0;
}

static int function_set(unsigned int ctr, unsigned int new)
{
	struct pctr_cpu cpu;
	int ret, lock;

	ret = pctr_cpu_look(&cpu);
	if (ret == 0)
		ret = pctr_function_check(&cpu, ctr, new);
	if (ret == 0 && geteuid() != 0)
		ret = -EPERM;
	if (ret < 0)
		return ret;
	lock = functions_lock();
	if (lock == -EAGAIN)
		return lock;
	ret = function_change(&cpu, ctr, new);
	functions_unlock(lock);

	return ret;
}

static int request_set(int fd, unsigned int ctr, const void *arg)
{
	unsigned int fn;
	int ret;

	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return -EPERM;
	ret = irixperf_user_read(&fn, arg, sizeof(fn));

	return ret < 0 ? ret : function_set(ctr, fn);
}

static int request_read(void *arg)
{
	struct pctrst st;
	int ret = state_read(&st);

	return ret < 0 ? ret : irixperf_user_write(arg, &st, sizeof(st));
}

static const unsigned int set_requests[PCTR_NUM] = {
	PCIOCS0, PCIOCS1, PCIOCS2, PCIOCS3,
};

int irixperf_door_ioctl(int fd, unsigned int request, void *arg)
{
	unsigned int ctr = 0;

	while (ctr < PCTR_NUM && set_requests[ctr] != request)
		ctr++;
	if ((ctr == PCTR_NUM && request != PCIOCRD) || !is_device(fd))
		return -ENOTTY;

	return ctr < PCTR_NUM ? request_set(fd, ctr, arg) : request_read(arg);
}
