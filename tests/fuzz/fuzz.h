/* SPDX-License-Identifier: GPL-2.0-only */
/* A fuzzer of perf_event_open(): what its files share. */
#ifndef R10K_FUZZ_H
#define R10K_FUZZ_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What was done, over all processes: the result must not be empty anywhere */
enum fuzz_count {
	COUNT_OPEN_TRIED, COUNT_OPENED, COUNT_OPENED_OURS, COUNT_OPENED_LAST_CPU,
	COUNT_CLOSED, COUNT_IOCTLS, COUNT_READS, COUNT_MAPPED, COUNT_RECORDS, COUNT_SIGNALS,
	COUNT_FORKS, COUNT_KILLS, COUNT_EXECS, COUNT_SAMPLINGS, COUNT_LOADED,
	COUNT_UNLOADED, COUNT_UNLOAD_BUSY, COUNT_MUX_SET, COUNT_WITNESSED,
	COUNT_MULTIPLEXED, COUNT_WRONG, NR_COUNTS
};

/* In memory that all processes see */
struct fuzz_shared {
	uint64_t count[NR_COUNTS];
	uint64_t wrong_got, wrong_expected;
};

extern struct fuzz_shared *fuzz_shared;

static inline void fuzz_did(enum fuzz_count what)
{
	__atomic_fetch_add(&fuzz_shared->count[what], 1, __ATOMIC_RELAXED);
}

/* random.c: reproducible from the seed */
void random_seed(uint64_t seed);
uint64_t random_bits(void);
unsigned int random_below(unsigned int limit);
bool random_once_in(unsigned int n);
uint64_t random_size(unsigned int bits);

/* attr.c */
void random_attr(struct perf_event_attr *attr);

/* The roles of a process; none returns */
typedef void (*fuzz_role)(void) __attribute__((noreturn));

__attribute__((noreturn)) void role_fuzzer(void);	/* ops.c */
__attribute__((noreturn)) void role_gentle(void);	/* ops.c */
__attribute__((noreturn)) void role_sampler(void);	/* storms.c */
__attribute__((noreturn)) void role_forker(void);	/* storms.c */
__attribute__((noreturn)) void role_plugger(void);	/* plug.c */
__attribute__((noreturn)) void role_witness(void);	/* witness.c */

/* plug.c: whether the module is there, or gone, afterwards */
bool plug_load(void);
bool plug_unload(void);

/* witness.c: what the loop counts when nobody disturbs */
void witness_learn(void);

extern const char *fuzz_self;
extern const char *fuzz_module;
extern int fuzz_nr_cpus;

#endif /* R10K_FUZZ_H */
