/* SPDX-License-Identifier: GPL-2.0-only */
/* Loops with a known number of instructions in each iteration. */
#ifndef R10K_TEST_LOOPS_H
#define R10K_TEST_LOOPS_H

#include <stdint.h>

/* What one iteration executes */
struct loop {
	const char *name;
	unsigned long (*run)(unsigned long n, void *buf);
	unsigned int insns;		/* each once, also multiply and divide */
	unsigned int muldiv;
	unsigned int loads;
	unsigned int stores;
	unsigned int sc;
	unsigned int fp;
	unsigned int branches;		/* conditional ones */
};

enum loop_id {
	LOOP_INT, LOOP_MIX, LOOP_LOADS, LOOP_STORES, LOOP_MULDIV, LOOP_FP,
	LOOP_BRANCHES, LOOP_SC, LOOP_SCD, LOOP_SC_SYSCALL, NR_LOOPS
};

extern const struct loop loops[NR_LOOPS];

uint64_t loop_expect(const struct loop *loop, unsigned int event);
unsigned long loop_run(const struct loop *loop, unsigned long n);
/* The same, with the disabled group of @fd enabled for exactly this time */
unsigned long loop_count(const struct loop *loop, unsigned long n, int fd);

#endif /* R10K_TEST_LOOPS_H */
