// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compare the inventory and the library's data about processes with the machine
 * itself: its registers, its cycle counter and its kernel. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <invent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/sbd.h>
#include <sys/sysmp.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

#define NSEC	1000000000LL

static unsigned long board_mhz;
static int chip_state, fpu_state, entries;
static int icache, dcache, scache, memory;

static int look_at_memory(const inventory_t *entry)
{
	switch (entry->inv_type) {
	case INV_ICACHE:
		icache = entry->inv_state;
		break;
	case INV_DCACHE:
		dcache = entry->inv_state;
		break;
	case INV_SIDCACHE:
		scache = entry->inv_state;
		break;
	case INV_MAIN_MB:
		memory = entry->inv_state;
		break;
	}

	return 0;
}

static int look(inventory_t *entry, void *arg)
{
	(void)arg;
	if (entry->inv_class == INV_MEMORY)
		return look_at_memory(entry);
	entries++;
	switch (entry->inv_type) {
	case INV_CPUBOARD:
		board_mhz = entry->inv_controller;
		break;
	case INV_CPUCHIP:
		chip_state = entry->inv_state;
		break;
	case INV_FPUCHIP:
		fpu_state = entry->inv_state;
		break;
	}

	return 0;
}

/* Any program may read this register, but not the CPU's own (PRId) */
static unsigned int read_fcr0(void)
{
	unsigned int value;

	__asm__ volatile("cfc1 %0, $0" : "=r"(value));

	return value;
}

/* The kernel prints what it found in PRId when it started */
static unsigned int prid_of_kernel(void)
{
	static char line[256];
	unsigned int prid = 0;
	FILE *log = popen("dmesg", "r");

	while (log && !prid && fgets(line, sizeof(line), log)) {
		const char *found = strstr(line, "CPU0 revision is: ");

		if (found)
			prid = (unsigned int)strtoul(found + 18, NULL, 16);
	}
	if (log)
		pclose(log);

	return prid;
}

static void registers(void)
{
	unsigned int prid = prid_of_kernel();

	check(scaninvent(look, NULL) == 0 && entries == 3 * sysmp(MP_NPROCS),
	      "each processor has three entries", "got: %d", entries);
	check((unsigned int)chip_state == prid,
	      "the chip's state is its PRId register",
	      "expected: %#x, got: %#x", prid, (unsigned int)chip_state);
	check((unsigned int)fpu_state == read_fcr0(),
	      "the FPU's state is its register 0", "expected: %#x, got: %#x",
	      read_fcr0(), (unsigned int)fpu_state);
}

/* The R10000's primary caches have 32 KB, and the emulated secondary one 1 MB */
static void caches(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);

	check(icache == 32 << 10 && dcache == 32 << 10, "the primary caches",
	      "got: %d and %d", icache, dcache);
	check(scache == 1 << 20, "the secondary cache", "got: %d", scache);
	check(memory == pages / ((1 << 20) / sysconf(_SC_PAGESIZE)),
	      "the memory", "got: %d MB, and %ld pages", memory, pages);
}

static int open_self(void)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", getpid());

	return open(name, O_RDONLY);
}

static long long now_ns(clockid_t clock)
{
	timespec_t now;

	clock_gettime(clock, &now);

	return (long long)now.tv_sec * NSEC + now.tv_nsec;
}

static void want(hwperf_profevctrarg_t *arg, unsigned int event,
		 unsigned int mode)
{
	struct hwperf_ctrlreg *reg;

	memset(arg, 0, sizeof(*arg));
	reg = &arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;
	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_mode = mode & 0xf;
}

/*
 * Cycles in all modes, which are those of all CPUs. Each time is that of the moment before
 * a read, which takes a while. The board tells whole MHz.
 */
