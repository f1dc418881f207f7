/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The four registers of the performance counters, and the orders in which
 * they are written.
 *
 * One rule keeps the sums exact: a counter is written only while its control
 * register is 0, so that nothing can happen between reading and writing it.
 * Callers have interrupts off.
 *
 * Whoever includes this brings four functions along: r10k_read_control(i),
 * r10k_write_control(i, value), r10k_read_counter(i) and
 * r10k_write_counter(i, value). Those of cp0.h are the real ones; the tests
 * have some that record. Everything is inline, because a task switch comes
 * here ten times, and most of these functions are but a move to CP0.
 */
#ifndef _MIPS_R10K_REGS_H
#define _MIPS_R10K_REGS_H

#include <linux/types.h>

#include "constraints.h"
#include "period.h"

/* Control register, below the event field (drawn in constraints.c) */
#define R10K_CTRL_EXL	0x01	/* count when Status.EXL is set */
#define R10K_CTRL_K	0x02	/* count in kernel mode, EXL clear */
#define R10K_CTRL_S	0x04	/* count in supervisor mode, EXL clear */
#define R10K_CTRL_U	0x08	/* count in user mode, EXL clear */
#define R10K_CTRL_IE	0x10	/* interrupt while bit 31 of the counter is set */

/**
 * struct r10k_regs - what the executing CPU's registers are to hold
 * @control: each control register's value while not paused; 0 if stopped
 * @paused: all control registers are 0, whatever @control says
 */
struct r10k_regs {
	u32 control[R10K_COUNTERS];
	bool paused;
};

/**
 * r10k_regs_reset() - stop and zero everything
 * @regs: the executing CPU's registers
 *
 * Their contents after power-on are not documented, and a counter left over
 * with bit 31 and IE set would keep the timer's interrupt line asserted.
 */
static inline void r10k_regs_reset(struct r10k_regs *regs)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++) {
		regs->control[i] = 0;
		r10k_write_control(i, 0);
		r10k_write_counter(i, 0);
	}
	regs->paused = false;
}

/**
 * r10k_regs_pause() - stop the counters in use for a short while
 * @regs: the executing CPU's registers
 */
static inline void r10k_regs_pause(struct r10k_regs *regs)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++)
		if (regs->control[i])
			r10k_write_control(i, 0);
	regs->paused = true;
}

/**
 * r10k_regs_resume() - start all counters in use, one right after the other
 * @regs: the executing CPU's registers
 */
static inline void r10k_regs_resume(struct r10k_regs *regs)
{
	unsigned int i;

	regs->paused = false;
	for (i = 0; i < R10K_COUNTERS; i++)
		if (regs->control[i])
			r10k_write_control(i, regs->control[i]);
}

/**
 * r10k_regs_start() - give a stopped counter a value and an event
 * @regs: the executing CPU's registers
 * @i: the counter
 * @control: event field, modes and IE; at least one bit is set
 * @value: what to count from
 *
 * While paused, the counter starts with all others at r10k_regs_resume().
 */
static inline void r10k_regs_start(struct r10k_regs *regs, unsigned int i, u32 control, u32 value)
{
	r10k_write_counter(i, value);
	regs->control[i] = control;
	if (!regs->paused)
		r10k_write_control(i, control);
}

/**
 * r10k_regs_stop() - stop a counter
 * @regs: the executing CPU's registers
 * @i: the counter
 *
 * Return: the counter's last value.
 */
static inline u32 r10k_regs_stop(struct r10k_regs *regs, unsigned int i)
{
	if (!regs->paused)
		r10k_write_control(i, 0);
	regs->control[i] = 0;
	return r10k_read_counter(i);
}

/**
 * r10k_regs_overflowed() - find the counters that assert the interrupt line
 *
 * Looks at the registers themselves and not at what they should hold, because
 * a counter that nobody owns can keep the line asserted as well. The timer
 * comes here most of the time: then two reads are all.
 *
 * Return: bit i is set if counter i has bit 31 and IE.
 */
static inline unsigned int r10k_regs_overflowed(void)
{
	unsigned int i, mask = 0;

	for (i = 0; i < R10K_COUNTERS; i++) {
		if (!(r10k_read_counter(i) & R10K_OVERFLOW))
			continue;
		if (r10k_read_control(i) & R10K_CTRL_IE)
			mask |= 1U << i;
	}
	return mask;
}

/**
 * r10k_regs_disarm() - silence a counter that nobody owns
 * @regs: the executing CPU's registers
 * @i: the counter
 */
static inline void r10k_regs_disarm(struct r10k_regs *regs, unsigned int i)
{
	regs->control[i] = 0;
	r10k_write_control(i, 0);
	r10k_write_counter(i, 0);
}

#endif /* _MIPS_R10K_REGS_H */
