/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the pipeline model by blocks, which are remembered.
 *
 * What a block does depends on nothing but the state of the pipeline before it
 * and on what happens in it: its cases. Each state gets a number, and a table
 * maps number, block and cases to cycles and the number of the next state. As
 * all of it can be worked out again, it may be forgotten at any time.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "r10k_pipe_memo.h"

#define NONE UINT32_MAX

/* Cases are compared and hashed as bytes: there must be none between fields. */
_Static_assert(sizeof(R10kPipeCase) == 10, "padding");

/* Packed states have this many bytes each, on average, in a full table. */
#define STATE_BYTES 160

/* Packing: what is 0 or not there takes no bytes */

static uint8_t *put8(uint8_t *to, unsigned value)
{
    assert(value <= UINT8_MAX);
    *to = value;
    return to + 1;
}

static uint8_t *put16(uint8_t *to, unsigned value)
{
    return put8(put8(to, value & 0xff), value >> 8);
}

static unsigned get8(const uint8_t **from)
{
    return *(*from)++;
}

static unsigned get16(const uint8_t **from)
{
    unsigned low = get8(from);

    return low | get8(from) << 8;
}

/* Write @pipe to @to and return the number of bytes. */
size_t r10k_pipe_pack(const R10kPipe *pipe, uint8_t *to)
{
    uint8_t *p = to, *n_ready;
    unsigned i, j;

    p = put8(p, pipe->slots | pipe->branched << 4 | pipe->delay_slot << 5 |
                pipe->writes << 6);
    p = put8(p, pipe->graduates);
    p = put16(p, pipe->redirect);
    p = put16(p, pipe->graduating);
    n_ready = p++;
    for (i = *n_ready = 0; i < R10K_PIPE_REGS; i++) {
        if (pipe->ready[i]) {
            p = put16(put8(p, i), pipe->ready[i]);
            ++*n_ready;
        }
    }
    for (i = 0; i < R10K_PIPE_POOLS; i++) {
        p = put8(p, pipe->pools[i].n);
        for (j = 0; j < pipe->pools[i].n; j++) {
            p = put16(p, pipe->pools[i].leave[j]);
        }
    }
    p = put8(p, pipe->n_busy);
    for (i = 0; i < pipe->n_busy; i++) {
        p = put8(p, pipe->busy[i].unit);
        p = put16(put16(p, pipe->busy[i].from), pipe->busy[i].to);
    }
    return p - to;
}

/* Read what r10k_pipe_pack() has written. */
void r10k_pipe_unpack(R10kPipe *pipe, const uint8_t *from)
{
    unsigned flags, i, j, n;

    memset(pipe, 0, offsetof(R10kPipe, pools));
    flags = get8(&from);
    pipe->slots = flags & 15;
    pipe->branched = flags >> 4 & 1;
    pipe->delay_slot = flags >> 5 & 1;
    pipe->writes = flags >> 6 & 1;
    pipe->graduates = get8(&from);
    pipe->redirect = get16(&from);
    pipe->graduating = get16(&from);
    for (n = get8(&from); n > 0; n--) {
        i = get8(&from);
        pipe->ready[i] = get16(&from);
    }
    for (i = 0; i < R10K_PIPE_POOLS; i++) {
        pipe->pools[i].n = get8(&from);
        for (j = 0; j < pipe->pools[i].n; j++) {
            pipe->pools[i].leave[j] = get16(&from);
        }
    }
    pipe->n_busy = get8(&from);
    for (i = 0; i < pipe->n_busy; i++) {
        pipe->busy[i].unit = get8(&from);
        pipe->busy[i].from = get16(&from);
        pipe->busy[i].to = get16(&from);
    }
}

/* Step through @block and return its cycles. */
unsigned r10k_pipe_run(R10kPipe *pipe, const R10kPipeParams *params,
                       const R10kPipeBlock *block, const R10kPipeCase *cases,
                       unsigned n_cases)
{
    static const R10kPipeEvent nothing;
    const R10kPipeCase *end = cases + n_cases;
    unsigned cycles = 0, i;

    for (i = 0; i < block->n; i++) {
        const R10kPipeEvent *event = &nothing;

        if (cases < end && cases->insn == i) {
            event = &cases++->event;
        }
        cycles += r10k_pipe_step(pipe, params, &block->insns[i], event);
    }
    return cycles;
}

