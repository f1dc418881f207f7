// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the register sequences, against a fake that records every write
 * and behaves as the hardware does: a counter whose control register has a
 * mode bit set counts one event at each access to any register.
 */
#include <kunit/test.h>

#include "constraints.h"

static u32 r10k_read_control(unsigned int i);
static void r10k_write_control(unsigned int i, u32 value);
static u32 r10k_read_counter(unsigned int i);
static void r10k_write_counter(unsigned int i, u32 value);

#include "regs.h"

#define MODES	(R10K_CTRL_U | R10K_CTRL_S | R10K_CTRL_K | R10K_CTRL_EXL)
#define RUN	(R10K_CTRL_IE | MODES)

enum { CONTROL, COUNTER };

struct write {
	unsigned int reg, i;
	u32 value;
};

static struct fake {
	struct kunit *test;
	u32 control[R10K_COUNTERS], counter[R10K_COUNTERS];
	struct write log[16];
	unsigned int writes;
	u64 events;	/* counted by counter 0 since it was last zeroed */
	bool stuck;	/* the counters ignore what is written to them */
} fake;

static void fake_tick(void)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++)
		if (fake.control[i] & MODES)
			fake.counter[i]++;
	if (fake.control[0] & MODES)
		fake.events++;
}

static void fake_log(unsigned int reg, unsigned int i, u32 value)
{
	KUNIT_ASSERT_LT(fake.test, fake.writes, ARRAY_SIZE(fake.log));
	fake.log[fake.writes++] = (struct write) { reg, i, value };
}

static u32 r10k_read_control(unsigned int i)
{
	fake_tick();
	return fake.control[i];
}

static void r10k_write_control(unsigned int i, u32 value)
{
	fake_tick();
	fake.control[i] = value;
	fake_log(CONTROL, i, value);
}

static u32 r10k_read_counter(unsigned int i)
{
	fake_tick();
	return fake.counter[i];
}

/* Check the rule of regs.h: a counter is written only while it is stopped */
static void r10k_write_counter(unsigned int i, u32 value)
{
	KUNIT_EXPECT_EQ_MSG(fake.test, fake.control[i] & MODES, 0,
			    "counter %u written while it runs", i);
	fake_tick();
	if (!fake.stuck)
		fake.counter[i] = value;
	fake_log(COUNTER, i, value);
}

static struct r10k_regs regs;

static int fake_init(struct kunit *test)
{
	fake = (struct fake) { .test = test };
	regs = (struct r10k_regs) { };
	return 0;
}

static void expect_writes(struct kunit *test, const struct write *expected, unsigned int n)
{
	unsigned int k;

	KUNIT_ASSERT_EQ(test, fake.writes, n);
	for (k = 0; k < n; k++) {
		KUNIT_EXPECT_EQ_MSG(test, fake.log[k].reg, expected[k].reg, "write %u", k);
		KUNIT_EXPECT_EQ_MSG(test, fake.log[k].i, expected[k].i, "write %u", k);
		KUNIT_EXPECT_EQ_MSG(test, fake.log[k].value, expected[k].value, "write %u", k);
	}
	fake.writes = 0;
}

#define EXPECT_WRITES(test, ...) do {					\
	const struct write expected[] = { __VA_ARGS__ };		\
	expect_writes(test, expected, ARRAY_SIZE(expected));		\
} while (0)

static void reset_zeroes_everything(struct kunit *test)
{
	fake.control[0] = RUN;
	fake.counter[0] = 0xdeadbeef;
	fake.control[1] = 0xffffffff;
	fake.counter[1] = 0xcafebabe;
	r10k_regs_reset(&regs);

	EXPECT_WRITES(test, { CONTROL, 0, 0 }, { COUNTER, 0, 0 },
		      { CONTROL, 1, 0 }, { COUNTER, 1, 0 });
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
}

static void start_writes_the_counter_first(struct kunit *test)
{
	r10k_regs_start(&regs, 1, 0x040 | RUN, 0x7fffff00);
	EXPECT_WRITES(test, { COUNTER, 1, 0x7fffff00 }, { CONTROL, 1, 0x05f });
}

static void stop_freezes_before_it_reads(struct kunit *test)
{
	u32 last;

	r10k_regs_start(&regs, 0, RUN, 1000);
	last = r10k_regs_stop(&regs, 0);
	EXPECT_WRITES(test, { COUNTER, 0, 1000 }, { CONTROL, 0, RUN }, { CONTROL, 0, 0 });
	KUNIT_EXPECT_EQ(test, last, fake.counter[0]);
	KUNIT_EXPECT_EQ(test, last, 1000 + fake.events);
}

/* Or a CPU that has latched the overflow would interrupt, and nothing would tell why. */
static void stop_zeroes_a_counter_that_has_overflowed(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_regs_stop(&regs, 0), 0x80000000);
	EXPECT_WRITES(test, { COUNTER, 0, 0x7fffffff }, { CONTROL, 0, RUN },
		      { CONTROL, 0, 0 }, { COUNTER, 0, 0 });
}

