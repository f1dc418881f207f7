// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register sequences of the R10000 performance counters.
 *
 * One rule keeps the sums exact: a counter is written only while its control
 * register is 0, so that nothing can happen between reading and writing it.
 * Callers have interrupts off.
 */
#include "period.h"
#include "regs.h"

/**
 * r10k_regs_reset() - stop and zero everything
 * @regs: the executing CPU's registers
 *
 * Their contents after power-on are not documented, and a counter left over
 * with bit 31 and IE set would keep the timer's interrupt line asserted.
 */
void r10k_regs_reset(struct r10k_regs *regs)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++) {
		regs->control[i] = 0;
		regs->ops->write_control(i, 0);
		regs->ops->write_counter(i, 0);
	}
	regs->paused = false;
}

/**
 * r10k_regs_pause() - stop the counters in use for a short while
 * @regs: the executing CPU's registers
 */
void r10k_regs_pause(struct r10k_regs *regs)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++)
		if (regs->control[i])
			regs->ops->write_control(i, 0);
	regs->paused = true;
}

/**
 * r10k_regs_resume() - start all counters in use, one right after the other
 * @regs: the executing CPU's registers
 */
void r10k_regs_resume(struct r10k_regs *regs)
{
	unsigned int i;

	regs->paused = false;
	for (i = 0; i < R10K_COUNTERS; i++)
		if (regs->control[i])
			regs->ops->write_control(i, regs->control[i]);
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
void r10k_regs_start(struct r10k_regs *regs, unsigned int i, u32 control, u32 value)
{
	regs->ops->write_counter(i, value);
	regs->control[i] = control;
	if (!regs->paused)
		regs->ops->write_control(i, control);
}

/**
 * r10k_regs_stop() - stop a counter
 * @regs: the executing CPU's registers
 * @i: the counter
 *
 * Return: the counter's last value.
 */
u32 r10k_regs_stop(struct r10k_regs *regs, unsigned int i)
{
	if (!regs->paused)
		regs->ops->write_control(i, 0);
	regs->control[i] = 0;
	return regs->ops->read_counter(i);
}

/**
 * r10k_regs_read() - read a counter, running or not
 * @regs: the executing CPU's registers
 * @i: the counter
 *
 * Return: the value.
 */
u32 r10k_regs_read(struct r10k_regs *regs, unsigned int i)
{
	return regs->ops->read_counter(i);
}

/**
 * r10k_regs_reload() - write a counter that is paused
 * @regs: the executing CPU's registers, paused
 * @i: the counter
 * @value: what to go on counting from
 */
void r10k_regs_reload(struct r10k_regs *regs, unsigned int i, u32 value)
{
	regs->ops->write_counter(i, value);
}

/**
 * r10k_regs_overflowed() - find the counters that assert the interrupt line
 * @regs: the executing CPU's registers
 *
 * Looks at the registers themselves and not at what they should hold, because
 * a counter that nobody owns can keep the line asserted as well. The timer
 * comes here most of the time: then two reads are all.
 *
 * Return: bit i is set if counter i has bit 31 and IE.
 */
unsigned int r10k_regs_overflowed(struct r10k_regs *regs)
{
	unsigned int i, mask = 0;

	for (i = 0; i < R10K_COUNTERS; i++) {
		if (!(regs->ops->read_counter(i) & R10K_OVERFLOW))
			continue;
		if (regs->ops->read_control(i) & R10K_CTRL_IE)
			mask |= 1U << i;
	}
	return mask;
}

/**
 * r10k_regs_disarm() - silence a counter that nobody owns
 * @regs: the executing CPU's registers
 * @i: the counter
 */
void r10k_regs_disarm(struct r10k_regs *regs, unsigned int i)
{
	regs->control[i] = 0;
	regs->ops->write_control(i, 0);
	regs->ops->write_counter(i, 0);
}
