// SPDX-License-Identifier: GPL-2.0-only
/*
 * What costs are measured on: loops around one thing, between the marks that
 * tests/bench/where.c looks for.
 *
 * usage: cost WINDOW overflow|sample|plain|switch|bare-switch|read N
 *
 * "plain" is the loop of "overflow" and "sample" without an event, "bare-switch"
 * that of "switch". Prints how often the thing has happened.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "marks.h"

#define PERIOD	2000
#define LOOP	8		/* instructions of one turn of loop_int() */
#define RING	(1 + 8)		/* pages */
#define SAMPLE	40		/* bytes: header, IP, task, time, period */

/* tests/guest/loops.S */
unsigned long loop_int(unsigned long n, void *unused);

/* In user mode, so that what is measured does not count itself */
static int open_event(uint64_t config, uint64_t period, uint64_t sample_type)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = sample_type,
		.exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		err(1, "event %d", (int)config);
	return fd;
}

static uint64_t count(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		err(1, "read");
	return value;
}

static void run_loop(unsigned long n)
{
	loop_int(n * (PERIOD / LOOP), NULL);
}

/* An event that interrupts, and nobody who takes the samples */
static unsigned long overflow(unsigned long n)
{
	int fd = open_event(PERF_COUNT_HW_INSTRUCTIONS, PERIOD, 0);
	uint64_t first;

	run_loop(100);
	first = count(fd);
	begin();
	run_loop(n);
	end();
	return (count(fd) - first) / PERIOD;
}

/* A ring that is overwritten takes all samples the same way. */
static unsigned long sample(unsigned long n)
{
	int fd = open_event(PERF_COUNT_HW_INSTRUCTIONS, PERIOD,
			    PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	struct perf_event_mmap_page *page;
	uint64_t head;

	page = mmap(NULL, RING * sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		    fd, 0);
	if (page == MAP_FAILED)
		err(1, "mmap");
	run_loop(100);
	head = page->data_head;
	begin();
	run_loop(n);
	end();
	return (page->data_head - head) / SAMPLE;
}

static unsigned long plain(unsigned long n)
{
	run_loop(n);
	begin();
	run_loop(n);
	end();
	return n;
}

static void pass(int from, int to)
{
	char c;

	if (read(from, &c, 1) != 1 || write(to, &c, 1) != 1)
		err(1, "pipe");
}

static void open_pair(int fd[2])
{
	fd[0] = open_event(PERF_COUNT_HW_CPU_CYCLES, 0, 0);
	fd[1] = open_event(PERF_COUNT_HW_INSTRUCTIONS, 0, 0);
}

static void check_pair(const int fd[2])
{
	if (!count(fd[0]) || !count(fd[1]))
		errx(1, "an event has not counted");
}

static void other_task(int from, int to, bool events)
{
	int fd[2];
	char c;

	if (events)
		open_pair(fd);
	while (read(from, &c, 1) == 1 && c)
		if (write(to, &c, 1) != 1)
			err(1, "pipe");
	if (events)
		check_pair(fd);
	exit(0);
}

/* One task wakes the other and sleeps: two switches each turn */
static unsigned long switches(unsigned long n, bool events)
{
	int there[2], back[2], fd[2], status;
	unsigned long i;

	if (pipe(there) || pipe(back))
		err(1, "pipe");
	if (!fork())
		other_task(there[0], back[1], events);
	if (events)
		open_pair(fd);
	if (write(there[1], "x", 1) != 1)
		err(1, "pipe");
	for (i = 0; i < 20; i++)
		pass(back[0], there[1]);
	begin();
	for (i = 0; i < n / 2; i++)
		pass(back[0], there[1]);
	end();
	if (events)
		check_pair(fd);
	if (write(there[1], "", 1) != 1 || wait(&status) < 0 || status)
		errx(1, "the other task failed");
	return n;
}

static unsigned long reads(unsigned long n)
{
	int fd = open_event(PERF_COUNT_HW_INSTRUCTIONS, 0, 0);
	unsigned long i;

	count(fd);
	begin();
	for (i = 0; i < n; i++)
		count(fd);
	end();
	return n;
}

static unsigned long run(const char *what, unsigned long n)
{
	if (!strcmp(what, "overflow"))
		return overflow(n);
	if (!strcmp(what, "sample"))
		return sample(n);
	if (!strcmp(what, "plain"))
		return plain(n);
	if (!strcmp(what, "switch"))
		return switches(n, true);
	if (!strcmp(what, "bare-switch"))
		return switches(n, false);
	if (!strcmp(what, "read"))
		return reads(n);
	errx(2, "what is '%s'?", what);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		errx(2, "usage: cost WINDOW WHAT N");
	window = atoi(argv[1]) & 127;
	printf("%u %lu\n", window, run(argv[2], atol(argv[3])));
	return 0;
}
