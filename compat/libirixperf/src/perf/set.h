/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A set of open events: those of a thread, or those of a CPU. They are opened in
 * groups of two, and are closed when no thread reads them any more.
 */
#ifndef IXP_SET_H
#define IXP_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "grace.h"
#include "plan.h"

struct ixp_machine;
struct ixp_profile;
struct ixp_ring;

/**
 * struct ixp_overflow - what happens at overflows; overflow.c fills it in
 * @period: thresholds by event number; 0 where there is none
 * @events: the events that have a threshold, bit n for event n
 * @signal: the signal; 0 with a profile
 * @pid: the process that gets it
 * @profile: the buckets, or NULL
 * @alone: threads that are started later must not inherit the events
 */
struct ixp_overflow {
	int period[IRIXPERF_EVENTS];
	uint32_t events;
	int signal;
	pid_t pid;
	struct ixp_profile *profile;
	bool alone;
};

/**
 * struct irixperf_set - open events
 * @retired: for ixp_retire()
 * @next: the set of another thread of the process, or NULL
 * @machine: the machine whose events they are
 * @pid: the thread whose events they are, 0 for the one that opened them, or -1 if they
 *	are those of a CPU
 * @cpu: that CPU, or -1
 * @pin: the events keep their counters, which no other user gets
 * @alone: no other thread existed that could make threads or children, which inherit
 *	events, while these were opened
 * @software: the events of which the kernel counts any number at once, bit n for event
 *	n; 0 if it is not known
 * @overflow: thresholds of the events, or NULL; only valid while they are opened
 * @ring: the ring buffer for the samples of a profile, or NULL
 * @detach: ends the profile before the set is closed, or NULL
 * @nr: how many events; only so many elements of the arrays below are used
 * @fd: their descriptors
 * @event: their numbers; a number may occur more than once
 * @group: for the first event of a group, how many events the group has; the others
 *	follow it, and are read and enabled together with it. 0 for the others
 */
struct irixperf_set {
	struct ixp_retired retired;
	struct irixperf_set *next;
	const struct ixp_machine *machine;
	pid_t pid;
	int cpu;
	bool pin;
	bool alone;
	uint32_t software;
	const struct ixp_overflow *overflow;
	struct ixp_ring *ring;
	void (*detach)(struct irixperf_set *set);
	unsigned int nr;
	int fd[2 * IXP_MAX_PAIRS];
	unsigned char event[2 * IXP_MAX_PAIRS];
	unsigned char group[2 * IXP_MAX_PAIRS];
};

/* set_open.c: a thread's counters; attr.pid is not 0 */
int ixp_set_open_thread(struct irixperf_set **set,
			const struct irixperf_attr *attr, bool alone);

/*
 * Whether events keep their counters, so that no other user gets them. If there are not
 * enough counters for pinned events, reading these fails with EIO
 */
enum ixp_pin {
	IXP_PIN_NONE,		/* they take turns with others */
	IXP_PIN_IF_ALL_FIT,	/* unless they have to take turns among themselves */
	IXP_PIN_ALL,		/* in any case */
};

/* The counters of a CPU, for all that runs on it; attr.pid is ignored */
int ixp_set_open_cpu(struct irixperf_set **set, const struct irixperf_attr *attr, int cpu,
		     enum ixp_pin pin, const struct ixp_machine *machine);

/**
 * struct ixp_group - what read(2) of the first event of a group gives
 * @nr: how many events the group has
 * @enabled: nanoseconds
 * @running: nanoseconds
 * @value: the counts
 */
struct ixp_group {
	uint64_t nr;
	uint64_t enabled;
	uint64_t running;
	uint64_t value[2];
};

/*
 * set.c: read the counts of all events, and add them up. @starved grows by the
 * nanoseconds in which the thread or the CPU ran, and none of the events had a counter,
 * because other users of perf had them: the counts of that time are missing.
 */
int ixp_set_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		hwperf_cntr_t *to, uint64_t *starved);
int ixp_set_take(struct irixperf_set *set, int fd, unsigned int event,
		 bool leader);
int ixp_set_add(const struct irixperf_set *set, hwperf_cntr_t *sum, uint64_t *starved);
uint64_t ixp_set_starved(const struct irixperf_set *set);

/* How long to wait for threads that have events, and run too little to use a counter */
#define IXP_START_MS	300

int ixp_set_starts(const struct irixperf_set *set, bool own, uint64_t until);
int ixp_set_add_counts(const struct irixperf_set *set,
		       struct irixperf_count sum[IRIXPERF_EVENTS], uint64_t *starved);
void ixp_counts_add(hwperf_cntr_t *sum, const hwperf_cntr_t *part);

/* set.c, for sets that are being opened (set_open.c) or were received (child.c) */
int ixp_set_whole(const struct irixperf_set *set);
void ixp_set_empty(struct irixperf_set *set);

/* Close the set when no thread reads it any more; callers hold the lock */
void ixp_set_retire(struct irixperf_set *set);

/* As ixp_set_open_thread(), with thresholds; the events are not enabled */
int ixp_set_open_overflow(struct irixperf_set **set,
			  const struct irixperf_attr *attr, bool alone,
			  const struct ixp_overflow *overflow);

#endif
