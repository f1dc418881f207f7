/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches and branch predictor: state and interface.
 */

#ifndef TARGET_MIPS_R10K_MEM_H
#define TARGET_MIPS_R10K_MEM_H

#define R10K_L1I_LINE       64
#define R10K_L1I_SETS       256
#define R10K_L1D_LINE       32
#define R10K_L1D_SETS       512
#define R10K_WAYS           2
#define R10K_LOG_SIZE       32
#define R10K_BRANCH_ENTRIES 2048

/* What an entry of the log is. */
enum {
    R10K_ACCESS_FETCH,
    R10K_ACCESS_LOAD,
    R10K_ACCESS_STORE,
    R10K_ACCESS_PREF_LOAD,
    R10K_ACCESS_PREF_STORE,
};

/**
 * R10kFilter: what translated code needs of the caches
 * @fetch: per set of the primary instruction cache, the virtual address of
 *         the line whose fetch would change nothing
 * @load: the same of the primary data cache, for loads
 * @store: the same for stores
 * @log: virtual addresses that a block has accessed and not yet reported
 * @kind: and how, R10K_ACCESS_*
 *
 * An access to the most recently used line of a set hits and changes no
 * state; a store does so if the line is modified already. Translated code
 * compares each access with the filter, logs it, and calls the model at the
 * block's end if any of them was not found here: then the log is played back
 * in order. A slot is emptied by whatever changes its set or the mapping of
 * addresses.
 */
typedef struct R10kFilter {
    uint64_t fetch[R10K_L1I_SETS];
    uint64_t load[R10K_L1D_SETS];
    uint64_t store[R10K_L1D_SETS];
    uint64_t log[R10K_LOG_SIZE];
    uint8_t kind[R10K_LOG_SIZE];
} R10kFilter;

/*
 * The branch predictor's two-bit counters, in bits 7:6 so that their
 * exclusive or with a saturated one compares like the filter's.
 */
#define R10K_BRANCH_NEVER   0x00
#define R10K_BRANCH_ALWAYS  0xc0
#define R10K_BRANCH_STEP    0x40

/**
 * R10kBranch: the branch predictor
 * @counter: two-bit counters
 * @history: outcomes, the newest in bit 0
 */
typedef struct R10kBranch {
    uint8_t counter[R10K_BRANCH_ENTRIES];
    uint32_t history;
} R10kBranch;

typedef struct R10kMem R10kMem;

#endif /* TARGET_MIPS_R10K_MEM_H */
