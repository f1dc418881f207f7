/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures of the IRIX event counter interface, with the members, types and
 * order that r10k_evcntrs(5) prints (pages 11 to 13).
 *
 * The layout is the same for 32-bit and 64-bit programs up to hwperf_cntr_t:
 * hwperf_ctrl_t has 2 bytes, hwperf_eventctrl_t 64, hwperf_profevctrarg_t 196
 * and hwperf_cntr_t 256.
 */
#ifndef _SYS_HWPERFTYPES_H
#define _SYS_HWPERFTYPES_H

#include <sched.h>	/* struct timespec, in every language standard */
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperfmacros.h>

/* IRIX has these in <sys/types.h> and <sys/time.h> */
typedef unsigned short ushort_t;
typedef struct timespec timespec_t;
#ifndef __GLIBC__
typedef uint64_t __uint64_t;
#endif

/*
 * One control register: 15 [ hwp_ev | hwp_ie | hwp_mode ] 0. IRIX machines are
 * big-endian, where the first bit-field is the highest; a little-endian
 * compiler starts at the other end. hwperf_spec is the same number on both:
 * hwp_ev << 5 | hwp_ie << 4 | hwp_mode.
 */
struct hwperf_ctrlreg {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	__extension__ ushort_t hwp_ev:11;	/* event counted */
	__extension__ ushort_t hwp_ie:1;	/* overflow intr enable */
	__extension__ ushort_t hwp_mode:4;	/* user/kernel/EXL */
#else
	__extension__ ushort_t hwp_mode:4;
	__extension__ ushort_t hwp_ie:1;
	__extension__ ushort_t hwp_ev:11;
#endif
};

typedef union {
	short hwperf_spec;
	struct hwperf_ctrlreg hwperf_creg;
} hwperf_ctrl_t;

typedef struct {
	hwperf_ctrl_t hwp_evctrl[HWPERF_EVENTMAX];
} hwperf_eventctrl_t;

typedef struct hwperf_profevctrarg {
	hwperf_eventctrl_t hwp_evctrargs;
	int hwp_ovflw_freq[HWPERF_EVENTMAX];
	int hwp_ovflw_sig;		/* 1 to 32, or 0 for no signal */
} hwperf_profevctrarg_t;

typedef struct {
	__uint64_t hwp_evctr[HWPERF_EVENTMAX];
} hwperf_cntr_t;

/*
 * The manual page says that hwperf_prusage_t contains the counters; this is the
 * only member printed there that could hold them.
 */
typedef struct cpu_mon {
	hwperf_cntr_t cm_cntrs;
} cpu_mon_t;

typedef struct hwperf_prusage {
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
	cpu_mon_t pu_cpu_mon;		/* cpu monitoring stats */
} hwperf_prusage_t;

#endif