static void stop_leaves_the_other_counter_alone(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0);
	r10k_regs_start(&regs, 1, 0x020 | RUN, 0);
	r10k_regs_stop(&regs, 0);
	KUNIT_EXPECT_EQ(test, fake.control[1], 0x020 | RUN);
}

static void pause_and_resume_touch_only_what_runs(struct kunit *test)
{
	r10k_regs_start(&regs, 1, 0x020 | RUN, 7);
	fake.writes = 0;
	r10k_regs_pause(&regs);
	EXPECT_WRITES(test, { CONTROL, 1, 0 });
	r10k_regs_resume(&regs);
	EXPECT_WRITES(test, { CONTROL, 1, 0x020 | RUN });
}

static void counters_started_while_paused_start_together(struct kunit *test)
{
	r10k_regs_pause(&regs);
	r10k_regs_start(&regs, 0, RUN, 1);
	r10k_regs_start(&regs, 1, 0x020 | RUN, 2);
	EXPECT_WRITES(test, { COUNTER, 0, 1 }, { COUNTER, 1, 2 });
	r10k_regs_resume(&regs);
	EXPECT_WRITES(test, { CONTROL, 0, RUN }, { CONTROL, 1, 0x020 | RUN });
}

static void counter_stopped_while_paused_stays_stopped(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0);
	r10k_regs_pause(&regs);
	fake.writes = 0;
	r10k_regs_stop(&regs, 0);
	r10k_regs_resume(&regs);
	KUNIT_EXPECT_EQ(test, fake.writes, 0);
	KUNIT_EXPECT_EQ(test, fake.control[0], 0);
}

static void overflow_needs_bit_31_and_ie(struct kunit *test)
{
	fake.counter[0] = 0x80000000;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
	fake.control[0] = R10K_CTRL_IE;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 1);
	fake.counter[0] = 0x7fffffff;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
	fake.control[1] = R10K_CTRL_IE;
	fake.counter[1] = 0xffffffff;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 2);
}

static void looking_for_overflows_writes_nothing(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0x80000000);
	fake.writes = 0;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 1);
	KUNIT_EXPECT_EQ(test, fake.writes, 0);
}

static void overflow_is_due_while_paused(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0x7fffffff);
	r10k_regs_start(&regs, 1, MODES, 0x80000000);
	r10k_regs_pause(&regs);
	fake.writes = 0;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
	KUNIT_EXPECT_EQ(test, r10k_regs_due(&regs), 1);
	KUNIT_EXPECT_EQ(test, fake.writes, 0);
	r10k_write_counter(0, 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_regs_due(&regs), 0);
}

static void counter_that_ignores_writes_shows(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 0x7fffffff);
	r10k_regs_pause(&regs);
	fake.stuck = true;
	r10k_write_counter(0, 0);
	KUNIT_EXPECT_EQ(test, r10k_regs_due(&regs), 1);
	KUNIT_EXPECT_EQ(test, r10k_regs_stop(&regs, 0), 0x80000000);
	KUNIT_EXPECT_EQ(test, r10k_read_counter(0), 0x80000000);
}

static void stopped_counter_is_not_due(struct kunit *test)
{
	fake.control[0] = RUN;
	fake.counter[0] = 0x80000000;
	KUNIT_EXPECT_EQ(test, r10k_regs_due(&regs), 0);
}

static void disarm_silences_a_counter_without_owner(struct kunit *test)
{
	fake.control[1] = 0x1e0 | RUN;
	fake.counter[1] = 0x80000005;
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 2);
	r10k_regs_disarm(&regs, 1);
	EXPECT_WRITES(test, { CONTROL, 1, 0 }, { COUNTER, 1, 0 });
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
}

/* The registers hold anything at power-on */
static void lose_registers(u32 control)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++) {
		fake.control[i] = control;
		fake.counter[i] = 0xdeadbeef;
	}
}

/* As cpu.c does it, with a running event on counter 0 and a stopped one on counter 1 */
static u32 suspend(void)
{
	u32 last;

	r10k_regs_pause(&regs);
	last = r10k_regs_stop(&regs, 0);
	r10k_regs_reset(&regs);
	return last;
}

static void resume(u32 value)
{
	r10k_regs_reset(&regs);
	r10k_regs_pause(&regs);
	r10k_regs_start(&regs, 0, RUN, value);
	r10k_regs_resume(&regs);
}

static void suspend_freezes_then_reads_then_zeroes(struct kunit *test)
{
	u32 last;

	r10k_regs_start(&regs, 0, RUN, 1000);
	fake.writes = 0;
	last = suspend();
	EXPECT_WRITES(test, { CONTROL, 0, 0 },
		      { CONTROL, 0, 0 }, { COUNTER, 0, 0 },
		      { CONTROL, 1, 0 }, { COUNTER, 1, 0 });
	KUNIT_EXPECT_EQ(test, last, 1000 + fake.events);
}

