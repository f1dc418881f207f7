/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters.
 *
 * Two counters of 32 bits, each with a control register that selects one
 * event and the modes in which it counts. Instruction-like events are added
 * by translated code (tcg/r10k_pmu_translate.c). This file has the registers,
 * cycles, TLB refills, the mode rules and the overflow interrupt: a level on
 * IP7 while bit 31 of a counter and the IE bit of its control register are
 * set, after the skid if there is one, ORed with the Count/Compare interrupt.
 * Properties of the CPU make it differ where no source says that it does not.
 *
 * Sources: r10k_evcntrs(5); Origin 2000 tuning guide, appendix B; R10000
 * User's Manual, chapter 14.
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "internal.h"
#include "exec/translation-block.h"
#include "hw/irq.h"
#include "hw/qdev-clock.h"
#include "exec/helper-proto.h"
#include "r10k_models.h"
#include "trace.h"

/*
 * The instructions that a rule counts. SYNC and CACHE are loads on the R10000
 * only; a prefetch-exclusive is a store on the R10000 (tuning guide) and a
 * load on the R12000 (man page). Revision 2.x counts no issued prefetches.
 */
#define MEMORY_INSNS (R10K_INSN_LOAD | R10K_INSN_STORE | R10K_INSN_SYNC)
#define PREFETCH     (R10K_INSN_PREF_LOAD | R10K_INSN_PREF_STORE)

static const struct {
    uint16_t v2;
    uint16_t v3;
    uint16_t r12000;
} rule_mask[RULES] = {
#define ON_ALL(mask) { mask, mask, mask }
    [RULE_GRADUATED] = ON_ALL(R10K_INSN_ANY | R10K_INSN_MULDIV),
    [RULE_UNITS] = { R10K_INSN_UNIT | MEMORY_INSNS,
                     R10K_INSN_UNIT | MEMORY_INSNS | PREFETCH, 0 },
    [RULE_DECODED] = ON_ALL(R10K_INSN_ANY),
    [RULE_LOADS] = { R10K_INSN_LOAD | R10K_INSN_SYNC | R10K_INSN_PREF_LOAD,
                     R10K_INSN_LOAD | R10K_INSN_SYNC | R10K_INSN_PREF_LOAD,
                     R10K_INSN_LOAD | PREFETCH },
    [RULE_ISSUED_LOADS] = { R10K_INSN_LOAD | R10K_INSN_SYNC,
                            R10K_INSN_LOAD | R10K_INSN_SYNC | PREFETCH, 0 },
    [RULE_DECODED_LOADS] = ON_ALL(R10K_INSN_LOAD),
    [RULE_STORES] = { R10K_INSN_STORE | R10K_INSN_PREF_STORE,
                      R10K_INSN_STORE | R10K_INSN_PREF_STORE,
                      R10K_INSN_STORE },
    [RULE_ISSUED_STORES] = ON_ALL(R10K_INSN_STORE),
    [RULE_SC] = ON_ALL(R10K_INSN_SC),
    [RULE_SC_FAILED] = ON_ALL(R10K_INSN_SC_FAILED),
    [RULE_FP] = ON_ALL(R10K_INSN_FP),
    [RULE_BRANCHES] = ON_ALL(R10K_INSN_BRANCH),
    [RULE_ALL_BRANCHES] = ON_ALL(R10K_INSN_BRANCH | R10K_INSN_JUMP),
    [RULE_PROGRESS] = ON_ALL(R10K_INSN_UNIT),
#undef ON_ALL
};

/* How the model counts the event of each id of the event table. */
enum {
#define R10K_MODEL(id, model, rule, source, approximation) MODEL_##id = model,
#include "r10k-models.def"
#undef R10K_MODEL
};

#define PRID_R10000     0x0900  /* implementation */

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

void r10k_pmu_init(CPUMIPSState *env)
{
    uint32_t prid = env->cpu_model->CP0_PRid;

    if (!(env->cpu_model->insn_flags & INSN_R10K)) {
        return;
    }
    if ((prid & 0xff00) != PRID_R10000) {
        env->r10k_config.chip = R10K_CHIP_R12K;
    } else {
        env->r10k_config.chip = (prid & 0xf0) < 0x30 ? R10K_CHIP_V2
                                                     : R10K_CHIP_V3;
    }
}

