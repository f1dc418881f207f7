// SPDX-License-Identifier: GPL-2.0-only
/*
 * Service of the overflow interrupt, whichever way it comes.
 *
 * A counter with bit 31 and IE set asserts Cause.IP7. No status bit tells
 * which counter it was, or whether it was one: CP0's own timer asserts the
 * same line. So all counters are looked at, and none may be left with bit 31
 * and IE, owned or not, or the line stays asserted for ever.
 *
 * irq-shared.c has the way for kernels that use that timer, irq-line.c for
 * those that do not.
 */
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>

#include <asm/irq_regs.h>
#include <asm/ptrace.h>

#include "pmu.h"

/*
 * A user mode event can overflow in the last instruction before the kernel is
 * entered. The interrupt comes only when the kernel allows it: by then the
 * registers are the kernel's, which the owner of the event may not be allowed
 * to see, and not those of the place that was counted.
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
	r10k_pmu_update(event, r10k_read_counter(i));
	perf_sample_data_init(&cpu->sample, 0, event->hw.last_period);
	if (r10k_pmu_next_period(event) && is_sampling_event(event) &&
	    perf_event_overflow(event, &cpu->sample, r10k_irq_regs(event)))
		r10k_pmu_stop(event, 0);

	/* Throttled, or switched off by its own limit: then it stays stopped. */
	if (!(event->hw.state & PERF_HES_STOPPED))
		r10k_write_counter(i, r10k_pmu_reload(event));
}

/*
 * The handler of one event's overflow can stop the other event. That one has
 * what it counted in its sum, and its interrupt comes when it starts again.
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
 * Both counters stand still while this runs. They count the kernel as well,
 * and a short period would be over before its interrupt has been served.
 */
static void r10k_irq_serve_some(struct r10k_cpu *cpu, unsigned int overflowed)
{
	bool paused = cpu->regs.paused;

	r10k_regs_pause(&cpu->regs);
	if (overflowed & BIT(0))
		r10k_irq_counter(cpu, 0);
	if (overflowed & BIT(1))
		r10k_irq_counter(cpu, 1);
	if (!paused)
		r10k_regs_resume(&cpu->regs);
	/* Wake readers now: MIPS has no interrupt of its own for this. */
	irq_work_run();
}

/**
 * r10k_irq_serve() - serve the executing CPU's counters that have overflowed
 *
 * Return: false if there was none.
 */
bool r10k_irq_serve(void)
{
	unsigned int overflowed = r10k_regs_overflowed();

	if (!overflowed)
		return false;
	r10k_irq_serve_some(this_cpu_ptr(&r10k_cpus), overflowed);
	return true;
}

/**
 * r10k_irq_can_sample() - see whether samples can be delivered
 *
 * Kernels differ in whether they let modules do it: a module refers to
 * perf_event_overflow() weakly, and loads in any case.
 *
 * Return: true if they can.
 */
bool r10k_irq_can_sample(void)
{
	return perf_event_overflow;
}
