// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt of the R10000 family.
 *
 * A counter with bit 31 and IE set asserts Cause.IP7, which belongs to the
 * CP0 timer. No status bit tells which of the two it was. Where that timer is
 * in use (CEVT_R4K), its handler calls perf_irq() first, and looks at the
 * timer only if that returns something else than IRQ_HANDLED. So:
 *
 * - IRQ_HANDLED is for overflows alone, else timer ticks get lost. If both
 *   are pending, the line stays asserted and the next pass serves the timer.
 * - No counter may be left with bit 31 and IE, owned or not, or the line
 *   stays asserted for ever.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include <asm/irq_regs.h>
#include <asm/ptrace.h>
#include <asm/time.h>

#include "pmu.h"

/*
 * Whose handler we have taken over from. The hook is the only one that knows
 * of overflows of other sources on the same line, so it gets its turn.
 */
static int (*r10k_irq_chained)(void);

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

static void r10k_irq_event(struct r10k_cpu *cpu, struct perf_event *event)
{
	unsigned int i = event->hw.idx;
	struct perf_sample_data data;

	r10k_pmu_update(event, r10k_regs_read(&cpu->regs, i));
	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (r10k_pmu_next_period(event) && is_sampling_event(event) &&
	    perf_event_overflow(event, &data, r10k_irq_regs(event)))
		r10k_pmu_stop(event, 0);

	/* Throttled, or switched off by its own limit: then it stays stopped. */
	if (!(event->hw.state & PERF_HES_STOPPED))
		r10k_regs_reload(&cpu->regs, i, r10k_pmu_reload(event));
}

static void r10k_irq_counter(struct r10k_cpu *cpu, unsigned int i)
{
	if (cpu->events[i])
		r10k_irq_event(cpu, cpu->events[i]);
	else
		r10k_regs_disarm(&cpu->regs, i);
}

/*
 * Both counters stand still while this runs. They count the kernel as well,
 * and a short period would be over before its interrupt has been served.
 */
static void r10k_irq_serve(struct r10k_cpu *cpu, unsigned int overflowed)
{
	bool paused = cpu->regs.paused;
	unsigned int i;

	r10k_regs_pause(&cpu->regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		if (overflowed & BIT(i))
			r10k_irq_counter(cpu, i);
	if (!paused)
		r10k_regs_resume(&cpu->regs);
}

static int r10k_irq_shared(void)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	unsigned int overflowed = r10k_regs_overflowed(&cpu->regs);

	if (!overflowed)
		return r10k_irq_chained();

	r10k_irq_serve(cpu, overflowed);
	/* Wake readers now: MIPS has no interrupt of its own for this. */
	irq_work_run();
	return IRQ_HANDLED;
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

/**
 * r10k_irq_init() - take part in the timer's interrupt
 *
 * Return: 0, or -ENODEV if counters and timer do not share a line here.
 */
int r10k_irq_init(void)
{
	if (cp0_perfcount_irq >= 0) {
		pr_err("the overflow interrupt is not that of the CP0 timer: not supported\n");
		return -ENODEV;
	}
	r10k_irq_chained = perf_irq;
	perf_irq = r10k_irq_shared;
	return 0;
}

/**
 * r10k_irq_exit() - leave the timer's interrupt as it was
 */
void r10k_irq_exit(void)
{
	perf_irq = r10k_irq_chained;
	/* A CPU may still be on its way through the handler. */
	synchronize_rcu();
}
