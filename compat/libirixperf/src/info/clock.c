// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The clock rate of a processor. On most machines the kernel tells it. For an R10000 it
 * does not, so this file measures the rate with the event for cycles. BogoMIPS say
 * nothing about the clock of such a CPU and are never used.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "clock.h"
#include "kernel.h"
#include "readfile.h"

#define KHZ_PER_MHZ	1000
#define HZ_PER_MHZ	1000000ULL
#define NS_PER_US	1000

/* A window is the time of many rounds of an empty loop, which take a few cycles each */
#define FIRST_ROUNDS	20000
#define FIRST_WINDOWS	8
#define WINDOWS		48
#define WINDOW_NS	700000

static unsigned int clock_cpufreq(unsigned int cpu, const char *name)
{
	char path[96];
	char *text;
	double khz;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/cpufreq/%s", cpu, name);
	if (ixp_readfile(&text, path) < 0)
		return 0;

	khz = strtod(text, NULL);
	free(text);

	return khz > 0 ? (unsigned int)(khz / KHZ_PER_MHZ + 0.5) : 0;
}

/* The device tree has 32-bit or 64-bit binary numbers in big-endian order */
static unsigned int clock_devicetree(unsigned int cpu)
{
	char path[96], text[sizeof(uint64_t) + 1];
	uint64_t hz = 0;
	ssize_t n, i;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/of_node/clock-frequency", cpu);
	n = ixp_file_read(path, text, sizeof(text));
	for (i = 0; i < n; i++)
		hz = hz << 8 | (unsigned char)text[i];

	return (unsigned int)((hz + HZ_PER_MHZ / 2) / HZ_PER_MHZ);
}

/* x86, PowerPC and S/390: "cpu MHz : 2596.132", "clock : 1000.000000MHz" */
static unsigned int clock_cpuinfo(const char *cpuinfo)
{
	static const char *const keys[] = { "cpu MHz static", "cpu MHz",
					    "clock" };
	const char *value;
	double mhz = 0;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && mhz <= 0; i++) {
		value = ixp_line_value(cpuinfo, keys[i]);
		if (value)
			mhz = strtod(value, NULL);
	}

	return mhz > 0 ? (unsigned int)(mhz + 0.5) : 0;
}

/* What read(2) of the event gives */
struct reading {
	uint64_t cycles;
	uint64_t enabled;
	uint64_t running;
};

static int cycles_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return ixp_kernel.perf_open(&attr, 0, -1, -1);
}

static bool cycles_read(struct reading *now, int fd)
{
	return ixp_kernel.perf_read(fd, now, sizeof(*now)) ==
	       (ssize_t)sizeof(*now);
}

/*
 * Count cycles and time from one read to the next, with @rounds rounds between them.
 * False if the event did not have a counter all that time.
 */
static bool window(struct reading *between, int fd, unsigned long rounds)
{
	struct reading from, to;

	if (!cycles_read(&from, fd))
		return false;
	while (rounds--)
		__asm__ volatile("");
	if (!cycles_read(&to, fd) || to.running <= from.running)
		return false;

	between->cycles = to.cycles - from.cycles;
	between->running = to.running - from.running;

	return true;
}

/* How many rounds fill a window; 0 if the counter does not count */
static unsigned long rounds_of_window(int fd)
{
	uint64_t ns = UINT64_MAX;
	struct reading one;
	unsigned int i;

	for (i = 0; i < FIRST_WINDOWS; i++) {
		if (window(&one, fd, FIRST_ROUNDS) && one.cycles &&
		    one.running < ns)
			ns = one.running;
	}

	return ns == UINT64_MAX ? 0 : (unsigned long)
		(FIRST_ROUNDS * (double)WINDOW_NS / (double)ns);
}

/* Cycles per microsecond in a window, without those of an empty window */
static double window_mhz(const struct reading *full,
			 const struct reading *empty)
{
	if (full->running <= empty->running || full->cycles <= empty->cycles)
		return 0;

	return (double)(full->cycles - empty->cycles) * NS_PER_US /
	       (double)(full->running - empty->running);
}

static double windows_mhz(int fd, unsigned long rounds)
{
	struct reading empty = { .running = UINT64_MAX }, one, full[WINDOWS];
	unsigned int i, nr = 0;
	double mhz, most = 0;

	for (i = 0; i < WINDOWS; i++) {
		if (window(&one, fd, 0) && one.running < empty.running)
			empty = one;
		nr += window(&full[nr], fd, rounds);
	}
	for (i = 0; i < nr; i++) {
		mhz = window_mhz(&full[i], &empty);
		if (mhz > most)
			most = mhz;
	}

	return most;
}

/**
 * ixp_clock_measure() - measure the clock rate of the processor that runs the caller
 *
 * In kernel mode the counter stands still, but the event's time goes on. So a window
 * with an interrupt shows a rate that is too low. No window shows a rate that is too
 * high, because only the smallest overhead of the reads is subtracted. Windows are
 * shorter than the clock tick of any kernel, so some have no interrupt: these show the
 * highest rate, which is the result.
 *
 * Return: MHz, or 0 if no cycles can be counted.
 */
unsigned int ixp_clock_measure(void)
{
	int fd = cycles_open();
	unsigned long rounds;
	double mhz = 0;

	if (fd < 0)
		return 0;
	rounds = rounds_of_window(fd);
	if (rounds)
		mhz = windows_mhz(fd, rounds);
	ixp_kernel.perf_close(fd);

	return (unsigned int)(mhz + 0.5);
}

/**
 * ixp_clock_mhz() - look up a processor's clock rate
 * @cpu: its number
 * @cpuinfo: its part of /proc/cpuinfo
 *
 * The nominal rate takes precedence over the current one.
 *
 * Return: MHz, or 0 if the kernel does not tell.
 */
unsigned int ixp_clock_mhz(unsigned int cpu, const char *cpuinfo)
{
	unsigned int mhz = clock_cpufreq(cpu, "base_frequency");

	if (!mhz)
		mhz = clock_cpufreq(cpu, "cpuinfo_max_freq");
	if (!mhz)
		mhz = clock_devicetree(cpu);
	if (!mhz)
		mhz = clock_cpuinfo(cpuinfo);

	return mhz;
}
