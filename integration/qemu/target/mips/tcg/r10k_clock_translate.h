/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: what the clock needs of translated code.
 */

#ifndef TARGET_MIPS_TCG_R10K_CLOCK_TRANSLATE_H
#define TARGET_MIPS_TCG_R10K_CLOCK_TRANSLATE_H

void r10k_clock_tr_init(DisasContext *ctx, CPUMIPSState *env);
void r10k_clock_tr_start(DisasContext *ctx);
int r10k_clock_tr_fetch(DisasContext *ctx, uint64_t line, TCGv difference);
void r10k_clock_tr_insn(DisasContext *ctx);
void r10k_clock_tr_done(DisasContext *ctx);
void r10k_clock_tr_run(DisasContext *ctx);
void r10k_clock_tr_time(DisasContext *ctx);
void r10k_clock_tr_end(DisasContext *ctx, uint32_t how);
void r10k_clock_tr_at(DisasContext *ctx);

#endif /* TARGET_MIPS_TCG_R10K_CLOCK_TRANSLATE_H */
