// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the calls of libirixperf cost, beside the calls of the kernel that give
 * the same: loops around one of them, between marks.
 *
 * usage: calls WINDOW WHAT N
 *
 * WHAT is one of the table at the end. Prints how often it was called.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/procfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "marks.h"

#define EVENTS	32
#define HALF	16
#define PAGE	4096

/*
 * The arguments of requests. The stack begins elsewhere in each run: what lies
 * there lies in two pages now and then, and costs more.
 */
static char memory[2 * PAGE] __attribute__((aligned(PAGE)));

#define WITHIN	((void *)memory)
#define ACROSS	((void *)(memory + PAGE - 64))

static int fd[EVENTS];

static int open_one(unsigned int event, int group, uint64_t read_format)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = event,
		.read_format = read_format,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int event_fd = syscall(SYS_perf_event_open, &attr, 0, -1, group,
			       PERF_FLAG_FD_CLOEXEC);

	if (event_fd < 0)
		err(1, "event %u", event);
	return event_fd;
}

/* Events that can count at the same time, one of each half */
static void open_pair(unsigned int event, uint64_t read_format)
{
	fd[event] = open_one(event, -1, read_format);
	fd[event + HALF] = open_one(event + HALF, fd[event], 0);
}

static void read_one(int event_fd, void *buf, size_t size)
{
	if (read(event_fd, buf, size) <= 0)
		err(1, "read");
}

/* Two read(2), each of one event */
static void bare_get_2(unsigned long n)
{
	uint64_t value[2];

	open_pair(9, 0);
	begin();
	while (n--) {
		read_one(fd[9], &value[0], sizeof(value[0]));
		read_one(fd[9 + HALF], &value[1], sizeof(value[1]));
	}
	end();
}

/* Groups of two that take turns: nothing gives 32 events in fewer calls */
static void bare_get_32(unsigned long n)
{
	uint64_t value[HALF][3];
	int i;

	for (i = 0; i < HALF; i++)
		open_pair(i, PERF_FORMAT_GROUP);
	begin();
	while (n--)
		for (i = 0; i < HALF; i++)
			read_one(fd[i], value[i], sizeof(value[i]));
	end();
}

/* Those of before are closed, as PIOCENEVCTRS does */
static void bare_open(unsigned long n, unsigned int first, unsigned int pairs)
{
	unsigned int i;

	for (i = first; i < first + pairs; i++)
		open_pair(i, 0);
	begin();
	while (n--)
		for (i = first; i < first + pairs; i++) {
			close(fd[i + HALF]);
			close(fd[i]);
			open_pair(i, 0);
		}
	end();
}

static void bare_open_2(unsigned long n)
{
	bare_open(n, 9, 1);
}

static void bare_open_32(unsigned long n)
{
	bare_open(n, 0, HALF);
}

static hwperf_profevctrarg_t *arg = WITHIN;
static int process;

static void want(unsigned int event)
{
	hwperf_ctrl_t *ctrl = &arg->hwp_evctrargs.hwp_evctrl[event];

	ctrl->hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	ctrl->hwperf_creg.hwp_ie = 1;
	ctrl->hwperf_creg.hwp_ev = event % HALF;
}

static void want_pairs(unsigned int first, unsigned int pairs)
{
	unsigned int i;
	char path[32];

	for (i = first; i < first + pairs; i++) {
		want(i);
		want(i + HALF);
	}
	snprintf(path, sizeof(path), "/proc/%05d", getpid());
	process = open(path, O_RDWR);
	if (process < 0)
		err(1, "%s", path);
}

static void enable(void)
{
	if (ioctl(process, PIOCENEVCTRS, arg) <= 0)
		err(1, "PIOCENEVCTRS");
}

static void release(void)
{
	if (ioctl(process, PIOCRELEVCTRS, NULL) < 0)
		err(1, "PIOCRELEVCTRS");
}

static void get(unsigned long n, hwperf_cntr_t *counts)
{
	enable();
	if (ioctl(process, PIOCGETEVCTRS, counts) <= 0)
		err(1, "PIOCGETEVCTRS");
	begin();
	while (n--)
		if (ioctl(process, PIOCGETEVCTRS, counts) <= 0)
			err(1, "PIOCGETEVCTRS");
	end();
}

static void get_2(unsigned long n)
{
	want_pairs(9, 1);
	get(n, WITHIN);
}

static void get_2_across(unsigned long n)
{
	want_pairs(9, 1);
	get(n, ACROSS);
}

static void get_32(unsigned long n)
{
	want_pairs(0, HALF);
	get(n, WITHIN);
}

static void acquire(unsigned long n)
{
	enable();
	begin();
	while (n--)
		enable();
	end();
}

static void acquire_2(unsigned long n)
{
	want_pairs(9, 1);
	acquire(n);
}

static void acquire_2_across(unsigned long n)
{
	arg = ACROSS;
	acquire_2(n);
}

static void acquire_32(unsigned long n)
{
	want_pairs(0, HALF);
	acquire(n);
}

/* All that a program does once */
static void first_2(unsigned long n)
{
	want_pairs(9, 1);
	begin();
	while (n--) {
		enable();
		release();
	}
	end();
}

static const struct {
	const char *name;
	void (*run)(unsigned long n);
} table[] = {
	{ "bare-get-2", bare_get_2 },
	{ "get-2", get_2 },
	{ "get-2-across", get_2_across },
	{ "bare-get-32", bare_get_32 },
	{ "get-32", get_32 },
	{ "bare-acquire-2", bare_open_2 },
	{ "acquire-2", acquire_2 },
	{ "acquire-2-across", acquire_2_across },
	{ "bare-acquire-32", bare_open_32 },
	{ "acquire-32", acquire_32 },
	{ "first-2", first_2 },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc != 4)
		errx(2, "usage: calls WINDOW WHAT N");
	window = atoi(argv[1]) & 127;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].name, argv[2]))
			continue;
		table[i].run(atol(argv[3]));
		printf("%u %s\n", window, argv[3]);
		return 0;
	}
	errx(2, "what is '%s'?", argv[2]);
}
