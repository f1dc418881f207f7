/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the pipeline model by blocks, which are remembered.
 */

#ifndef TARGET_MIPS_R10K_PIPE_MEMO_H
#define TARGET_MIPS_R10K_PIPE_MEMO_H

#include "r10k_pipe.h"

#define R10K_PIPE_PACKED_MAX sizeof(R10kPipe)

size_t r10k_pipe_pack(const R10kPipe *pipe, uint8_t *to);
void r10k_pipe_unpack(R10kPipe *pipe, const uint8_t *from);

/**
 * R10kPipeCase: what happens to one instruction of a block
 * @insn: which one
 * @event: what; an instruction without a case has an event of zeroes
 */
typedef struct R10kPipeCase {
    uint16_t insn;
    R10kPipeEvent event;
} R10kPipeCase;

/**
 * R10kPipeBlock: instructions that are executed one after the other
 * @id: a number that no other sequence of instructions has
 * @n: how many there are
 * @insns: these
 */
typedef struct R10kPipeBlock {
    uint32_t id;
    uint32_t n;
    const R10kPipeInsn *insns;
} R10kPipeBlock;

/**
 * R10kPipeStats: how often a block was remembered
 * @hits: blocks whose cycles were known
 * @misses: blocks that had to be stepped through
 * @emptied: how often all was forgotten, because it had grown too large
 * @states: different states of the pipeline that are known
 * @entries: blocks, with state and cases, that are known
 * @bytes: memory for all of it
 */
typedef struct R10kPipeStats {
    uint64_t hits;
    uint64_t misses;
    uint64_t emptied;
    uint32_t states;
    uint32_t entries;
    size_t bytes;
} R10kPipeStats;

typedef struct R10kPipeMemo R10kPipeMemo;

R10kPipeMemo *r10k_pipe_memo_new(const R10kPipeParams *params,
                                 uint32_t max_entries);
void r10k_pipe_memo_free(R10kPipeMemo *memo);
void r10k_pipe_memo_empty(R10kPipeMemo *memo);
void r10k_pipe_memo_get(const R10kPipeMemo *memo, R10kPipe *pipe);
void r10k_pipe_memo_set(R10kPipeMemo *memo, const R10kPipe *pipe);
R10kPipeStats r10k_pipe_memo_stats(const R10kPipeMemo *memo);
unsigned r10k_pipe_memo_run(R10kPipeMemo *memo, const R10kPipeBlock *block,
                            const R10kPipeCase *cases, unsigned n_cases);
unsigned r10k_pipe_run(R10kPipe *pipe, const R10kPipeParams *params,
                       const R10kPipeBlock *block, const R10kPipeCase *cases,
                       unsigned n_cases);

#endif /* TARGET_MIPS_R10K_PIPE_MEMO_H */
