// SPDX-License-Identifier: LGPL-2.1-or-later
/* /proc/<pid>/stat, which every user may read, and the units that it uses. */
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
#include "readfile.h"

#define NSEC		1000000000ULL
#define STAT_FIRST	IXP_STAT_PPID

static void stat_numbers(struct ixp_pstat *st, const char *text)
{
	unsigned int i;
	char *end;

	for (i = STAT_FIRST; i < IXP_STAT_FIELDS; i++) {
		st->field[i] = strtoull(text, &end, 10);
		if (end == text)
			break;
		text = end;
	}
}

/* The text is "12 (name) S 1 ..."; the name may contain parentheses and blanks */
static int stat_parse(struct ixp_pstat *st, const char *text)
{
	const char *open = strchr(text, '(');
	const char *close = strrchr(text, ')');

	memset(st, 0, sizeof(*st));
	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return -EIO;

	st->pid = (pid_t)atoi(text);
	snprintf(st->comm, sizeof(st->comm), "%.*s", (int)(close - open - 1),
		 open + 1);
	st->state = close[2];
	stat_numbers(st, close + 3);

	return 0;
}

/* Return: 0; -ESRCH if the process is gone; or another error of reading */
int ixp_pstat_read(struct ixp_pstat *st, int folder)
{
	char *text;
	int ret;

	ret = ixp_readfile_at(&text, NULL, folder, "stat");
	if (ret == -ENOENT)
		return -ESRCH;
	if (ret < 0)
		return ret;

	ret = stat_parse(st, text);
	free(text);

	return ret;
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
