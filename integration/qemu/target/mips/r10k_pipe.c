/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: a model of the pipeline.
 *
 * One function, r10k_pipe_step(), takes the state of the pipeline from one
 * instruction to the next, in program order. The first instruction in that
 * order chooses its cycles first: it reserves units for cycles to come, and a
 * later one may use the gaps. So the oldest instruction that can be issued is
 * issued first, out of order, without a loop over cycles.
 *
 * The function uses nothing but its arguments.
 */

#include <assert.h>
#include <string.h>
#include "r10k_pipe.h"

const R10kPipeParams r10k_pipe_r10000 = {
#define R10K_PIPE_PARAM(field, r10000, ...) .field = r10000,
#include "r10k-pipe.def"
#undef R10K_PIPE_PARAM
};

const R10kPipeParams r10k_pipe_r12000 = {
#define R10K_PIPE_PARAM(field, r10000, r12000, ...) .field = r12000,
#include "r10k-pipe.def"
#undef R10K_PIPE_PARAM
};

static const struct {
    uint8_t queue;
    uint8_t unit;
    uint8_t second;
    uint8_t second_at;
    uint8_t latency;
    uint8_t repeat;
} ops[] = {
#define R10K_PIPE_OP(id, queue, unit, second, second_at, latency, repeat, ...) \
    [R10K_PIPE_OP_##id] = { R10K_PIPE_QUEUE_##queue, R10K_PIPE_UNIT_##unit, \
                            R10K_PIPE_UNIT_##second, second_at, latency, \
                            repeat },
#include "r10k-pipe-ops.def"
#undef R10K_PIPE_OP
};

static unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Pools */

/* The first cycle from @from on in which @pool has place for @n more */
static unsigned pool_place(const R10kPipePool *pool, unsigned size, unsigned n,
                           unsigned from)
{
    if (pool->n + n <= size) {
        return from;
    }
    return max(from, pool->leave[pool->n + n - size - 1] + 1);
}

static void pool_enter(R10kPipePool *pool, unsigned leave)
{
    unsigned i;

    assert(pool->n < R10K_PIPE_ACTIVE_MAX && leave <= UINT16_MAX);
    for (i = pool->n++; i > 0 && pool->leave[i - 1] > leave; i--) {
        pool->leave[i] = pool->leave[i - 1];
    }
    pool->leave[i] = leave;
}

static void pool_advance(R10kPipePool *pool, unsigned cycles)
{
    unsigned left = 0, i;

    while (left < pool->n && pool->leave[left] < cycles) {
        left++;
    }
    pool->n -= left;
    for (i = 0; i < pool->n; i++) {
        pool->leave[i] = pool->leave[i + left] - cycles;
    }
}

/* Units */

static void reserve(R10kPipe *pipe, unsigned unit, unsigned from, unsigned n)
{
    R10kPipeBusy *b = &pipe->busy[pipe->n_busy];

    assert(pipe->n_busy < R10K_PIPE_BUSY_MAX && from + n <= UINT16_MAX);
    for (; b > pipe->busy && (b[-1].unit > unit ||
                              (b[-1].unit == unit && b[-1].from > from)); b--) {
        b[0] = b[-1];
    }
    *b = (R10kPipeBusy) { unit, from, from + n };
    pipe->n_busy++;
}

/* The first cycle from @from on in which @unit is free for @n cycles */
static unsigned first_free(const R10kPipe *pipe, unsigned unit, unsigned from,
                           unsigned n)
{
    const R10kPipeBusy *b = pipe->busy;
    const R10kPipeBusy *end = b + pipe->n_busy;

    for (; b < end && b->unit <= unit; b++) {
        if (b->unit == unit && b->to > from) {
            if (b->from >= from + n) {
                break;
            }
            from = b->to;
        }
    }
    return from;
}

/* Whether all entries of the miss handling table are in use in cycle @at */
static bool mht_full(const R10kPipe *pipe, unsigned size, unsigned at)
{
    unsigned used = 0, i;

    for (i = 0; i < pipe->n_busy; i++) {
        const R10kPipeBusy *b = &pipe->busy[i];

        used += b->unit == R10K_PIPE_UNIT_MHT && b->from <= at && at < b->to;
    }
    return used >= size;
}

