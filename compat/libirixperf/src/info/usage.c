// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a process has used, for PIOCGETPREVCTRS and PIOCUSAGE. irixperf-proc(5) tells
 * where each member comes from, and which members are 0 because Linux does not count
 * such things.
 *
 * Only the stat file is required. A member is 0 if the kernel was not built to count
 * it, if the caller may not read it, or if the process is a zombie and has lost it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include "usage.h"
#include "pstat.h"
#include "readfile.h"

#define GIGABYTE	(1ULL << 30)
#define BLOCK		512	/* bytes; the unit of getrusage(2) */

#define PU(member)	offsetof(hwperf_prusage_t, member)

/* A row of a table: which member of hwperf_prusage_t gets the number after @key */
struct place {
	const char *key;
	size_t offset;
};

static const struct place io_places[] = {
	{ "rchar", PU(pu_bread) },	{ "wchar", PU(pu_bwrit) },
	{ "syscr", PU(pu_syscr) },	{ "syscw", PU(pu_syscw) },
	{ "read_bytes", PU(pu_inblock) }, { "write_bytes", PU(pu_oublock) },
};

#define IO_PLACES	(sizeof(io_places) / sizeof(io_places[0]))

static void usage_io(hwperf_prusage_t *usage, int folder)
{
	char *text;
	size_t i;

	if (ixp_readfile_at(&text, NULL, folder, "io") < 0)
		return;

	for (i = 0; i < IO_PLACES; i++)
		ixp_line_number((uint64_t *)((char *)usage + io_places[i].offset),
				text, io_places[i].key);
	free(text);

	usage->pu_gbread = usage->pu_bread / GIGABYTE;
	usage->pu_bread %= GIGABYTE;
	usage->pu_gbwrit = usage->pu_bwrit / GIGABYTE;
	usage->pu_bwrit %= GIGABYTE;
	usage->pu_inblock /= BLOCK;
	usage->pu_oublock /= BLOCK;
}

static void usage_switches(hwperf_prusage_t *usage, int tasks, const char *tid)
{
	uint64_t number;
	char name[300];
	char *text;

	snprintf(name, sizeof(name), "%s/status", tid);
	if (ixp_readfile_at(&text, NULL, tasks, name) < 0)
		return;

	if (ixp_line_number(&number, text, "voluntary_ctxt_switches"))
		usage->pu_vctx += number;
	if (ixp_line_number(&number, text, "nonvoluntary_ctxt_switches"))
		usage->pu_ictx += number;
	free(text);
}

/* Add up the context switches of all threads; those that have ended are not included */
static void usage_tasks(hwperf_prusage_t *usage, int folder)
{
	int fd = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *task;

	if (!tasks) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((task = readdir(tasks)))
		if (task->d_name[0] != '.')
			usage_switches(usage, fd, task->d_name);
	closedir(tasks);
}

/* The struct rusage of the system call waitid(2); C libraries may have another one */
struct kernel_rusage {
	long utime[2];
	long stime[2];
	long maxrss;
	long memory[3];
	long minflt;
	long majflt;
	long nswap;
	long inblock;
	long oublock;
	long messages[2];
	long signals;
	long nvcsw;
	long nivcsw;
};

static void usage_time(timespec_t *time, long sec, long usec)
{
	time->tv_sec = sec;
	time->tv_nsec = usec * 1000;
}

/*
 * If the process is a zombie and a child of the caller, waitid(2) with WNOWAIT gives
 * times in microseconds, and includes threads that have ended. But it also includes
 * children for which the zombie has waited. Each of these had at least one page fault:
 * if the stat file shows faults of such children, waitid(2) is not used.
 */
static void usage_zombie(hwperf_prusage_t *usage, const struct ixp_pstat *st)
{
	struct kernel_rusage ru = { 0 };
	siginfo_t info = { 0 };

	if (st->state != 'Z' || (pid_t)st->field[IXP_STAT_PPID] != getpid() ||
	    st->field[IXP_STAT_CMINFLT] || st->field[IXP_STAT_CMAJFLT])
		return;
	if (syscall(SYS_waitid, P_PID, st->pid, &info,
		    WEXITED | WNOHANG | WNOWAIT, &ru) < 0 ||
	    info.si_pid != st->pid)
		return;

	usage_time(&usage->pu_utime, ru.utime[0], ru.utime[1]);
	usage_time(&usage->pu_stime, ru.stime[0], ru.stime[1]);
	usage->pu_vctx = (uint64_t)ru.nvcsw;
	usage->pu_ictx = (uint64_t)ru.nivcsw;
}

static void usage_self(hwperf_prusage_t *usage)
{
	struct rusage ru;

	if (getrusage(RUSAGE_SELF, &ru) < 0)
		return;

	usage_time(&usage->pu_utime, ru.ru_utime.tv_sec, ru.ru_utime.tv_usec);
	usage_time(&usage->pu_stime, ru.ru_stime.tv_sec, ru.ru_stime.tv_usec);
	usage->pu_minf = (uint64_t)ru.ru_minflt;
	usage->pu_majf = (uint64_t)ru.ru_majflt;
	usage->pu_vctx = (uint64_t)ru.ru_nvcsw;
	usage->pu_ictx = (uint64_t)ru.ru_nivcsw;
	usage->pu_inblock = (uint64_t)ru.ru_inblock;
	usage->pu_oublock = (uint64_t)ru.ru_oublock;
}

/**
 * ixp_usage_of() - tell what a process has used
 * @folder: a descriptor of the directory /proc/<pid>
 * @usage: gets the result; its counters are 0
 *
 * Return: 0; -ESRCH if the process is gone; or another error of reading its stat file.
 * After an error @usage is unchanged.
 */
int ixp_usage_of(int folder, hwperf_prusage_t *usage)
{
	struct ixp_pstat st;
	int ret;

	ret = ixp_pstat_read(&st, folder, "stat");
	if (ret < 0)
		return ret;

	memset(usage, 0, sizeof(*usage));
	ixp_pstat_start(&usage->pu_starttime, &st);
	ixp_pstat_ticks(&usage->pu_utime, st.field[IXP_STAT_UTIME]);
	ixp_pstat_ticks(&usage->pu_stime, st.field[IXP_STAT_STIME]);
	usage->pu_minf = st.field[IXP_STAT_MINFLT];
	usage->pu_majf = st.field[IXP_STAT_MAJFLT];
	usage->pu_size = ixp_pages(st.field[IXP_STAT_VSIZE]);
	usage->pu_rss = st.field[IXP_STAT_RSS];
	usage_io(usage, folder);
	if (ixp_pstat_self(&st)) {
		usage_self(usage);
	} else {
		usage_tasks(usage, folder);
		usage_zombie(usage, &st);
	}
	usage->pu_vfault = usage->pu_minf + usage->pu_majf;
	clock_gettime(CLOCK_REALTIME, &usage->pu_tstamp);

	return 0;
}
