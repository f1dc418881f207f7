/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libpmc share. Functions return 0 or more, or a negative errno
 * value. counters.c is over libirixperf; the others are over it and events.c.
 */
#ifndef LIBPMC_INTERNAL_H
#define LIBPMC_INTERNAL_H

#include <stdbool.h>
#include <sys/pmc.h>

/* Enough for every CPU: an R10000 has two, and other CPUs count two events at once */
#define LIBPMC_COUNTERS		2

/* events.c: what the CPU has */
int libpmc_nr_counters(void);
int libpmc_class(void);
int libpmc_type(int ctr);
bool libpmc_counts(int ctr, pmc_evid_t event);

/* counters.c: the counters of this process; @ctr is one of them */
int libpmc_configure(int ctr, pmc_evid_t event);
int libpmc_run(int ctr, bool on);
int libpmc_value(int ctr, bool children, uint64_t *value);

#endif
