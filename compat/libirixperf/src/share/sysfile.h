/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * System mode: the interface between its holder, root's programs and all others.
 *
 * System mode outlives the program that has started it. So the counters of all CPUs
 * belong to a process of their own, the holder. It is connected with the others by
 * three files in /run/irixperf, a directory where only root can make files:
 *
 * system (0644) has the counts. The holder makes a new file for each system mode.
 *	Before others can open the file, the holder takes a write lock on a byte
 *	far behind its end. At that time no other process can have a lock there.
 *	System mode is on while this lock is held: the kernel drops it when the
 *	holder ends, for whatever reason. After that, the counts stay readable.
 * socket is where the holder takes requests, as process holders do (remote.h). Every
 *	user may send PIOCGETEVCTRS: when the answer has come, "system" has current
 *	counts. PIOCSETEVCTRL and PIOCRELEVCTRS are for root.
 * control (0600) is locked by a process that starts system mode, until system mode is
 *	on, or makes a claim.
 *
 * A claim is for a program that counts on all CPUs by itself, and only as long as it
 * runs: nobody can count in user mode, start system mode or, unless both are shared,
 * have another claim. A claim has no holder. It is a file in the directory "claims",
 * made and locked as "system" is, and the program and its children have the lock. So
 * before anybody can learn of the program's end, the kernel has freed the counters and
 * dropped the lock. The files themselves stay, and the next claims replace them.
 */
#ifndef IXP_SYSFILE_H
#define IXP_SYSFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>

#define IXP_RUN			"/run/irixperf"
#define IXP_RUN_SYSTEM		IXP_RUN "/system"
#define IXP_RUN_SYSTEM_NEW	IXP_RUN "/system.new"
#define IXP_RUN_CONTROL		IXP_RUN "/control"
#define IXP_RUN_CLAIMS		IXP_RUN "/claims"
#define IXP_RUN_CLAIM_NEW	IXP_RUN "/claim.new"

/* Names of files in "claims": 0 is that of a claim that is not shared */
#define IXP_CLAIM_ALONE		0
#define IXP_CLAIM_SHARED	1
#define IXP_CLAIMS		17

/* Another number is used whenever the layout of the file or the requests change */
#define IXP_SYSTEM_MAGIC	0x6978737d

/* The byte of "system", or of a claim's file, that is locked as long as that lasts */
#define IXP_SYSTEM_ALIVE	(INT64_C(1) << 62)

#define IXP_NO_CPU		(-2)

/**
 * struct ixp_system_time - how long each event was enabled and counted
 * @enabled: nanoseconds in which it was enabled
 * @running: the part of @enabled in which it had a counter
 */
struct ixp_system_time {
	uint64_t enabled[HWPERF_EVENTMAX];
	uint64_t running[HWPERF_EVENTMAX];
};

/**
 * struct ixp_system_cpu - the virtual counters of one CPU
 * @cpu: its number; IXP_NO_CPU while it is offline
 * @pad: gives @counts the same offset on every machine
 * @counts: the counts
 * @time: the times
 */
struct ixp_system_cpu {
	int32_t cpu;
	int32_t pad;
	hwperf_cntr_t counts;
	struct ixp_system_time time;
};

/**
 * struct ixp_system_words - what irixperf_system_set() has besides events and modes
 * @label: the caller's labels
 * @code: what the first events stand for
 * @generation: do nothing if this is not the generation number any more; 0: whatever
 *	it is
 */
struct ixp_system_words {
	uint32_t label[IRIXPERF_LABELS];
	struct irixperf_code code[IRIXPERF_CODES];
	int32_t generation;
};

/**
 * struct ixp_system_page - the file "system"
 * @magic: IXP_SYSTEM_MAGIC
 * @seq: odd while the holder writes
 * @session: generation number with which this system mode started
 * @generation: generation number of the counters now, by which their events are known
 * @losses: how often others have had the counters since; IRIX's requests add it
 * @holder: PID of the holder
 * @error: why there are no counts, as a negative errno value, or 0
 * @nr_cpus: entries of @cpu
 * @coded: which events stand for a code, bit n for event n
 * @pad: not used
 * @label: the labels of the events
 * @ctrl: the events that are counted, without those of @coded
 * @sum: the counts of all CPUs together
 * @time: the times of all CPUs together
 * @cpu: the counts of each CPU
 *
 * The layout is the same for 32-bit and 64-bit programs.
 */
struct ixp_system_page {
	uint32_t magic;
	uint32_t seq;
	int32_t session;
	int32_t generation;
	int32_t losses;
	int32_t holder;
	int32_t error;
	uint32_t nr_cpus;
	uint32_t coded;
	uint32_t pad;
	uint32_t label[IRIXPERF_LABELS];
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t sum;
	struct ixp_system_time time;
	struct ixp_system_cpu cpu[];
};

/**
 * struct ixp_system_request - what a new holder is to do
 * @arg: the events
 * @caller: PID of the caller; it is treated as a process that runs, although it sleeps
 *	while it waits for the answer
 * @force: take the counters from programs that are using them
 * @after: the generation number must be higher than this one
 * @words: labels and codes
 */
struct ixp_system_request {
	hwperf_profevctrarg_t arg;
	int32_t caller;
	int32_t force;
	int32_t after;
	struct ixp_system_words words;
};

#endif
