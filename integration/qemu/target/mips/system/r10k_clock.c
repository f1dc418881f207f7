/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the clock that the model of the pipeline drives.
 *
 * With timing on, QEMU's instruction counter (-icount) counts cycles. At each
 * exit of a translation block, the model of the pipeline (r10k_pipe.c) executes
 * the instructions that the block has executed, with the misses and outcomes
 * that the models of caches and branch predictor have found, and charges the
 * cycles that this takes. Time stands still within a block: what reads or sets
 * it, or may do so, is alone in a block, or has the model execute what is
 * before it.
 *
 * Documentation/timing.rst describes what is modelled.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/tb-flush.h"
#include "hw/boards.h"
#include "hw/clock.h"
#include "system/cpu-timers.h"
#include "system/replay.h"
#include "r10k_clock_internal.h"
#include "r10k_mem_internal.h"

/* All translations are dropped when there are so many. */
#define BLOCKS_MAX      (1u << 20)
#define ARENA_INSNS     4096

/* Blocks */

/**
 * R10kClockBlocks: what is known of translation blocks
 * @all: each R10kClockBlock that translated code may use
 * @arenas: memory for the instructions of these, ARENA_INSNS in each
 * @used: of the last one
 * @contents: an R10kPipeBlock for each sequence of instructions
 * @last: the block that is being translated, or was last
 * @stale: translations are going to be dropped
 */
struct R10kClockBlocks {
    GPtrArray *all;
    GPtrArray *arenas;
    unsigned used;
    GHashTable *contents;
    R10kClockBlock *last;
    bool stale;
};

static guint content_hash(gconstpointer key)
{
    const R10kPipeBlock *b = key;
    const uint8_t *bytes = (const uint8_t *)b->insns;
    size_t i;
    guint hash = b->n;

    for (i = 0; i < b->n * sizeof(*b->insns); i++) {
        hash = (hash ^ bytes[i]) * 16777619u;
    }
    return hash;
}

static gboolean content_equal(gconstpointer left, gconstpointer right)
{
    const R10kPipeBlock *a = left, *b = right;

    return a->n == b->n &&
           !memcmp(a->insns, b->insns, a->n * sizeof(*a->insns));
}

/* The model's block with these instructions; equal ones have equal numbers. */
static const R10kPipeBlock *block_with(R10kClock *clock,
                                       const R10kPipeInsn *insns, unsigned n)
{
    R10kPipeBlock key = { .n = n, .insns = insns };
    R10kPipeBlock *b = g_hash_table_lookup(clock->blocks->contents, &key);

    if (!b) {
        b = g_memdup2(&key, sizeof(key));
        b->id = g_hash_table_size(clock->blocks->contents);
        b->insns = g_memdup2(insns, n * sizeof(*insns));
        g_hash_table_add(clock->blocks->contents, b);
    }
    return b;
}

static void free_content(gpointer content)
{
    R10kPipeBlock *b = content;

    g_free((R10kPipeInsn *)b->insns);
    g_free(b);
}

static R10kClockBlocks *new_blocks(void)
{
    R10kClockBlocks *blocks = g_new0(R10kClockBlocks, 1);

    blocks->all = g_ptr_array_new_with_free_func(g_free);
    blocks->arenas = g_ptr_array_new_with_free_func(g_free);
    blocks->used = ARENA_INSNS;
    blocks->contents = g_hash_table_new_full(content_hash, content_equal,
                                             free_content, NULL);
    return blocks;
}

/* No translated code is left: forget its blocks, and what has their numbers. */
static void drop_blocks(CPUState *cs, run_on_cpu_data data)
{
    R10kClock *clock = &cpu_env(cs)->r10k_clock;

    g_ptr_array_free(clock->blocks->all, true);
    g_ptr_array_free(clock->blocks->arenas, true);
    g_hash_table_destroy(clock->blocks->contents);
    g_free(clock->blocks);
    clock->blocks = new_blocks();
    if (clock->memo) {
        r10k_pipe_memo_empty(clock->memo);
    }
}

