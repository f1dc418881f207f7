/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches: the secondary cache.
 *
 * This includes the way prediction table, the coherence between CPUs, and the
 * miss handling table, in which the CPU keeps its pending requests.
 *
 * Sources: R10000 User's Manual, chapters 4 to 6; r10k_evcntrs(5).
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internal.h"
#include "hw/mips/snoop.h"
#include "r10k_mem_internal.h"
#include "r10k_models.h"

/* Miss handling table */

/*
 * A request holds an entry of the miss handling table for @l2_latency cycles,
 * and for @memory_latency more if it goes to memory. This model's clock does
 * not wait for memory, so all entries may still be held; then the request
 * takes the one that becomes free first, and only the cycles not counted yet
 * are counted.
 */
void r10k_mht_request(CPUMIPSState *env, bool memory)
{
    const R10kConfig *config = &env->r10k_config;
    uint64_t *until = env->r10k_mem->mht_until;
    uint64_t now, end, held;
    int i, free = 0;

    if (!r10k_pmu_counting(env, MEM_MHT_OCCUPANCY) &&
        !r10k_pmu_counting(env, MEM_MHT_MEMORY)) {
        return;
    }
    for (i = 1; i < R10K_MHT_ENTRIES; i++) {
        if (until[i] < until[free]) {
            free = i;
        }
    }
    now = r10k_pmu_cycles_now(env);
    end = now + config->l2_latency + (memory ? config->memory_latency : 0);
    if (end <= until[free]) {
        return;
    }
    held = end - MAX(now, until[free]);
    until[free] = end;
    r10k_pmu_count(env, MEM_MHT_OCCUPANCY, held);
    if (memory) {
        r10k_pmu_count(env, MEM_MHT_MEMORY,
                       MIN(held, config->memory_latency));
    }
}

/* Secondary cache */

/* The way that holds @pa, or -1. */
int r10k_l2_find(const R10kMem *mem, uint64_t pa)
{
    const R10kL2Set *set = &mem->l2[r10k_l2_index(mem, pa)];
    uint64_t address = r10k_l2_address(mem, pa);
    int i;

    for (i = 0; i < R10K_WAYS; i++) {
        if (r10k_l2_state(set->block[i]) &&
            r10k_l2_address(mem, set->block[i]) == address) {
            return i;
        }
    }
    return -1;
}

/* A cache that has not been used since reset is empty. */
static int l2_find_cached(const CPUMIPSState *env, uint64_t pa)
{
    return env->r10k_pmu.mem_valid ? r10k_l2_find(env->r10k_mem, pa) : -1;
}

uint8_t *r10k_l2_prediction(R10kMem *mem, uint64_t pa)
{
    return &mem->way[r10k_l2_index(mem, pa) & (mem->predictions - 1)];
}

/* @pa was found in @way: correct the prediction. @fetch: for a fetch. */
void r10k_l2_predict(CPUMIPSState *env, uint64_t pa, int way, bool fetch)
{
    uint8_t *prediction = r10k_l2_prediction(env->r10k_mem, pa);

    if (*prediction != way) {
        *prediction = way;
        r10k_pmu_count(env, fetch ? MEM_L2I_WAY_MISPREDICTED
                                  : MEM_L2D_WAY_MISPREDICTED, 1);
    }
}

/* Read @bytes from @pa on, and correct the errors of their quadwords. */
static void l2_read(CPUMIPSState *env, R10kL2Set *set, int way, uint64_t pa,
                    unsigned bytes)
{
    unsigned first = (pa & (env->r10k_mem->l2_line - 1)) / R10K_QUADWORD;
    uint8_t mask = MAKE_64BIT_MASK(first, bytes / R10K_QUADWORD);

    if (unlikely(set->ecc[way] & mask)) {
        r10k_pmu_count(env, MEM_L2_ECC_ERRORS, ctpop8(set->ecc[way] & mask));
        set->ecc[way] &= ~mask;
    }
}

/* If the block is dirty, write all of it to memory. */
void r10k_l2_write_back(CPUMIPSState *env, R10kL2Set *set, int way)
{
    uint32_t bytes = env->r10k_mem->l2_line;

    if (r10k_l2_state(set->block[way]) == R10K_L2_DIRTY) {
        l2_read(env, set, way, 0, bytes);
        r10k_pmu_count(env, MEM_L2_WRITEBACK_QUADWORDS, bytes / R10K_QUADWORD);
    }
}

/* Coherence: requests of other CPUs and, from an Octane's HEART, for DMA */

