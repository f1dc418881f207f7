/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches: the primary caches.
 *
 * A functional model: it holds no data, but keeps track of where lines are and
 * in which state, and counts events. Each access is complete before the next
 * one starts. The events of an access count in the mode of the instruction
 * that made it.
 *
 * Sources: R10000 User's Manual, chapters 4 and 5; Origin 2000 tuning guide,
 * appendix B; r10k_evcntrs(5).
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internal.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "r10k_mem_internal.h"
#include "r10k_models.h"


/* Filter */

static void filter_drop(CPUMIPSState *env)
{
    R10kFilter *filter = &env->r10k_filter;
    int i;

    for (i = 0; i < R10K_L1I_SETS; i++) {
        filter->fetch[i] = R10K_NOWHERE;
    }
    for (i = 0; i < R10K_L1D_SETS; i++) {
        filter->load[i] = filter->store[i] = R10K_NOWHERE;
    }
    for (i = 0; i < R10K_PAGES; i++) {
        env->r10k_mem->pages[i].virtual = R10K_NOWHERE;
    }
}

static void filter_drop_l1d(CPUMIPSState *env, unsigned set)
{
    env->r10k_filter.load[set] = env->r10k_filter.store[set] = R10K_NOWHERE;
}

bool r10k_mem_awake(const CPUMIPSState *env)
{
    return env->r10k_pmu.awake & R10K_AWAKE_MEM;
}

/* The mapping of all addresses may have changed. */
void r10k_mem_remap(CPUMIPSState *env)
{
    if (r10k_mem_awake(env)) {
        filter_drop(env);
    }
}

/* The mapping of the pages in @bytes from @va on is going to change. */
void r10k_mem_unmap(CPUMIPSState *env, uint64_t va, uint64_t bytes)
{
    R10kFilter *filter = &env->r10k_filter;
    uint64_t a;

    if (!r10k_mem_awake(env)) {
        return;
    }
    if (bytes > 2 * TARGET_PAGE_SIZE) {
        filter_drop(env);
        return;
    }
    for (a = va; a < va + bytes; a += TARGET_PAGE_SIZE) {
        env->r10k_mem->pages[extract64(a, 12, 8)].virtual = R10K_NOWHERE;
    }
    for (a = va; a < va + bytes; a += R10K_L1D_LINE) {
        filter_drop_l1d(env, extract64(a, 5, 9));
        filter->fetch[extract64(a, 6, 8)] = R10K_NOWHERE;
    }
}

/* Address translation */

static bool tlb_lookup(CPUMIPSState *env, uint64_t va, R10kPage *page)
{
    uint16_t asid = env->CP0_EntryHi & env->CP0_EntryHi_ASID_mask;
    int i;

    for (i = 0; i < env->tlb->tlb_in_use; i++) {
        const r4k_tlb_t *tlb = &env->tlb->mmu.r4k.tlb[i];
        uint64_t mask = tlb->PageMask | ~(TARGET_PAGE_MASK << 1);
        bool odd = va & mask & ~(mask >> 1);

        if ((tlb->VPN & ~mask) != (va & ~mask & env->SEGMask) ||
            (!tlb->G && tlb->ASID != asid) || tlb->EHINV) {
            continue;
        }
        page->physical = tlb->PFN[odd] | (va & (mask >> 1));
        page->cca = odd ? tlb->C1 : tlb->C0;
        return odd ? tlb->V1 : tlb->V0;
    }
    return false;
}

static bool translate(CPUMIPSState *env, uint64_t va, R10kPage *page)
{
    if (va >= 0xffffffff80000000ull && va < 0xffffffffc0000000ull) {
        page->physical = va & 0x1fffffff;       /* kseg0, kseg1 */
        page->cca = va & 0x20000000 ? R10K_CCA_UNCACHED
                                    : env->CP0_Config0 & 7;
        return true;
    }
    if (va >> 62 == 2) {                        /* xkphys */
        page->physical = va & env->PAMask;
        page->cca = extract64(va, 59, 3);
        return true;
    }
    if (va < 0x80000000ull && (env->CP0_Status & (1 << CP0St_ERL))) {
        page->physical = va;
        page->cca = R10K_CCA_UNCACHED;
        return true;
    }
    return tlb_lookup(env, va, page);
}