/* The writable bits: the R10000's event code has four bits, later ones five. */
static uint32_t ctl_mask(const CPUMIPSState *env)
{
    return r10k_pmu_is_r10000(env) ? 0x1ff : 0x3ff;
}

uint16_t r10k_pmu_rule_mask(const CPUMIPSState *env, unsigned rule)
{
    assert(rule < RULES);
    if (r10k_pmu_is_v2(env)) {
        return rule_mask[rule].v2;
    }
    return r10k_pmu_is_r10000(env) ? rule_mask[rule].v3
                                   : rule_mask[rule].r12000;
}

/* The row of the event table that counter @i is set to. */
static unsigned event_index(const CPUMIPSState *env, int i)
{
    unsigned num = env->r10k_pmu.ctl[i] >> R10K_PMU_CTL_EVENT;
    unsigned row;

    if (r10k_pmu_is_r10000(env) ||
        env->r10k_config.events == R10K_EVENTS_SPLIT4) {
        num = num % 16 + 16 * i;
    }
    for (row = 0; row < ARRAY_SIZE(events); row++) {
        if (events[row].num == num &&
            (events[row].chips & env->r10k_config.chip)) {
            return row;
        }
    }
    g_assert_not_reached();
}

/* Whether counter @i counts the event that it is set to. */
static bool has_event(const CPUMIPSState *env, int i)
{
    unsigned half = env->r10k_pmu.ctl[i] >> R10K_PMU_CTL_EVENT >> 4;

    if (r10k_pmu_is_r10000(env)) {
        return true;
    }
    switch (env->r10k_config.events) {
    case R10K_EVENTS_SPLIT5:
        return half == i;
    case R10K_EVENTS_SPLIT4:
        return !half;
    default:
        return true;
    }
}

/* The event that counter @i is set to, and its number. */
const char *r10k_pmu_event(const CPUMIPSState *env, int i, unsigned *num)
{
    unsigned row = event_index(env, i);

    *num = events[row].num;
    return events[row].name;
}

static uint32_t counter_run(const R10kPMU *pmu, int i)
{
    return extract32(pmu->run, R10K_PMU_RUN_SHIFT(i), 16);
}

static void counter_set_run(R10kPMU *pmu, int i, uint32_t run)
{
    pmu->run = deposit32(pmu->run, R10K_PMU_RUN_SHIFT(i), 16, run);
}

static uint32_t counter_value(const R10kPMU *pmu, int i)
{
    return pmu->base[i] + counter_run(pmu, i);
}

/* The number of events until bit 31 changes. */
static uint32_t counter_distance(const R10kPMU *pmu, int i)
{
    return R10K_PMU_OVERFLOW -
           (counter_value(pmu, i) & ~R10K_PMU_OVERFLOW);
}

/*
 * The most that the fetch and the access of an instruction, or the instruction
 * itself, count of an event; 0 if no instruction counts it. The block that a
 * TLB refill ends need not be short.
 */
static uint32_t most_per_insn(const R10kConfig *config, unsigned model)
{
    switch (model) {
    case RULE_NONE:
    case EVENT_CYCLES:
    case EVENT_TLB_REFILLS:
    case MEM_EXT_INTERVENTIONS:
    case MEM_EXT_INTERVENTION_HITS:
    case MEM_EXT_INTERVENTION_STATE:
    case MEM_EXT_INVALIDATIONS:
    case MEM_EXT_INVALIDATION_HITS:
    case MEM_EXT_INVALIDATION_STATE:
        return 0;
    case RULE_UNITS:
    case RULE_DECODED:
        return 2 + config->wrong_path_insns;
    case RULE_ISSUED_LOADS:
    case RULE_DECODED_LOADS:
        return 2 + config->wrong_path_loads;
    case RULE_ISSUED_STORES:
        return 2 + config->wrong_path_stores;
    case RULE_ALL_BRANCHES:
        return 2 + config->wrong_path_branches;
    case MEM_L1D_WRITEBACK_QUADWORDS:
    case MEM_L2_WRITEBACK_QUADWORDS:
        /* A line of L1D, and a block of L2 with its lines in L1D */
        return 2 * (2 + 8);
    case MEM_L2_ECC_ERRORS:
        return 2 * 8;   /* quadwords of a block */
    case MEM_MHT_OCCUPANCY:
    case MEM_MHT_MEMORY:
        return 2 * (config->l2_latency + config->memory_latency);
    default:
        return 2;
    }
}

