/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: instructions that these CPUs do not have, or have in
 * their own way.
 */

#ifndef TARGET_MIPS_TCG_R10K_CP0_TRANSLATE_H
#define TARGET_MIPS_TCG_R10K_CP0_TRANSLATE_H

struct DisasContext;

#ifndef CONFIG_USER_ONLY

bool r10k_cp0_tr(CPUMIPSState *env, struct DisasContext *ctx, uint32_t opc,
                 int rt, int rd);
bool r10k_tr_reserved(CPUMIPSState *env, struct DisasContext *ctx);

#else

static inline bool r10k_tr_reserved(CPUMIPSState *env,
                                    struct DisasContext *ctx)
{
    return false;
}

#endif /* !CONFIG_USER_ONLY */
#endif /* TARGET_MIPS_TCG_R10K_CP0_TRANSLATE_H */
