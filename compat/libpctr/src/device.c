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
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <irixperf-door.h>
#include "internal.h"

#define DEVICE_NAME	"pctr"
#define DEVICE_LINK	"/memfd:" DEVICE_NAME " (deleted)"

/* A CPU that goes offline just after the caller has run on it */
#define CPU_TRIES	3

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

static bool any_set(const uint32_t fn[PCTR_NUM])
{
	return fn[0] | fn[1] | fn[2] | fn[3];
}

/**
 * pctr_look() - look which functions are set, and read their counts
 * @system: gets them; all members are 0 if there is no function
 * @cpu: of this CPU; negative: of all
 *
 * Return: 0; -EBUSY if system mode counts what another program wants; or another
 * negative errno value. If @system has functions in spite of an error, only their counts
 * are lost.
 */
int pctr_look(struct irixperf_system *system, int cpu)
{
	int ret;

	*system = (struct irixperf_system){ .size = sizeof(*system) };
	ret = cpu < 0 ? irixperf_system_read(system) :
			irixperf_system_read_cpu(system, cpu);
	/* -EINVAL: there has been no system mode yet */
	if (ret == -EINVAL || (system->generation && !system->on))
		ret = 0;
	else if (system->on && system->label[PCTR_LABEL_OWNER] != PCTR_OWNER)
		ret = -EBUSY;
	else
		return ret;
	*system = (struct irixperf_system){ .size = sizeof(*system) };

	return ret;
}

/* -EBUSY: the function has had no counter since it was set; 0 would be no count */
static int count_fill(pctrval *value, const struct irixperf_system *system, unsigned int ctr)
{
	const uint32_t *fn = system->label;
	const struct irixperf_count *count = &system->count[
		pctr_function_slot(system->label[PCTR_LABEL_HOW], ctr, fn[ctr])];

	if (!pctr_function_counts(fn, ctr))
		return 0;
	if (count->enabled && !count->running)
		return -EBUSY;
	*value = COUNT_MASK & irixperf_count_scale(count);

	return 0;
}

/* Read the functions and counts of this CPU: those of @wanted, bit n for counter n */
static int state_read(struct pctrst *st, unsigned int wanted)
{
	struct irixperf_system system;
	int tries = CPU_TRIES, ret;
	unsigned int ctr;

	do {
		ret = pctr_look(&system, irixperf_get_cpu());
	} while (ret == -ENOENT && --tries);
	if (ret < 0 && ret != -EBUSY)
		return ret == -ENOENT ? -EAGAIN : ret;

	memset(st, 0, sizeof(*st));
	pctr_mhz_is(system.label[PCTR_LABEL_MHZ]);
	st->pctr_tsc = pctr_rdtsc();
	memcpy(st->pctr_fn, system.label, sizeof(st->pctr_fn));
	ret = 0;
	for (ctr = 0; ctr < PCTR_NUM && ret == 0; ctr++)
		if (wanted >> ctr & 1)
			ret = count_fill(&st->pctr_hwc[ctr], &system, ctr);

	return ret;
}

pctrval pctr_rdpmc(unsigned int ctr)
{
	struct pctrst st;

	return ctr < PCTR_NUM && state_read(&st, 1U << ctr) == 0 ?
	       st.pctr_hwc[ctr] : ~(pctrval)0;
}

/*
 * Without any function the counters are free again. -ESTALE: another program has changed
 * something since this one looked.
 */
static int function_try(unsigned int ctr, unsigned int new)
{
	struct irixperf_system_attr attr;
	struct irixperf_system system;
	struct pctr_cpu cpu;
	int look = pctr_look(&system, -1), ret = pctr_cpu_of(&cpu, &system);

	if (ret == 0)
		ret = pctr_function_check(&cpu, ctr, new);
	if (ret == 0 && geteuid() != 0)
		ret = -EPERM;
	if (ret == 0 && !system.on)
		ret = look;
	if (ret < 0)
		return ret;

	pctr_mhz_is(system.label[PCTR_LABEL_MHZ]);
	system.label[ctr] = new;
	if (!any_set(system.label))
		return system.on ? irixperf_system_release(system.generation) : 0;
	pctr_functions_to_attr(&attr, cpu.raw, system.label);
	attr.generation = system.generation;
	attr.label[PCTR_LABEL_MHZ] = pctr_mhz();
	ret = irixperf_system_set(&attr);

	return ret < 0 ? ret : 0;
}

static int function_set(unsigned int ctr, unsigned int new)
{
	int ret;

	do {
		ret = function_try(ctr, new);
	} while (ret == -ESTALE);

	return ret;
}

static int request_set(int fd, unsigned int ctr, const void *arg)
{
	unsigned int fn;
	int ret;

	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return -EPERM;
	ret = irixperf_copy_from(&fn, arg, sizeof(fn));

	return ret < 0 ? ret : function_set(ctr, fn);
}

static int request_read(void *arg)
{
	struct pctrst st;
	int ret = state_read(&st, ~0U);

	return ret < 0 ? ret : irixperf_copy_to(arg, &st, sizeof(st));
}

int irixperf_door_ioctl(int fd, unsigned int request, void *arg)
{
	const unsigned int ctr = request - (unsigned int)PCIOCS0;

	if ((ctr >= PCTR_NUM && request != PCIOCRD) || !is_device(fd))
		return -ENOTTY;

	return ctr < PCTR_NUM ? request_set(fd, ctr, arg) : request_read(arg);
}