static void external_hit(CPUMIPSState *env, uint64_t pa, R10kL2Set *set,
                         int way, int hit_event, int state_event)
{
    r10k_l2_predict(env, pa, way, false);
    r10k_pmu_count(env, hit_event, 1);
    r10k_pmu_count(env, state_event, r10k_l2_state(set->block[way]));
}

/* Another CPU reads the block at @pa, and owns it from now on if @exclusive. */
void r10k_mem_intervention(CPUMIPSState *env, uint64_t pa, bool exclusive)
{
    int way = l2_find_cached(env, pa);
    R10kL2Set *set;

    r10k_pmu_count(env, MEM_EXT_INTERVENTIONS, 1);
    if (way < 0) {
        return;
    }
    set = &env->r10k_mem->l2[r10k_l2_index(env->r10k_mem, pa)];
    external_hit(env, pa, set, way, MEM_EXT_INTERVENTION_HITS,
                 MEM_EXT_INTERVENTION_STATE);
    r10k_l1d_purge(env, set->block[way], exclusive);
    r10k_l2_write_back(env, set, way);
    if (exclusive) {
        r10k_l1i_purge(env, set->block[way]);
        r10k_l2_set_state(&set->block[way], R10K_L2_INVALID);
    } else {
        r10k_l2_set_state(&set->block[way], R10K_L2_SHARED);
    }
}

/* Another CPU owns the block at @pa from now on: invalidate it. */
void r10k_mem_invalidate(CPUMIPSState *env, uint64_t pa)
{
    int way = l2_find_cached(env, pa);
    R10kL2Set *set;

    r10k_pmu_count(env, MEM_EXT_INVALIDATIONS, 1);
    if (way < 0) {
        return;
    }
    set = &env->r10k_mem->l2[r10k_l2_index(env->r10k_mem, pa)];
    external_hit(env, pa, set, way, MEM_EXT_INVALIDATION_HITS,
                 MEM_EXT_INVALIDATION_STATE);
    r10k_l1_purge(env, set->block[way]);
    r10k_l2_set_state(&set->block[way], R10K_L2_INVALID);
}

static bool coherent(const R10kAccess *a)
{
    return a->cca >= R10K_CCA_EXCLUSIVE;
}

/* Ask the other CPUs for the block; returns true if one keeps it. */
static bool snoop_read(const R10kAccess *a)
{
    bool exclusive = a->by == R10K_BY_STORE || a->cca == R10K_CCA_EXCLUSIVE;
    bool shared = false;
    CPUState *cs;

    CPU_FOREACH(cs) {
        CPUMIPSState *other = cpu_env(cs);

        if (other != a->env && r10k_pmu_present(other)) {
            r10k_mem_intervention(other, a->pa, exclusive);
            shared |= l2_find_cached(other, a->pa) >= 0;
        }
    }
    return shared;
}

static void snoop_invalidate(const R10kAccess *a)
{
    CPUState *cs;

    CPU_FOREACH(cs) {
        CPUMIPSState *other = cpu_env(cs);

        if (other != a->env && r10k_pmu_present(other)) {
            r10k_mem_invalidate(other, a->pa);
        }
    }
}

static uint32_t snoop_line(CPUState *cs)
{
    const CPUMIPSState *env = cpu_env(cs);

    return qatomic_read(&env->r10k_pmu.awake) & R10K_AWAKE_MEM
        ? env->r10k_config.l2_line : 0;
}

static void snoop_dma(CPUState *cs, hwaddr pa, bool write, bool whole)
{
    CPUMIPSState *env = cpu_env(cs);

    if (write && whole) {
        r10k_mem_invalidate(env, pa);
    } else {
        r10k_mem_intervention(env, pa, write);
    }
}

void r10k_snoop_class_init(ObjectClass *oc)
{
    MIPSSnoopClass *sc = MIPS_SNOOP_CLASS(oc);

    sc->line = snoop_line;
    sc->dma = snoop_dma;
}

static const TypeInfo snoop_types[] = {
    {
        .name = TYPE_MIPS_SNOOP,
        .parent = TYPE_INTERFACE,
        .class_size = sizeof(MIPSSnoopClass),
    },
};

DEFINE_TYPES(snoop_types)

/* Requests of the primary caches to the secondary cache */