static void clock_is_true(int fd)
{
	hwperf_profevctrarg_t arg;
	hwperf_cntr_t from, to;
	long long ns, start;
	double mhz;

	want(&arg, 0, HWPERF_CNTEN_U | HWPERF_CNTEN_K | HWPERF_CNTEN_E);
	if (ioctl(fd, PIOCENEVCTRS, &arg) <= 0) {
		check(false, "cycles can be counted", "%s", strerror(errno));
		return;
	}
	start = now_ns(CLOCK_MONOTONIC);
	ioctl(fd, PIOCGETEVCTRS, &from);
	do
		ns = now_ns(CLOCK_MONOTONIC) - start;
	while (ns < NSEC / 2);
	ioctl(fd, PIOCGETEVCTRS, &to);
	ioctl(fd, PIOCRELEVCTRS);

	mhz = (double)(to.hwp_evctr[0] - from.hwp_evctr[0]) * 1000 / (double)ns /
	      (double)sysmp(MP_NPROCS);
	check(fabs(mhz - (double)board_mhz) < 0.005 * mhz,
	      "the board's clock is that of the cycles",
	      "counted: %.2f MHz, told: %lu", mhz, board_mhz);
}

static void counters_and_usage(int fd)
{
	hwperf_profevctrarg_t arg;
	struct rusage before, after;
	hwperf_prusage_t usage;
	hwperf_cntr_t counts;
	int generation;

	want(&arg, 15, HWPERF_CNTEN_U);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	ioctl(fd, PIOCRELEVCTRS);
	getrusage(RUSAGE_SELF, &before);
	check(ioctl(fd, PIOCGETPREVCTRS, &usage) == generation &&
	      ioctl(fd, PIOCGETEVCTRS, &counts) == generation,
	      "usage and counters have one generation", "%s", strerror(errno));
	getrusage(RUSAGE_SELF, &after);
	check(memcmp(&usage.pu_cpu_mon.cm_cntrs, &counts, sizeof(counts)) == 0,
	      "the counters among the usage are those of PIOCGETEVCTRS",
	      "expected: %llu, got: %llu",
	      (unsigned long long)counts.hwp_evctr[15], (unsigned long long)
	      usage.pu_cpu_mon.cm_cntrs.hwp_evctr[15]);
	check((long)usage.pu_minf >= before.ru_minflt &&
	      (long)usage.pu_minf <= after.ru_minflt &&
	      (long)usage.pu_vctx >= before.ru_nvcsw &&
	      (long)usage.pu_vctx <= after.ru_nvcsw,
	      "the usage is what getrusage(2) says", "faults: %llu",
	      (unsigned long long)usage.pu_minf);
	check(usage.pu_rss > 0 && usage.pu_size >= usage.pu_rss,
	      "the process has memory", "pages: %llu of %llu",
	      (unsigned long long)usage.pu_rss,
	      (unsigned long long)usage.pu_size);
}

/* A zombie keeps its counts and times until its parent waits for it */
static void zombie(void)
{
	hwperf_prusage_t usage;
	struct rusage ru;
	siginfo_t info;
	char name[32];
	pid_t pid;
	int fd;

	pid = fork();
	if (pid == 0) {
		while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < NSEC / 50)
			;
		_exit(0);
	}
	snprintf(name, sizeof(name), "/proc/%05d", pid);
	fd = open(name, O_RDONLY);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	check(ioctl(fd, PIOCUSAGE, &usage) == 0, "a zombie tells its usage",
	      "%s", strerror(errno));
	wait4(pid, NULL, 0, &ru);
	check((long long)usage.pu_utime.tv_nsec == ru.ru_utime.tv_usec * 1000 &&
	      usage.pu_utime.tv_sec == ru.ru_utime.tv_sec,
	      "its time is what its parent learns by waiting",
	      "expected: %ld us, got: %ld ns", (long)ru.ru_utime.tv_usec,
	      (long)usage.pu_utime.tv_nsec);
	check(ioctl(fd, PIOCUSAGE, &usage) == -1 && errno == ESRCH,
	      "who has been waited for is no process", "%s", strerror(errno));
	close(fd);
}

int main(void)
{
	int fd = open_self();

	registers();
	caches();
	clock_is_true(fd);
	counters_and_usage(fd);
	zombie();
	close(fd);
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