static bool find_page(CPUMIPSState *env, uint64_t va, R10kPage *page)
{
    page->virtual = R10K_NOWHERE;
    if (!translate(env, va, page)) {
        return false;
    }
    page->virtual = va;
    return true;
}

/* Find out where @a->va is. Returns false if it is not mapped. */
bool r10k_mem_translate(R10kAccess *a)
{
    uint64_t va = a->va & TARGET_PAGE_MASK;
    R10kPage *page = &a->env->r10k_mem->pages[extract64(va, 12, 8)];

    /* While the caches sleep, nothing invalidates @page: do not use it. */
    if ((page->virtual != va || !r10k_mem_awake(a->env)) &&
        !find_page(a->env, va, page)) {
        return false;
    }
    a->pa = page->physical | (a->va & ~TARGET_PAGE_MASK);
    a->cca = page->cca;
    return true;
}

/* Returns false if @a->va is not mapped, or not cached. */
bool r10k_mem_find(R10kAccess *a)
{
    return r10k_mem_translate(a) && a->cca >= R10K_CCA_NONCOHERENT &&
           a->cca <= R10K_CCA_EXCLUSIVE_ON_WRITE;
}

/* Primary caches: where the lines of a block are */

static unsigned l1d_index(unsigned vindex, uint64_t pa)
{
    return vindex << 7 | extract64(pa, 5, 7);
}

static unsigned l1i_index(unsigned vindex, uint64_t pa)
{
    return vindex << 6 | extract64(pa, 6, 6);
}

int r10k_l1_find(const uint64_t *set, uint64_t line)
{
    int i;

    for (i = 0; i < R10K_WAYS; i++) {
        if ((set[i] & ~(uint64_t)R10K_L1_INCONSISTENT) ==
            (line | R10K_L1_VALID)) {
            return i;
        }
    }
    return -1;
}

/* Write the line to its block if the line is newer. */
static void l1d_clean(CPUMIPSState *env, unsigned set, int way)
{
    uint64_t *line = &env->r10k_mem->l1d[set][way];

    if (*line & R10K_L1_INCONSISTENT) {
        *line &= ~(uint64_t)R10K_L1_INCONSISTENT;
        env->r10k_filter.store[set] = R10K_NOWHERE;
        r10k_pmu_count(env, MEM_L1D_WRITEBACK_QUADWORDS,
                       R10K_L1D_LINE / R10K_QUADWORD);
    }
}

/* The same, but the block must be looked up first. */
void r10k_l1d_write_back(CPUMIPSState *env, unsigned set, int way)
{
    uint64_t line = env->r10k_mem->l1d[set][way];
    uint64_t pa = line & -(uint64_t)R10K_L1D_LINE;
    int l2_way;

    if (!(line & R10K_L1_INCONSISTENT)) {
        return;
    }
    l1d_clean(env, set, way);
    l2_way = r10k_l2_find(env->r10k_mem, pa);
    if (l2_way >= 0) {
        r10k_l2_predict(env, pa, l2_way, false);
    }
}

void r10k_l1d_drop(CPUMIPSState *env, unsigned set, int way)
{
    env->r10k_mem->l1d[set][way] = 0;
    filter_drop_l1d(env, set);
}

/* Clean a block's lines in the primary data cache, and if @drop drop them. */
void r10k_l1d_purge(CPUMIPSState *env, uint64_t block, bool drop)
{
    R10kMem *mem = env->r10k_mem;
    uint64_t line = r10k_l2_address(mem, block);
    uint64_t end = line + mem->l2_line;

    for (; line < end; line += R10K_L1D_LINE) {
        unsigned set = l1d_index(r10k_l2_vindex(block), line);
        int way = r10k_l1_find(mem->l1d[set], line);

        if (way < 0) {
            continue;
        }
        l1d_clean(env, set, way);
        if (drop) {
            r10k_l1d_drop(env, set, way);
        }
    }
}

