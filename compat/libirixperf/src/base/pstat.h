/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stat file of a process or thread, and the units that it uses */
#ifndef IXP_PSTAT_H
#define IXP_PSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/procfs.h>

/* The fields, numbered as in proc_pid_stat(5) */
enum {
	IXP_STAT_PPID = 4,
	IXP_STAT_PGRP = 5,
	IXP_STAT_SESSION = 6,
	IXP_STAT_TTY = 7,
	IXP_STAT_FLAGS = 9,
	IXP_STAT_MINFLT = 10,
	IXP_STAT_CMINFLT = 11,
	IXP_STAT_MAJFLT = 12,
	IXP_STAT_CMAJFLT = 13,
	IXP_STAT_UTIME = 14,
	IXP_STAT_STIME = 15,
	IXP_STAT_CUTIME = 16,
	IXP_STAT_CSTIME = 17,
	IXP_STAT_PRIORITY = 18,
	IXP_STAT_NICE = 19,
	IXP_STAT_THREADS = 20,
	IXP_STAT_STARTTIME = 22,
	IXP_STAT_VSIZE = 23,
	IXP_STAT_RSS = 24,
	IXP_STAT_PROCESSOR = 39,
	IXP_STAT_POLICY = 41,
	IXP_STAT_FIELDS = 42
};

/**
 * struct ixp_pstat - what a stat file says
 * @pid: the PID that this /proc has for the process or thread
 * @state: its state, a letter; "Z" for a zombie
 * @comm: the name of its program, which the kernel cuts off after 15 characters
 * @field: the numbers, by IXP_STAT_*; 0 for those that an old kernel lacks
 */
struct ixp_pstat {
	pid_t pid;
	char state;
	char comm[64];
	uint64_t field[IXP_STAT_FIELDS];
};

int ixp_pstat_read(struct ixp_pstat *st, int folder, const char *name);
bool ixp_pstat_self(const struct ixp_pstat *st);
void ixp_pstat_ticks(timespec_t *time, uint64_t ticks);
void ixp_pstat_start(timespec_t *time, const struct ixp_pstat *st);
uint64_t ixp_pages(uint64_t bytes);

#endif
