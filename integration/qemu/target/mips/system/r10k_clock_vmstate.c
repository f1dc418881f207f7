/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the clock in snapshots.
 *
 * The pipeline is saved, what is remembered of it is not: that can be worked
 * out again.
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "internal.h"
#include "migration/vmstate.h"
#include "r10k_clock_internal.h"

static bool clock_needed(void *opaque)
{
    return r10k_clock_on(&MIPS_CPU(opaque)->env);
}

static int clock_pre_save(void *opaque)
{
    R10kClock *clock = &MIPS_CPU(opaque)->env.r10k_clock;

    if (clock->memo) {
        r10k_pipe_memo_get(clock->memo, clock->pipe);
    }
    return 0;
}

static int clock_pre_load(void *opaque)
{
    if (!clock_needed(opaque)) {
        error_report("the snapshot is of a CPU with timing=fast or detailed, "
                     "this one has timing=off");
        return -EINVAL;
    }
    return 0;
}

static bool valid_pipe(const R10kPipe *pipe)
{
    bool valid = pipe->n_busy <= R10K_PIPE_BUSY_MAX;
    int i;

    for (i = 0; i < R10K_PIPE_POOLS; i++) {
        valid &= pipe->pools[i].n <= R10K_PIPE_ACTIVE_MAX;
    }
    return valid;
}

static int clock_post_load(void *opaque, int version_id)
{
    R10kClock *clock = &MIPS_CPU(opaque)->env.r10k_clock;

    if (!valid_pipe(clock->pipe)) {
        error_report("the snapshot's pipeline is damaged");
        return -EINVAL;
    }
    clock->loaded = true;
    clock->happened = 0;
    if (clock->memo) {
        r10k_pipe_memo_set(clock->memo, clock->pipe);
    }
    return 0;
}

static const VMStateDescription vmstate_pool = {
    .name = "cpu/r10k_pmu/clock/pool",
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8(n, R10kPipePool),
        VMSTATE_UINT16_ARRAY(leave, R10kPipePool, R10K_PIPE_ACTIVE_MAX),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_busy = {
    .name = "cpu/r10k_pmu/clock/busy",
    .fields = (const VMStateField[]) {
        VMSTATE_UINT16(unit, R10kPipeBusy),
        VMSTATE_UINT16(from, R10kPipeBusy),
        VMSTATE_UINT16(to, R10kPipeBusy),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_pipe = {
    .name = "cpu/r10k_pmu/clock/pipe",
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8(slots, R10kPipe),
        VMSTATE_UINT8(branched, R10kPipe),
        VMSTATE_UINT8(delay_slot, R10kPipe),
        VMSTATE_UINT8(graduates, R10kPipe),
        VMSTATE_UINT8(writes, R10kPipe),
        VMSTATE_UINT8(n_busy, R10kPipe),
        VMSTATE_UINT16(redirect, R10kPipe),
        VMSTATE_UINT16(graduating, R10kPipe),
        VMSTATE_UINT16_ARRAY(ready, R10kPipe, R10K_PIPE_REGS),
        VMSTATE_STRUCT_ARRAY(pools, R10kPipe, R10K_PIPE_POOLS, 0, vmstate_pool,
                             R10kPipePool),
        VMSTATE_STRUCT_ARRAY(busy, R10kPipe, R10K_PIPE_BUSY_MAX, 0,
                             vmstate_busy, R10kPipeBusy),
        VMSTATE_END_OF_LIST()
    },
};

const VMStateDescription vmstate_r10k_clock = {
    .name = "cpu/r10k_pmu/clock",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = clock_needed,
    .pre_save = clock_pre_save,
    .pre_load = clock_pre_load,
    .post_load = clock_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(env.r10k_clock.pipe, MIPSCPU, vmstate_pipe,
                               R10kPipe),
        VMSTATE_BOOL(env.r10k_clock.mispredicted, MIPSCPU),
        VMSTATE_BOOL(env.r10k_clock.waits, MIPSCPU),
        VMSTATE_UINT8(env.r10k_clock.branch.op, MIPSCPU),
        VMSTATE_UINT8(env.r10k_clock.branch.flags, MIPSCPU),
        VMSTATE_UINT8_ARRAY(env.r10k_clock.branch.src, MIPSCPU, 3),
        VMSTATE_UINT8(env.r10k_clock.branch.late, MIPSCPU),
        VMSTATE_UINT8_ARRAY(env.r10k_clock.branch.dst, MIPSCPU, 2),
        VMSTATE_UINT64(env.r10k_clock.branch_pc, MIPSCPU),
        VMSTATE_UINT64(env.r10k_clock.link, MIPSCPU),
        VMSTATE_UINT64(env.r10k_clock.line, MIPSCPU),
        VMSTATE_UINT32(env.r10k_clock.late, MIPSCPU),
        VMSTATE_END_OF_LIST()
    },
};
