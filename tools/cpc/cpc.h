/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cpustat, cputrack and cpctrace share: events by the names of Solaris' cpc. */
#ifndef CPC_H
#define CPC_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <irixperf.h>
#include "tool.h"

#define CPC_VERSION	"0.1.0"

/* The counters are called pic0 and pic1, as on Solaris */
#define CPC_PICS	2

/* How many options -c there may be */
#define CPC_SETS	16

/* Exit statuses, as on Solaris */
enum cpc_status {
	CPC_OK,
	CPC_FAILED,
	CPC_USAGE
};

/* Long names of -h and -V. Solaris' commands have none of the four. */
#define CPC_LONG_OPTIONS { \
	{ "help", no_argument, NULL, 'h' }, \
	{ "version", no_argument, NULL, 'V' }, \
	{ NULL, 0, NULL, 0 } \
}

/* event.c: names of events */

/* The event with this name, or the generic name PAPI_..., on this counter; or NULL */
const struct irixperf_event *cpc_event_find(enum irixperf_chip chip,
					    const char *name);
const struct irixperf_event *cpc_event_on(enum irixperf_chip chip,
					  const struct irixperf_event *event,
					  unsigned int pic);
bool cpc_event_fits(enum irixperf_chip chip, unsigned int num, unsigned int pic);
void cpc_event_unknown(enum irixperf_chip chip, const char *name);

/* The generic names, in the order of a table; NULL after the last */
const char *cpc_generic(unsigned int i, enum irixperf_chip chip);

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

/* spec.c: return CPC_OK, or another status after a message */
int cpc_set_parse(struct cpc_set *set, enum irixperf_chip chip, const char *text);
void cpc_set_modes(const struct cpc_set *set, unsigned char mode[IRIXPERF_EVENTS]);

/* Look for the CPU; if it has no counters, print why, and take it for an R10000 */
int cpc_cpu(struct irixperf_cpu *cpu, bool must);

/* The columns of the counters, up to @pics of them, and what follows them */
unsigned int cpc_pics(const struct cpc_set *set, unsigned int nr);
void cpc_print_title(FILE *out, unsigned int pics);
void cpc_print_counts(FILE *out, const struct cpc_set *set, unsigned int pics,
		      const uint64_t count[CPC_PICS], bool named);

/* Print why a claim on all CPUs has failed */
void cpc_claim_error(const char *what, int err);

/* Seconds from a text, 0 or more; negative if it is no such number */
double cpc_seconds(const char *text);

#endif
