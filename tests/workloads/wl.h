/* SPDX-License-Identifier: GPL-2.0-only */
/* What the workloads share: their one argument, their one line of result. */
#ifndef R10K_WORKLOAD_H
#define R10K_WORKLOAD_H

#include <stdint.h>

/*
 * The size from the command line, between 1 and max; dflt if there is none.
 * Anything else: a message that says what is wanted, and exit with status 2.
 */
unsigned long wl_size(int argc, char **argv, const char *unit,
		      unsigned long dflt, unsigned long max);

/* Message with the reason of errno, exit with status 1 */
void wl_die(const char *what) __attribute__((noreturn));

/* A pseudo-random sequence that is the same everywhere (xorshift) */
uint64_t wl_random(uint64_t *state);

#endif /* R10K_WORKLOAD_H */
