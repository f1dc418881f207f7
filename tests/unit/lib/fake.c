// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "fake.h"
#include "kernel.h"
#include "machine.h"
#include "pfm.h"
#include "user.h"

struct ixp_kernel real_kernel;
struct fake fake;

static char root[] = "/tmp/irixperf-unit-XXXXXX";
static pid_t root_owner;

static struct fake_event *fake_get(int fd)
{
	unsigned int i = (unsigned int)(fd - FAKE_FD);

	if (fd < FAKE_FD || i >= fake.nr || !fake.event[i].open)
		abort();

	return &fake.event[i];
}

/* How often a CPU has come back online, from a file that the holder reads, too */
static int fake_life(int cpu)
{
	char path[PATH_MAX];
	int life = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/life-of-cpu-%d", root, cpu);
	f = cpu < 0 ? NULL : fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &life) != 1)
		abort();
	fclose(f);

	return life;
}

/* Time of a CPU's event grows only until the CPU goes offline */
static unsigned long long fake_cpu_time(const struct fake_event *ev)
{
	static unsigned long long time;

	return ev->cpu >= 0 && fake_life(ev->cpu) == ev->life ? ++time : 0;
}

static int fake_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	struct fake_event *ev = &fake.event[fake.nr];
	siginfo_t info;

	if ((int)fake.nr == fake.open_fail_at)
		return fake.open_err;
	if (fake.nr == FAKE_EVENTS)
		abort();
	if (fake.refuse && attr->config == fake.refuse)
		return -ENOENT;
	if (fake.group_err && group >= 0)
		return fake.group_err;
	/* A signal that comes while a tool opens the events of its command */
	if (getenv("FAKE_SIGNAL") && pid > 0 && pid != getpid()) {
		kill(pid, atoi(getenv("FAKE_SIGNAL")));
		/* The caller goes on when a child that it kills has ended */
		if (atoi(getenv("FAKE_SIGNAL")) == SIGKILL)
			waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	}

	ev->attr = *attr;
	ev->pid = pid;
	ev->cpu = cpu;
	ev->group = group;
	ev->life = fake_life(cpu);
	ev->open = true;
	ev->enabled = !attr->disabled;

	return FAKE_FD + (int)fake.nr++;
}

static unsigned long long fake_value(const struct fake_event *ev)
{
	unsigned long long cpu = ev->cpu > 0 ? ev->cpu : 0;

	return fake.base + (ev->attr.config & 0x1f) + 1000 * cpu;
}

static bool needs_taken(const struct fake_event *leader)
{
	const int group = FAKE_FD + (int)(leader - fake.event);
	unsigned int i;

	for (i = 0; i < fake.nr; i++) {
		const struct fake_event *ev = &fake.event[i];

		if (ev->open && (ev == leader || ev->group == group) &&
		    fake.taken >> (ev->attr.config >> 4 & 1) & 1)
			return true;
	}

	return false;
}

static void beside_others(const struct fake_event *leader)
{
	fake.time_enabled += 20000000;
	fake.time_running = fake.taken_after == 0 && needs_taken(leader) ? 0 :
			    fake.time_enabled;
	fake.taken_after -= fake.taken_after > 0;
}

void fake_take(void)
{
	const char *counter = getenv("FAKE_TAKEN"), *after = getenv("FAKE_TAKEN_AFTER");

	if (counter)
		fake.taken = 1U << atoi(counter);
	if (after)
		fake.taken_after = strtoul(after, NULL, 10);
}

static size_t fake_times(uint64_t *word, const struct fake_event *ev)
{
	unsigned long long cpu_time = fake_cpu_time(ev);

	if (fake.taken)
		beside_others(ev);
	word[0] = fake.time_enabled += fake.time_step;
	word[1] = fake.time_running += fake.time_step;
	word[1] += word[0] ? cpu_time * word[1] / word[0] : cpu_time;
	word[0] += cpu_time;

	return 2;
}

static size_t fake_single(uint64_t *word, const struct fake_event *ev)
{
	word[0] = fake_value(ev);

	return 1 + fake_times(word + 1, ev);
}