/*
 * Where a stage begins, in events before the overflow: a block of the stage
 * before cannot count more.
 */
static uint32_t stage_begin(const CPUMIPSState *env, int i, uint8_t stage)
{
    uint32_t most = most_per_insn(&env->r10k_config, env->r10k_pmu.model[i]);

    switch (stage) {
    case R10K_STAGE_NEAR:
        return R10K_CLOSE_INSNS * most;
    case R10K_STAGE_CLOSE:
        return R10K_SOON_INSNS * most;
    case R10K_STAGE_SOON:
        return most ? R10K_SOON_EVENTS : 0;
    default:
        return UINT32_MAX;
    }
}

static uint8_t stage_at(const CPUMIPSState *env, int i, uint32_t distance)
{
    const R10kPMU *pmu = &env->r10k_pmu;
    uint8_t stage = R10K_STAGE_NEAR;

    if (!(pmu->ctl[i] & R10K_PMU_CTL_IE) ||
        (pmu->base[i] & R10K_PMU_OVERFLOW)) {
        return R10K_STAGE_NONE;
    }
    while (distance > stage_begin(env, i, stage)) {
        stage--;
    }
    return stage;
}

/*
 * Set the value so that its half of @run is full when bit 31 changes, or when
 * the counter comes to the next stage before an interrupt.
 */
static void counter_set(CPUMIPSState *env, int i, uint32_t value)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint32_t distance;

    pmu->base[i] = value;
    counter_set_run(pmu, i, 0);
    distance = counter_distance(pmu, i);
    pmu->stage[i] = stage_at(env, i, distance);
    if (pmu->stage[i] != R10K_STAGE_NONE &&
        pmu->stage[i] != R10K_STAGE_NEAR) {
        distance -= stage_begin(env, i, pmu->stage[i] + 1);
    }
    if (distance < R10K_PMU_RUN_FULL) {
        uint32_t run = R10K_PMU_RUN_FULL - distance;

        pmu->base[i] = value - run;
        counter_set_run(pmu, i, run);
    }
}

/* Until @run is full, bit 31 of the counter is that of @base. */
static bool interrupts(const CPUMIPSState *env, int i)
{
    const R10kPMU *pmu = &env->r10k_pmu;

    switch (env->r10k_config.overflow) {
    case R10K_OVERFLOW_LEVEL:
        return (pmu->base[i] & R10K_PMU_OVERFLOW) &&
               (pmu->ctl[i] & R10K_PMU_CTL_IE);
    case R10K_OVERFLOW_NEVER:
        return false;
    default:
        return pmu->latched & (1 << i);
    }
}

static bool any_interrupts(const CPUMIPSState *env)
{
    return interrupts(env, 0) || interrupts(env, 1);
}

/* Under the lock, because the timer sets its latch in another thread. */
static void update_irq(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    bool overflow = any_interrupts(env);

    if (overflow && !pmu->skid) {
        pmu->linger = env->r10k_config.linger;
    }
    BQL_LOCK_GUARD();
    qemu_set_irq(env->irq[7], pmu->timer_latch || (overflow && !pmu->skid) ||
                              pmu->linger > 0);
}

/*
 * Other blocks are executed from now on: leave the chain of these. This may be
 * in the middle of a block, where -icount allows no interrupt. cpu_exit() ends
 * the CPU's turn, too, if no turns of fixed length were asked for.
 */
static void change_blocks(CPUMIPSState *env)
{
    CPUState *cs = env_cpu(env);

    r10k_pmu_select(env);
    if (cs->tcg_cflags & CF_USE_ICOUNT) {
        cpu_exit(cs);
    } else {
        BQL_LOCK_GUARD();
        cpu_interrupt(cs, CPU_INTERRUPT_EXITTB);
    }
}

