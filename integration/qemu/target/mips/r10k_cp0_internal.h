/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: functions for the MIPS target, except the counters'.
 */

#ifndef TARGET_MIPS_R10K_CP0_INTERNAL_H
#define TARGET_MIPS_R10K_CP0_INTERNAL_H

#ifndef CONFIG_USER_ONLY

void r10k_cpu_class_init(ObjectClass *oc, const struct mips_def_t *def);
InterfaceInfo *r10k_cpu_interfaces(const struct mips_def_t *def);
void r10k_monitor_class_init(ObjectClass *oc, const struct mips_def_t *def);
void r10k_tlb_entry_written(CPUMIPSState *env, int idx);

/* TLB entry @idx has just been filled from the CP0 registers. */
static inline void r10k_tlb_filled(CPUMIPSState *env, int idx)
{
    if (r10k_pmu_present(env)) {
        r10k_tlb_entry_written(env, idx);
    }
}

/* Status.XX: only user mode needs it to use the instructions of MIPS IV. */
static inline bool r10k_ignores_xx(const CPUMIPSState *env)
{
    return r10k_pmu_present(env) &&
           (env->hflags & MIPS_HFLAG_KSU) != MIPS_HFLAG_UM;
}

#else

static inline void r10k_cpu_class_init(ObjectClass *oc,
                                       const struct mips_def_t *def)
{
}

static inline InterfaceInfo *r10k_cpu_interfaces(const struct mips_def_t *def)
{
    return NULL;
}

static inline void r10k_monitor_class_init(ObjectClass *oc,
                                           const struct mips_def_t *def)
{
}

static inline bool r10k_ignores_xx(const CPUMIPSState *env)
{
    return false;
}

#endif /* !CONFIG_USER_ONLY */
#endif /* TARGET_MIPS_R10K_CP0_INTERNAL_H */
