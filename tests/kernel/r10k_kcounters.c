// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel counters: perf_event_create_kernel_counter() and what goes with it,
 * used as a watchdog or a profiler of the kernel would. The results go to the
 * kernel log as KTAP when the module is loaded.
 *
 * hold=1 runs no test, and keeps an event open until the module goes.
 */
#define pr_fmt(fmt) fmt

#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/smp.h>

#define EV_INSNS	15
#define EV_LOADS	18
#define EV_STORES	19
#define EXL_NEVER	(2 << 8)

static bool hold;
module_param(hold, bool, 0444);
MODULE_PARM_DESC(hold, "keep an event open, run no tests");

static unsigned int results, failures;

static void result(bool good, const char *what, u64 got, u64 expected)
{
	results++;
	failures += !good;
	if (!good)
		pr_info("# expected: %llu, got: %llu\n", expected, got);
	pr_info("%s %u %s\n", good ? "ok" : "not ok", results, what);
}

static void equal(const char *what, u64 got, u64 expected)
{
	result(got == expected, what, got, expected);
}

/* 4 instructions a turn: a load, a store, a branch, and its slot; 1 more */
#define TURN_INSNS	4

static noinline void loop(unsigned long turns)
{
	unsigned long word = 0, scratch;

	asm volatile("	.set	push\n"
	"	.set	noreorder\n"
	"	daddiu	%0, %0, -1\n"
	"1:	lw	%1, %2\n"
	"	sw	%1, %2\n"
	"	bnez	%0, 1b\n"
	"	 daddiu	%0, %0, -1\n"
	"	.set	pop\n"
	: "+r" (turns), "=&r" (scratch), "+m" (word));
}

static struct perf_event_attr attr_of(unsigned int event)
{
	return (struct perf_event_attr) {
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = event | EXL_NEVER,
		.exclude_user = 1,
		.pinned = 1,
		.disabled = 1,
	};
}

static struct perf_event *open_on(struct perf_event_attr attr, int cpu,
				  perf_overflow_handler_t handler, void *arg)
{
	return perf_event_create_kernel_counter(&attr, cpu, cpu < 0 ? current : NULL,
						handler, arg);
}

/* What perf_event_read_local() does, which no module may call */
static u64 read_now(struct perf_event *event)
{
	if (event->oncpu != smp_processor_id())
		return 0;
	event->pmu->read(event);
	return local64_read(&event->count);
}

/* What the loop adds, with interrupts off: also what reading adds, always the same */
static u64 count_loop(struct perf_event *event, unsigned long turns)
{
	unsigned long flags;
	u64 before, after;

	local_irq_save(flags);
	before = read_now(event);
	loop(turns);
	after = read_now(event);
	local_irq_restore(flags);
	return after - before;
}

/* The difference of two lengths is exact */
static u64 count_exactly(struct perf_event *event, unsigned long turns)
{
	u64 few = count_loop(event, 1000);

	return count_loop(event, 1000 + turns) - few;
}

static void test_counting(const char *what, unsigned int number, int cpu, u64 per_turn)
{
	struct perf_event *event = open_on(attr_of(number), cpu, NULL, NULL);

	if (IS_ERR(event)) {
		result(false, what, -PTR_ERR(event), 0);
		return;
	}
	perf_event_enable(event);
	equal(what, count_exactly(event, 12345), 12345 * per_turn);
	perf_event_release_kernel(event);
}

/* Both counters, each with an event of its own, for a CPU and for this task */
static void test_both(void)
{
	struct perf_event *a = open_on(attr_of(EV_INSNS), 0, NULL, NULL);
	struct perf_event *b = open_on(attr_of(EV_LOADS), -1, NULL, NULL);

	if (IS_ERR(a) || IS_ERR(b)) {
		result(false, "two counters open", PTR_ERR(a), PTR_ERR(b));
		return;
	}
	perf_event_enable(a);
	perf_event_enable(b);
	equal("two at once: instructions of the CPU", count_exactly(a, 7777), 7777 * TURN_INSNS);
	equal("two at once: loads of this task", count_exactly(b, 7777), 7777);
	perf_event_release_kernel(a);
	perf_event_release_kernel(b);
}

static void test_sum(void)
{
	struct perf_event *event = open_on(attr_of(EV_INSNS), 0, NULL, NULL);
	u64 enabled, running, sum, later;

	if (IS_ERR(event)) {
		result(false, "a counter of the CPU opens", -PTR_ERR(event), 0);
		return;
	}
	perf_event_enable(event);
	loop(1000000);
	perf_event_disable(event);
	sum = perf_event_read_value(event, &enabled, &running);
	result(sum >= 4000000 && sum < 5000000, "the sum of a running kernel", sum, 4000000);
	equal("it ran all the time", running, enabled);
	loop(1000000);
	later = perf_event_read_value(event, &enabled, &running);
	equal("a disabled one stands still", later, sum);
	perf_event_release_kernel(event);
}

/* What the callback saw */
struct seen {
	struct perf_event *event;
	unsigned long calls;
	unsigned long wrong_event;
	unsigned long wrong_context;
	unsigned long wrong_period;
	u64 period;
};

static void on_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	struct seen *seen = event->overflow_handler_context;

	seen->calls++;
	seen->wrong_event += seen->event && event != seen->event;
	seen->wrong_context += !irqs_disabled() || !in_hardirq() || !regs || user_mode(regs);
	seen->wrong_period += data->period != seen->period;
}

static struct perf_event *open_sampling(struct seen *seen, u64 period)
{
	struct perf_event_attr attr = attr_of(EV_STORES);
	struct perf_event *event;