/* A counter that interrupts has counted to bit 31. */
static void counter_overflowed(CPUMIPSState *env, int i)
{
    R10kPMU *pmu = &env->r10k_pmu;

    pmu->overflowed = true;
    if (env->r10k_config.overflow != R10K_OVERFLOW_LEVEL) {
        pmu->latched |= 1 << i;
    }
    if (++pmu->overflows == env->r10k_config.stuck_after) {
        pmu->stuck |= 1 << i;
    }
    /* Cycles pass, and a CPU may wait, without an instruction to count. */
    if (pmu->model[i] == EVENT_CYCLES || env_cpu(env)->halted) {
        pmu->skid = 0;
    } else if (!interrupts(env, !i)) {
        pmu->skid = env->r10k_config.skid;
    }
}

/* Bit 31 of a counter has changed while it counted. */
static void counter_crossed(CPUMIPSState *env, int i)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint32_t value = counter_value(pmu, i);

    if (value & R10K_PMU_OVERFLOW) {
        trace_r10k_overflow(env_cpu(env)->cpu_index, i, pmu->ctl[i], value);
        if (pmu->ctl[i] & R10K_PMU_CTL_IE) {
            counter_overflowed(env, i);
        }
    }
    update_irq(env);
}

/*
 * A half of @run is full. -icount does not allow an interrupt before the last
 * instruction of a block, and there is none: a counter that instructions move
 * overflows in a block of one, and time, TLB refills and other CPUs move the
 * others between two blocks.
 */
static void counter_turn(CPUMIPSState *env, int i, uint32_t value,
                         bool crossed)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint8_t stage_before = pmu->stage[i];
    uint32_t skid_before = pmu->skid;
    uint32_t linger_before = pmu->linger;

    counter_set(env, i, value);
    if (crossed) {
        counter_crossed(env, i);
    }
    if (pmu->stage[i] != stage_before || pmu->skid != skid_before ||
        pmu->linger != linger_before) {
        change_blocks(env);
    }
}

static void counter_add(CPUMIPSState *env, int i, uint64_t n)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint64_t run = counter_run(pmu, i) + n;
    uint32_t value;

    if (run < R10K_PMU_RUN_FULL) {
        counter_set_run(pmu, i, run);
        return;
    }
    value = pmu->base[i] + run;
    counter_turn(env, i, value,
                 ((value ^ pmu->base[i]) & R10K_PMU_OVERFLOW) ||
                 n >= R10K_PMU_OVERFLOW);
}

/* Translated code has found that a half of @run is full. */
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
 * that counts cycles is updated when it starts, stops or is read. A timer
 * updates it when bit 31 changes. The timer may expire early, if the counter
 * has been stopped meanwhile, but not late; it is then set again.
 */

uint64_t r10k_pmu_cycles_now(CPUMIPSState *env)
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
            uint64_t since = pmu->cycles_since[i];

            pmu->cycles_since[i] = now;
            counter_add(env, i, now - since);
        }
    }
}

