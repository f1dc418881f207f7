/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way in which a performance tool of the IRIX age watched programs: a
 * runtime inside the watched program reads the time of its own process by the
 * cycle counter, if it may, and a daemon reads the program from outside.
 * Written from a description of what such tools did (no code of theirs is in
 * it), as IRIX programs were.
 *
 *	cc $(pkg-config --cflags --libs irixperf) paradyn-style.c
 *
 * What it depends on:
 * - acquiring and releasing at once tells whether there are counters;
 * - kernel mode is refused to users, who then use PIOCUSAGE;
 * - counts of another process can be read while it runs, and never go back;
 * - PIOCUSAGE, PIOCGETPTIMER and PIOCGETPREVCTRS tell of another process;
 * - a machine without a cycle counter to map says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <invent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLES		10
#define PERIOD		30000	/* microseconds */
#define CYCLES		HWPERF_C0PRFCNT0_CYCLES

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static long long nanoseconds(const timespec_t *time)
{
	return (long long)time->tv_sec * 1000000000 + time->tv_nsec;
}

static void want_cycles(hwperf_profevctrarg_t *arg, int mode, int interrupt)
{
	struct hwperf_ctrlreg *reg;

	memset(arg, 0, sizeof(*arg));
	reg = &arg->hwp_evctrargs.hwp_evctrl[CYCLES].hwperf_creg;
	reg->hwp_ev = CYCLES;
	reg->hwp_ie = interrupt;
	reg->hwp_mode = mode;
}

static int open_process(const char *format, int pid)
{
	char name[32];
	int fd;

	sprintf(name, format, pid);
	fd = open(name, O_RDWR);
	if (fd < 0)
		fail(name);

	return fd;
}

static int clock_mhz(void)
{
	inventory_t *item;
	int mhz = 0;

	setinvent();
	while ((item = getinvent()) != NULL)
		if (item->inv_class == INV_PROCESSOR &&
		    item->inv_type == INV_CPUBOARD)
			mhz = (int)item->inv_controller;
	endinvent();

	return mhz;
}

/* The fastest clock is a counter in the program's own memory, if there is one */
static const char *wall_clock(void)
{
	unsigned int picoseconds = 0;

	if (syssgi(SGI_CYCLECNTR_SIZE) != 64)
		return "gettimeofday";
	if (syssgi(SGI_QUERY_CYCLECNTR, &picoseconds) == -1 ||
	    picoseconds == 0)
		return "clock_gettime";

	return "mapped counter";
}

/* Are there counters at all? */
static int probe(void)
{
	int fd = open_process("/proc/%05d", (int)getpid());
	hwperf_profevctrarg_t arg;
	int ret;

	want_cycles(&arg, HWPERF_CNTEN_U, 1);
	ret = ioctl(fd, PIOCENEVCTRS, &arg);
	if (ret > 0 && ioctl(fd, PIOCRELEVCTRS) < 0)
		fail("PIOCRELEVCTRS");
	close(fd);

	return ret > 0;
}

/* Where a runtime takes its process's time from */
struct runtime {
	int fd;
	int generation;		/* 0: there are no counters for it */
};

static void runtime_init(struct runtime *run)
{
	hwperf_profevctrarg_t arg;

	run->fd = open_process("/proc/%i", (int)getpid());
	want_cycles(&arg, HWPERF_CNTEN_U | HWPERF_CNTEN_K, 0);
	run->generation = ioctl(run->fd, PIOCENEVCTRS, &arg);
	if (run->generation < 0)
		run->generation = 0;
}

/* Cycles or nanoseconds, as it may be */
static long long runtime_time(struct runtime *run)
{
	prusage_t usage;
	hwperf_cntr_t counts;
	int generation;

	if (run->generation == 0) {
		if (ioctl(run->fd, PIOCUSAGE, &usage) < 0)
			fail("PIOCUSAGE");
		return nanoseconds(&usage.pu_utime) +
		       nanoseconds(&usage.pu_stime);
	}
	generation = ioctl(run->fd, PIOCGETEVCTRS, &counts);
	if (generation < 0)
		fail("PIOCGETEVCTRS");
	if (generation != run->generation) {
		fprintf(stderr, "warning: generation %d was %d\n", generation,
			run->generation);
		run->generation = generation;
	}

	return (long long)counts.hwp_evctr[CYCLES];
}

