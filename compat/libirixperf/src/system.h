/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * System mode: what its holder, root's programs and everybody else agree on.
 *
 * The counters of all CPUs belong to a process of their own, the holder, since
 * system mode outlives the program that has asked for it. Two files in
 * /run/irixperf, where root alone can make any, connect it with the others:
 *
 * system (0644) has its counts. The holder makes a new one for each system mode
 *	and has a write lock on all bytes but the first before others can open
 *	it, so that nobody's read lock can be in its way. The lock is system
 *	mode: the kernel drops it when the holder ends, however that comes about.
 *	The counts stay readable after that.
 * control (0600) carries root's commands and the last generation number. Who
 *	changes anything in system mode has a lock on it while he does.
 *
 * Who wants counts of this moment reads a byte of "system", of which inotify
 * tells the holder. The holder works in rounds, and tells in @begun which one
 * it is in. A round ends with the unlocking of the byte that has its number:
 * who waits for a read lock on that byte waits for the round, or for the end of
 * the holder. Numbers are not used again, so nobody can hinder the holder.
 *
 * A holder that served sockets would have to look after each client, and to
 * believe none; this one only looks whether there is something to do.
 */
#ifndef IXP_SYSTEM_H
#define IXP_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>

#define IXP_RUN			"/run/irixperf"
#define IXP_RUN_SYSTEM		IXP_RUN "/system"
#define IXP_RUN_SYSTEM_NEW	IXP_RUN "/system.new"
#define IXP_RUN_CONTROL		IXP_RUN "/control"

#define IXP_SYSTEM_MAGIC	0x6978737a

/* The byte of the file "system" that is locked as long as there is a holder */
#define IXP_SYSTEM_ALIVE	(INT64_C(1) << 62)

#define IXP_NO_CPU		(-2)

/**
 * struct ixp_system_cpu - the virtual counters of one CPU
 * @cpu: its number; IXP_NO_CPU while it is offline
 * @pad: makes @counts the same distance on every machine
 * @counts: the counts
 */
struct ixp_system_cpu {
	int32_t cpu;
	int32_t pad;
	hwperf_cntr_t counts;
};

/**
 * struct ixp_system_time - how long each event was wanted and counted
 * @enabled: nanoseconds in which it was wanted
 * @running: nanoseconds of these in which a counter counted it
 */
struct ixp_system_time {
	uint64_t enabled[HWPERF_EVENTMAX];
	uint64_t running[HWPERF_EVENTMAX];
};

/**
 * struct ixp_system_page - the file "system"
 * @magic: IXP_SYSTEM_MAGIC
 * @seq: odd while the holder writes
 * @session: generation number with which this system mode began
 * @generation: generation number of the counters now
 * @holder: process that holds them
 * @error: why the counts are not to be had, as a negative errno value, or 0
 * @reply: result of the command @token
 * @nr_cpus: entries of @cpu
 * @begun: round in which the holder is, or was
 * @token: last command that was carried out
 * @ctrl: the events that are counted
 * @sum: the counts of all CPUs together
 * @time: the times of all CPUs together
 * @cpu: the counts of each
 *
 * The same for 32-bit and 64-bit programs.
 */
struct ixp_system_page {
	uint32_t magic;
	uint32_t seq;
	int32_t session;
	int32_t generation;
	int32_t holder;
	int32_t error;
	int32_t reply;
	uint32_t nr_cpus;
	uint64_t begun;
	uint64_t token;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t sum;
	struct ixp_system_time time;
	struct ixp_system_cpu cpu[];
};

enum ixp_system_code {
	IXP_SYSTEM_SET = 1,
	IXP_SYSTEM_RELEASE,
};

/**
 * struct ixp_system_command - what root asks a holder for
 * @token: tells commands apart
 * @code: one of enum ixp_system_code
 * @session: which system mode is meant; 0 for the one there is
 * @arg: the events, for IXP_SYSTEM_SET
 * @pad: leaves no hole
 * @token_again: the same as @token if the command is here as a whole
 */
struct ixp_system_command {
	uint64_t token;
	uint32_t code;
	int32_t session;
	hwperf_profevctrarg_t arg;
	uint32_t pad;
	uint64_t token_again;
};

/**
 * struct ixp_system_control - the file "control"
 * @generation: the last generation number that was given out
 * @pad: leaves no hole
 * @command: the last command
 */
struct ixp_system_control {
	int32_t generation;
	int32_t pad;
	struct ixp_system_command command;
};

/**
 * struct ixp_system_request - what a new holder is to do
 * @arg: the events
 * @caller: who asks; runs at this moment, although he waits for the answer
 * @force: take the counters from programs that are using them
 * @after: the generation number is to be higher than this one
 */
struct ixp_system_request {
	hwperf_profevctrarg_t arg;
	int32_t caller;
	int32_t force;
	int32_t after;
};

/* What a holder is for, as its argument says: here, or in remote.h */
#define IXP_HOLDER_SYSTEM	"system"
#define IXP_HOLDER_PROCESS	"process"

/* What it finds open: a request, a place for the answer, a lock or a process */
enum ixp_holder_fd {
	IXP_HOLDER_REQUEST,
	IXP_HOLDER_ANSWER,
	IXP_HOLDER_STDERR,
	IXP_HOLDER_SUBJECT,
	IXP_HOLDER_FDS,
};

/**
 * struct ixp_system_view - one look at system mode
 * @alive: it is on
 * @session: generation number with which it began
 * @generation: generation number
 * @holder: process that holds the counters
 * @error: why @counts are not to be had, or 0
 * @reply: result of the command @token
 * @begun: the holder's round
 * @token: the last command
 * @ctrl: the events
 * @time: the times of all CPUs together
 * @found: there is such a CPU
 * @counts: of that CPU, or of all
 */
struct ixp_system_view {
	bool alive;
	int session;
	int generation;
	pid_t holder;
	int error;
	int reply;
	uint64_t begun;
	uint64_t token;
	hwperf_eventctrl_t ctrl;
	struct ixp_system_time time;
	bool found;
	hwperf_cntr_t counts;
};

#define IXP_ALL_CPUS	(-1)

/* What ixp_system_look() is to show */
enum ixp_look {
	IXP_LOOK,		/* what is there */
	IXP_LOOK_FRESH,		/* counts of this moment */
};

/* lock.c: locks that belong to a descriptor, not to a process */
int ixp_lock_try(int fd, short type, off_t start, off_t len);
int ixp_lock_wait(int fd, short type, off_t start, off_t len);
int ixp_lock_held(int fd, off_t start);

/* view.c */
int ixp_system_on(void);
int ixp_system_look(struct ixp_system_view *view, int cpu, enum ixp_look how);

/* start.c */
int ixp_holder_start(const char *mode, const void *request, size_t size,
		     int subject, int *socket);

/* system.c: generation numbers, 0 or -errno */
int ixp_system_folder(void);
bool ixp_system_wanted(const hwperf_profevctrarg_t *arg);
int ixp_system_check(const hwperf_profevctrarg_t *arg);
int ixp_system_acquire(const hwperf_profevctrarg_t *arg, bool force, int after);
int ixp_system_modify(const hwperf_profevctrarg_t *arg, int session);
int ixp_system_release(int session, struct ixp_system_view *last);

#endif
