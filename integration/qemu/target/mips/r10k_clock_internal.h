/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: functions of the clock for the MIPS target.
 */

#ifndef TARGET_MIPS_R10K_CLOCK_INTERNAL_H
#define TARGET_MIPS_R10K_CLOCK_INTERNAL_H

/*
 * How a translation block is left, in the argument of the helper: the number
 * of instructions that have been executed, and these
 */
#define R10K_CLOCK_EXECUTED     0xff
#define R10K_CLOCK_END          0x100   /* its branch is complete */
#define R10K_CLOCK_TAKEN        0x200
#define R10K_CLOCK_NULLIFIED    0x400   /* the delay slot is not executed */

#ifndef CONFIG_USER_ONLY

extern const VMStateDescription vmstate_r10k_clock;

static inline bool r10k_clock_on(const CPUMIPSState *env)
{
    return env->r10k_clock.timing != R10K_TIMING_OFF;
}

bool r10k_clock_check(MIPSCPU *cpu, Error **errp);
void r10k_clock_start(MIPSCPU *cpu);
uint64_t r10k_clock_cycles(CPUMIPSState *env);
void r10k_clock_print(GString *out, CPUMIPSState *env);
R10kClockBlock *r10k_clock_new_block(CPUMIPSState *env, uint64_t pc, bool slot);
void r10k_clock_run(CPUMIPSState *env, uint32_t exit);
void r10k_clock_leave(CPUMIPSState *env);
void r10k_clock_exception(CPUMIPSState *env);
void r10k_clock_access(CPUMIPSState *env, bool fetch, unsigned cycles);

#endif /* !CONFIG_USER_ONLY */
#endif /* TARGET_MIPS_R10K_CLOCK_INTERNAL_H */
