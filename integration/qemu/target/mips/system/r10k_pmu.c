/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters.
 *
 * Two counters of 32 bits, each with a control register that selects one
 * event and the modes in which it counts. Instruction-like events are added
 * by translated code (tcg/r10k_pmu_translate.c); here are the registers,
 * cycles, TLB refills, the mode rules and the overflow interrupt: a level on
 * IP7 while bit 31 of a counter and the IE bit of its control register are
 * set, or-ed with the Count/Compare interrupt.
 *
 * Sources: r10k_evcntrs(5); Origin 2000 tuning guide, appendix B; R10000
 * User's Manual, chapter 14.
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "internal.h"
#include "exec/translation-block.h"
#include "hw/irq.h"
#include "hw/qdev-clock.h"
#include "exec/helper-proto.h"
#include "migration/vmstate.h"
#include "r10k_pmu_internal.h"

/* How an event is counted: by translated code (a rule), or by name here. */
enum {
    RULE_NONE,
    RULE_GRADUATED,
    RULE_LOADS,
    RULE_STORES,
    RULE_SC,
    RULE_SC_FAILED,
    RULE_FP,
    RULE_BRANCHES,
    RULES,
    EVENT_CYCLES = RULES,
    EVENT_TLB_REFILLS,
    EVENT_UNIMP,
};
QEMU_BUILD_BUG_ON(RULES > 1 << R10K_PMU_RULE_BITS);

/*
 * SYNC and CACHE count as loads on the R10000 only; a prefetch-exclusive is
 * a store on the R10000 (tuning guide) and a load on the R12000 (man page).
 */
static const struct {
    uint16_t r10000;
    uint16_t r12000;
} rule_mask[RULES] = {
    [RULE_GRADUATED] = { R10K_INSN_ANY | R10K_INSN_MULDIV,
                         R10K_INSN_ANY | R10K_INSN_MULDIV },
    [RULE_LOADS] = { R10K_INSN_LOAD | R10K_INSN_SYNC | R10K_INSN_PREF_LOAD,
                     R10K_INSN_LOAD | R10K_INSN_PREF_LOAD |
                     R10K_INSN_PREF_STORE },
    [RULE_STORES] = { R10K_INSN_STORE | R10K_INSN_PREF_STORE,
                      R10K_INSN_STORE },
    [RULE_SC] = { R10K_INSN_SC, R10K_INSN_SC },
    [RULE_SC_FAILED] = { R10K_INSN_SC_FAILED, R10K_INSN_SC_FAILED },
    [RULE_FP] = { R10K_INSN_FP, R10K_INSN_FP },
    [RULE_BRANCHES] = { R10K_INSN_BRANCH, R10K_INSN_BRANCH },
};

/* What the model counts for each id of the event table. */
enum {
    MODEL_CYCLES = EVENT_CYCLES,
    MODEL_FAILED_SC = RULE_SC_FAILED,
    MODEL_RESOLVED_BRANCHES = RULE_BRANCHES,
    MODEL_GRADUATED_INSNS = RULE_GRADUATED,
    MODEL_GRADUATED_LOADS = RULE_LOADS,
    MODEL_GRADUATED_STORES = RULE_STORES,
    MODEL_GRADUATED_SC = RULE_SC,
    MODEL_GRADUATED_FP = RULE_FP,
    MODEL_TLB_REFILLS = EVENT_TLB_REFILLS,
    MODEL_ISSUED_INSNS = EVENT_UNIMP,
    MODEL_DECODED_INSNS = EVENT_UNIMP,
    MODEL_ISSUED_LOADS = EVENT_UNIMP,
    MODEL_DECODED_LOADS = EVENT_UNIMP,
    MODEL_ISSUED_STORES = EVENT_UNIMP,
    MODEL_DECODED_STORES = EVENT_UNIMP,
    MODEL_ISSUED_SC = EVENT_UNIMP,
    MODEL_MHT_OCCUPANCY = EVENT_UNIMP,
    MODEL_DECODED_BRANCHES = EVENT_UNIMP,
    MODEL_L2_WRITEBACK_QUADWORDS = EVENT_UNIMP,
    MODEL_L2_ECC_ERRORS = EVENT_UNIMP,
    MODEL_L1I_MISSES = EVENT_UNIMP,
    MODEL_L2I_MISSES = EVENT_UNIMP,
    MODEL_L2I_WAY_MISPREDICTED = EVENT_UNIMP,
    MODEL_EXT_INTERVENTIONS = EVENT_UNIMP,
    MODEL_EXT_INVALIDATIONS = EVENT_UNIMP,
    MODEL_VIRTUAL_COHERENCY = EVENT_UNIMP,
    MODEL_PROGRESS_CYCLES = EVENT_UNIMP,
    MODEL_PREFETCHES = EVENT_UNIMP,
    MODEL_PREFETCH_MISSES = EVENT_UNIMP,
    MODEL_L1D_WRITEBACK_QUADWORDS = EVENT_UNIMP,
    MODEL_MISPREDICTED_BRANCHES = EVENT_UNIMP,
    MODEL_L1D_MISSES = EVENT_UNIMP,
    MODEL_L2D_MISSES = EVENT_UNIMP,
    MODEL_L2D_WAY_MISPREDICTED = EVENT_UNIMP,
    MODEL_EXT_INTERVENTION_HITS = EVENT_UNIMP,
    MODEL_EXT_INTERVENTION_STATE = EVENT_UNIMP,
    MODEL_EXT_INVALIDATION_HITS = EVENT_UNIMP,
    MODEL_EXT_INVALIDATION_STATE = EVENT_UNIMP,
    MODEL_STORE_TO_CLEAN = EVENT_UNIMP,
    MODEL_MHT_MEMORY = EVENT_UNIMP,
    MODEL_STORE_TO_SHARED = EVENT_UNIMP,
    MODEL_UPDATE_REQUESTS = EVENT_UNIMP,
};

