/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The four registers of the performance counters, and the order in which to
 * write them.
 *
 * One rule keeps the sums exact: write a counter only while its control register
 * is 0, so that it cannot count between being read and being written. Callers
 * have interrupts off.
 *
 * A file that includes this one must define four functions first:
 * r10k_read_control(i), r10k_write_control(i, value), r10k_read_counter(i) and
 * r10k_write_counter(i, value). Those of cp0.h access the hardware; those of the
 * tests record the accesses. All functions are inline, because a task switch calls
 * them ten times, and most of them are little more than a move to CP0.
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
 * struct r10k_regs - the intended contents of the executing CPU's registers
 * @control: value of each control register while not paused; 0 if stopped
 * @paused: all control registers are 0, even if @control is not
 */
struct r10k_regs {
	u32 control[R10K_COUNTERS];
	bool paused;
};

/**
 * r10k_regs_reset() - stop and zero all counters
 * @regs: the executing CPU's registers
 *
 * Their contents after power-on are not documented, and a counter that has bit 31
 * and IE set would keep the timer's interrupt line asserted.
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
 * @value: the value to count from
 *
 * While paused, the counter does not start until r10k_regs_resume() starts all.
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
 * A counter that has overflowed is zeroed: without IE it is silent, as the manual has it,
 * but a CPU may have latched the interrupt, and nothing would then show its source.
 *
 * Return: the counter's last value.
 */
static inline u32 r10k_regs_stop(struct r10k_regs *regs, unsigned int i)
{
	u32 last;

	if (!regs->paused)
		r10k_write_control(i, 0);
	regs->control[i] = 0;
	last = r10k_read_counter(i);
	if (last & R10K_OVERFLOW)
		r10k_write_counter(i, 0);
	return last;
}

/**
 * r10k_regs_overflowed() - find the counters that assert the interrupt line
 *
 * This reads the registers and not struct r10k_regs, because a counter without an
 * event can assert the line as well. Most calls come from the timer's interrupt, and
 * then need only two reads.
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
 * r10k_regs_due() - find the counters whose overflow has not been handled
 * @regs: the executing CPU's registers
 *
 * While paused, a counter does not assert the line, and a CPU that latches an overflow
 * when bit 31 becomes set may have forgotten it.
 *
 * Return: bit i is set if counter i has bit 31, and IE when it is not paused.
 */
static inline unsigned int r10k_regs_due(const struct r10k_regs *regs)
{
	unsigned int i, mask = 0;

	for (i = 0; i < R10K_COUNTERS; i++)
		if (regs->control[i] & R10K_CTRL_IE && r10k_read_counter(i) & R10K_OVERFLOW)
			mask |= 1U << i;
	return mask;
}

/**
 * r10k_regs_disarm() - stop and zero a counter that must not interrupt
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