/*
 * Whether the miss handling table has an entry for @n cycles from @at on; older
 * instructions may have reserved entries for later.
 */
static bool mht_free(const R10kPipe *pipe, unsigned size, unsigned at,
                     unsigned n)
{
    unsigned i;

    if (mht_full(pipe, size, at)) {
        return false;
    }
    for (i = 0; i < pipe->n_busy; i++) {
        const R10kPipeBusy *b = &pipe->busy[i];

        if (b->unit == R10K_PIPE_UNIT_MHT && b->from > at &&
            b->from < at + n && mht_full(pipe, size, b->from)) {
            return false;
        }
    }
    return true;
}

/* Decoding */

static unsigned queue_size(const R10kPipeParams *params, unsigned queue)
{
    switch (queue) {
    case R10K_PIPE_QUEUE_INT:
        return params->int_queue;
    case R10K_PIPE_QUEUE_ADDRESS:
        return params->address_queue;
    default:
        return params->fp_queue;
    }
}

static bool in_int_queue_too(const R10kPipeParams *params, unsigned queue)
{
    return queue == R10K_PIPE_QUEUE_ADDRESS && params->memory_in_int_queue;
}

static unsigned last_graduation(const R10kPipe *pipe)
{
    const R10kPipePool *active = &pipe->pools[R10K_PIPE_ACTIVE];

    return active->n ? active->leave[active->n - 1] : 0;
}

/* The cycle in which @insn is decoded */
static unsigned decode(const R10kPipe *pipe, const R10kPipeParams *params,
                       const R10kPipeInsn *insn, const R10kPipeEvent *event)
{
    const R10kPipePool *pools = pipe->pools;
    unsigned queue = ops[insn->op].queue;
    unsigned branches = insn->flags & (R10K_PIPE_BRANCH | R10K_PIPE_JUMP);
    bool late = event->fetch || (insn->flags & R10K_PIPE_LINE);
    unsigned at = (pipe->slots && late) || pipe->slots == params->decode ||
                  (branches && pipe->branched);

    if (!pipe->delay_slot) {
        at = max(at, pipe->redirect);
    }
    at += event->fetch;
    at = pool_place(&pools[R10K_PIPE_ACTIVE], params->active,
                    insn->flags & R10K_PIPE_TWO ? 2 : 1, at);
    if (queue != R10K_PIPE_QUEUE_NONE) {
        at = pool_place(&pools[queue], queue_size(params, queue), 1, at);
    }
    if (in_int_queue_too(params, queue)) {
        at = pool_place(&pools[R10K_PIPE_QUEUE_INT], params->int_queue, 1, at);
    }
    if (insn->flags & R10K_PIPE_BRANCH) {
        at = pool_place(&pools[R10K_PIPE_BRANCHES], params->branches, 1, at);
    }
    if (insn->op == R10K_PIPE_OP_SERIAL && pools[R10K_PIPE_ACTIVE].n) {
        at = max(at, last_graduation(pipe) + 1);
    }
    return at;
}

static unsigned until(unsigned cycle, unsigned now)
{
    return cycle > now ? cycle - now : 0;
}

/*
 * Let @cycles go by. An instruction decoded now is issued in cycle 1 at the
 * soonest and graduates in cycle 2: what was before cannot matter to it.
 */
static void advance(R10kPipe *pipe, unsigned cycles)
{
    unsigned i, n = 0;

    pipe->slots = pipe->branched = 0;
    pipe->redirect = until(pipe->redirect, cycles);
    pipe->graduating = until(pipe->graduating, cycles);
    if (pipe->graduating < 2) {
        pipe->graduating = pipe->graduates = pipe->writes = 0;
    }
    for (i = 0; i < R10K_PIPE_REGS; i++) {
        unsigned ready = until(pipe->ready[i], cycles);

        pipe->ready[i] = ready > 1 ? ready : 0;
    }
    for (i = 0; i < R10K_PIPE_POOLS; i++) {
        pool_advance(&pipe->pools[i], cycles);
    }
    for (i = 0; i < pipe->n_busy; i++) {
        R10kPipeBusy b = pipe->busy[i];

        b.from = max(until(b.from, cycles), 1);
        b.to = until(b.to, cycles);
        if (b.to > 1) {
            pipe->busy[n++] = b;
        }
    }
    pipe->n_busy = n;
}

