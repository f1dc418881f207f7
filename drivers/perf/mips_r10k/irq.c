// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handling of the overflow interrupt, for both kinds of lines.
 *
 * A counter with bit 31 and IE set asserts Cause.IP7. No status bit says which
 * counter does so, or whether it is a counter: the CP0 timer asserts the same
 * line. So the handler reads all counters. It must not leave any counter with
 * bit 31 and IE set, even one without an event, or the line stays asserted.
 *
 * irq-shared.c calls this on kernels that use the CP0 timer, irq-line.c on those
 * that do not.
 */
#include <linux/bits.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>
#include <linux/percpu.h>

#include <asm/irq_regs.h>
#include <asm/ptrace.h>

#include "event.h"
#include "irq.h"

/*
 * A user mode event can overflow in the last instruction before the kernel is
 * entered. The interrupt comes only when the kernel enables interrupts. The
 * registers are the kernel's then: they do not show the code that was counted, and
 * the owner of the event may not be allowed to see them. Use the task's user mode
 * registers instead.
 */
static struct pt_regs *r10k_irq_regs(struct perf_event *event)
{
	struct pt_regs *regs = get_irq_regs();

	if (user_mode(regs) || event->hw.config_base & (R10K_CTRL_K | R10K_CTRL_EXL))
		return regs;
	if (current->flags & PF_KTHREAD)
		return regs;
	return task_pt_regs(current);
}

static void r10k_irq_event(struct r10k_cpu *cpu, struct perf_event *event, unsigned int i)
{
	r10k_event_update(event, r10k_read_counter(i));
	perf_sample_data_init(&cpu->sample, 0, event->hw.last_period);
	if (r10k_event_next_period(event) && is_sampling_event(event) &&
	    perf_event_overflow(event, &cpu->sample, r10k_irq_regs(event)))
		r10k_event_stop(event, 0);

	/* An event that perf has throttled, or that has reached its limit, stays stopped. */
	if (!(event->hw.state & PERF_HES_STOPPED))
		r10k_write_counter(i, r10k_event_reload(event));
}

/*
 * Handling one event's overflow can stop the other event. Its count has been added
 * to its sum then, and its interrupt comes when it starts again.
 */
static void r10k_irq_counter(struct r10k_cpu *cpu, unsigned int i)
{
	struct perf_event *event = cpu->events[i];

	if (event && !(event->hw.state & PERF_HES_STOPPED))
		r10k_irq_event(cpu, event, i);
	else
		r10k_regs_disarm(&cpu->regs, i);
}

/*
 * Each counter has been given a value below bit 31. One that does not have it would
 * interrupt again, and so on for ever, before anything else runs.
 */
static void r10k_irq_give_up(struct r10k_cpu *cpu, unsigned int broken)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++)
		if (broken & BIT(i))
			r10k_event_give_up(cpu, i);
}

/*
 * Stop both counters meanwhile: if they count the kernel, a short period would be
 * over again before this interrupt has been handled. A counter can overflow until it
 * is stopped, too.
 */
static void r10k_irq_serve_some(struct r10k_cpu *cpu, unsigned int overflowed)
{
	bool paused = cpu->regs.paused;
	unsigned int broken;

	r10k_regs_pause(&cpu->regs);
	overflowed |= r10k_regs_due(&cpu->regs);
	if (overflowed & BIT(0))
		r10k_irq_counter(cpu, 0);
	if (overflowed & BIT(1))
		r10k_irq_counter(cpu, 1);
	broken = overflowed & r10k_regs_due(&cpu->regs);
	if (broken)
		r10k_irq_give_up(cpu, broken);
	if (!paused)
		r10k_regs_resume(&cpu->regs);
	/* Wake readers now: few MIPS machines have a self-interrupt for irq_work. */
	irq_work_run();
}

/**
 * r10k_irq_serve() - handle overflows of the executing CPU's counters
 *
 * Return: true if a counter had overflowed.
 */
bool r10k_irq_serve(void)
{
	unsigned int overflowed = r10k_regs_overflowed();

	if (!overflowed)
		return false;
	r10k_irq_serve_some(this_cpu_ptr(&r10k_cpus), overflowed);
	return true;
}
