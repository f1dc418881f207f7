/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Overflow: a signal, or a bucket of a profile, each time an event has happened
 * as often as its threshold says. overflow.c has the thresholds, profile.c the
 * buckets, record.c reads what the kernel writes for them.
 */
#ifndef IXP_OVERFLOW_H
#define IXP_OVERFLOW_H

#include <sys/profil.h>
#include "internal.h"

struct ixp_profile;

/**
 * struct ixp_overflow - what is to happen at overflows
 * @period: thresholds by event number; 0 where there is none
 * @events: the events that have one, bit n for event n
 * @signal: the signal; 0 with a profile
 * @pid: the process that gets it
 * @profile: the buckets, or NULL
 * @alone: threads that are started later are left out
 */
struct ixp_overflow {
	int period[IRIXPERF_EVENTS];
	uint32_t events;
	int signal;
	pid_t pid;
	struct ixp_profile *profile;
	bool alone;
};

/* overflow.c */
int ixp_overflow_check(const hwperf_profevctrarg_t *arg);
bool ixp_overflow_wanted(const hwperf_profevctrarg_t *arg);
void ixp_overflow_attr(struct perf_event_attr *pea,
		       const struct ixp_overflow *overflow, unsigned int event);
int ixp_overflow_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr, bool alone,
		      const struct ixp_target *t,
		      const hwperf_profevctrarg_t *arg);

/* set.c: as ixp_set_open_thread(), but not yet enabled, and with thresholds */
int ixp_set_open_overflow(struct irixperf_set **set,
			  const struct irixperf_attr *attr, bool alone,
			  const struct ixp_overflow *overflow);

/* plan.c: leave out all copies but the first of these events */
void ixp_plan_once(struct ixp_plan *plan, uint32_t events);

/* profile.c */
int ixp_profile_new(struct ixp_profile **profile, const struct prof *profp,
		    int profcnt);
void ixp_profile_free(struct ixp_profile *profile);
void ixp_profile_hit(struct ixp_profile *profile, uint64_t pc);
int ixp_profile_attach(struct irixperf_set *set,
		       const struct ixp_overflow *overflow);
void ixp_profile_detach(struct irixperf_set *set);
bool ixp_profile_threads(void);
void ixp_profile_drain(void);
void ixp_profile_fork_child(void);
int ixp_profile_enable(uintptr_t arg, uintptr_t profp, uintptr_t profcnt);

/* proc.c: HWPERF_PROFENABLE, which owns @profile if it succeeds */
int ixp_proc_profile(const hwperf_profevctrarg_t *arg,
		     struct ixp_profile *profile);

/**
 * struct ixp_records - what the kernel has written into a ring buffer
 * @data: the ring
 * @size: its size in bytes, a power of two
 * @tail: where the next record begins; positions only grow
 * @head: where the last one ends
 */
struct ixp_records {
	const unsigned char *data;
	uint64_t size;
	uint64_t tail;
	uint64_t head;
};

/**
 * struct ixp_record - one record, as far as profiles need it
 * @type: PERF_RECORD_*
 * @ip: of PERF_RECORD_SAMPLE: the program counter
 * @lost: of PERF_RECORD_LOST: how many records found no room
 */
struct ixp_record {
	uint32_t type;
	uint64_t ip;
	uint64_t lost;
};

/* record.c */
int ixp_records_begin(struct ixp_records *records, const void *map,
		      size_t size);
int ixp_records_next(struct ixp_records *records, struct ixp_record *record);
void ixp_records_end(const struct ixp_records *records, void *map);

#endif