static void resume_trusts_no_register(struct kunit *test)
{
	r10k_regs_start(&regs, 0, RUN, 1000);
	suspend();
	lose_registers(0xffffffff);
	fake.writes = 0;
	resume(77);
	EXPECT_WRITES(test, { CONTROL, 0, 0 }, { COUNTER, 0, 0 },
		      { CONTROL, 1, 0 }, { COUNTER, 1, 0 },
		      { COUNTER, 0, 77 }, { CONTROL, 0, RUN });
	KUNIT_EXPECT_EQ(test, fake.control[1], 0);
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);
}

static void reset_leaves_nothing_that_interrupts(struct kunit *test)
{
	r10k_regs_pause(&regs);
	lose_registers(0xffffffff);
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 3);
	r10k_regs_reset(&regs);
	KUNIT_EXPECT_EQ(test, r10k_regs_overflowed(), 0);

	/* Nor are the counters still paused when the CPU resumes. */
	fake.writes = 0;
	r10k_regs_start(&regs, 1, RUN, 5);
	EXPECT_WRITES(test, { COUNTER, 1, 5 }, { CONTROL, 1, RUN });
}

/* The steps of pmu.c, irq.c and cpu.c, in every order: the sum must be exact. */
static u64 sum;
static u32 prev;

static void sum_update(u32 now)
{
	sum += r10k_count_delta(prev, now);
	prev = now;
}

static void do_read(void)
{
	sum_update(r10k_read_counter(0));
}

static void do_overflow(void)
{
	r10k_regs_pause(&regs);
	sum_update(r10k_read_counter(0));
	prev = r10k_period_start(5, false);
	r10k_write_counter(0, prev);
	r10k_regs_resume(&regs);
}

static void do_stop_and_start(void)
{
	sum_update(r10k_regs_stop(&regs, 0));
	prev = r10k_period_start(R10K_PERIOD_MAX, false);
	r10k_regs_start(&regs, 0, RUN, prev);
}

static void do_switch(void)
{
	r10k_regs_pause(&regs);
	do_stop_and_start();
	r10k_regs_resume(&regs);
}

static void do_suspend(void)
{
	sum_update(suspend());
	lose_registers(R10K_CTRL_IE);
	prev = r10k_period_start(R10K_PERIOD_MAX, false);
	resume(prev);
}

static void sums_are_exact_in_any_interleaving(struct kunit *test)
{
	static void (* const steps[])(void) = {
		do_read, do_overflow, do_stop_and_start, do_switch, do_suspend,
	};
	unsigned int order, left, k;

	for (order = 0; order < 5 * 5 * 5 * 5 * 5 * 5; order++) {
		fake_init(test);
		sum = 0;
		prev = 0;
		r10k_regs_start(&regs, 0, RUN, 0);
		for (k = 0, left = order; k < 6; k++, left /= 5) {
			steps[left % 5]();
			fake.writes = 0;
		}
		sum_update(r10k_regs_stop(&regs, 0));
		KUNIT_ASSERT_EQ_MSG(test, sum, fake.events, "order %u", order);
	}
}

static struct kunit_case r10k_regs_cases[] = {
	KUNIT_CASE(reset_zeroes_everything),
	KUNIT_CASE(start_writes_the_counter_first),
	KUNIT_CASE(stop_freezes_before_it_reads),
	KUNIT_CASE(stop_zeroes_a_counter_that_has_overflowed),
	KUNIT_CASE(stop_leaves_the_other_counter_alone),
	KUNIT_CASE(pause_and_resume_touch_only_what_runs),
	KUNIT_CASE(counters_started_while_paused_start_together),
	KUNIT_CASE(counter_stopped_while_paused_stays_stopped),
	KUNIT_CASE(overflow_needs_bit_31_and_ie),
	KUNIT_CASE(looking_for_overflows_writes_nothing),
	KUNIT_CASE(overflow_is_due_while_paused),
	KUNIT_CASE(counter_that_ignores_writes_shows),
	KUNIT_CASE(stopped_counter_is_not_due),
	KUNIT_CASE(disarm_silences_a_counter_without_owner),
	KUNIT_CASE(suspend_freezes_then_reads_then_zeroes),
	KUNIT_CASE(resume_trusts_no_register),
	KUNIT_CASE(reset_leaves_nothing_that_interrupts),
	KUNIT_CASE(sums_are_exact_in_any_interleaving),
	{ }
};

static struct kunit_suite r10k_regs_suite = {
	.name = "mips_r10k_regs",
	.init = fake_init,
	.test_cases = r10k_regs_cases,
};

kunit_test_suite(r10k_regs_suite);
