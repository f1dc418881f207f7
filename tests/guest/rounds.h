/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds of work with a known number of instructions, which give the CPU away. */
#ifndef R10K_TEST_ROUNDS_H
#define R10K_TEST_ROUNDS_H

#include <stdint.h>

/* rounds.S knows where each field is */
struct rounds {
	uint64_t rounds;
	uint64_t inner;		/* turns of the inner loop in each round */
	int64_t to_peer;	/* the ends of two pipes */
	int64_t from_peer;
	uint64_t signals[2];	/* allowed while it runs */
	uint64_t byte[2];
	uint32_t work[2];
	uint64_t turns;		/* of the inner loop, as it has counted them itself */
	uint64_t cpus[2];	/* a bit for each: where to run, in turn after each round */
};

/* Signals that rounds_handler() has served */
extern uint64_t rounds_signals;

unsigned long rounds_run(struct rounds *r);
void rounds_handler(int signal);
void rounds_allow(struct rounds *r, int signal);
uint64_t rounds_expect(const struct rounds *r, unsigned int event,
		       uint64_t signals);

#endif /* R10K_TEST_ROUNDS_H */
