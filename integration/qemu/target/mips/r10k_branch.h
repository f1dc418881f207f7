/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family branch predictor: the index of a branch's counter.
 */

#ifndef TARGET_MIPS_R10K_BRANCH_H
#define TARGET_MIPS_R10K_BRANCH_H

/* With Diag.E_GHIST, the outcomes of this many earlier branches in the index */
#define R10K_BRANCH_HISTORY 0xff

/* 512 counters, indexed by VA 11:3; R12000: 2048, indexed by VA 12:2. */
static inline uint32_t r10k_branch_index(bool r10000, uint64_t pc)
{
    return r10000 ? extract64(pc, 3, 9) : extract64(pc, 2, 11);
}

#endif /* TARGET_MIPS_R10K_BRANCH_H */