/* Values of the group that this event leads; it dissolves when its CPU goes offline */
static size_t fake_group(uint64_t *word, const struct fake_event *ev)
{
	int leader = FAKE_FD + (int)(ev - fake.event);
	size_t n = 1 + fake_times(word + 1, ev);
	unsigned int i;

	word[n++] = fake_value(ev);
	for (i = ev->cpu >= 0 && fake_life(ev->cpu) != ev->life ? fake.nr : 0; i < fake.nr; i++)
		if (fake.event[i].open && fake.event[i].group == leader)
			word[n++] = fake_value(&fake.event[i]);
	word[0] = n - 3;

	return n;
}

/* Do other pinned groups have the counters of this one's CPU? */
static bool fake_no_room(const struct fake_event *ev)
{
	const struct fake_event *other;
	unsigned int nr = 0;

	if (!ev->attr.pinned || !fake.pinned_groups)
		return false;
	for (other = fake.event; other < ev; other++)
		nr += other->open && other->enabled && other->attr.pinned &&
		      other->cpu == ev->cpu;

	return nr >= fake.pinned_groups;
}

static ssize_t fake_read(int fd, void *buf, size_t size)
{
	const struct fake_event *ev = fake_get(fd);
	uint64_t word[16];
	size_t n;

	if (fake.read_err)
		return fake.read_err;
	if (fake.read_short || (fake.pinned_short && ev->attr.pinned) ||
	    fake_no_room(ev))
		return 0;
	n = ev->attr.read_format & PERF_FORMAT_GROUP ? fake_group(word, ev) :
						       fake_single(word, ev);
	if (size < n * sizeof(word[0]))
		abort();

	return ixp_user_write(buf, word, n * sizeof(word[0])) ?:
	       (ssize_t)(n * sizeof(word[0]));
}

static int fake_ioctl(int fd, unsigned long request)
{
	struct fake_event *ev = fake_get(fd);

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		if (fake.enable_err)
			return fake.enable_err;
		ev->enabled = true;
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		if (fake.on_disable)
			fake.on_disable();
		ev->enabled = false;
		return 0;
	default:
		/* The library must not use PERF_EVENT_IOC_RESET, above all */
		abort();
	}
}

static void fake_close(int fd)
{
	fake_get(fd)->open = false;
}

/* Keep the descriptor: numbers of the fake do not encode the event */
static int fake_signal(int fd, unsigned int event, int sig, pid_t pid)
{
	struct fake_event *ev = fake_get(fd);

	if (event != (ev->attr.config & 0x1f))
		abort();
	if (fake.signal_err)
		return fake.signal_err;
	ev->sig = sig;
	ev->owner = pid;

	return fd;
}

static int fake_output(int fd, int ring)
{
	fake_get(ring);
	fake_get(fd)->ring = ring;

	return 0;
}

static int fake_map(int fd, size_t size, void **map)
{
	struct perf_event_mmap_page *page;
	size_t first = (size_t)sysconf(_SC_PAGESIZE);

	fake_get(fd);
	if (fake.map_max && size > fake.map_max)
		return -EPERM;
	page = calloc(1, size);
	if (!page)
		return -ENOMEM;
	page->data_offset = first;
	page->data_size = size - first;
	fake.map = *map = page;
	fake.map_size = size;
	fake.nr_maps++;

	return 0;
}

static void fake_unmap(void *map, size_t size)
{
	(void)size;
	if (map == fake.map)
		fake.map = NULL;
	fake.nr_maps--;
	free(map);
}

static uid_t fake_euid(void)
{
	return fake.uid;
}

static const char *fake_env(const char *name)
{
	if (fake.secure || strncmp(name, "HIDDEN", 6) == 0)
		return NULL;

	return getenv(name);
}

static void fake_machine(char *buf, size_t size)
{
	snprintf(buf, size, "%s", fake.machine);
}

static const struct ixp_pfm *fake_pfm(void)
{
	return fake.pfm;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;

	return remove(path);
}

static void remove_root(void)
{
	if (getpid() == root_owner)
		nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void make_folders(char *path)
{
	char *p;

	for (p = path + sizeof(root); (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(path, 0755);
	}
}

void fake_file_bytes(const char *name, const void *bytes, size_t size)
{
	char path[PATH_MAX - 4], new[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	make_folders(path);
	/* Rename it: the holder may be reading, and sysfs never shows half a file */
	snprintf(new, sizeof(new), "%s.new", path);
	f = fopen(new, "w");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) ||
	    rename(new, path) < 0) {
		perror(path);
		abort();
	}
	ixp_machine_forget();
}

void fake_file(const char *name, const char *text)
{
	fake_file_bytes(name, text, strlen(text));
}

void fake_remove_file(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, name);
	unlink(path);
	ixp_machine_forget();
}

