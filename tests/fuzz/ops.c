// SPDX-License-Identifier: GPL-2.0-only
/* One process that does anything that can be done with events. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "loops.h"
#include "pmu.h"

#define SLOTS	20

struct slot {
	int fd;			/* -1: free */
	void *map;
	size_t length;
};

static struct slot slots[SLOTS];
static pid_t child;		/* 0: none */

/* More often than not one that is in use */
static struct slot *any_slot(void)
{
	struct slot *slot;
	int tries = 5;

	do {
		slot = &slots[random_below(SLOTS)];
	} while (slot->fd < 0 && tries--);
	return slot;
}

static int any_fd(void)
{
	return random_once_in(20) ? (int)random_below(64) - 1 : any_slot()->fd;
}

static void drop(struct slot *slot)
{
	if (slot->map)
		munmap(slot->map, slot->length);
	slot->map = NULL;
	if (slot->fd >= 0) {
		close(slot->fd);
		fuzz_did(COUNT_CLOSED);
	}
	slot->fd = -1;
}

static pid_t any_pid(void)
{
	const pid_t pids[] = { -1, child, getppid(), random_below(100) };

	return random_once_in(2) ? pids[random_below(4)] : 0;
}

static int any_cpu(pid_t pid)
{
	if (random_once_in(30))
		return (int)random_below(5) - 2;
	return pid < 0 || random_once_in(4) ? (int)random_below(fuzz_nr_cpus) : -1;
}

static unsigned long open_flags(void)
{
	if (random_once_in(15))
		return random_below(16);
	return PERF_FLAG_FD_CLOEXEC;
}

static int open_event(int group)
{
	struct perf_event_attr attr;
	pid_t pid = any_pid();
	int cpu = any_cpu(pid);
	int fd;

	random_attr(&attr);
	fuzz_did(COUNT_OPEN_TRIED);
	fd = syscall(SYS_perf_event_open, &attr, pid, cpu, group,
		     open_flags());
	if (fd < 0)
		return -1;
	fuzz_did(COUNT_OPENED);
	if (attr.type == PERF_TYPE_RAW || attr.type == PERF_TYPE_HARDWARE)
		fuzz_did(COUNT_OPENED_OURS);
	if (cpu == fuzz_nr_cpus - 1)
		fuzz_did(COUNT_OPENED_LAST_CPU);
	return fd;
}

static void do_open(void)
{
	struct slot *slot = &slots[random_below(SLOTS)];
	int group = random_once_in(3) ? any_fd() : -1;

	drop(slot);
	slot->fd = open_event(group);
}

static void do_close(void)
{
	drop(any_slot());
}

static void any_ioctl(int fd)
{
	unsigned long flag = random_once_in(3) ? PERF_IOC_FLAG_GROUP : 0;
	struct perf_event_attr attr;
	uint64_t value;

	switch (random_below(13)) {
	case 0: case 1: case 2:
		ioctl(fd, PERF_EVENT_IOC_ENABLE, flag);
		break;
	case 3: case 4:
		ioctl(fd, PERF_EVENT_IOC_DISABLE, flag);
		break;
	case 5:
		ioctl(fd, PERF_EVENT_IOC_RESET, flag);
		break;
	case 6:
		ioctl(fd, PERF_EVENT_IOC_REFRESH, random_below(10));
		break;
	case 7: case 8:
		value = random_once_in(10) ? random_size(64) :
					     10000 + random_size(32);
		ioctl(fd, PERF_EVENT_IOC_PERIOD, &value);
		break;
	case 9:
		ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, any_fd());
		break;
	case 10:
		ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, random_below(2));
		break;
	case 11:
		random_attr(&attr);
		ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
		break;
	default:
		ioctl(fd, PERF_EVENT_IOC_ID, &value);
		break;
	}
}

static void do_ioctl(void)
{
	any_ioctl(any_fd());
	fuzz_did(COUNT_IOCTLS);
}

static void do_read(void)
{
	struct slot *slot = any_slot();
	char buf[1024];

	if (slot->fd < 0)
		return;
	fcntl(slot->fd, F_SETFL, O_NONBLOCK);
	if (read(slot->fd, buf, random_below(sizeof(buf))) > 0)
		fuzz_did(COUNT_READS);
}

static void do_map(void)
{
	struct slot *slot = any_slot();
	size_t pages = 1 + (1ul << random_below(6));

	if (slot->fd < 0 || slot->map)
		return;
	if (random_once_in(10))
		pages = random_below(40);
	slot->length = pages * 4096;
	slot->map = mmap(NULL, slot->length, PROT_READ |
			 (random_once_in(4) ? 0 : PROT_WRITE), MAP_SHARED,
			 slot->fd, random_once_in(20) ? 4096 : 0);
	if (slot->map == MAP_FAILED)
		slot->map = NULL;
	else
		fuzz_did(COUNT_MAPPED);
}