/* Make the block dirty. Returns true if this takes a request to memory. */
static bool l2_update(const R10kAccess *a, uint64_t *block)
{
    unsigned state = r10k_l2_state(*block);

    r10k_l2_set_state(block, R10K_L2_DIRTY);
    switch (state) {
    case R10K_L2_CLEAN:
        r10k_pmu_count(a->env, MEM_STORE_TO_CLEAN, 1);
        r10k_pmu_count(a->env, MEM_UPDATE_REQUESTS, 1);
        return false;
    case R10K_L2_SHARED:
        r10k_pmu_count(a->env, MEM_STORE_TO_SHARED, 1);
        r10k_pmu_count(a->env, MEM_UPDATE_REQUESTS, 2);
        if (coherent(a)) {
            snoop_invalidate(a);
        }
        return true;
    default:
        return false;
    }
}

/*
 * Empty the least recently used way, as far as the prediction knows it, and
 * drop its block's lines from the primary caches. The prediction points at
 * this way afterwards.
 */
static int l2_evict(const R10kAccess *a, R10kL2Set *set)
{
    uint8_t *prediction = r10k_l2_prediction(a->env->r10k_mem, a->pa);
    int way = *prediction;

    if (r10k_l2_state(set->block[way])) {
        way = *prediction = !way;
    }
    if (r10k_l2_state(set->block[way])) {
        r10k_l1_purge(a->env, set->block[way]);
        r10k_l2_write_back(a->env, set, way);
        set->block[way] = 0;
    }
    set->ecc[way] = 0;
    return way;
}

static int l2_miss(const R10kAccess *a, R10kL2Set *set)
{
    R10kMem *mem = a->env->r10k_mem;
    int way = l2_evict(a, set);
    bool shared = coherent(a) && snoop_read(a);
    unsigned state = R10K_L2_CLEAN;

    r10k_pmu_count(a->env, a->by == R10K_BY_FETCH ? MEM_L2I_MISSES
                                             : MEM_L2D_MISSES, 1);
    if (a->by == R10K_BY_STORE) {
        state = R10K_L2_DIRTY;
    } else if (shared) {
        state = R10K_L2_SHARED;
    }
    set->block[way] = (a->pa & -(uint64_t)mem->l2_line) | state |
                      extract64(a->va, 12, 2) << R10K_L2_VINDEX_SHIFT;
    return way;
}

/* A refill hits: the primary caches may have the block at one index only. */
static void l2_revisit(const R10kAccess *a, uint64_t *block)
{
    unsigned vindex = extract64(a->va, 12, 2);

    if (r10k_l2_vindex(*block) != vindex) {
        r10k_pmu_count(a->env, MEM_VIRTUAL_COHERENCY, 1);
        r10k_l1_purge(a->env, *block);
        *block = (*block & ~(uint64_t)R10K_L2_VINDEX) |
                 vindex << R10K_L2_VINDEX_SHIFT;
    }
}

/* Read a line of @bytes for a primary cache. */
void r10k_l2_refill(const R10kAccess *a, unsigned bytes)
{
    R10kMem *mem = a->env->r10k_mem;
    R10kL2Set *set = &mem->l2[r10k_l2_index(mem, a->pa)];
    int way = r10k_l2_find(mem, a->pa);
    bool memory = way < 0;

    if (way < 0) {
        way = l2_miss(a, set);
    } else {
        r10k_l2_predict(a->env, a->pa, way, a->by == R10K_BY_FETCH);
        l2_revisit(a, &set->block[way]);
        if (a->by == R10K_BY_STORE) {
            memory = l2_update(a, &set->block[way]);
        }
    }
    l2_read(a->env, set, way, a->pa & -(uint64_t)bytes, bytes);
    r10k_mht_request(a->env, memory);
}

/* A store hits a consistent line: the block may have to become dirty. */
void r10k_l2_store_hit(const R10kAccess *a)
{
    R10kMem *mem = a->env->r10k_mem;
    R10kL2Set *set = &mem->l2[r10k_l2_index(mem, a->pa)];
    int way = r10k_l2_find(mem, a->pa);

    if (way < 0 || r10k_l2_state(set->block[way]) == R10K_L2_DIRTY) {
        return;
    }
    if (!r10k_pmu_is_v2(a->env)) {
        r10k_pmu_count(a->env, MEM_L1D_MISSES, 1);
    }
    r10k_l2_predict(a->env, a->pa, way, false);
    r10k_mht_request(a->env, l2_update(a, &set->block[way]));
}

/* Make a single-bit error in the quadword at @pa; false if it is not cached. */
bool r10k_mem_inject_ecc(CPUMIPSState *env, uint64_t pa)
{
    int way = l2_find_cached(env, pa);
    R10kMem *mem = env->r10k_mem;

    if (way < 0) {
        return false;
    }
    mem->l2[r10k_l2_index(mem, pa)].ecc[way] |=
        1 << (pa & (mem->l2_line - 1)) / R10K_QUADWORD;
    return true;
}
