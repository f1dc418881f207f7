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
    R10K_ACCESS_FETCH_ON,   /* unless the last one was of the same line */
};

#define R10K_ACCESS_KIND_BITS   3

/**
 * R10kFilter: the part of the caches' state that translated code uses
 * @fetch: for each set of the primary instruction cache, the virtual address
 *         of the line whose fetch would not change any state
 * @load: the same for loads from the primary data cache
 * @store: the same for stores
 * @log: virtual addresses that a block has accessed and not yet reported
 * @kind: kinds of these accesses, R10K_ACCESS_*, and above them which of the
 *        block's instructions have made them
 *
 * An access to the most recently used line of a set hits and does not change
 * any state; a store only if the line is modified already. Translated code
 * compares each access with the filter and logs it. If the filter lacks any
 * of them, the code calls the model at the end of the block, which replays
 * the log in order. Each change of a set, or of the mapping of addresses,
 * empties the filter's entries for it.
 */
typedef struct R10kFilter {
    uint64_t fetch[R10K_L1I_SETS];
    uint64_t load[R10K_L1D_SETS];
    uint64_t store[R10K_L1D_SETS];
    uint64_t log[R10K_LOG_SIZE];
    uint16_t kind[R10K_LOG_SIZE];
} R10kFilter;

/*
 * The branch predictor's two-bit counters are in bits 7:6. Translated code
 * treats a branch as it treats an access: it calls the model if the exclusive
 * or of the counter and the expected value is above 31. For two addresses that
 * means different lines; for counters in these bits, any difference.
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