/* All that is in the buffer counts as read; reading it may be forbidden */
static void do_drain(void)
{
	struct slot *slot = any_slot();
	struct perf_event_mmap_page *page = slot->map;

	if (!page)
		return;
	if (__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE))
		fuzz_did(COUNT_RECORDS);
	if (random_once_in(2))
		mprotect(page, slot->length, PROT_READ | PROT_WRITE);
	else if (slot->length > 4096)
		/* unmaps the buffer's last page, but keeps its address from other slots */
		mmap((char *)page + slot->length - 4096, 4096, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void do_loop(void)
{
	loop_run(&loops[random_below(LOOP_SC)], 1 + random_size(15));
}

static void do_prctl(void)
{
	prctl(random_once_in(2) ? PR_TASK_PERF_EVENTS_DISABLE :
				  PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0);
}

/* An event that raises a signal when its limit is reached, soon */
static void do_signal(void)
{
	struct slot *slot = &slots[random_below(SLOTS)];
	struct perf_event_attr attr;

	drop(slot);
	pmu_attr(&attr, random_below(32), PMU_ALL);
	attr.sample_period = 1000 + random_below(5000);
	slot->fd = pmu_open_attr(&attr, 0, -1, -1);
	if (slot->fd < 0)
		return;
	fcntl(slot->fd, F_SETOWN, getpid());
	fcntl(slot->fd, F_SETSIG, random_once_in(2) ? SIGIO : SIGUSR1);
	fcntl(slot->fd, F_SETFL, O_ASYNC | O_NONBLOCK);
	ioctl(slot->fd, PERF_EVENT_IOC_REFRESH, 1 + random_below(5));
	loop_run(&loops[LOOP_MIX], 10000);
}

static void do_poll(void)
{
	struct pollfd p = { .fd = any_slot()->fd, .events = POLLIN };

	poll(&p, 1, random_below(2));
}

static void child_work(void)
{
	int i;

	alarm(2);
	for (i = random_below(20); i; i--) {
		do_loop();
		any_ioctl(any_slot()->fd);
	}
	if (random_once_in(3)) {
		fuzz_did(COUNT_EXECS);
		execl(fuzz_self, fuzz_self, "--nothing", NULL);
	}
	_exit(0);
}

static void end_child(void)
{
	if (random_once_in(2) && !kill(child, SIGKILL))
		fuzz_did(COUNT_KILLS);
	waitpid(child, NULL, 0);
	child = 0;
}

static void do_child(void)
{
	if (child) {
		end_child();
		return;
	}
	child = fork();
	if (!child)
		child_work();
	if (child < 0)
		child = 0;
	fuzz_did(COUNT_FORKS);
}

static void do_proc(void)
{
	static const char *const file[] = {
		"/proc/sys/kernel/perf_event_max_sample_rate",
		"/proc/sys/kernel/perf_cpu_time_max_percent",
		"/proc/sys/kernel/perf_event_mlock_kb",
		/* gone while the module is */
		"/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms",
	};
	static const char *const value[] = { "500", "2000", "50" };
	int fd = open(file[random_below(4)], O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "%s\n", value[random_below(3)]);
	close(fd);
}

static void do_yield(void)
{
	sched_yield();
}

typedef void (*op_fn)(void);

/* As often as they stand here */
static const op_fn operations[] = {
	do_open, do_open, do_open, do_open, do_close, do_ioctl, do_ioctl,
	do_ioctl, do_ioctl, do_read, do_read, do_map, do_map, do_drain,
	do_loop, do_loop, do_loop, do_prctl, do_signal, do_poll, do_yield,
};

static void on_signal(int signum)
{
	(void)signum;
	fuzz_did(COUNT_SIGNALS);
}

static void start(void)
{
	int i;

	for (i = 0; i < SLOTS; i++)
		slots[i] = (struct slot) { .fd = -1 };
	signal(SIGIO, on_signal);
	signal(SIGUSR1, on_signal);
	signal(SIGTRAP, on_signal);
	signal(SIGPIPE, SIG_IGN);
}

static void one(void)
{
	if (random_once_in(200))
		do_proc();
	else if (random_once_in(60))
		do_child();
	else
		operations[random_below(sizeof(operations) / sizeof(*operations))]();
}

void role_fuzzer(void)
{
	start();
	for (;;)
		one();
}

/* Holds nothing for long, so that the module can go between two turns */
void role_gentle(void)
{
	int i;

	start();
	for (;;) {
		for (i = random_below(30); i; i--)
			one();
		for (i = 0; i < SLOTS; i++)
			drop(&slots[i]);
		if (child)
			end_child();
		usleep(random_below(3000));
	}
}