static void limit_blocks(CPUState *cs, R10kClockBlocks *blocks)
{
    if (blocks->all->len >= BLOCKS_MAX && !blocks->stale) {
        blocks->stale = true;
        tb_flush(cs);
        async_safe_run_on_cpu(cs, drop_blocks, RUN_ON_CPU_NULL);
    }
}

static R10kPipeInsn *arena_end(R10kClockBlocks *blocks)
{
    if (blocks->last) {
        blocks->used += blocks->last->n;
    }
    if (blocks->used + R10K_CLOCK_INSNS > ARENA_INSNS) {
        g_ptr_array_add(blocks->arenas, g_new0(R10kPipeInsn, ARENA_INSNS));
        blocks->used = 0;
    }
    return (R10kPipeInsn *)g_ptr_array_index(blocks->arenas,
                                             blocks->arenas->len - 1) +
           blocks->used;
}

/* The translator begins a block, and will fill in the rest. */
R10kClockBlock *r10k_clock_new_block(CPUMIPSState *env, uint64_t pc, bool slot)
{
    R10kClockBlocks *blocks = env->r10k_clock.blocks;
    R10kClockBlock *block = g_new0(R10kClockBlock, 1);

    limit_blocks(env_cpu(env), blocks);
    block->pc = pc;
    block->slot = slot;
    block->branch = R10K_CLOCK_INSNS;
    block->insns = arena_end(blocks);
    memset(block->insns, 0, R10K_CLOCK_INSNS * sizeof(*block->insns));
    blocks->last = block;
    g_ptr_array_add(blocks->all, block);
    return block;
}

/* What has happened */

static R10kPipeEvent *event_of(R10kClock *clock, unsigned insn)
{
    if (!(clock->happened & (1u << insn))) {
        clock->happened |= 1u << insn;
        clock->event[insn] = (R10kPipeEvent) { 0 };
    }
    return &clock->event[insn];
}

/* The instruction whose accesses are replayed waits @cycles for one of them. */
void r10k_clock_access(CPUMIPSState *env, bool fetch, unsigned cycles)
{
    R10kClock *clock = &env->r10k_clock;
    R10kPipeEvent *event;

    if (!r10k_clock_on(env)) {
        return;
    }
    event = event_of(clock, clock->at);
    if (fetch) {
        event->fetch += cycles;
    } else {
        event->data += cycles;
    }
}

/* The outcome of the branch @insn at @pc, as its block's exit says */
static unsigned outcome(CPUMIPSState *env, const R10kPipeInsn *insn,
                        uint64_t pc, uint32_t exit)
{
    R10kClock *clock = &env->r10k_clock;
    unsigned flags = 0;

    if ((exit & R10K_CLOCK_TAKEN) || (insn->flags & R10K_PIPE_JUMP)) {
        flags |= R10K_PIPE_TAKEN;
    }
    if (exit & R10K_CLOCK_NULLIFIED) {
        flags |= R10K_PIPE_NULLIFIED;
    }
    if (clock->mispredicted && (insn->flags & R10K_PIPE_BRANCH)) {
        flags |= R10K_PIPE_MISPREDICTED;
    }
    if ((insn->flags & R10K_PIPE_REGISTER) && insn->src[0] == 31 &&
        env->btarget == clock->link) {
        flags |= R10K_PIPE_RETURN_KNOWN;
    }
    if (insn->dst[0] == 31) {
        clock->link = pc + 8;
    }
    clock->mispredicted = false;
    return flags;
}

/* Execution */

static void execute(CPUMIPSState *env, const R10kPipeBlock *block,
                    const R10kPipeCase *cases, unsigned n)
{
    R10kClock *clock = &env->r10k_clock;
    unsigned cycles;

    if (clock->timing == R10K_TIMING_FAST) {
        cycles = r10k_pipe_memo_run(clock->memo, block, cases, n);
    } else {
        cycles = r10k_pipe_run(clock->pipe, clock->params, block, cases, n);
    }
    icount_charge(env_cpu(env), cycles);
}