	memset(seen, 0, sizeof(*seen));
	attr.sample_period = period;
	seen->period = period;
	event = open_on(attr, 0, on_overflow, seen);
	if (!IS_ERR(event))
		seen->event = event;
	return event;
}

static void test_overflow(void)
{
	struct perf_event *event;
	u64 enabled, running, sum;
	struct seen seen;

	event = open_sampling(&seen, 10007);
	if (IS_ERR(event)) {
		result(false, "a sampling counter opens", -PTR_ERR(event), 0);
		return;
	}
	perf_event_enable(event);
	loop(10000000);
	perf_event_disable(event);
	sum = perf_event_read_value(event, &enabled, &running);
	result(sum >= 10000000 && sum < 11000000, "the sum under overflows", sum, 10000000);
	equal("a call for each period", seen.calls, div64_u64(sum, 10007));
	equal("each with its event", seen.wrong_event, 0);
	equal("each in the interrupt, with the kernel's registers", seen.wrong_context, 0);
	equal("each with its period", seen.wrong_period, 0);
	perf_event_release_kernel(event);
	sum = seen.calls;
	loop(100000);
	equal("none after the release", seen.calls, sum);
}

/* As many as asked for, then the event stops by itself */
static void test_refresh(void)
{
	struct perf_event *event;
	struct seen seen;

	event = open_sampling(&seen, 10007);
	if (IS_ERR(event) || perf_event_refresh(event, 5)) {
		result(false, "a counter with a limit", PTR_ERR(event), 0);
		return;
	}
	loop(1000000);
	equal("five overflows were asked for", seen.calls, 5);
	perf_event_refresh(event, 2);
	loop(1000000);
	equal("and two more", seen.calls, 7);
	perf_event_release_kernel(event);
}

static void test_period(void)
{
	struct perf_event *event;
	u64 enabled, running, before;
	struct seen seen;

	event = open_sampling(&seen, 1ull << 40);
	if (IS_ERR(event)) {
		result(false, "a counter with a long period", -PTR_ERR(event), 0);
		return;
	}
	perf_event_enable(event);
	loop(100000);
	equal("a period of 2^40 is not over soon", seen.calls, 0);
	seen.period = 10007;
	perf_event_disable(event);
	before = perf_event_read_value(event, &enabled, &running);
	equal("a new period is accepted", perf_event_period(event, 10007), 0);
	perf_event_enable(event);
	loop(1000000);
	perf_event_disable(event);
	before = perf_event_read_value(event, &enabled, &running) - before;
	equal("and holds at once", seen.calls, div64_u64(before, 10007));
	perf_event_release_kernel(event);
}

static void refused(const char *what, struct perf_event_attr attr, int error)
{
	struct perf_event *event = open_on(attr, 0, NULL, NULL);

	equal(what, IS_ERR(event) ? -PTR_ERR(event) : 0, error);
	if (!IS_ERR(event))
		perf_event_release_kernel(event);
}

static void test_refusals(void)
{
	struct perf_event_attr attr = attr_of(EV_INSNS);

	attr.config = 0x20;
	refused("a bit of config that does not exist", attr, EINVAL);
	attr = attr_of(EV_INSNS);
	attr.exclude_idle = 1;
	refused("exclude_idle", attr, EOPNOTSUPP);
	attr = attr_of(EV_INSNS);
	attr.precise_ip = 1;
	refused("precise_ip", attr, EOPNOTSUPP);
}

/* What does not fit is told from what runs */
static void test_too_many(void)
{
	struct perf_event *event[3];
	int i;

	for (i = 0; i < 3; i++) {
		event[i] = open_on(attr_of(EV_STORES + i), 0, NULL, NULL);
		if (!IS_ERR(event[i]))
			perf_event_enable(event[i]);
	}
	if (!IS_ERR(event[2]))
		equal("a third pinned counter is in error", -event[2]->state,
		      -PERF_EVENT_STATE_ERROR);
	for (i = 0; i < 3; i++)
		if (!IS_ERR(event[i]))
			perf_event_release_kernel(event[i]);
}

/* perf_event_free() and all that was taken for an event */
static void test_many(void)
{
	struct perf_event *event;
	struct seen seen;
	int i, good = 0;

	for (i = 0; i < 100; i++) {
		event = open_sampling(&seen, 1000);
		if (IS_ERR(event))
			break;
		perf_event_enable(event);
		loop(1500);
		good += seen.calls >= 1;
		perf_event_release_kernel(event);
	}
	equal("100 times: open, overflow, release", good, 100);
}

static struct perf_event *held;

static int __init r10k_kcounters_init(void)
{
	if (hold) {
		held = open_on(attr_of(EV_INSNS), 0, NULL, NULL);
		return PTR_ERR_OR_ZERO(held);
	}
	pr_info("KTAP version 1\n");
	test_counting("instructions of the CPU", EV_INSNS, 0, TURN_INSNS);
	test_counting("stores of the CPU", EV_STORES, 0, 1);
	test_counting("loads of this task", EV_LOADS, -1, 1);
	test_both();
	test_sum();
	test_overflow();
	test_refresh();
	test_period();
	test_refusals();
	test_too_many();
	test_many();
	pr_info("1..%u\n", results);
	return 0;
}
module_init(r10k_kcounters_init);

static void __exit r10k_kcounters_exit(void)
{
	if (held)
		perf_event_release_kernel(held);
}
module_exit(r10k_kcounters_exit);

MODULE_DESCRIPTION("Tests of kernel counters on the R10000");
MODULE_LICENSE("GPL");