/* Tables */

typedef struct State {
    uint32_t hash;
    uint32_t at;        /* in R10kPipeMemo.packed */
    uint32_t bytes;
    uint32_t next;      /* of the same slot, or NONE */
} State;

typedef struct Entry {
    uint32_t hash;
    uint32_t state;
    uint32_t block;
    uint32_t cases;     /* in R10kPipeMemo.cases */
    uint32_t n_cases;
    uint32_t cycles;
    uint32_t then;      /* the next state */
    uint32_t next;      /* of the same slot, or NONE */
} Entry;

/**
 * R10kPipeMemo: a pipeline, and what is known of its behaviour
 * @params: the CPU
 * @now: the number of its state
 * @max: entries and states are at most this many, a power of 2
 * @n_states, @n_entries, @n_packed, @n_cases: how much of each is in use
 * @states, @entries: by number
 * @state_slots, @entry_slots: the first of each slot of the hash tables
 * @packed: packed states; @max_packed bytes
 * @cases: the cases of entries; @max of them
 */
struct R10kPipeMemo {
    const R10kPipeParams *params;
    uint32_t now;
    uint32_t max;
    uint32_t n_states;
    uint32_t n_entries;
    uint32_t n_packed;
    uint32_t n_cases;
    uint32_t max_packed;
    uint64_t hits;
    uint64_t misses;
    uint64_t emptied;
    State *states;
    Entry *entries;
    uint32_t *state_slots;
    uint32_t *entry_slots;
    uint8_t *packed;
    R10kPipeCase *cases;
};

