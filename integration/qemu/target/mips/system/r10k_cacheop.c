/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches: the CACHE instruction.
 *
 * Sources: R10000 User's Manual, chapter 14; formats of TagLo and TagHi.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internal.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "r10k_mem_internal.h"
#include "r10k_models.h"

enum {
    CACHE_INDEX_INVALIDATE = 0, /* and write back, if D or S */
    CACHE_INDEX_LOAD_TAG = 1,
    CACHE_INDEX_STORE_TAG = 2,
    CACHE_HIT_INVALIDATE = 4,
    CACHE_HIT_WRITE_BACK = 5,   /* and invalidate; Cache Barrier if I */
};

#define TAG_MRU     (1 << 3)
#define TAG_I_VALID (1 << 6)

static void load_tag(CPUMIPSState *env, uint64_t pa, uint32_t lo, uint32_t hi)
{
    env->CP0_TagLo = (int32_t)(extract64(pa, 12, 24) << 8 | lo);
    env->CP0_TagHi = extract64(pa, 36, 4) | hi;
}

static uint64_t stored_tag(const CPUMIPSState *env)
{
    return extract64(env->CP0_TagLo, 8, 24) << 12 |
           (uint64_t)extract64(env->CP0_TagHi, 0, 4) << 36;
}

static void cache_i(CPUMIPSState *env, uint64_t va, unsigned op)
{
    R10kMem *mem = env->r10k_mem;
    unsigned set = extract64(va, 6, 8);
    uint64_t *line = &mem->l1i[set][va & 1];
    R10kAccess a = { .env = env, .va = va };
    int way;

    switch (op) {
    case CACHE_INDEX_INVALIDATE:
        *line = 0;
        break;
    case CACHE_INDEX_LOAD_TAG:
        load_tag(env, *line, (*line ? TAG_I_VALID : 0) |
                 (mem->l1i_mru[set] == (va & 1) ? TAG_MRU : 0), 0);
        return;
    case CACHE_INDEX_STORE_TAG:
        *line = env->CP0_TagLo & TAG_I_VALID
            ? stored_tag(env) | (va & 0xfc0) | R10K_L1_VALID : 0;
        break;
    case CACHE_HIT_INVALIDATE:
        if (!r10k_mem_find(&a)) {
            return;
        }
        way = r10k_l1_find(mem->l1i[set], a.pa & -(uint64_t)R10K_L1I_LINE);
        if (way >= 0) {
            mem->l1i[set][way] = 0;
        }
        break;
    }
    env->r10k_filter.fetch[set] = R10K_NOWHERE;
}

#define TAG_D_STATE_SHIFT   6
#define TAG_NORMAL          (1u << 29)
#define TAG_INCONSISTENT    (2u << 29)

static void cache_d_load_tag(CPUMIPSState *env, unsigned set, int way)
{
    R10kMem *mem = env->r10k_mem;
    uint64_t line = mem->l1d[set][way];
    int l2_way = line ? r10k_l2_find(mem, line) : -1;
    unsigned state = 0;

    if (l2_way >= 0) {
        state = r10k_l2_state(mem->l2[r10k_l2_index(mem, line)].block[l2_way]);
    }
    load_tag(env, line, state << TAG_D_STATE_SHIFT |
             (mem->l1d_mru[set] == way ? TAG_MRU : 0) |
             (l2_way > 0 ? 2 : 0),
             line & R10K_L1_INCONSISTENT ? TAG_INCONSISTENT : TAG_NORMAL);
}

static void cache_d_store_tag(CPUMIPSState *env, unsigned set, int way)
{
    uint64_t line = 0;

    if (extract64(env->CP0_TagLo, TAG_D_STATE_SHIFT, 2)) {
        line = stored_tag(env) | (set & 0x7f) << 5 | R10K_L1_VALID |
               (env->CP0_TagHi & TAG_INCONSISTENT ? R10K_L1_INCONSISTENT : 0);
    }
    r10k_l1d_drop(env, set, way);
    env->r10k_mem->l1d[set][way] = line;
}

static void cache_d(CPUMIPSState *env, uint64_t va, unsigned op)
{
    unsigned set = extract64(va, 5, 9);
    R10kAccess a = { .env = env, .va = va };
    int way = va & 1;

    if (!r10k_pmu_is_v2(env)) {
        r10k_pmu_count(env, MEM_L1D_MISSES, 1);
    }
    r10k_mht_request(env, false);
    switch (op) {
    case CACHE_INDEX_LOAD_TAG:
        cache_d_load_tag(env, set, way);
        return;
    case CACHE_INDEX_STORE_TAG:
        cache_d_store_tag(env, set, way);
        return;
    case CACHE_HIT_INVALIDATE:
    case CACHE_HIT_WRITE_BACK:
        way = -1;
        if (r10k_mem_find(&a)) {
            way = r10k_l1_find(env->r10k_mem->l1d[set],
                               a.pa & -(uint64_t)R10K_L1D_LINE);
        }
        break;
    case CACHE_INDEX_INVALIDATE:
        break;
    default:
        return;
    }
    if (way >= 0) {
        r10k_l1d_write_back(env, set, way);
        r10k_l1d_drop(env, set, way);
    }
}

