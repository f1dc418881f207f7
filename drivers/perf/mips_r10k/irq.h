/* SPDX-License-Identifier: GPL-2.0-only */
/* The overflow interrupt. */
#ifndef _MIPS_R10K_IRQ_H
#define _MIPS_R10K_IRQ_H

#include <linux/types.h>

/* irq.c */
bool r10k_irq_serve(void);

/* irq-shared.c if the kernel uses the CP0 timer, else irq-line.c */
extern const char *const r10k_irq_route;
int r10k_irq_init(void);
void r10k_irq_exit(void);
void r10k_irq_online(void);
void r10k_irq_offline(void);

#endif /* _MIPS_R10K_IRQ_H */
