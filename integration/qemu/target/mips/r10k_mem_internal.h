/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches: the model's state.
 */

#ifndef TARGET_MIPS_R10K_MEM_INTERNAL_H
#define TARGET_MIPS_R10K_MEM_INTERNAL_H

#include "r10k_mem.h"

#define R10K_PREDICTIONS    16384
#define R10K_MHT_ENTRIES    4
#define R10K_PAGES          256
#define R10K_QUADWORD       16

/* A primary cache's entry: the line's physical address, ORed with these. */
#define R10K_L1_VALID           1
#define R10K_L1_INCONSISTENT    2

/*
 * A secondary cache's entry: the block's physical address, its state and the
 * virtual address bits 13:12 of its last primary refill.
 */
#define R10K_L2_STATE           3
#define R10K_L2_VINDEX_SHIFT    2
#define R10K_L2_VINDEX          (3 << R10K_L2_VINDEX_SHIFT)

enum {
    R10K_L2_INVALID,
    R10K_L2_SHARED,
    R10K_L2_CLEAN,      /* exclusive */
    R10K_L2_DIRTY,      /* exclusive */
};

/**
 * R10kL2Set: one set of the secondary cache
 * @block: the entries
 * @ecc: per entry a bit for each quadword with a single-bit error
 */
typedef struct R10kL2Set {
    uint64_t block[R10K_WAYS];
    uint8_t ecc[R10K_WAYS];
} R10kL2Set;

/* A page and its translation, so that the TLB need not be searched. */
typedef struct R10kPage {
    uint64_t virtual;
    uint64_t physical;
    uint8_t cca;
} R10kPage;

/**
 * R10kMem: the caches of one CPU
 * @l1i: primary instruction cache, indexed by VA 13:6
 * @l1i_mru: most recently used way of each set
 * @l1d: primary data cache, indexed by VA 13:5
 * @l1d_mru: most recently used way of each set
 * @l2: secondary cache
 * @l2_sets: how many sets it has
 * @l2_line: bytes of a block
 * @predictions: entries of the way prediction table in use
 * @way: the way prediction table
 * @mht_until: the cycle up to which each entry of the miss handling table has
 *             been counted
 * @pages: recent translations
 */
struct R10kMem {
    uint64_t l1i[R10K_L1I_SETS][R10K_WAYS];
    uint8_t l1i_mru[R10K_L1I_SETS];
    uint64_t l1d[R10K_L1D_SETS][R10K_WAYS];
    uint8_t l1d_mru[R10K_L1D_SETS];
    R10kL2Set *l2;
    uint32_t l2_sets;
    uint32_t l2_line;
    uint32_t predictions;
    uint8_t way[R10K_PREDICTIONS];
    uint64_t mht_until[R10K_MHT_ENTRIES];
    R10kPage pages[R10K_PAGES];
};

/* Cache algorithms of the TLB, Config.K0 and xkphys addresses. */
enum {
    R10K_CCA_UNCACHED = 2,
    R10K_CCA_NONCOHERENT = 3,
    R10K_CCA_EXCLUSIVE = 4,
    R10K_CCA_EXCLUSIVE_ON_WRITE = 5,
};

/* An address that no access can have: it is outside the address space. */
#define R10K_NOWHERE    0x0fff000000000000ull

/* Kinds of requests to the secondary cache. */
enum r10k_requester {
    R10K_BY_FETCH,
    R10K_BY_LOAD,
    R10K_BY_STORE,
};

/**
 * R10kAccess: one access to a cached address
 * @env: the CPU
 * @va: virtual address
 * @pa: physical address
 * @cca: cache algorithm
 * @by: kind of request
 */
typedef struct R10kAccess {
    CPUMIPSState *env;
    uint64_t va;
    uint64_t pa;
    uint8_t cca;
    enum r10k_requester by;
} R10kAccess;

static inline unsigned r10k_l2_index(const R10kMem *mem, uint64_t pa)
{
    return (pa / mem->l2_line) & (mem->l2_sets - 1);
}

/* Cycles of a request to the secondary cache, and to memory if @memory */
static inline unsigned r10k_latency(const CPUMIPSState *env, bool memory)
{
    return env->r10k_config.l2_latency +
           (memory ? env->r10k_config.memory_latency : 0);
}

static inline unsigned r10k_l2_state(uint64_t block)
{
    return block & R10K_L2_STATE;
}

static inline void r10k_l2_set_state(uint64_t *block, unsigned state)
{
    *block = (*block & ~(uint64_t)R10K_L2_STATE) | state;
}

static inline unsigned r10k_l2_vindex(uint64_t block)
{
    return (block & R10K_L2_VINDEX) >> R10K_L2_VINDEX_SHIFT;
}

static inline uint64_t r10k_l2_address(const R10kMem *mem, uint64_t block)
{
    return block & -(uint64_t)mem->l2_line;
}

/* r10k_mem.c */
bool r10k_mem_awake(const CPUMIPSState *env);
bool r10k_mem_translate(R10kAccess *a);
bool r10k_mem_find(R10kAccess *a);
int r10k_l1_find(const uint64_t *set, uint64_t line);
void r10k_l1d_write_back(CPUMIPSState *env, unsigned set, int way);
void r10k_l1d_drop(CPUMIPSState *env, unsigned set, int way);
void r10k_l1d_purge(CPUMIPSState *env, uint64_t block, bool drop);
void r10k_l1i_purge(CPUMIPSState *env, uint64_t block);
void r10k_l1_purge(CPUMIPSState *env, uint64_t block);

/* r10k_l2.c */
int r10k_l2_find(const R10kMem *mem, uint64_t pa);
uint8_t *r10k_l2_prediction(R10kMem *mem, uint64_t pa);
void r10k_l2_predict(CPUMIPSState *env, uint64_t pa, int way, bool fetch);
void r10k_l2_write_back(CPUMIPSState *env, R10kL2Set *set, int way);
void r10k_l2_refill(const R10kAccess *a, unsigned bytes);
void r10k_l2_store_hit(const R10kAccess *a);
void r10k_mht_request(CPUMIPSState *env, bool memory);
void r10k_mem_intervention(CPUMIPSState *env, uint64_t pa, bool exclusive);
void r10k_mem_invalidate(CPUMIPSState *env, uint64_t pa);
bool r10k_mem_inject_ecc(CPUMIPSState *env, uint64_t pa);

#endif /* TARGET_MIPS_R10K_MEM_INTERNAL_H */
