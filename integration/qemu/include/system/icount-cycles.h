/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instruction counter: a target counts cycles instead.
 */

#ifndef SYSTEM_ICOUNT_CYCLES_H
#define SYSTEM_ICOUNT_CYCLES_H

/**
 * IcountCycles: -icount counts cycles, not instructions
 * @hz: how many are a second; 0 if it counts instructions
 * @guard: more cycles than any block takes
 * @near: a timer expires so soon that blocks must have one instruction, so that
 *        it expires after the same instruction whatever the blocks are
 *
 * Translated code then does not count itself. The target charges what it has
 * executed.
 */
typedef struct IcountCycles {
    uint32_t hz;
    uint32_t guard;
    bool near;
} IcountCycles;

extern IcountCycles icount_cycles;

static inline bool icount_in_cycles(void)
{
    return icount_cycles.hz;
}

/* Let -icount count cycles. For a single CPU, before it runs. */
void icount_use_cycles(uint32_t hz, uint32_t guard);

/* The CPU that is running has executed what takes @cycles. */
void icount_charge(CPUState *cpu, uint32_t cycles);

/* Let the CPU execute the next part of its budget. */
void icount_refill(CPUState *cpu);

#endif /* SYSTEM_ICOUNT_CYCLES_H */