/* Each machine starts without the files of the one before */
static void make_root(void)
{
	if (root_owner == getpid()) {
		remove_root();
		if (mkdir(root, 0700) < 0)
			abort();
		return;
	}
	if (!mkdtemp(root)) {
		perror(root);
		abort();
	}
	root_owner = getpid();
	atexit(remove_root);
}

#define PMU	"/sys/bus/event_source/devices/cpu"

static void fake_folder(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, name);
	if (mkdir(path, 0755) < 0)
		abort();
}

void fake_set_paranoid(const char *level)
{
	fake_file("/proc/sys/kernel/perf_event_paranoid", level);
}

void fake_remove_pmu(void)
{
	fake_remove_file(PMU "/format/exl");
}

static void fake_kernel(void)
{
	if (!real_kernel.perf_open)
		real_kernel = ixp_kernel;
	ixp_kernel = (struct ixp_kernel){
		.perf_open = fake_open,
		.perf_read = fake_read,
		.perf_ioctl = fake_ioctl,
		.perf_close = fake_close,
		.perf_signal = fake_signal,
		.perf_output = fake_output,
		.perf_map = fake_map,
		.perf_unmap = fake_unmap,
		.euid = fake_euid,
		.env = fake_env,
		.machine = fake_machine,
		.pfm = fake_pfm,
		.root = root,
	};
	ixp_machine_forget();
}

void fake_install(const char *cpu_model)
{
	char cpuinfo[256];

	make_root();
	memset(&fake, 0, sizeof(fake));
	fake.open_fail_at = -1;
	fake.base = 100;
	fake.time_enabled = 1000;
	fake.time_running = 1000;
	fake.machine = "mips64";
	unsetenv("IRIXPERF_EVENTMAP");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");

	snprintf(cpuinfo, sizeof(cpuinfo),
		 "system type\t\t: MIPS Malta\nprocessor\t\t: 0\n"
		 "cpu model\t\t: %s\nBogoMIPS\t\t: 319.48\n", cpu_model);
	fake_file("/proc/cpuinfo", cpuinfo);
	fake_file(PMU "/format/exl", "config:8-9\n");
	fake_file("/sys/devices/system/cpu/online", "0-1,3\n");
	fake_file("/sys/devices/system/cpu/possible", "0-7\n");
	fake_folder("/run");
	fake_set_paranoid("2\n");
	fake_kernel();
}

#define SHARED_START	offsetof(struct fake, open_fail_at)
#define SHARED_SIZE	(offsetof(struct fake, secure) - SHARED_START)
#define SHARED_NAME	"/fake"

void fake_share(void)
{
	fake_file_bytes(SHARED_NAME, (char *)&fake + SHARED_START, SHARED_SIZE);
	if (setenv("FAKE_ROOT", root, 1))
		abort();
}

void fake_join(void)
{
	const char *name = getenv("FAKE_ROOT");
	char path[PATH_MAX];
	FILE *f;

	if (!name || strlen(name) != strlen(root))
		abort();
	memcpy(root, name, sizeof(root));
	snprintf(path, sizeof(path), "%s" SHARED_NAME, root);
	f = fopen(path, "r");
	if (!f || fread((char *)&fake + SHARED_START, SHARED_SIZE, 1, f) != 1)
		abort();
	fclose(f);
	fake.machine = "mips64";
	fake_kernel();
}

void fake_install_other(void)
{
	fake_install("Something else");
	fake_remove_pmu();
	fake.machine = "pdp11";
}

void fake_install_counting(const char *map)
{
	fake_install_other();
	fake_file("/etc/irixperf/eventmap", map);
	ixp_kernel.perf_open = real_kernel.perf_open;
	ixp_kernel.perf_read = real_kernel.perf_read;
	ixp_kernel.perf_ioctl = real_kernel.perf_ioctl;
	ixp_kernel.perf_close = real_kernel.perf_close;
}

unsigned int fake_nr_open(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < fake.nr; i++)
		nr += fake.event[i].open;

	return nr;
}

/* An event counts if its leader does */
unsigned int fake_nr_enabled(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < fake.nr; i++) {
		const struct fake_event *ev = &fake.event[i];

		if (!ev->open)
			continue;
		if (ev->group >= 0)
			ev = fake_get(ev->group);
		nr += ev->enabled;
	}

	return nr;
}
