/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches and branch predictor: translated code.
 */

#ifndef TARGET_MIPS_TCG_R10K_MEM_TRANSLATE_H
#define TARGET_MIPS_TCG_R10K_MEM_TRANSLATE_H

void r10k_mem_tr_fetch(DisasContext *ctx);
void r10k_mem_tr_address(DisasContext *ctx);
void r10k_mem_tr_early_fetch(DisasContext *ctx);
void r10k_mem_tr_access(DisasContext *ctx);
void r10k_mem_tr_check(DisasContext *ctx);
void r10k_mem_tr_flush(DisasContext *ctx);
void r10k_mem_tr_sc(DisasContext *ctx, TCGv success);
void r10k_mem_tr_cp0(DisasContext *ctx);
void r10k_branch_tr_known(DisasContext *ctx);
void r10k_branch_tr_check(DisasContext *ctx, vaddr pc, bool taken);

#endif /* TARGET_MIPS_TCG_R10K_MEM_TRANSLATE_H */