/* The branch that was waiting for its delay slot */
static void execute_branch(CPUMIPSState *env, uint32_t exit)
{
    R10kClock *clock = &env->r10k_clock;
    R10kPipeCase c = { 0 };

    c.event.flags = outcome(env, &clock->branch, clock->branch_pc, exit);
    c.event.fetch = clock->late;
    clock->late = 0;
    execute(env, block_with(clock, &clock->branch, 1), &c, 1);
}

static const R10kPipeBlock *part(R10kClock *clock, unsigned from, unsigned to)
{
    R10kClockBlock *block = clock->block;

    if (from > 0 || to != block->n) {
        return block_with(clock, block->insns + from, to - from);
    }
    if (!block->whole) {
        block->whole = block_with(clock, block->insns, to);
    }
    return block->whole;
}

/* Instructions @from to before @to of the current block */
static void execute_part(CPUMIPSState *env, unsigned from, unsigned to)
{
    R10kClock *clock = &env->r10k_clock;
    R10kPipeCase cases[R10K_CLOCK_INSNS];
    unsigned n = 0, i;

    if (clock->late) {
        event_of(clock, from)->fetch += clock->late;
        clock->late = 0;
    }
    for (i = from; clock->happened && i < to; i++) {
        if (clock->happened & (1u << i)) {
            cases[n++] = (R10kPipeCase) { i - from, clock->event[i] };
            clock->happened &= ~(1u << i);
        }
    }
    execute(env, part(clock, from, to), cases, n);
}

/*
 * The line of the last instruction that has been fetched: the one after @to, if
 * the block has it
 */
static uint64_t line_of(const R10kClockBlock *block, unsigned to)
{
    uint64_t pc = block->pc + 4 * MIN(to, block->n - 1);

    return pc & -(uint64_t)R10K_L1I_LINE;
}

/* Instructions have missed that will be executed later, if at all. */
static void carry_over(R10kClock *clock)
{
    while (clock->happened) {
        unsigned i = ctz32(clock->happened);

        clock->late += clock->event[i].fetch + clock->event[i].data;
        clock->happened &= ~(1u << i);
    }
}

/*
 * The current block has executed what @exit says, or its instructions up to
 * there: let the model execute them, except those that it has already.
 */
void r10k_clock_run(CPUMIPSState *env, uint32_t exit)
{
    R10kClock *clock = &env->r10k_clock;
    const R10kClockBlock *block = clock->block;
    unsigned to = exit & R10K_CLOCK_EXECUTED;
    bool end = exit & R10K_CLOCK_END;
    bool has_branch = to > block->branch;

    clock->line = clock->dropped ? R10K_NOWHERE : line_of(block, to);
    clock->dropped = false;

    if (has_branch && !end) {
        to = block->branch;
    }
    if (!clock->done && (to || end)) {
        if (block->slot && clock->waits) {
            execute_branch(env, exit);
        }
        clock->waits = false;
    }
    if (has_branch && end) {
        event_of(clock, block->branch)->flags =
            outcome(env, &block->insns[block->branch],
                    block->pc + 4 * block->branch, exit);
        clock->waits = false;
    }
    if (to > clock->done) {
        execute_part(env, clock->done, to);
        clock->done = to;
    }
    carry_over(clock);
    if (has_branch && !end) {
        clock->waits = true;
        clock->branch = block->insns[block->branch];
        clock->branch_pc = block->pc + 4 * block->branch;
    }
}

void helper_r10k_clock(CPUMIPSState *env, uint32_t exit)
{
    r10k_clock_run(env, exit);
}

/* The current block is left before the instruction at PC. */
void r10k_clock_leave(CPUMIPSState *env)
{
    r10k_clock_run(env, (env->active_tc.PC - env->r10k_clock.block->pc) / 4);
}

/* An exception is taken. A branch before it is executed again. */
void r10k_clock_exception(CPUMIPSState *env)
{
    R10kClock *clock = &env->r10k_clock;

    clock->waits = clock->mispredicted = false;
    if (clock->memo) {
        r10k_pipe_memo_get(clock->memo, clock->pipe);
    }
    r10k_pipe_interrupt(clock->pipe, clock->params);
    if (clock->memo) {
        r10k_pipe_memo_set(clock->memo, clock->pipe);
    }
}