#define R10K_CHIP_V2    1
#define R10K_CHIP_V3    2
#define R10K_CHIP_R10K  (R10K_CHIP_V2 | R10K_CHIP_V3)
#define R10K_CHIP_R12K  4
#define R10K_CHIP_ALL   (R10K_CHIP_R10K | R10K_CHIP_R12K)

static const struct {
    uint8_t num;
    uint8_t chips;
    uint8_t model;
    const char *name;
} events[] = {
#define R10K_EVENT(num, twin, chips, id, name, label, desc) \
    { num, chips, MODEL_##id, name },
#include "r10k-events.def"
#undef R10K_EVENT
};

static unsigned chip_of(const CPUMIPSState *env)
{
    if (!r10k_pmu_is_r10000(env)) {
        return R10K_CHIP_R12K;
    }
    return (env->CP0_PRid & 0xf0) < 0x30 ? R10K_CHIP_V2 : R10K_CHIP_V3;
}

/* The writable bits: the R10000's event code has four bits, later ones five. */
static uint32_t ctl_mask(const CPUMIPSState *env)
{
    return r10k_pmu_is_r10000(env) ? 0x1ff : 0x3ff;
}

uint16_t r10k_pmu_rule_mask(const CPUMIPSState *env, unsigned rule)
{
    assert(rule < RULES);
    return r10k_pmu_is_r10000(env) ? rule_mask[rule].r10000
                                   : rule_mask[rule].r12000;
}

/* The row of the event table that counter @i is set to. */
static unsigned event_index(const CPUMIPSState *env, int i)
{
    unsigned num = env->r10k_pmu.ctl[i] >> R10K_PMU_CTL_EVENT;
    unsigned row;

    if (r10k_pmu_is_r10000(env)) {
        num += 16 * i;
    }
    for (row = 0; row < ARRAY_SIZE(events); row++) {
        if (events[row].num == num && (events[row].chips & chip_of(env))) {
            return row;
        }
    }
    g_assert_not_reached();
}

static uint32_t counter_value(const R10kPMU *pmu, int i)
{
    return pmu->base[i] + pmu->run[i];
}

/* Keep the value, and make @run the distance to the next change of bit 31. */
static void counter_set(R10kPMU *pmu, int i, uint32_t value)
{
    uint32_t distance = 0x80000000u - (value & 0x7fffffffu);

    pmu->base[i] = value + distance;
    pmu->run[i] = (int32_t)-distance;
}

static bool overflow_level(const R10kPMU *pmu)
{
    bool level = false;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        level |= (counter_value(pmu, i) >> 31) &&
                 (pmu->ctl[i] & R10K_PMU_CTL_IE);
    }
    return level;
}

/* Under the lock, because the timer sets its latch in another thread. */
static void update_irq(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;

    BQL_LOCK_GUARD();
    qemu_set_irq(env->irq[7], pmu->timer_latch || overflow_level(pmu));
}

static void counter_add(CPUMIPSState *env, int i, uint64_t n)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int64_t run = pmu->run[i] + n;

    if (run < 0) {
        pmu->run[i] = run;
        return;
    }
    counter_set(pmu, i, pmu->base[i] + run);
    update_irq(env);
}

/* Translated code has made a distance non-negative: bit 31 has changed. */
void helper_r10k_pmu_overflow(CPUMIPSState *env)
{
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        counter_add(env, i, 0);
    }
}

/*
 * Cycles
 *
 * The pipeline clock is the CPU's input clock, twice that of Count. A counter
 * that counts cycles is brought up to date whenever it starts, stops or is
 * read, and a timer does it when bit 31 must have changed if nothing has
 * stopped it since. It may come early, never late; then it is set anew.
 */

