// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The stat file of a process or thread, which every user may read, and the units that it
 * uses. Reading it allocates no memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "pstat.h"
#include "kernel.h"

#define NSEC		1000000000ULL
#define STAT_SIZE	2048	/* 52 numbers of at most 20 digits, and a name */

/**
 * ixp_pstat_read() - read and parse a stat file
 * @st: gets the result
 * @folder: a directory in /proc
 * @name: the file's name there
 *
 * The text is "12 (name) S 1 ..."; the name may contain parentheses and blanks.
 *
 * Return: 0; -ESRCH if the process is gone; or another error of reading.
 */
int ixp_pstat_read(struct ixp_pstat *st, int folder, const char *name)
{
	char text[STAT_SIZE], *open, *close, *at, *end;
	ssize_t n = ixp_file_read_at(folder, name, text, sizeof(text));
	unsigned int i;

	memset(st, 0, sizeof(*st));
	if (n < 0)
		return n == -ENOENT ? -ESRCH : (int)n;
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return -EIO;

	st->pid = (pid_t)atoi(text);
	snprintf(st->comm, sizeof(st->comm), "%.*s", (int)(close - open - 1),
		 open + 1);
	st->state = close[2];
	at = close + 3;
	for (i = IXP_STAT_PPID; i < IXP_STAT_FIELDS; i++, at = end) {
		st->field[i] = strtoull(at, &end, 10);
		if (end == at)
			break;
	}

	return 0;
}

/* Is it this process? Its PID in this /proc may differ from getpid(2): namespaces */
bool ixp_pstat_self(const struct ixp_pstat *st)
{
	char path[PATH_MAX], name[16];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/proc/self", ixp_kernel.root);
	n = readlink(path, name, sizeof(name) - 1);
	if (n <= 0)
		return false;
	name[n] = '\0';

	return atoi(name) == st->pid;
}

static uint64_t ticks_ns(uint64_t ticks)
{
	long hz = sysconf(_SC_CLK_TCK);
	uint64_t per = hz > 0 ? (uint64_t)hz : 100;

	return ticks / per * NSEC + ticks % per * (NSEC / per);
}

static void time_of_ns(timespec_t *time, uint64_t ns)
{
	time->tv_sec = (time_t)(ns / NSEC);
	time->tv_nsec = (long)(ns % NSEC);
}

void ixp_pstat_ticks(timespec_t *time, uint64_t ticks)
{
	time_of_ns(time, ticks_ns(ticks));
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);

	return (uint64_t)now.tv_sec * NSEC + (uint64_t)now.tv_nsec;
}

/* When the machine was booted. Of some looks at both clocks the shortest counts */
static uint64_t boot_ns(void)
{
	uint64_t least = UINT64_MAX, boot = 0, before, real, after;
	int looks;

	for (looks = 0; looks < 8 && least > 10000; looks++) {
		before = clock_ns(CLOCK_BOOTTIME);
		real = clock_ns(CLOCK_REALTIME);
		after = clock_ns(CLOCK_BOOTTIME);
		if (after - before >= least)
			continue;
		least = after - before;
		boot = real - before - least / 2;
	}

	return boot;
}

/*
 * The kernel gives ticks since boot. The boot time is computed anew each time, so the
 * result changes if the system's clock is set; it is rounded to a tick, so otherwise
 * the result is always the same.
 */
void ixp_pstat_start(timespec_t *time, const struct ixp_pstat *st)
{
	uint64_t tick = ticks_ns(1);
	uint64_t boot = (boot_ns() + tick / 2) / tick * tick;

	time_of_ns(time, boot + ticks_ns(st->field[IXP_STAT_STARTTIME]));
}

/* IRIX counts memory in pages; a part of a page counts as one */
uint64_t ixp_pages(uint64_t bytes)
{
	uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);

	return (bytes + size - 1) / size;
}
