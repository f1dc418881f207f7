/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of all CPUs: start, end, suspend and resume. */
#ifndef _MIPS_R10K_CPU_H
#define _MIPS_R10K_CPU_H

int r10k_cpu_init(void);
void r10k_cpu_exit(void);

#endif /* _MIPS_R10K_CPU_H */