static uint64_t cycles_now(CPUMIPSState *env)
{
    return clock_ns_to_ticks(env_archcpu(env)->clock,
                             qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
}

static void cycles_settle_at(CPUMIPSState *env, uint64_t now)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (pmu->cycles_on & (1 << i)) {
            counter_add(env, i, now - pmu->cycles_since[i]);
            pmu->cycles_since[i] = now;
        }
    }
}

static void cycles_settle(CPUMIPSState *env)
{
    if (env->r10k_pmu.cycles_on) {
        cycles_settle_at(env, cycles_now(env));
    }
}

static void cycles_arm_timer(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    Clock *clock = env_archcpu(env)->clock;
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (pmu->cycles_on & (1 << i)) {
            uint64_t ticks = -(int64_t)pmu->run[i];
            int64_t when = now + clock_ticks_to_ns(clock, ticks) + 1;

            if (!timer_pending(env->r10k_pmu_timer) ||
                timer_expire_time_ns(env->r10k_pmu_timer) > when) {
                timer_mod(env->r10k_pmu_timer, when);
            }
        }
    }
}

static void cycles_timer_work(CPUState *cs, run_on_cpu_data data)
{
    CPUMIPSState *env = cpu_env(cs);

    cycles_settle(env);
    cycles_arm_timer(env);
}

/* The counters belong to the CPU's thread. */
static void cycles_timer_cb(void *opaque)
{
    async_run_on_cpu(opaque, cycles_timer_work, RUN_ON_CPU_NULL);
}

/* Start and stop counting cycles so that the set of counters is @on. */
static void cycles_switch(CPUMIPSState *env, uint8_t on)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint64_t now;
    int i;

    if (on == pmu->cycles_on) {
        return;
    }
    now = cycles_now(env);
    cycles_settle_at(env, now);
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (on & ~pmu->cycles_on & (1 << i)) {
            pmu->cycles_since[i] = now;
        }
    }
    pmu->cycles_on = on;
    if (!env->r10k_pmu_timer) {
        env->r10k_pmu_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL,
                                           cycles_timer_cb, env_cpu(env));
    }
    cycles_arm_timer(env);
}

/* Modes */

static uint8_t current_mode(const CPUMIPSState *env)
{
    static const uint8_t ksu_mode[] = {
        R10K_PMU_CTL_K, R10K_PMU_CTL_S, R10K_PMU_CTL_U, 0
    };

    if (env->CP0_Status & (1 << CP0St_ERL)) {
        return 0;
    }
    if (env->CP0_Status & (1 << CP0St_EXL)) {
        return R10K_PMU_CTL_EXL;
    }
    return ksu_mode[extract32(env->CP0_Status, CP0St_KSU, 2)];
}

/* Status or a control register was written: see what counts from now on. */
static void select_events(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint32_t tb_flags = 0;
    uint8_t cycles_on = 0;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (!(pmu->ctl[i] & pmu->mode)) {
            continue;
        }
        if (pmu->model[i] < RULES) {
            tb_flags |= pmu->model[i] << (i * R10K_PMU_RULE_BITS);
        } else if (pmu->model[i] == EVENT_CYCLES) {
            cycles_on |= 1 << i;
        }
    }
    pmu->tb_flags = tb_flags;
    cycles_switch(env, cycles_on);
}

/* Status may have changed. */
void r10k_pmu_set_mode(CPUMIPSState *env)
{
    uint8_t mode = current_mode(env);

    if (mode != env->r10k_pmu.mode) {
        env->r10k_pmu.mode = mode;
        select_events(env);
    }
}

/* A control register was written. */
static void set_control(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        pmu->model[i] = events[event_index(env, i)].model;
    }
    pmu->active = (pmu->ctl[0] | pmu->ctl[1]) & R10K_PMU_CTL_MODES;
    pmu->mode = current_mode(env);
    select_events(env);
}

/* Events from outside translated code */

/* Count/Compare: @level is set by a match, cleared by a write to Compare. */
void r10k_pmu_timer_level(CPUMIPSState *env, bool level)
{
    if (r10k_pmu_present(env)) {
        BQL_LOCK_GUARD();
        env->r10k_pmu.timer_latch = level;
        update_irq(env);
    }
}

/*
 * A refill is counted in the mode of the instruction that missed, and only
 * where it goes to the refill vector.
 */
void r10k_pmu_count_refill(CPUMIPSState *env, int excp)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int i;

    if ((excp != EXCP_TLBL && excp != EXCP_TLBS) ||
        !(env->error_code & EXCP_TLB_NOMATCH) ||
        (env->CP0_Status & (1 << CP0St_EXL))) {
        return;
    }
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if ((pmu->ctl[i] & pmu->mode) && pmu->model[i] == EVENT_TLB_REFILLS) {
            counter_add(env, i, 1);
        }
    }
}