/* Cycles since the machine was started; those of an idle CPU, too */
uint64_t r10k_clock_cycles(CPUMIPSState *env)
{
    int64_t cycles = icount_get_raw();
    int64_t idle = icount_get() - icount_to_ns(cycles);

    return cycles + clock_ns_to_ticks(env_archcpu(env)->clock, idle);
}

/* For info r10k */
void r10k_clock_print(GString *out, CPUMIPSState *env)
{
    const R10kClock *clock = &env->r10k_clock;
    R10kPipeStats s;

    if (!r10k_clock_on(env)) {
        return;
    }
    g_string_append_printf(out, "  clock: timing=%s, %u Hz, %" PRIu64
                           " cycles\n", clock->name, icount_cycles.hz,
                           r10k_clock_cycles(env));
    if (!clock->memo) {
        return;
    }
    s = r10k_pipe_memo_stats(clock->memo);
    g_string_append_printf(out, "  blocks: %" PRIu64 " known, %" PRIu64
                           " stepped through; %u entries, %u states, at most "
                           "%zu KB, emptied %" PRIu64 " times\n", s.hits,
                           s.misses, s.entries, s.states, s.bytes / KiB,
                           s.emptied);
}

/* The property */

static bool parse_timing(R10kClock *clock, Error **errp)
{
    static const char *const names[] = { "off", "fast", "detailed" };

    for (clock->timing = 0; clock->timing < ARRAY_SIZE(names);
         clock->timing++) {
        if (!clock->name || !strcmp(clock->name, names[clock->timing])) {
            return true;
        }
    }
    error_setg(errp, "timing=%s is unknown: it must be off, fast or detailed",
               clock->name);
    return false;
}

/* Can the CPU have the timing that its property says? */
bool r10k_clock_check(MIPSCPU *cpu, Error **errp)
{
    ERRP_GUARD();
    const R10kConfig *config = &cpu->env.r10k_config;
    R10kClock *clock = &cpu->env.r10k_clock;

    if (!parse_timing(clock, errp) || clock->timing == R10K_TIMING_OFF) {
        return !*errp;
    }
    if (icount_enabled() != ICOUNT_PRECISE) {
        error_setg(errp, "timing=%s needs the instruction counter as clock: "
                   "add -icount shift=0,sleep=off", clock->name);
    } else if (current_machine->smp.cpus > 1) {
        error_setg(errp, "timing=%s is for a machine with one CPU, this one "
                   "has %u", clock->name, current_machine->smp.cpus);
    } else if (replay_mode != REPLAY_MODE_NONE) {
        error_setg(errp, "timing=%s cannot be recorded or replayed",
                   clock->name);
    } else if (config->l2_latency + config->memory_latency >
               R10K_PIPE_DELAY_MAX) {
        error_setg(errp, "with timing=%s l2-latency and memory-latency must be "
                   "at most %u together", clock->name, R10K_PIPE_DELAY_MAX);
    }
    return !*errp;
}

/*
 * Each instruction of a block may be fetched from memory, load from memory and
 * be a division; a full active list of such instructions may be before it.
 */
static uint32_t longest_block(const R10kConfig *config)
{
    uint32_t access = config->l2_latency + config->memory_latency;

    return (R10K_CLOCK_INSNS + R10K_PIPE_ACTIVE_MAX) * (2 * access + 100);
}

void r10k_clock_start(MIPSCPU *cpu)
{
    CPUMIPSState *env = &cpu->env;
    R10kClock *clock = &env->r10k_clock;

    if (!r10k_clock_on(env)) {
        return;
    }
    clock->params = r10k_pmu_is_r10000(env) ? &r10k_pipe_r10000
                                            : &r10k_pipe_r12000;
    clock->pipe = g_new0(R10kPipe, 1);
    clock->blocks = new_blocks();
    if (clock->timing == R10K_TIMING_FAST) {
        clock->memo = r10k_pipe_memo_new(clock->params,
            pow2ceil(env->r10k_config.timing_memo));
    }
    icount_use_cycles(clock_get_hz(cpu->clock),
                      longest_block(&env->r10k_config));
}
