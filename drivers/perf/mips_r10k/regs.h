/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The four registers of the performance counters, and the orders in which
 * they are written. Everything goes through an ops structure: the real one
 * (cp0.c) reads and writes CP0 register 25, a fake one records.
 */
#ifndef _MIPS_R10K_REGS_H
#define _MIPS_R10K_REGS_H

#include <linux/types.h>

#include "constraints.h"

/* Control register, below the event field (drawn in constraints.c) */
#define R10K_CTRL_EXL	0x01	/* count when Status.EXL is set */
#define R10K_CTRL_K	0x02	/* count in kernel mode, EXL clear */
#define R10K_CTRL_S	0x04	/* count in supervisor mode, EXL clear */
#define R10K_CTRL_U	0x08	/* count in user mode, EXL clear */
#define R10K_CTRL_IE	0x10	/* interrupt while bit 31 of the counter is set */

/**
 * struct r10k_regs_ops - access to the registers of the executing CPU
 * @read_control: read control register 0 or 1
 * @write_control: write control register 0 or 1
 * @read_counter: read counter 0 or 1
 * @write_counter: write counter 0 or 1
 */
struct r10k_regs_ops {
	u32 (*read_control)(unsigned int i);
	void (*write_control)(unsigned int i, u32 value);
	u32 (*read_counter)(unsigned int i);
	void (*write_counter)(unsigned int i, u32 value);
};

/**
 * struct r10k_regs - what one CPU's registers are to hold
 * @ops: how to reach them
 * @control: each control register's value while not paused; 0 if stopped
 * @paused: all control registers are 0, whatever @control says
 */
struct r10k_regs {
	const struct r10k_regs_ops *ops;
	u32 control[R10K_COUNTERS];
	bool paused;
};

void r10k_regs_reset(struct r10k_regs *regs);
void r10k_regs_pause(struct r10k_regs *regs);
void r10k_regs_resume(struct r10k_regs *regs);
void r10k_regs_start(struct r10k_regs *regs, unsigned int i, u32 control, u32 value);
u32 r10k_regs_stop(struct r10k_regs *regs, unsigned int i);
u32 r10k_regs_read(struct r10k_regs *regs, unsigned int i);
void r10k_regs_reload(struct r10k_regs *regs, unsigned int i, u32 value);
unsigned int r10k_regs_overflowed(struct r10k_regs *regs);
void r10k_regs_disarm(struct r10k_regs *regs, unsigned int i);

#endif /* _MIPS_R10K_REGS_H */
