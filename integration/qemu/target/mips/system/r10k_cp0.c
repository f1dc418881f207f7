/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family coprocessor 0: registers and the TLB, where they differ
 * from those of the other R4000-type CPUs.
 *
 * Sources: R10000 User's Manual, chapters 14 and 15.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internal.h"
#include "exec/cputlb.h"
#include "exec/helper-proto.h"
#include "exec/target_page.h"

#define CONFIG_K0       7
#define CAUSE_SOFTWARE  0x300
#define PAGEMASK_16M    0x01ffe000
#define ENTRYLO_UC      62
#define UC_BITS         2
#define ENTRYLO_MASK    0x3ffffffff
#define FRAMEMASK_PA    24

/* The branch return cache off; on the R12000 also its branch address cache */
#define DIAG_D_BRC      (1u << 22)
#define DIAG_D_BTAC     (1u << 27)

/* The flag of the last refill exception is stale, see answers_refill(). */
static void forget_refill(CPUMIPSState *env)
{
    env->error_code &= ~EXCP_TLB_NOMATCH;
}

/* Registers */

static uint64_t entrylo(uint64_t value)
{
    return value & (ENTRYLO_MASK | MAKE_64BIT_MASK(ENTRYLO_UC, UC_BITS));
}

void helper_r10k_dmtc0_entrylo0(CPUMIPSState *env, target_ulong value)
{
    env->CP0_EntryLo0 = entrylo(value);
}

void helper_r10k_dmtc0_entrylo1(CPUMIPSState *env, target_ulong value)
{
    env->CP0_EntryLo1 = entrylo(value);
}

/* EntryHi was @old: if the ASID has changed, other pages are mapped. */
static void remap_if_other_asid(CPUMIPSState *env, target_ulong old)
{
    if ((old ^ env->CP0_EntryHi) & env->CP0_EntryHi_ASID_mask) {
        r10k_mem_remap(env);
    }
}

void helper_r10k_mtc0_entryhi(CPUMIPSState *env, target_ulong value)
{
    target_ulong old = env->CP0_EntryHi;

    forget_refill(env);
    helper_mtc0_entryhi(env, value);
    remap_if_other_asid(env, old);
}

void helper_r10k_mtc0_pagemask(CPUMIPSState *env, target_ulong value)
{
    env->CP0_PageMask = compute_pagemask(value & PAGEMASK_16M);
}

/* There is no Cause.IV, and no bit that stops Count. */
void helper_r10k_mtc0_cause(CPUMIPSState *env, target_ulong value)
{
    cpu_mips_store_cause(env, value & CAUSE_SOFTWARE);
}

/* Only K0 can be written; pins set the other fields at reset. */
void helper_r10k_mtc0_config(CPUMIPSState *env, target_ulong value)
{
    uint32_t k0 = value & CONFIG_K0;

    if (k0 != (env->CP0_Config0 & CONFIG_K0)) {
        env->CP0_Config0 = (env->CP0_Config0 & ~CONFIG_K0) | k0;
        tlb_flush(env_cpu(env));
        r10k_mem_remap(env);
    }
}

void helper_r10k_mtc0_diag(CPUMIPSState *env, target_ulong value)
{
    uint32_t mask = DIAG_D_BRC;

    if (!r10k_pmu_is_r10000(env)) {
        mask |= R10K_DIAG_E_GHIST | DIAG_D_BTAC;
    }
    env->r10k_pmu.diag = value & mask;
    r10k_pmu_select(env);
}

/*
 * TLB
 *
 * An entry that was never written, or that a later one has made invalid,
 * matches no address: it has QEMU's EHINV set, which the guest does not see.
 */

/* Do two entries match some address in common? */
static bool overlap(const r4k_tlb_t *a, const r4k_tlb_t *b)
{
    target_ulong mask = a->PageMask | b->PageMask | ~(TARGET_PAGE_MASK << 1);

    return ((a->VPN ^ b->VPN) & ~mask) == 0 && !a->EHINV &&
           (a->G || b->G || a->ASID == b->ASID);
}

/*
 * Drop all other entries that overlap entry @idx. Returns true if the CPU's
 * TLB has one of them. After the CPU's entries come those that QEMU has kept.
 */
static bool drop_duplicates(CPUMIPSState *env, int idx)
{
    CPUMIPSTLBContext *tlb = env->tlb;
    r4k_tlb_t *entry = tlb->mmu.r4k.tlb;
    bool found = false;
    int i;

    for (i = tlb->tlb_in_use - 1; i >= 0; i--) {
        if (i == idx || !overlap(&entry[i], &entry[idx])) {
            continue;
        }
        if (i < tlb->nb_tlb) {
            r4k_invalidate_tlb(env, i, 0);
            entry[i].EHINV = 1;
            env->r10k_tlb_uc[i] = 0;
            found = true;
        }
        while (i >= tlb->nb_tlb && tlb->tlb_in_use > i) {
            r4k_invalidate_tlb(env, --tlb->tlb_in_use, 0);
        }
    }
    return found;
}

/*
 * An entry that is written in answer to a refill exception has no duplicate:
 * neither EntryHi nor the TLB has changed since the exception (that would have
 * cleared the flag), and the entry is not larger or more global than the page
 * that was looked up.
 */
static bool answers_refill(CPUMIPSState *env, const r4k_tlb_t *tlb)
{
    bool answers = (env->error_code & EXCP_TLB_NOMATCH) && !tlb->PageMask &&
                   !tlb->G;

    forget_refill(env);
    return answers;
}

void r10k_tlb_entry_written(CPUMIPSState *env, int idx)
{
    r4k_tlb_t *tlb = &env->tlb->mmu.r4k.tlb[idx];
    uint64_t frame_mask = (uint64_t)env->CP0_Framemask << FRAMEMASK_PA;
    bool duplicate = false;

    tlb->PFN[0] &= ~frame_mask & env->PAMask;
    tlb->PFN[1] &= ~frame_mask & env->PAMask;
    tlb->RI0 = tlb->RI1 = tlb->XI0 = tlb->XI1 = 0;
    env->r10k_tlb_uc[idx] =
        extract64(env->CP0_EntryLo0, ENTRYLO_UC, UC_BITS) |
        extract64(env->CP0_EntryLo1, ENTRYLO_UC, UC_BITS) << UC_BITS;
    if (!answers_refill(env, tlb)) {
        duplicate = drop_duplicates(env, idx);
    }
    env->CP0_Status = deposit32(env->CP0_Status, CP0St_TS, 1, duplicate);
}

void helper_r10k_tlbr(CPUMIPSState *env)
{
    target_ulong old = env->CP0_EntryHi;
    uint8_t uc = env->r10k_tlb_uc[env->CP0_Index & (R10K_TLB_ENTRIES - 1)];

    forget_refill(env);
    env->tlb->helper_tlbr(env);
    remap_if_other_asid(env, old);
    env->CP0_EntryHi &= ~(target_ulong)(1 << CP0EnHi_EHINV);
    env->CP0_EntryLo0 |= (uint64_t)extract32(uc, 0, UC_BITS) << ENTRYLO_UC;
    env->CP0_EntryLo1 |= (uint64_t)extract32(uc, UC_BITS, UC_BITS)
                         << ENTRYLO_UC;
}