/* Execution */

static unsigned operands_ready(const R10kPipe *pipe, const R10kPipeInsn *insn)
{
    unsigned at = 1, i;

    for (i = 0; i < 3; i++) {
        at = max(at, pipe->ready[insn->src[i]]);
    }
    if (insn->op == R10K_PIPE_OP_FMADD) {
        at = max(at, until(pipe->ready[insn->late],
                           ops[R10K_PIPE_OP_FMADD].second_at));
    }
    return at;
}

/* Choose an ALU: the second if both are free, for the first has branches. */
static unsigned choose_alu(const R10kPipe *pipe, unsigned at)
{
    return first_free(pipe, R10K_PIPE_UNIT_ALU1, at, 1) <
           first_free(pipe, R10K_PIPE_UNIT_ALU2, at, 1) ? R10K_PIPE_UNIT_ALU1
                                                        : R10K_PIPE_UNIT_ALU2;
}

/* Issue @op from cycle @at on: reserve its units and return the cycle. */
static unsigned issue(R10kPipe *pipe, unsigned op, unsigned at)
{
    unsigned unit = ops[op].unit;
    unsigned second = ops[op].second;
    unsigned second_at = ops[op].second_at;
    unsigned repeat = second ? 1 : ops[op].repeat;
    unsigned then;

    if (!unit) {
        return at;
    }
    if (unit == R10K_PIPE_UNIT_ALU) {
        unit = choose_alu(pipe, at);
    }
    for (;;) {
        at = first_free(pipe, unit, at, repeat);
        if (!second) {
            break;
        }
        then = first_free(pipe, second, at + second_at, ops[op].repeat);
        if (then == at + second_at) {
            reserve(pipe, second, then, ops[op].repeat);
            break;
        }
        at = then - second_at;
    }
    reserve(pipe, unit, at, repeat);
    return at;
}

/* The same for an access that misses; *@late is how long others delay it. */
static unsigned issue_miss(R10kPipe *pipe, const R10kPipeParams *params,
                           const R10kPipeEvent *event, unsigned at,
                           unsigned *late)
{
    unsigned data = event->data;
    unsigned l2, bus;

    assert(data <= R10K_PIPE_DELAY_MAX);
    at = first_free(pipe, R10K_PIPE_UNIT_LS, at, 1);
    while (!mht_free(pipe, params->mht, at, data)) {
        at = first_free(pipe, R10K_PIPE_UNIT_LS, at + params->mht_retry, 1);
    }
    l2 = event->l2 ? first_free(pipe, R10K_PIPE_UNIT_L2, at, event->l2) : at;
    bus = event->bus ? first_free(pipe, R10K_PIPE_UNIT_BUS, l2, event->bus)
                     : l2;
    *late = bus - at;
    reserve(pipe, R10K_PIPE_UNIT_LS, at, 1);
    reserve(pipe, R10K_PIPE_UNIT_MHT, at, *late + data);
    if (event->l2) {
        reserve(pipe, R10K_PIPE_UNIT_L2, l2, event->l2);
    }
    if (event->bus) {
        reserve(pipe, R10K_PIPE_UNIT_BUS, bus, event->bus);
    }
    return at;
}

/* Issue and execute @insn. Returns the cycle of issue; *@done is its end. */
static unsigned execute(R10kPipe *pipe, const R10kPipeParams *params,
                        const R10kPipeInsn *insn, const R10kPipeEvent *event,
                        unsigned *done)
{
    unsigned latency = ops[insn->op].latency;
    unsigned at = operands_ready(pipe, insn);
    unsigned late = 0;

    if (event->data) {
        at = issue_miss(pipe, params, event, at, &late);
        late += event->data;
    } else {
        at = issue(pipe, insn->op, at);
    }
    *done = at + latency;
    if (insn->op != R10K_PIPE_OP_PREF) {
        *done += late;      /* A prefetch does not wait for its line. */
    }
    if (insn->flags & R10K_PIPE_WRITES) {
        *done = max(*done, pipe->ready[insn->late]);
    }
    if (insn->dst[0]) {
        pipe->ready[insn->dst[0]] = *done;
    }
    if (insn->dst[1]) {
        pipe->ready[insn->dst[1]] = *done - 1;
    }
    return at;
}

