/* SPDX-License-Identifier: GPL-2.0-only */
/* Test of the counters when the driver starts. */
#ifndef _MIPS_R10K_PROBE_H
#define _MIPS_R10K_PROBE_H

int r10k_probe(void);

#endif /* _MIPS_R10K_PROBE_H */
