/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of IRIX's /proc interface that counter programs use, added to the
 * system's own <sys/procfs.h>. Both declare prpsinfo_t: here the name means
 * IRIX's type; Linux's is struct elf_prpsinfo.
 *
 * The request numbers are this library's own: IRIX programs have to be
 * recompiled. The numbers encode no size or direction, so they fit the int that
 * some C libraries declare as ioctl()'s second parameter.
 */
#pragma GCC system_header
#ifndef _IRIXPERF_SYS_PROCFS_H
#define prpsinfo_t __irixperf_elf_prpsinfo_t
#include_next <sys/procfs.h>
#undef prpsinfo_t
#define _IRIXPERF_SYS_PROCFS_H

#include <sys/ioctl.h>
#include <sys/hwperftypes.h>
#include <sys/timers.h>

#define PIOCENEVCTRS	(('q' << 8) | 0xe0)	/* hwperf_profevctrarg_t * */
#define PIOCGETEVCTRS	(('q' << 8) | 0xe1)	/* hwperf_cntr_t * */
#define PIOCGETPREVCTRS	(('q' << 8) | 0xe2)	/* hwperf_prusage_t * */
#define PIOCGETEVCTRL	(('q' << 8) | 0xe3)	/* hwperf_eventctrl_t * */
#define PIOCSETEVCTRL	(('q' << 8) | 0xe4)	/* hwperf_profevctrarg_t * */
#define PIOCRELEVCTRS	(('q' << 8) | 0xe5)	/* no argument */
#define PIOCSAVECCNTRS	(('q' << 8) | 0xe6)	/* pid_t of the child */

#define PIOCPSINFO	(('q' << 8) | 0xd0)	/* prpsinfo_t * */
#define PIOCUSAGE	(('q' << 8) | 0xd1)	/* prusage_t * */
#define PIOCGETPTIMER	(('q' << 8) | 0xd2)	/* timespec_t[MAX_PROCTIMER] */
#define PIOCNMAP	(('q' << 8) | 0xd3)	/* int * */
#define PIOCMAP		(('q' << 8) | 0xd4)	/* prmap_t[PIOCNMAP's + 1] */

/*
 * What a process has used: the members of hwperf_prusage_t in the same order,
 * without the counters. irixperf-proc(5) lists those that Linux can fill.
 */
typedef struct prusage {
	timespec_t pu_tstamp;		/* time stamp */
	timespec_t pu_starttime;	/* time process was started */
	timespec_t pu_utime;		/* user CPU time */
	timespec_t pu_stime;		/* system CPU time */
	__uint64_t pu_minf;		/* minor (mapping) page faults */
	__uint64_t pu_majf;		/* major (disk) page faults */
	__uint64_t pu_utlb;		/* user TLB misses */
	__uint64_t pu_nswap;		/* swaps (process only) */
	__uint64_t pu_gbread;		/* gigabytes ... */
	__uint64_t pu_bread;		/* and bytes read */
	__uint64_t pu_gbwrit;		/* gigabytes ... */
	__uint64_t pu_bwrit;		/* and bytes written */
	__uint64_t pu_sigs;		/* signals received */
	__uint64_t pu_vctx;		/* voluntary context switches */
	__uint64_t pu_ictx;		/* involuntary context switches */
	__uint64_t pu_sysc;		/* system calls */
	__uint64_t pu_syscr;		/* read() system calls */
	__uint64_t pu_syscw;		/* write() system calls */
	__uint64_t pu_syscps;		/* poll() or select() system calls */
	__uint64_t pu_sysci;		/* ioctl() system calls */
	__uint64_t pu_graphfifo;	/* graphics pipeline stalls */
	__uint64_t pu_graph_req[8];	/* graphics resource requests */
	__uint64_t pu_graph_wait[8];	/* graphics resource waits */
	__uint64_t pu_size;		/* swappable image in pages */
	__uint64_t pu_rss;		/* resident set size */
	__uint64_t pu_inblock;		/* block input operations */
	__uint64_t pu_oublock;		/* block output operations */
	__uint64_t pu_vfault;		/* total number of vfaults */
	__uint64_t pu_ktlb;		/* kernel TLB misses */
} prusage_t;

#define PRCLSZ		8
#define PRCOMSIZ	32
#define PRARGSZ		80
#define PRNODEV		((dev_t)-1)

/* What ps(1) shows of a process */
typedef struct prpsinfo {
	signed char pr_state;		/* pr_sname as a number */
	char pr_sname;			/* state: R, S, D, T, Z, ... */
	char pr_zomb;			/* 1 for a zombie */
	signed char pr_nice;		/* nice value */
	unsigned int pr_flag;		/* flags of the kernel */
	uid_t pr_uid;			/* real user id */
	gid_t pr_gid;			/* real group id */
	uid_t pr_euid;			/* effective user id */
	gid_t pr_egid;			/* effective group id */
	pid_t pr_pid;			/* process id */
	pid_t pr_ppid;			/* parent's process id */
	pid_t pr_pgrp;			/* process group */
	pid_t pr_sid;			/* session */
	char *pr_addr;			/* unknown: NULL */
	char *pr_wchan;			/* unknown: NULL */
	long pr_size;			/* size in pages */
	long pr_rssize;			/* resident set size in pages */
	timespec_t pr_start;		/* time process was started */
	timespec_t pr_time;		/* user and system CPU time */
	timespec_t pr_ctime;		/* the same of children waited for */
	long pr_pri;			/* priority */
	dev_t pr_ttydev;		/* terminal, or PRNODEV */
	int pr_thds;			/* threads */
	int pr_sonproc;			/* processor running on, or -1 */
	char pr_clname[PRCLSZ];		/* scheduling class */
	char pr_fname[PRCOMSIZ];	/* last component of the program's name */
	char pr_psargs[PRARGSZ];	/* start of the arguments */
} prpsinfo_t;

/* pr_mflags */
#define MA_EXEC		0x01
#define MA_WRITE	0x02
#define MA_READ		0x04
#define MA_SHARED	0x08
#define MA_BREAK	0x10	/* the heap */
#define MA_STACK	0x20	/* the stack */

/* One mapping; the array ends with one whose size is 0 */
typedef struct prmap {
	char *pr_vaddr;			/* its address */
	unsigned long pr_size;		/* its size in bytes */
	__uint64_t pr_off;		/* offset into what is mapped */
	unsigned long pr_mflags;	/* MA_* */
} prmap_t;

#endif
