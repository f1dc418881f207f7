/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by the names of Solaris' cpc, and what its commands share. */
#ifndef CPC_H
#define CPC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <irixperf.h>
#include "tool.h"

#define CPC_VERSION	"0.1.0"

/* The counters are called pic0 and pic1, as on Solaris */
#define CPC_PICS	2

/* In place of a count: others had the counter all the time */
#define CPC_NONE	UINT64_MAX

/* How many options -c there may be */
#define CPC_SETS	16

/* Exit statuses of cpustat, as on Solaris; CPC_TOLD: the user only asked for a text */
enum cpc_status {
	CPC_OK,
	CPC_FAILED,
	CPC_USAGE,
	CPC_TOLD
};

/* event.c: the event with this name, or generic name PAPI_...; or NULL */
const struct irixperf_event *cpc_event_find(enum irixperf_chip chip,
					    const char *name);

/* The same event on this counter, perhaps by another number; NULL if there is none */
const struct irixperf_event *cpc_event_on(enum irixperf_chip chip,
					  const struct irixperf_event *event,
					  unsigned int pic);

/* The generic name of this index; "" if the CPU lacks it, and NULL behind the last one */
const char *cpc_generic(unsigned int index, enum irixperf_chip chip);

/* Print the list of events, as "event0: NAME ..." for each counter */
void cpc_event_list(FILE *out, const struct irixperf_cpu *cpu);

/**
 * struct cpc_set - what is counted at one time: the argument of an option -c
 * @text: the argument
 * @used: whether this counter counts
 * @event: the number of its event
 * @mode: HWPERF_CNTEN_* bits
 */
struct cpc_set {
	const char *text;
	bool used[CPC_PICS];
	unsigned int event[CPC_PICS];
	unsigned char mode[CPC_PICS];
};

/* spec.c: add a set to @nr others. Return CPC_OK, or another status after a message */
int cpc_set_add(struct cpc_set set[CPC_SETS], unsigned int *nr, enum irixperf_chip chip,
		const char *text);

/* The modes of a set that names no event twice */
void cpc_set_modes(const struct cpc_set *set, unsigned char mode[IRIXPERF_EVENTS]);

/*
 * Add an event to those of a claim. Return the index of its mode and its count: the
 * event's number or, if that is taken, the first free one below IRIXPERF_CODES, which then
 * stands for the event; -ENOSPC if there is none.
 */
int cpc_slot(unsigned char mode[IRIXPERF_EVENTS], struct irixperf_code code[IRIXPERF_CODES],
	     unsigned int event, unsigned char modes);

/* common.c: as irixperf_cpu_detect(); a machine without counters is taken for an R10000 */
int cpc_cpu(struct irixperf_cpu *cpu);

/* Say what cannot be done, as cpc_cpu() has failed with @err */
void cpc_explain(const char *what, int err);

/* How many columns the counters of @nr sets need; their titles and counts end the line */
unsigned int cpc_pics(const struct cpc_set *set, unsigned int nr);
void cpc_print_title(FILE *out, unsigned int pics);
void cpc_print_counts(FILE *out, const struct cpc_set *set, unsigned int pics,
		      const uint64_t count[CPC_PICS], bool named);

/* Print why nothing should be computed from some of the counts, if that is so */
void cpc_note(const struct cpc_set *set, unsigned int nr, enum irixperf_chip chip);

#endif