void r10k_l1i_purge(CPUMIPSState *env, uint64_t block)
{
    R10kMem *mem = env->r10k_mem;
    uint64_t line = r10k_l2_address(mem, block);
    uint64_t end = line + mem->l2_line;

    for (; line < end; line += R10K_L1I_LINE) {
        unsigned set = l1i_index(r10k_l2_vindex(block), line);
        int way = r10k_l1_find(mem->l1i[set], line);

        if (way >= 0) {
            mem->l1i[set][way] = 0;
            env->r10k_filter.fetch[set] = R10K_NOWHERE;
        }
    }
}

void r10k_l1_purge(CPUMIPSState *env, uint64_t block)
{
    r10k_l1d_purge(env, block, true);
    r10k_l1i_purge(env, block);
}

/* Primary caches */

/* The way for a new line: an empty one, else the least recently used. */
static int l1_victim(const uint64_t *set, uint8_t mru)
{
    return !set[!mru] || set[mru] ? !mru : mru;
}

static void fetch(const R10kAccess *a)
{
    R10kMem *mem = a->env->r10k_mem;
    unsigned set = extract64(a->va, 6, 8);
    uint64_t line = a->pa & -(uint64_t)R10K_L1I_LINE;
    int way = r10k_l1_find(mem->l1i[set], line);

    if (way < 0) {
        r10k_pmu_count(a->env, MEM_L1I_MISSES, 1);
        way = l1_victim(mem->l1i[set], mem->l1i_mru[set]);
        mem->l1i[set][way] = 0;
        r10k_l2_refill(a, R10K_L1I_LINE);
        mem->l1i[set][way] = line | R10K_L1_VALID;
    }
    mem->l1i_mru[set] = way;
    a->env->r10k_filter.fetch[set] = a->va & -(uint64_t)R10K_L1I_LINE;
}

static int l1d_refill(const R10kAccess *a, unsigned set, uint64_t line)
{
    R10kMem *mem = a->env->r10k_mem;
    int way = l1_victim(mem->l1d[set], mem->l1d_mru[set]);

    r10k_pmu_count(a->env, MEM_L1D_MISSES, 1);
    r10k_l1d_write_back(a->env, set, way);
    r10k_l1d_drop(a->env, set, way);
    r10k_l2_refill(a, R10K_L1D_LINE);
    mem->l1d[set][way] = line | R10K_L1_VALID;
    return way;
}

/* Returns true for a hit. @modify: the access writes data, unlike PREF. */
static bool access_data(const R10kAccess *a, bool modify)
{
    R10kMem *mem = a->env->r10k_mem;
    R10kFilter *filter = &a->env->r10k_filter;
    unsigned set = extract64(a->va, 5, 9);
    uint64_t line = a->pa & -(uint64_t)R10K_L1D_LINE;
    uint64_t va = a->va & -(uint64_t)R10K_L1D_LINE;
    int way = r10k_l1_find(mem->l1d[set], line);
    bool hit = way >= 0;

    if (!hit) {
        way = l1d_refill(a, set, line);
    } else if (a->by == R10K_BY_STORE &&
               !(mem->l1d[set][way] & R10K_L1_INCONSISTENT)) {
        r10k_l2_store_hit(a);
    }
    if (modify) {
        mem->l1d[set][way] |= R10K_L1_INCONSISTENT;
    }
    mem->l1d_mru[set] = way;
    filter->load[set] = va;
    filter->store[set] = mem->l1d[set][way] & R10K_L1_INCONSISTENT
        ? va : R10K_NOWHERE;
    return hit;
}

static bool raises_exception(CPUMIPSState *env, uint64_t va,
                             MMUAccessType type)
{
    void *host;

    return probe_access_flags(env, va, 0, type, mips_env_mmu_index(env), true,
                              &host, 0) & TLB_INVALID_MASK;
}

/* A prefetch that would raise an exception as a load is dropped. */
static void prefetch(const R10kAccess *a)
{
    if (raises_exception(a->env, a->va, MMU_DATA_LOAD)) {
        return;
    }
    r10k_pmu_count(a->env, MEM_PREFETCHES, 1);
    if (!access_data(a, false)) {
        r10k_pmu_count(a->env, MEM_PREFETCH_MISSES, 1);
    }
}