static void cycles_settle(CPUMIPSState *env)
{
    if (env->r10k_pmu.cycles_on) {
        cycles_settle_at(env, r10k_pmu_cycles_now(env));
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
            uint32_t ticks = counter_distance(pmu, i);
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

/* Only the CPU's own thread may change the counters. */
static void cycles_timer_cb(void *opaque)
{
    async_run_on_cpu(opaque, cycles_timer_work, RUN_ON_CPU_NULL);
}

/* Let the counters whose bit is set in @on count cycles, and no others. */
static void cycles_switch(CPUMIPSState *env, uint8_t on)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint64_t now;
    int i;

    if (on == pmu->cycles_on) {
        return;
    }
    now = r10k_pmu_cycles_now(env);
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

static uint32_t model_flags(const R10kPMU *pmu)
{
    uint32_t flags = 0;

    if (pmu->awake & R10K_AWAKE_MEM) {
        flags |= R10K_TB_MEM;
    }
    if (pmu->awake & R10K_AWAKE_BRANCH) {
        flags |= R10K_TB_BRANCH;
        if (pmu->diag & R10K_DIAG_E_GHIST) {
            flags |= R10K_TB_HISTORY;
        }
    }
    return flags;
}

static R10kSelection selection_in(const R10kPMU *pmu, uint8_t mode)
{
    R10kSelection selection = { .tb_flags = model_flags(pmu) };
    uint8_t stage = R10K_STAGE_NONE;
    int i;

    if (pmu->skid || pmu->linger) {
        selection.tb_flags |= R10K_TB_SKID;
    }
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        uint8_t model = pmu->ctl[i] & mode ? pmu->model[i] : RULE_NONE;

        if (model == MEM_MHT_OCCUPANCY || model == MEM_MHT_MEMORY) {
            selection.tb_flags |= R10K_TB_TIMED;
        }
        selection.counted[i] = model;
        if (model != RULE_NONE) {
            stage = MAX(stage, pmu->stage[i]);
        }
        if (model < RULES) {
            selection.tb_flags |= model << (i * R10K_PMU_RULE_BITS);
        } else if (model == EVENT_CYCLES) {
            selection.cycles |= 1 << i;
        }
    }
    selection.tb_flags |= R10K_TB_STAGE(stage);
    return selection;
}

static void use_selection(CPUMIPSState *env)
{
    env->r10k_pmu.now = env->r10k_pmu.selection[env->r10k_pmu.mode];
    cycles_switch(env, env->r10k_pmu.now.cycles);
}

/*
 * A register was written, a model woke up or went to sleep, or a counter came
 * near to an interrupt: find out what counts from now on, and in which blocks.
 */
void r10k_pmu_select(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int mode;

    pmu->selection[0] = selection_in(pmu, 0);
    for (mode = R10K_PMU_CTL_EXL; mode <= R10K_PMU_CTL_U; mode <<= 1) {
        pmu->selection[mode] = selection_in(pmu, mode);
    }
    use_selection(env);
}

/* Update the mode, which may have changed while nothing counted. */
void r10k_pmu_refresh(CPUMIPSState *env)
{
    env->r10k_pmu.erl = env->CP0_Status & (1 << CP0St_ERL);
    env->r10k_pmu.mode = current_mode(env);
    r10k_pmu_select(env);
}

/* Status may have changed. */
void r10k_pmu_set_mode(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint8_t mode = current_mode(env);
    bool erl = env->CP0_Status & (1 << CP0St_ERL);

    if (erl != pmu->erl) {
        pmu->erl = erl;
        r10k_mem_remap(env);
    }
    if (mode != pmu->mode) {
        pmu->mode = mode;
        use_selection(env);
    }
}

/* A control register was written, or a snapshot loaded. */
static void set_control(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        pmu->model[i] = has_event(env, i) ? events[event_index(env, i)].model
                                          : RULE_NONE;
        counter_set(env, i, counter_value(pmu, i));
    }
    pmu->active = (pmu->ctl[0] | pmu->ctl[1]) & R10K_PMU_CTL_MODES;
    pmu->mode = current_mode(env);
    r10k_awake_update(env);
    r10k_pmu_select(env);
}

/* Events from outside translated code */

/* Count @n events of a model. */
void r10k_pmu_count(CPUMIPSState *env, unsigned model, unsigned n)
{
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (env->r10k_pmu.now.counted[i] == model) {
            counter_add(env, i, n);
        }
    }
}

bool r10k_pmu_counting(const CPUMIPSState *env, unsigned model)
{
    return env->r10k_pmu.now.counted[0] == model ||
           env->r10k_pmu.now.counted[1] == model;
}

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
 * Count a refill in the mode of the instruction that missed, and only if the
 * exception goes to the refill vector.
 */
void r10k_pmu_count_refill(CPUMIPSState *env, int excp)
{
    if ((excp != EXCP_TLBL && excp != EXCP_TLBS) ||
        !(env->error_code & EXCP_TLB_NOMATCH) ||
        (env->CP0_Status & (1 << CP0St_EXL))) {
        return;
    }
    r10k_pmu_count(env, EVENT_TLB_REFILLS, 1);
}

/* The CPU leaves a block in the middle: add what it has counted so far. */
void r10k_pmu_leave_block(CPUMIPSState *env, uint32_t word)
{
    int i;

    r10k_mem_replay(env, R10K_PMU_WORD_LOG(word));
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (R10K_PMU_WORD_COUNT(word, i)) {
            counter_add(env, i, R10K_PMU_WORD_COUNT(word, i));
        }
    }
}

