/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: a model of the pipeline.
 *
 * This file and r10k_pipe*.c need nothing of QEMU: tests on the host compile
 * them, too. Documentation/timing.rst describes the model.
 */

#ifndef TARGET_MIPS_R10K_PIPE_H
#define TARGET_MIPS_R10K_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define R10K_PIPE_ACTIVE_MAX    48
#define R10K_PIPE_BUSY_MAX      224

/* The longest delay of an event, so that all times fit their fields. */
#define R10K_PIPE_DELAY_MAX     2000

/* Registers: R0 to R31, F0 to F31, and these. R0 stands for none. */
enum {
    R10K_PIPE_F0 = 32,
    R10K_PIPE_HI = 64,
    R10K_PIPE_LO,
    R10K_PIPE_FCC0,
    R10K_PIPE_REGS = R10K_PIPE_FCC0 + 8,
};

/* What holds an instruction from its decoding until it leaves */
enum {
    R10K_PIPE_ACTIVE,
    R10K_PIPE_QUEUE_INT,
    R10K_PIPE_QUEUE_ADDRESS,
    R10K_PIPE_QUEUE_FP,
    R10K_PIPE_BRANCHES,
    R10K_PIPE_POOLS,
    R10K_PIPE_QUEUE_NONE,
};

/* What an instruction has for some cycles */
enum {
    R10K_PIPE_UNIT_NONE,
    R10K_PIPE_UNIT_ALU,         /* one of the two that follow */
    R10K_PIPE_UNIT_ALU1,
    R10K_PIPE_UNIT_ALU2,
    R10K_PIPE_UNIT_LS,
    R10K_PIPE_UNIT_FADD,
    R10K_PIPE_UNIT_FMUL,
    R10K_PIPE_UNIT_FDIV,
    R10K_PIPE_UNIT_FSQRT,
    R10K_PIPE_UNIT_MHT,         /* there are several */
    R10K_PIPE_UNIT_L2,
    R10K_PIPE_UNIT_BUS,
};

enum {
#define R10K_PIPE_OP(id, ...) R10K_PIPE_OP_##id,
#include "r10k-pipe-ops.def"
#undef R10K_PIPE_OP
};

/* The figures of a CPU; the .def file has their values and sources. */
typedef struct R10kPipeParams {
#define R10K_PIPE_PARAM(field, ...) uint8_t field;
#include "r10k-pipe.def"
#undef R10K_PIPE_PARAM
} R10kPipeParams;

extern const R10kPipeParams r10k_pipe_r10000;
extern const R10kPipeParams r10k_pipe_r12000;

/* R10kPipeInsn.flags */
#define R10K_PIPE_BRANCH    (1u << 0)   /* conditional, by its encoding */
#define R10K_PIPE_JUMP      (1u << 1)
#define R10K_PIPE_REGISTER  (1u << 2)   /* a jump to a register */
#define R10K_PIPE_WRITES    (1u << 3)   /* graduates as a store */
#define R10K_PIPE_TWO       (1u << 4)   /* two entries of the active list */
#define R10K_PIPE_LINE      (1u << 5)   /* the first of an instruction line */

/**
 * R10kPipeInsn: what the pipeline needs to know of an instruction
 * @op: R10K_PIPE_OP_*
 * @flags: R10K_PIPE_*
 * @src: registers that it needs to be issued
 * @late: what a store stores, or the addend of a multiply-add
 * @dst: registers that it writes; the second is there a cycle earlier
 */
typedef struct R10kPipeInsn {
    uint8_t op;
    uint8_t flags;
    uint8_t src[3];
    uint8_t late;
    uint8_t dst[2];
} R10kPipeInsn;

/* R10kPipeEvent.flags */
#define R10K_PIPE_TAKEN         (1u << 0)
#define R10K_PIPE_MISPREDICTED  (1u << 1)
#define R10K_PIPE_TARGET_KNOWN  (1u << 2)   /* branch target cache */
#define R10K_PIPE_RETURN_KNOWN  (1u << 3)   /* branch return cache */
#define R10K_PIPE_NULLIFIED     (1u << 4)   /* its delay slot is not executed */
#define R10K_PIPE_FAULTS        (1u << 5)   /* it raises an exception */

/**
 * R10kPipeEvent: what happens to one execution of an instruction
 * @flags: R10K_PIPE_*
 * @l2: cycles for which its access occupies the secondary cache
 * @bus: cycles for which its access occupies memory's bus
 * @fetch: cycles by which it is fetched late
 * @data: cycles that its access takes more than a hit of the primary cache;
 *        not 0: it needs an entry of the miss handling table
 */
typedef struct R10kPipeEvent {
    uint8_t flags;
    uint8_t l2;
    uint16_t bus;
    uint16_t fetch;
    uint16_t data;
} R10kPipeEvent;

/* The last cycle in which each of those who are in has its place, sorted */
typedef struct R10kPipePool {
    uint8_t n;
    uint16_t leave[R10K_PIPE_ACTIVE_MAX];
} R10kPipePool;

/* @unit is not free from cycle @from until before cycle @to. */
typedef struct R10kPipeBusy {
    uint16_t unit;
    uint16_t from;
    uint16_t to;
} R10kPipeBusy;

/**
 * R10kPipe: the state of the pipeline when it has decoded an instruction
 * @slots: how many it has decoded in this cycle
 * @branched: one of them was a branch or jump
 * @delay_slot: the next one is in a delay slot
 * @redirect: before this cycle it decodes none, but for the delay slot
 * @graduating: the last cycle in which instructions graduate
 * @graduates: how many graduate in that cycle
 * @writes: one of them is a store
 * @ready: the cycle in which a user of each register can be issued
 * @pools: active list, queues, branch stack
 * @busy: what the units will be doing, sorted
 *
 * All times are in cycles from this one on. What cannot make a difference any
 * more is 0 or not there, so that equal behaviour nearly always means equal
 * bytes of r10k_pipe_pack().
 */
typedef struct R10kPipe {
    uint8_t slots;
    uint8_t branched;
    uint8_t delay_slot;
    uint8_t graduates;
    uint8_t writes;
    uint8_t n_busy;
    uint16_t redirect;
    uint16_t graduating;
    uint16_t ready[R10K_PIPE_REGS];
    R10kPipePool pools[R10K_PIPE_POOLS];
    R10kPipeBusy busy[R10K_PIPE_BUSY_MAX];
} R10kPipe;

R10kPipeInsn r10k_pipe_insn(uint64_t pc, uint32_t word);
unsigned r10k_pipe_step(R10kPipe *pipe, const R10kPipeParams *params,
                        const R10kPipeInsn *insn, const R10kPipeEvent *event);
void r10k_pipe_interrupt(R10kPipe *pipe, const R10kPipeParams *params);

#endif /* TARGET_MIPS_R10K_PIPE_H */