static void access_one(CPUMIPSState *env, uint64_t va, int kind)
{
    R10kAccess a = { .env = env, .va = va, .by = R10K_BY_LOAD };

    if (!r10k_mem_find(&a)) {
        return;
    }
    switch (kind) {
    case R10K_ACCESS_FETCH:
        a.by = R10K_BY_FETCH;
        fetch(&a);
        break;
    case R10K_ACCESS_STORE:
        a.by = R10K_BY_STORE;
        access_data(&a, true);
        break;
    case R10K_ACCESS_LOAD:
        access_data(&a, false);
        break;
    case R10K_ACCESS_PREF_STORE:
        a.by = R10K_BY_STORE;
        prefetch(&a);
        break;
    case R10K_ACCESS_PREF_LOAD:
        prefetch(&a);
        break;
    }
}

/* Replay the first @n entries of the log. */
void r10k_mem_replay(CPUMIPSState *env, unsigned n)
{
    const R10kFilter *filter = &env->r10k_filter;
    unsigned i;

    for (i = 0; i < n; i++) {
        access_one(env, filter->log[i], filter->kind[i]);
    }
}

void helper_r10k_mem_replay(CPUMIPSState *env, uint32_t n)
{
    r10k_mem_replay(env, n);
}

/*
 * Replay the fetch or the access of an instruction before it is executed. If a
 * counter overflows, leave: the instruction comes after the interrupt, and
 * hits then. Leave only once: if the handler has evicted the line, the
 * instruction misses again, and that could go on for ever.
 */
void helper_r10k_mem_early(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint64_t va = env->r10k_filter.log[0];
    int kind = env->r10k_filter.kind[0];
    uint32_t skid_before = pmu->skid;

    if (kind != R10K_ACCESS_FETCH &&
        raises_exception(env, va, kind == R10K_ACCESS_STORE
                                  ? MMU_DATA_STORE : MMU_DATA_LOAD)) {
        return;
    }
    pmu->overflowed = false;
    access_one(env, va, kind);
    if (pmu->overflowed && !pmu->skid && !skid_before && !pmu->left) {
        pmu->left = true;
        cpu_loop_exit_restore(env_cpu(env), GETPC());
    }
}

/* SC has been executed; if @stored, it has written. */
void helper_r10k_mem_sc(CPUMIPSState *env, target_ulong va, uint32_t stored)
{
    if (stored) {
        access_one(env, va, R10K_ACCESS_STORE);
    }
}

/* Reset and wake-up */

/* Empty the caches once after reset; later they keep their state in sleep. */
void r10k_mem_prepare(CPUMIPSState *env)
{
    const R10kConfig *config = &env->r10k_config;
    R10kL2Set *l2;

    if (env->r10k_pmu.mem_valid) {
        return;
    }
    if (!env->r10k_mem) {
        env->r10k_mem = g_new0(R10kMem, 1);
        env->r10k_mem->l2_line = config->l2_line;
        env->r10k_mem->l2_sets = config->l2_size /
                                 (config->l2_line * R10K_WAYS);
        env->r10k_mem->predictions = r10k_pmu_is_r10000(env)
            ? R10K_PREDICTIONS / 2 : R10K_PREDICTIONS;
        env->r10k_mem->l2 = g_new0(R10kL2Set, env->r10k_mem->l2_sets);
    }
    l2 = env->r10k_mem->l2;
    memset(l2, 0, env->r10k_mem->l2_sets * sizeof(*l2));
    memset(env->r10k_mem->l1i, 0, sizeof(env->r10k_mem->l1i));
    memset(env->r10k_mem->l1d, 0, sizeof(env->r10k_mem->l1d));
    memset(env->r10k_mem->l1i_mru, 0, sizeof(env->r10k_mem->l1i_mru));
    memset(env->r10k_mem->l1d_mru, 0, sizeof(env->r10k_mem->l1d_mru));
    memset(env->r10k_mem->way, 0, sizeof(env->r10k_mem->way));
    memset(env->r10k_mem->mht_until, 0, sizeof(env->r10k_mem->mht_until));
    env->r10k_pmu.mem_valid = true;
}

void r10k_mem_wake(CPUMIPSState *env)
{
    r10k_mem_prepare(env);
    filter_drop(env);
}