/*
 * The current instruction graduates, as one of @n. If it is the last one before
 * an interrupt, this is taken after it. If it is the last one before IP7 drops,
 * there is no interrupt after it.
 */
void helper_r10k_skid(CPUMIPSState *env, uint32_t n)
{
    R10kPMU *pmu = &env->r10k_pmu;
    bool asserted = any_interrupts(env) && !pmu->skid;
    bool ended = false;

    if (pmu->skid) {
        pmu->skid -= MIN(pmu->skid, n);
        ended = !pmu->skid;
    }
    if (pmu->linger && !asserted) {
        pmu->linger -= MIN(pmu->linger, n);
        ended |= !pmu->linger;
    }
    if (ended) {
        update_irq(env);
        change_blocks(env);
    }
}

/*
 * A block may end between a branch and its delay slot (page boundary, -icount).
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
    if (i >= R10K_PMU_COUNTERS) {
        return 0;
    }
    return env->r10k_pmu.ctl[i] |
           (env->r10k_config.reserved_bits ? ~ctl_mask(env) : 0);
}

uint32_t helper_r10k_mfpc(CPUMIPSState *env, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS) {
        return 0;
    }
    cycles_settle(env);
    return counter_value(&env->r10k_pmu, i);
}

/* What an overflow that has been cleared would have delayed */
static void drop_skid(CPUMIPSState *env)
{
    if (!any_interrupts(env)) {
        env->r10k_pmu.skid = 0;
    }
}

void helper_r10k_mtps(CPUMIPSState *env, uint32_t value, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS) {
        return;
    }
    cycles_settle(env);
    trace_r10k_control(env_cpu(env)->cpu_index, i, env->r10k_pmu.ctl[i],
                       value & ctl_mask(env));
    env->r10k_pmu.ctl[i] = value & ctl_mask(env);
    if (env->r10k_config.overflow == R10K_OVERFLOW_CROSSING) {
        env->r10k_pmu.latched &= ~(1 << i);
    }
    drop_skid(env);
    update_irq(env);
    set_control(env);
}

void helper_r10k_mtpc(CPUMIPSState *env, uint32_t value, uint32_t i)
{
    if (i >= R10K_PMU_COUNTERS || (env->r10k_pmu.stuck & (1 << i))) {
        return;
    }
    cycles_settle(env);
    trace_r10k_preset(env_cpu(env)->cpu_index, i,
                      counter_value(&env->r10k_pmu, i), value);
    counter_set(env, i, value);
    env->r10k_pmu.latched &= ~(1 << i);
    drop_skid(env);
    if (env->r10k_pmu.cycles_on) {
        cycles_arm_timer(env);
    }
    update_irq(env);
    r10k_pmu_select(env);
}

/* No source says what the registers contain. The rest of the CPU is reset. */
void r10k_pmu_reset(CPUMIPSState *env)
{
    int i;

    if (!env->r10k_config.reset_value) {
        return;
    }
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        env->r10k_pmu.ctl[i] = env->r10k_config.reset_value & ctl_mask(env);
        env->r10k_pmu.base[i] = env->r10k_config.reset_value;
        if (env->r10k_config.overflow == R10K_OVERFLOW_LATCH &&
            env->r10k_config.reset_value & R10K_PMU_OVERFLOW) {
            env->r10k_pmu.latched |= 1 << i;
        }
    }
    update_irq(env);
    set_control(env);
}

/* Snapshots */

void r10k_pmu_before_save(CPUMIPSState *env)
{
    cycles_settle(env);
}

/* The saved state is loaded: derive the rest from it. */
void r10k_pmu_after_load(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;

    if (env->r10k_config.overflow == R10K_OVERFLOW_LEVEL) {
        pmu->latched = 0;
    }
    if (!env->r10k_config.stuck_after) {
        pmu->stuck = 0;
    }
    pmu->cycles_on = 0;
    pmu->erl = env->CP0_Status & (1 << CP0St_ERL);
    if (pmu->awake & R10K_AWAKE_MEM) {
        r10k_mem_wake(env);
    }
    set_control(env);
    update_irq(env);
}