#define TAG_S_STATE_SHIFT   10
#define TAG_S_VINDEX_SHIFT  7
#define TAG_S_PA            0xffffc000u
#define TAG_S_MRU           (1u << 31)

static void cache_s_load_tag(CPUMIPSState *env, R10kL2Set *set, uint64_t pa,
                             int way)
{
    uint64_t block = set->block[way];

    load_tag(env, block, 0, *r10k_l2_prediction(env->r10k_mem, pa) == way
                            ? TAG_S_MRU : 0);
    env->CP0_TagLo = (int32_t)((env->CP0_TagLo & TAG_S_PA) |
                               r10k_l2_state(block) << TAG_S_STATE_SHIFT |
                               r10k_l2_vindex(block) << TAG_S_VINDEX_SHIFT);
}

static void cache_s_store_tag(CPUMIPSState *env, R10kL2Set *set, uint64_t pa,
                              int way)
{
    R10kMem *mem = env->r10k_mem;
    uint64_t mask = -(uint64_t)mem->l2_line;

    if (r10k_l2_state(set->block[way])) {
        r10k_l1_purge(env, set->block[way]);
    }
    set->block[way] = ((stored_tag(env) & ~0x3ffffull) | (pa & 0x3ffff)) & mask;
    set->block[way] |= extract64(env->CP0_TagLo, TAG_S_STATE_SHIFT, 2) |
        extract64(env->CP0_TagLo, TAG_S_VINDEX_SHIFT, 2) <<
        R10K_L2_VINDEX_SHIFT;
    set->ecc[way] = 0;
    if (env->CP0_TagHi & (int32_t)TAG_S_MRU) {
        *r10k_l2_prediction(mem, pa) = way;
    }
}

static void cache_s_hit(CPUMIPSState *env, uint64_t va, bool write_back)
{
    R10kAccess a = { .env = env, .va = va };
    R10kL2Set *set;
    int way;

    if (!r10k_mem_find(&a)) {
        return;
    }
    way = r10k_l2_find(env->r10k_mem, a.pa);
    if (way < 0) {
        return;
    }
    set = &env->r10k_mem->l2[r10k_l2_index(env->r10k_mem, a.pa)];
    r10k_l2_predict(env, a.pa, way, false);
    r10k_l1_purge(env, set->block[way]);
    if (write_back) {
        r10k_l2_write_back(env, set, way);
    }
    r10k_l2_set_state(&set->block[way], R10K_L2_INVALID);
}

static void cache_s(CPUMIPSState *env, uint64_t va, unsigned op)
{
    R10kAccess a = { .env = env, .va = va & ~1ull };
    int way = va & 1;
    R10kL2Set *set;

    if (op == CACHE_HIT_INVALIDATE || op == CACHE_HIT_WRITE_BACK) {
        cache_s_hit(env, va, op == CACHE_HIT_WRITE_BACK);
        return;
    }
    if (!r10k_mem_translate(&a)) {
        return;
    }
    set = &env->r10k_mem->l2[r10k_l2_index(env->r10k_mem, a.pa)];
    switch (op) {
    case CACHE_INDEX_INVALIDATE:
        if (r10k_l2_state(set->block[way])) {
            r10k_l1_purge(env, set->block[way]);
            r10k_l2_write_back(env, set, way);
            r10k_l2_set_state(&set->block[way], R10K_L2_INVALID);
        }
        break;
    case CACHE_INDEX_LOAD_TAG:
        cache_s_load_tag(env, set, a.pa, way);
        break;
    case CACHE_INDEX_STORE_TAG:
        cache_s_store_tag(env, set, a.pa, way);
        break;
    }
}

/* Hit operations raise a TLB exception if the address is not mapped. */
void helper_r10k_cache_probe(CPUMIPSState *env, target_ulong va,
                             uint32_t mmu_idx)
{
    probe_read(env, va, 1, mmu_idx, GETPC());
}

/* Data is not modelled: Index Load Data and Index Store Data do nothing. */
void helper_r10k_cache(CPUMIPSState *env, target_ulong va, uint32_t op)
{
    r10k_mem_prepare(env);
    switch (op & 3) {
    case 0:
        cache_i(env, va, op >> 2);
        break;
    case 1:
        cache_d(env, va, op >> 2);
        break;
    case 3:
        cache_s(env, va, op >> 2);
        break;
    }
}