static void runtime_end(struct runtime *run)
{
	if (run->generation > 0)
		ioctl(run->fd, PIOCRELEVCTRS);
	close(run->fd);
}

static void burn(void)
{
	volatile int i;

	for (i = 0; i < 2000000; i++)
		;
}

static void watch_oneself(void)
{
	struct runtime run;
	long long first, second;

	runtime_init(&run);
	first = runtime_time(&run);
	burn();
	second = runtime_time(&run);
	printf("runtime: %s %s\n", run.generation > 0 ? "cycles" : "times",
	       second > first ? "go on" : "stand still");
	runtime_end(&run);
}

static pid_t start_target(void)
{
	pid_t daemon = getpid(), pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		while (getppid() == daemon)
			burn();
		_exit(0);
	}

	return pid;
}

/* If the target's own runtime has not acquired its counters, the daemon does */
static int watch_counters(int fd)
{
	hwperf_profevctrarg_t arg;
	hwperf_cntr_t counts;
	int generation;

	generation = ioctl(fd, PIOCGETEVCTRS, &counts);
	if (generation > 0)
		return generation;
	want_cycles(&arg, HWPERF_CNTEN_U, 0);

	return ioctl(fd, PIOCENEVCTRS, &arg);
}

static long long cpu_time(int fd)
{
	timespec_t timers[MAX_PROCTIMER];

	if (ioctl(fd, PIOCGETPTIMER, timers) < 0)
		fail("PIOCGETPTIMER");

	return nanoseconds(&timers[AS_USR_RUN]) +
	       nanoseconds(&timers[AS_SYS_RUN]);
}

static void compare(int fd, long long cycles, long long ns, int mhz)
{
	hwperf_prusage_t all;

	printf("daemon: %lld ms by cycles, %lld ms by timers\n",
	       mhz > 0 ? cycles / mhz / 1000 : 0, ns / 1000000);
	if (ioctl(fd, PIOCGETPREVCTRS, &all) < 0)
		fail("PIOCGETPREVCTRS");
	printf("daemon: everything at once: %s, %s, %s\n",
	       (long long)all.pu_cpu_mon.cm_cntrs.hwp_evctr[CYCLES] >= cycles ?
	       "cycles" : "no cycles",
	       nanoseconds(&all.pu_utime) >= ns / 2 ? "times" : "no times",
	       all.pu_rss > 0 ? "memory" : "no memory");
}

static void watch(pid_t pid, int mhz)
{
	int fd = open_process("/proc/%05d", (int)pid);
	long long last = 0, start, first = 0;
	int generation = watch_counters(fd);
	hwperf_cntr_t counts;
	int i, back = 0;

	if (generation <= 0)
		fail("failed to acquire counters");

	start = cpu_time(fd);
	for (i = 0; i <= SAMPLES; i++) {
		if (i > 0)
			usleep(PERIOD);
		if (ioctl(fd, PIOCGETEVCTRS, &counts) != generation)
			fail("PIOCGETEVCTRS");
		if (i == 0)
			first = (long long)counts.hwp_evctr[CYCLES];
		back += (long long)counts.hwp_evctr[CYCLES] < last;
		last = (long long)counts.hwp_evctr[CYCLES];
	}
	printf("daemon: %d samples, %d went back\n", SAMPLES, back);
	compare(fd, last - first, cpu_time(fd) - start, mhz);
	close(fd);
}

int main(void)
{
	int mhz = clock_mhz();
	int counters = probe();
	pid_t pid;

	printf("clock: %s, %s MHz\n", wall_clock(), mhz > 0 ? "known" : "no");
	printf("probe: %s\n", counters ? "counters" : strerror(errno));
	watch_oneself();
	if (!counters)
		return 1;

	fflush(stdout);
	pid = start_target();
	watch(pid, mhz);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);

	return 0;
}
