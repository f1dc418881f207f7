/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types of this machine's CPUs */
#ifndef IXP_CPU_H
#define IXP_CPU_H

struct irixperf_cpu;

int ixp_cpu_r10k(struct irixperf_cpu *cpu);
unsigned int ixp_cpu_types(void);

#endif