static uint32_t hash_bytes(uint32_t hash, const void *from, size_t n)
{
    const uint8_t *p = from;

    while (n--) {
        hash = (hash ^ *p++) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static void forget(R10kPipeMemo *memo)
{
    memset(memo->state_slots, 0xff, memo->max * sizeof(uint32_t));
    memset(memo->entry_slots, 0xff, memo->max * sizeof(uint32_t));
    memo->n_states = memo->n_entries = memo->n_packed = memo->n_cases = 0;
}

/* The number of @pipe's state; there is place for it. */
static uint32_t state_number(R10kPipeMemo *memo, const R10kPipe *pipe)
{
    uint8_t *bytes = memo->packed + memo->n_packed;
    size_t n = r10k_pipe_pack(pipe, bytes);
    uint32_t hash = hash_bytes(2166136261u, bytes, n);
    uint32_t *slot = &memo->state_slots[hash & (memo->max - 1)];
    uint32_t i;

    for (i = *slot; i != NONE; i = memo->states[i].next) {
        const State *s = &memo->states[i];

        if (s->hash == hash && s->bytes == n &&
            !memcmp(memo->packed + s->at, bytes, n)) {
            return i;
        }
    }
    i = memo->n_states++;
    memo->states[i] = (State) { hash, memo->n_packed, n, *slot };
    memo->n_packed += n;
    *slot = i;
    return i;
}

static bool is_full(const R10kPipeMemo *memo, unsigned n_cases)
{
    return memo->n_entries == memo->max || memo->n_states == memo->max ||
           memo->n_packed + R10K_PIPE_PACKED_MAX > memo->max_packed ||
           memo->n_cases + n_cases > memo->max;
}

/* A pipeline that has not yet decoded anything; @max_entries is a power of 2 */
R10kPipeMemo *r10k_pipe_memo_new(const R10kPipeParams *params,
                                 uint32_t max_entries)
{
    R10kPipeMemo *memo = calloc(1, sizeof(*memo));
    R10kPipe empty = { 0 };

    memo->params = params;
    memo->max = max_entries;
    memo->max_packed = max_entries * STATE_BYTES + R10K_PIPE_PACKED_MAX * 2;
    memo->states = malloc(memo->max * sizeof(State));
    memo->entries = malloc(memo->max * sizeof(Entry));
    memo->state_slots = malloc(memo->max * sizeof(uint32_t));
    memo->entry_slots = malloc(memo->max * sizeof(uint32_t));
    memo->packed = malloc(memo->max_packed);
    memo->cases = malloc(memo->max * sizeof(R10kPipeCase));
    forget(memo);
    memo->now = state_number(memo, &empty);
    return memo;
}

void r10k_pipe_memo_free(R10kPipeMemo *memo)
{
    free(memo->states);
    free(memo->entries);
    free(memo->state_slots);
    free(memo->entry_slots);
    free(memo->packed);
    free(memo->cases);
    free(memo);
}

/* Copy the state of the pipeline. */
void r10k_pipe_memo_get(const R10kPipeMemo *memo, R10kPipe *pipe)
{
    r10k_pipe_unpack(pipe, memo->packed + memo->states[memo->now].at);
}

/* Change the state of the pipeline. */
void r10k_pipe_memo_set(R10kPipeMemo *memo, const R10kPipe *pipe)
{
    if (is_full(memo, 0)) {
        forget(memo);
        memo->emptied++;
    }
    memo->now = state_number(memo, pipe);
}

/* Forget all but the state of the pipeline. */
void r10k_pipe_memo_empty(R10kPipeMemo *memo)
{
    R10kPipe pipe;

    r10k_pipe_memo_get(memo, &pipe);
    forget(memo);
    memo->now = state_number(memo, &pipe);
    memo->emptied++;
}

R10kPipeStats r10k_pipe_memo_stats(const R10kPipeMemo *memo)
{
    return (R10kPipeStats) {
        .hits = memo->hits, .misses = memo->misses, .emptied = memo->emptied,
        .states = memo->n_states, .entries = memo->n_entries,
        .bytes = memo->max * (sizeof(State) + sizeof(Entry) +
                              2 * sizeof(uint32_t) + sizeof(R10kPipeCase)) +
                 memo->max_packed,
    };
}

static uint32_t entry_hash(uint32_t state, uint32_t block,
                           const R10kPipeCase *cases, unsigned n_cases)
{
    uint32_t hash = state * 2654435761u ^ (block + 1) * 2246822519u;

    return hash_bytes(hash ^ hash >> 16, cases, n_cases * sizeof(*cases));
}

static bool same_cases(const R10kPipeCase *a, const R10kPipeCase *b, unsigned n)
{
    return !n || !memcmp(a, b, n * sizeof(*a));
}

static const Entry *find(const R10kPipeMemo *memo, uint32_t hash,
                         const R10kPipeBlock *block,
                         const R10kPipeCase *cases, unsigned n_cases)
{
    uint32_t i = memo->entry_slots[hash & (memo->max - 1)];

    for (; i != NONE; i = memo->entries[i].next) {
        const Entry *e = &memo->entries[i];

        if (e->hash == hash && e->state == memo->now &&
            e->block == block->id && e->n_cases == n_cases &&
            same_cases(memo->cases + e->cases, cases, n_cases)) {
            return e;
        }
    }
    return NULL;
}

static unsigned run_and_remember(R10kPipeMemo *memo, uint32_t hash,
                                 const R10kPipeBlock *block,
                                 const R10kPipeCase *cases, unsigned n_cases)
{
    uint32_t *slot = &memo->entry_slots[hash & (memo->max - 1)];
    Entry entry = {
        .hash = hash, .state = memo->now, .block = block->id,
        .cases = memo->n_cases, .n_cases = n_cases, .next = *slot,
    };
    R10kPipe pipe;
    unsigned i;

    r10k_pipe_memo_get(memo, &pipe);
    entry.cycles = r10k_pipe_run(&pipe, memo->params, block, cases, n_cases);
    entry.then = memo->now = state_number(memo, &pipe);
    for (i = 0; i < n_cases; i++) {
        memo->cases[memo->n_cases++] = cases[i];
    }
    *slot = memo->n_entries;
    memo->entries[memo->n_entries++] = entry;
    return entry.cycles;
}

/* Execute @block, to which @cases happen, in order. Returns its cycles. */
unsigned r10k_pipe_memo_run(R10kPipeMemo *memo, const R10kPipeBlock *block,
                            const R10kPipeCase *cases, unsigned n_cases)
{
    uint32_t hash = entry_hash(memo->now, block->id, cases, n_cases);
    const Entry *e = find(memo, hash, block, cases, n_cases);

    if (e) {
        memo->hits++;
        memo->now = e->then;
        return e->cycles;
    }
    memo->misses++;
    if (is_full(memo, n_cases)) {
        r10k_pipe_memo_empty(memo);
        hash = entry_hash(memo->now, block->id, cases, n_cases);
    }
    return run_and_remember(memo, hash, block, cases, n_cases);
}