/*
 * QEMU keeps TLB entries that a random write has replaced, as long as the
 * guest cannot tell. A guest that counts refills can: then the TLB must have
 * its real size.
 */
bool r10k_pmu_counts_refills(const CPUMIPSState *env)
{
    const R10kPMU *pmu = &env->r10k_pmu;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if ((pmu->ctl[i] & R10K_PMU_CTL_MODES) &&
            pmu->model[i] == EVENT_TLB_REFILLS) {
            return true;
        }
    }
    return false;
}

static void drop_extra_tlb_entries(CPUMIPSState *env)
{
    while (env->tlb->tlb_in_use > env->tlb->nb_tlb) {
        r4k_invalidate_tlb(env, --env->tlb->tlb_in_use, 0);
    }
}

/*
 * A block is left in its middle: add what it has counted up to here. This may
 * interrupt, which -icount allows only where a block ends: here it does.
 */
void r10k_pmu_leave_block(CPUMIPSState *env, uint32_t word)
{
    int i;

    env_cpu(env)->neg.can_do_io = true;
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (R10K_PMU_WORD_COUNT(word, i)) {
            counter_add(env, i, R10K_PMU_WORD_COUNT(word, i));
        }
    }
}

/*
 * A block may end between a branch and its delay slot (page border, -icount).
 * An interrupt there would make the branch run and count twice, which no
 * hardware does: run the delay slot first, as a block of one instruction that
 * returns here.
 */
bool r10k_pmu_defer_interrupt(CPUState *cs)
{
    CPUMIPSState *env = cpu_env(cs);

    if (!(env->hflags & MIPS_HFLAG_BMASK) || !r10k_pmu_present(env)) {
        return false;
    }
    cs->cflags_next_tb = cs->tcg_cflags | CF_NO_GOTO_TB | CF_NO_GOTO_PTR | 1;
    return true;
}

/* Registers */

uint32_t helper_r10k_mfps(CPUMIPSState *env, uint32_t i)
{
    return i < R10K_PMU_COUNTERS ? env->r10k_pmu.ctl[i] : 0;
}

uint32_t helper_r10k_mfpc(CPUMIPSState *env, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS) {
        return 0;
    }
    cycles_settle(env);
    return counter_value(&env->r10k_pmu, i);
}

static void log_unimp_event(const CPUMIPSState *env, int i)
{
    static uint64_t logged;
    unsigned row = event_index(env, i);

    QEMU_BUILD_BUG_ON(ARRAY_SIZE(events) > 64);
    if (events[row].model == EVENT_UNIMP && !(logged & (1ull << row))) {
        logged |= 1ull << row;
        qemu_log_mask(LOG_UNIMP, "r10k-pmu: event %u (%s) is not modelled, "
                      "reads as 0\n", events[row].num, events[row].name);
    }
}

void helper_r10k_mtps(CPUMIPSState *env, uint32_t value, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS) {
        return;
    }
    cycles_settle(env);
    env->r10k_pmu.ctl[i] = value & ctl_mask(env);
    set_control(env);
    if (value & R10K_PMU_CTL_MODES) {
        log_unimp_event(env, i);
    }
    if (r10k_pmu_counts_refills(env)) {
        drop_extra_tlb_entries(env);
    }
    update_irq(env);
}

void helper_r10k_mtpc(CPUMIPSState *env, uint32_t value, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS) {
        return;
    }
    cycles_settle(env);
    counter_set(&env->r10k_pmu, i, value);
    if (env->r10k_pmu.cycles_on) {
        cycles_arm_timer(env);
    }
    update_irq(env);
}

/* Migration and snapshots */

static bool vmstate_needed(void *opaque)
{
    return r10k_pmu_present(&MIPS_CPU(opaque)->env);
}

static int vmstate_pre_save(void *opaque)
{
    cycles_settle(&MIPS_CPU(opaque)->env);
    return 0;
}

static int vmstate_post_load(void *opaque, int version_id)
{
    CPUMIPSState *env = &MIPS_CPU(opaque)->env;

    env->r10k_pmu.cycles_on = 0;
    set_control(env);
    return 0;
}

const VMStateDescription vmstate_r10k_pmu = {
    .name = "cpu/r10k_pmu",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = vmstate_needed,
    .pre_save = vmstate_pre_save,
    .post_load = vmstate_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(env.r10k_pmu.ctl, MIPSCPU, R10K_PMU_COUNTERS),
        VMSTATE_UINT32_ARRAY(env.r10k_pmu.base, MIPSCPU, R10K_PMU_COUNTERS),
        VMSTATE_INT32_ARRAY(env.r10k_pmu.run, MIPSCPU, R10K_PMU_COUNTERS),
        VMSTATE_BOOL(env.r10k_pmu.timer_latch, MIPSCPU),
        VMSTATE_END_OF_LIST()
    },
};