/* Graduation */

static void graduate(R10kPipe *pipe, const R10kPipeParams *params,
                     const R10kPipeInsn *insn, unsigned done)
{
    unsigned n = insn->flags & R10K_PIPE_TWO ? 2 : 1;
    bool writes = insn->flags & R10K_PIPE_WRITES;

    while (n--) {
        unsigned at = max(done + 1, pipe->graduating);

        if (at == pipe->graduating && (pipe->graduates == params->graduate ||
                                       (writes && pipe->writes))) {
            at++;
        }
        if (at > pipe->graduating) {
            pipe->graduating = at;
            pipe->graduates = pipe->writes = 0;
        }
        pipe->graduates++;
        pipe->writes |= writes;
        pool_enter(&pipe->pools[R10K_PIPE_ACTIVE], at);
    }
}

static void leave_queues(R10kPipe *pipe, const R10kPipeParams *params,
                         const R10kPipeInsn *insn, unsigned issued)
{
    unsigned queue = ops[insn->op].queue;

    if (queue == R10K_PIPE_QUEUE_NONE) {
        return;
    }
    pool_enter(&pipe->pools[queue], queue == R10K_PIPE_QUEUE_ADDRESS
                                    ? pipe->graduating : issued);
    if (in_int_queue_too(params, queue)) {
        pool_enter(&pipe->pools[R10K_PIPE_QUEUE_INT], issued);
    }
}

/* When the first instruction after a branch and its delay slot is decoded */
static unsigned target_decoded(const R10kPipeParams *params,
                               const R10kPipeInsn *insn,
                               const R10kPipeEvent *event, unsigned executed)
{
    bool taken = event->flags & R10K_PIPE_TAKEN;

    if (event->flags & R10K_PIPE_MISPREDICTED) {
        return executed + (taken ? params->mispredict : params->resume);
    }
    if ((insn->flags & R10K_PIPE_REGISTER) &&
        !(event->flags & R10K_PIPE_RETURN_KNOWN)) {
        return executed + params->jump_register;
    }
    if (!taken) {
        return 0;
    }
    return event->flags & R10K_PIPE_TARGET_KNOWN ? 1 : 1 + params->bubble;
}

/*
 * Decode @insn, to which @event happens, and find out what it does until it
 * graduates. Returns the cycles from the decoding of the instruction before.
 */
unsigned r10k_pipe_step(R10kPipe *pipe, const R10kPipeParams *params,
                        const R10kPipeInsn *insn, const R10kPipeEvent *event)
{
    unsigned cycles = decode(pipe, params, insn, event);
    unsigned issued, done;

    if (cycles) {
        advance(pipe, cycles);
    }
    pipe->slots++;
    if (!pipe->delay_slot) {
        pipe->redirect = 0;
    }
    pipe->delay_slot = false;
    issued = execute(pipe, params, insn, event, &done);
    graduate(pipe, params, insn, done);
    leave_queues(pipe, params, insn, issued);
    if (insn->flags & R10K_PIPE_BRANCH) {
        pool_enter(&pipe->pools[R10K_PIPE_BRANCHES], issued + 1);
    }
    if (insn->flags & (R10K_PIPE_BRANCH | R10K_PIPE_JUMP)) {
        pipe->branched = true;
        pipe->delay_slot = !(event->flags & R10K_PIPE_NULLIFIED);
        pipe->redirect = target_decoded(params, insn, event, issued + 1);
    }
    if (insn->op == R10K_PIPE_OP_SERIAL) {
        pipe->redirect = max(pipe->redirect, pipe->graduating + 1);
    }
    if (event->flags & R10K_PIPE_FAULTS) {
        r10k_pipe_interrupt(pipe, params);
    }
    return cycles;
}

/* After what has been decoded, an exception is taken. */
void r10k_pipe_interrupt(R10kPipe *pipe, const R10kPipeParams *params)
{
    pipe->delay_slot = false;
    pipe->redirect = max(pipe->redirect,
                         last_graduation(pipe) + params->exception);
}
