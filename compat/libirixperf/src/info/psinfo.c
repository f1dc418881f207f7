// SPDX-License-Identifier: LGPL-2.1-or-later
/* What ps(1) shows of a process, for PIOCPSINFO. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <time.h>
#include <sys/procfs.h>
#include "psinfo.h"
#include "pstat.h"
#include "readfile.h"
#include "status.h"

#define COMM_MAX	15	/* where the kernel cuts off a program's name */

static const char states[] = "RSDTtXZPI";

/* The names that ps(1) has for scheduling policies, by the kernel's numbers */
static const char *const classes[] = { "TS", "FF", "RR", "B", "ISO", "IDL",
				       "DLN", "EXT" };

/*
 * The kernel's number of a terminal has, from bit 31 down: the 12 high bits of the minor
 * number, the 12 bits of the major number, the 8 low bits of the minor number.
 */
static dev_t info_tty(uint64_t tty)
{
	unsigned int minor = (unsigned int)((tty & 0xff) |
					    (tty >> 12 & 0xfff00));

	return tty ? makedev((unsigned int)(tty >> 8 & 0xfff), minor) : PRNODEV;
}

/* The process' CPU clock is exact to nanoseconds, the stat file only to ticks */
static void info_time(prpsinfo_t *info, const struct ixp_pstat *st)
{
	clockid_t clock;

	if (clock_getcpuclockid(st->pid, &clock) == 0 &&
	    clock_gettime(clock, &info->pr_time) == 0)
		return;
	ixp_pstat_ticks(&info->pr_time, st->field[IXP_STAT_UTIME] +
			st->field[IXP_STAT_STIME]);
}

/* If the kernel has cut off the name, the first argument may have all of it */
static void info_name(prpsinfo_t *info, const char *comm, const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *base = slash ? slash + 1 : program;

	if (strlen(comm) < COMM_MAX || strncmp(base, comm, COMM_MAX) != 0)
		base = comm;
	snprintf(info->pr_fname, sizeof(info->pr_fname), "%.*s", PRCOMSIZ - 1,
		 base);
}

/* The arguments, which end in null characters; kernel threads and zombies have none */
static void info_command(prpsinfo_t *info, const char *comm, int folder)
{
	size_t len = 0, i;
	char *text;

	if (ixp_readfile_at(&text, &len, folder, "cmdline") < 0)
		text = NULL;

	info_name(info, comm, text ? text : "");
	while (len > 0 && !text[len - 1])
		len--;
	for (i = 0; i < len; i++)
		if (!text[i])
			text[i] = ' ';
	snprintf(info->pr_psargs, sizeof(info->pr_psargs), "%s",
		 len ? text : comm);
	free(text);
}

/**
 * ixp_psinfo_of() - tell what ps(1) shows of a process
 * @folder: a descriptor of the directory /proc/<pid>
 * @info: gets the result
 *
 * Return: 0; -ESRCH if the process is gone; or another error of reading its stat file.
 */
int ixp_psinfo_of(int folder, prpsinfo_t *info)
{
	const size_t nr_classes = sizeof(classes) / sizeof(classes[0]);
	struct ixp_pstat st;
	const uint64_t *field = st.field;
	const char *state;
	unsigned int id[3];
	int ret;

	ret = ixp_pstat_read(&st, folder, "stat");
	if (ret < 0)
		return ret;

	memset(info, 0, sizeof(*info));
	info->pr_pid = st.pid;
	info->pr_ppid = (pid_t)field[IXP_STAT_PPID];
	info->pr_pgrp = (pid_t)field[IXP_STAT_PGRP];
	info->pr_sid = (pid_t)field[IXP_STAT_SESSION];
	info->pr_ttydev = info_tty(field[IXP_STAT_TTY]);
	if (ixp_status_ids(folder, "Uid", id) == 0) {
		info->pr_uid = id[0];
		info->pr_euid = id[1];
	}
	if (ixp_status_ids(folder, "Gid", id) == 0) {
		info->pr_gid = id[0];
		info->pr_egid = id[1];
	}

	state = strchr(states, st.state);
	info->pr_state = state ? (signed char)(state - states) : -1;
	info->pr_sname = st.state;
	info->pr_zomb = st.state == 'Z';
	info->pr_nice = (signed char)field[IXP_STAT_NICE];
	info->pr_flag = (unsigned int)field[IXP_STAT_FLAGS];
	info->pr_pri = (long)field[IXP_STAT_PRIORITY];
	info->pr_thds = (int)field[IXP_STAT_THREADS];
	info->pr_sonproc = st.state == 'R' ? (int)field[IXP_STAT_PROCESSOR] : -1;
	snprintf(info->pr_clname, sizeof(info->pr_clname), "%s",
		 field[IXP_STAT_POLICY] < nr_classes ?
		 classes[field[IXP_STAT_POLICY]] : "?");

	info->pr_size = (long)ixp_pages(field[IXP_STAT_VSIZE]);
	info->pr_rssize = (long)field[IXP_STAT_RSS];
	ixp_pstat_start(&info->pr_start, &st);
	info_time(info, &st);
	ixp_pstat_ticks(&info->pr_ctime, field[IXP_STAT_CUTIME] +
			field[IXP_STAT_CSTIME]);
	info_command(info, st.comm, folder);

	return 0;
}
