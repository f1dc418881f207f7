/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the clock that the model of the pipeline drives.
 */

#ifndef TARGET_MIPS_R10K_CLOCK_H
#define TARGET_MIPS_R10K_CLOCK_H

#include "system/icount-cycles.h"
#include "r10k_pipe_memo.h"

/* With timing on, a translation block has at most this many instructions. */
#define R10K_CLOCK_INSNS    32

enum {
    R10K_TIMING_OFF,
    R10K_TIMING_FAST,
    R10K_TIMING_DETAILED,
};

/**
 * R10kClockBlock: what the model needs to know of a translation block
 * @pc: its address
 * @insns: its instructions, by their distance from @pc; @n of them
 * @branch: which of them is the branch or jump that ends it, or
 *          R10K_CLOCK_INSNS
 * @slot: it begins with a delay slot
 * @whole: the model's number for all of it, once it is known
 */
typedef struct R10kClockBlock {
    uint64_t pc;
    R10kPipeInsn *insns;
    uint8_t n;
    uint8_t branch;
    bool slot;
    const R10kPipeBlock *whole;
} R10kClockBlock;

typedef struct R10kClockBlocks R10kClockBlocks;

/**
 * R10kClock: one CPU's clock
 * @timing: R10K_TIMING_*
 * @name: the same, as the property says it
 * @params: figures of the pipeline
 * @memo: the pipeline and what is known of it, if timing is fast
 * @pipe: the pipeline, if timing is detailed; else for snapshots
 * @blocks: what is known of translation blocks
 * @block: the one that is executed
 * @done: how many of its instructions the model has executed
 * @at: the instruction whose accesses are replayed
 * @happened: a bit for each instruction to which something has happened
 * @event: what
 * @mispredicted: the branch was
 * @waits: a branch has been executed, and its delay slot has not
 * @branch: this branch
 * @branch_pc: its address
 * @link: where the last call returns to
 * @late: cycles of accesses whose instruction has not been executed; the next
 *        one is fetched so much later
 * @line: the line of the last instruction that was fetched; it is not fetched
 *        again while it is executed
 * @dropped: CACHE may have dropped that line
 * @loaded: the snapshot that is being loaded has a clock
 *
 * A branch is executed with its delay slot, because its outcome is known then,
 * or before the slot if that is in another block. So the cycles do not depend
 * on where a block ends.
 */
typedef struct R10kClock {
    uint8_t timing;
    char *name;
    const R10kPipeParams *params;
    R10kPipeMemo *memo;
    R10kPipe *pipe;
    R10kClockBlocks *blocks;
    R10kClockBlock *block;
    uint32_t done;
    uint32_t at;
    uint32_t happened;
    R10kPipeEvent event[R10K_CLOCK_INSNS];
    bool mispredicted;
    bool waits;
    bool dropped;
    bool loaded;
    R10kPipeInsn branch;
    uint64_t branch_pc;
    uint64_t link;
    uint64_t line;
    uint32_t late;
} R10kClock;

/* What is part of the lookup key of translation blocks */
#define R10K_TB_TIMED   (1u << 13)  /* the model of the pipeline is the clock */
#define R10K_TB_STEP    (1u << 14)  /* a timer expires soon */

static inline uint32_t r10k_clock_tb_flags(void)
{
    return icount_in_cycles() && icount_cycles.near ? R10K_TB_STEP : 0;
}

#endif /* TARGET_MIPS_R10K_CLOCK_H */
