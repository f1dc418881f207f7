/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: functions for the MIPS target.
 */

#ifndef TARGET_MIPS_R10K_PMU_INTERNAL_H
#define TARGET_MIPS_R10K_PMU_INTERNAL_H

static inline bool r10k_pmu_present(const CPUMIPSState *env)
{
    return env->insn_flags & INSN_R10K;
}

static inline bool r10k_pmu_is_r10000(const CPUMIPSState *env)
{
    return env->r10k_config.chip & R10K_CHIP_R10K;
}

/* R10000 of revision 2.x */
static inline bool r10k_pmu_is_v2(const CPUMIPSState *env)
{
    return env->r10k_config.chip == R10K_CHIP_V2;
}

/* Kinds of instructions; a rule counts some of these. */
enum {
    R10K_INSN_ANY = 1 << 0,
    R10K_INSN_MULDIV = 1 << 1,
    R10K_INSN_LOAD = 1 << 2,
    R10K_INSN_STORE = 1 << 3,
    R10K_INSN_SC = 1 << 4,
    R10K_INSN_FP = 1 << 5,
    R10K_INSN_BRANCH = 1 << 6,
    R10K_INSN_SYNC = 1 << 7,        /* SYNC and CACHE */
    R10K_INSN_PREF_LOAD = 1 << 8,   /* PREF and PREFX with a load hint */
    R10K_INSN_PREF_STORE = 1 << 9,  /* the same with a store hint */
    R10K_INSN_SC_FAILED = 1 << 10,  /* known only at run time */
    R10K_INSN_JUMP = 1 << 11,       /* J, JAL, JR, JALR */
    R10K_INSN_UNIT = 1 << 12,       /* executed by an ALU or FPU */
};

/*
 * R10kSelection.tb_flags has a rule for each counter, where rule 0 counts
 * nothing, the models that are awake, and what shortens blocks. A rule stands
 * for a mask of R10K_INSN_*.
 */
#define R10K_PMU_RULE_BITS 4
#define R10K_PMU_RULE(flags, i) \
    (((flags) >> (R10K_PMU_RULE_BITS * (i))) & ((1u << R10K_PMU_RULE_BITS) - 1))
#define R10K_TB_MEM     (1u << 8)
#define R10K_TB_BRANCH  (1u << 9)
#define R10K_TB_HISTORY (1u << 10)
#define R10K_TB_SKID    (1u << 11)  /* interrupts, or drops, later */
#define R10K_TB_STAGE(stage)        ((uint32_t)(stage) << 12)
#define R10K_TB_STAGE_OF(flags)     extract32(flags, 12, 2)
#define R10K_TB_TIMED   (1u << 14)  /* a model needs the time of each request */

/*
 * A counter that interrupts comes near its overflow in stages, each with
 * shorter blocks. At the end of a block it is found to be in the next stage,
 * still before its overflow. In the last stage each instruction is a block,
 * and the interrupt comes at the instruction itself. The usual sampling
 * periods are below R10K_SOON_EVENTS: such a counter never leaves the stages,
 * so its code is translated for these three lengths and not for a fourth.
 */
enum {
    R10K_STAGE_NONE,
    R10K_STAGE_SOON,
    R10K_STAGE_CLOSE,
    R10K_STAGE_NEAR,
};

#define R10K_SOON_EVENTS    (1u << 20)
#define R10K_SOON_INSNS     32  /* of a block */
#define R10K_CLOSE_INSNS    8

/* Diagnostic register: predict branches with global history (R12000). */
#define R10K_DIAG_E_GHIST   (1u << 26)

#ifndef CONFIG_USER_ONLY

extern const VMStateDescription vmstate_r10k_pmu;
bool r10k_vmstate_check(CPUMIPSState *env);
void r10k_snoop_class_init(ObjectClass *oc);

void r10k_pmu_init(CPUMIPSState *env);
void r10k_pmu_reset(CPUMIPSState *env);
uint16_t r10k_pmu_rule_mask(const CPUMIPSState *env, unsigned rule);
void r10k_pmu_set_mode(CPUMIPSState *env);
void r10k_pmu_timer_level(CPUMIPSState *env, bool level);
void r10k_pmu_count_refill(CPUMIPSState *env, int excp);
void r10k_pmu_leave_block(CPUMIPSState *env, uint32_t word);
bool r10k_pmu_defer_interrupt(CPUState *cs);
void r10k_pmu_select(CPUMIPSState *env);
const char *r10k_pmu_event(const CPUMIPSState *env, int i, unsigned *num);
void r10k_pmu_before_save(CPUMIPSState *env);
void r10k_pmu_after_load(CPUMIPSState *env);

void r10k_mem_prepare(CPUMIPSState *env);
void r10k_mem_wake(CPUMIPSState *env);
void r10k_mem_replay(CPUMIPSState *env, unsigned n);
void r10k_mem_remap(CPUMIPSState *env);
void r10k_mem_unmap(CPUMIPSState *env, uint64_t va, uint64_t bytes);

/* While refills are counted, QEMU must not have more entries than the CPU. */
static inline bool r10k_pmu_counts_refills(const CPUMIPSState *env)
{
    return env->r10k_pmu.awake & R10K_AWAKE_TLB;
}

/* Status may have changed. */
static inline void r10k_pmu_mode_changed(CPUMIPSState *env)
{
    if (unlikely(env->r10k_pmu.active || env->r10k_pmu.awake)) {
        r10k_pmu_set_mode(env);
    }
}

/* Exception @excp is about to be taken. */
static inline void r10k_pmu_exception(CPUMIPSState *env, int excp)
{
    if (unlikely(env->r10k_pmu.active)) {
        r10k_pmu_count_refill(env, excp);
    }
}

/* A block is left before the instruction that has @word, see below. */
static inline void r10k_pmu_restore(CPUMIPSState *env, uint32_t word)
{
    if (unlikely(word)) {
        r10k_pmu_leave_block(env, word);
    }
}

#else

static inline void r10k_pmu_init(CPUMIPSState *env)
{
}

static inline void r10k_pmu_restore(CPUMIPSState *env, uint32_t word)
{
}

#endif /* !CONFIG_USER_ONLY */

/*
 * The word of an instruction in a translation block: what the block has
 * counted before this instruction and not yet added, and the number of log
 * entries up to its fetch.
 */
#define R10K_PMU_WORD(n0, n1, log) \
    ((n0) | ((uint32_t)(n1) << 12) | ((uint32_t)(log) << 24))
#define R10K_PMU_WORD_COUNT(word, i)    (((word) >> (12 * (i))) & 0xfff)
#define R10K_PMU_WORD_LOG(word)         ((word) >> 24)

#endif /* TARGET_MIPS_R10K_PMU_INTERNAL_H */
