/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Linux tells about processes and processors in small text files, as far
 * as the files of libirixperf share it. Paths are below ixp_kernel.root.
 */
#ifndef IXP_INFO_H
#define IXP_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/procfs.h>
#include "internal.h"

/* readfile.c */
int ixp_folder_open(const char *path);
int ixp_readfile_at(char **text, size_t *len, int folder, const char *name);
int ixp_readfile(char **text, const char *path);
const char *ixp_line_value(const char *text, const char *key);
bool ixp_line_number(uint64_t *number, const char *text, const char *key);

/* Fields of /proc/<pid>/stat, numbered as in proc_pid_stat(5) */
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
 * struct ixp_pstat - /proc/<pid>/stat
 * @pid: the process, as this /proc numbers it
 * @state: its state, a letter; "Z" for a zombie
 * @comm: the name of its program, cut off by the kernel after 15 characters
 * @field: the numbers, by IXP_STAT_*; 0 for those that an old kernel lacks
 */
struct ixp_pstat {
	pid_t pid;
	char state;
	char comm[64];
	uint64_t field[IXP_STAT_FIELDS];
};

/* pstat.c; @folder is /proc/<pid> */
int ixp_pstat_read(struct ixp_pstat *st, int folder);
bool ixp_pstat_self(const struct ixp_pstat *st);
void ixp_pstat_ticks(timespec_t *time, uint64_t ticks);
void ixp_pstat_start(timespec_t *time, const struct ixp_pstat *st);
uint64_t ixp_pages(uint64_t bytes);

/* usage.c */
int ixp_usage_of(int folder, hwperf_prusage_t *usage);

/* psinfo.c, memmap.c; @folder is /proc/<pid> */
int ixp_psinfo_of(int folder, prpsinfo_t *info);
int ixp_memmap_count(int folder);
int ixp_memmap_copy(int folder, prmap_t *maps);

/* info.c: the requests of /proc that have nothing to do with counters */
int ixp_info_ioctl(int fd, unsigned int request, void *arg);

/* cpus.c: how many processors, by the name of a list in sysfs */
int ixp_cpus(const char *list);

/* clock.c: the clock of a processor in MHz, or 0 */
unsigned int ixp_clock_mhz(unsigned int cpu, const char *cpuinfo);
unsigned int ixp_clock_measure(void);

/* Of whoever implements SGI_EVENTCTR */
int ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			uintptr_t arg3);

#endif
