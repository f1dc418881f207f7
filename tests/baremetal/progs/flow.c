// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting while things change: writes of events and counters, modified code, ends of
 * pages, calls, many changes of mode, interrupts.
 */
#include "bm.h"

extern const char k_change_event[], k_rewrite_counters[], k_read_counters[], k_patched[],
	k_self_modifying[], k_self_modified[], k_calls[], k_break_loop[], k_long_loop[],
	k_reads_in_slots[], k_writes_in_slots[],
	k_status_in_slot[], k_page_taken[], k_page_not_taken[], k_page_likely[], k_page_nullified[];
extern u32 k_patch_here[];

/* The line status of the serial port */
#define DEVICE		0xffffffffb80003fdUL

/* lw $14, 0($4) and a multiply, as words */
#define WORD_LW		0x8c8e0000
#define WORD_MULT	0x01ad0018

static u32 insns1(u32 modes)
{
	return ctl_event(is_r12000() ? 15 : 17, modes);
}

static u32 word(u32 offset)
{
	return *(volatile u32 *)(scratch + offset);
}

static void set_word(u32 offset, u32 value)
{
	*(volatile u32 *)(scratch + offset) = value;
}

static u32 change(u32 from, u32 to)
{
	set_word(0, from);
	set_word(4, to);
	return run_kernel(MODE_K, 0, insns1(MODE_K), k_change_event, scratch).c[0];
}

static void change_event(void)
{
	u32 insns = ctl_event(15, MODE_K), branches = ctl_event(6, MODE_K);

	expect("instructions, then branches", 6 + 2, change(insns, branches));
	expect("branches, then instructions", 1 + 7, change(branches, insns));
	expect("instructions, then the same", 6 + 7, change(insns, insns));
	expect("instructions, then stopped", 6, change(insns, 0));
	expect("stopped, then instructions", 7, change(0, insns));
	expect("instructions, then those of user mode", 6, change(insns, ctl_event(15, MODE_U)));
	expect("counter 1 meanwhile", 16, snap.c[1]);
	if (is_r12000())
		expect("loads, then instructions", 2 + 7, change(ctl_event(18, MODE_K), insns));
}

static void rewrite_counters(void)
{
	struct counts n = run_kernel(MODE_K, ctl_event(15, MODE_K), insns1(MODE_K),
				     k_rewrite_counters, scratch);

	expect("counter 0", 1000 + 4, n.c[0]);
	expect("counter 1", 2000 + 2, n.c[1]);
}

static void read_counters(void)
{
	run_kernel(MODE_K, ctl_event(15, MODE_K), insns1(MODE_K), k_read_counters, scratch);
	expect("the first instruction reads", 0, word(0));
	expect("the second", 1, word(4));
	expect("the third, of counter 1", 2, word(8));
	expect("the fifth", 4, word(12));
	expect("the eleventh", 10, word(16));
}

static void patch(u32 insn)
{
	*(volatile u32 *)k_patch_here = insn;
	asm volatile("sync\n\tcache 0x15, 0(%0)\n\tcache 0x10, 0(%0)"
		     : : "r"(k_patch_here) : "memory");
}

static void patched(u32 insn, u32 insns, u32 loads)
{
	patch(insn);
	expect("instructions", insns, count_event(15, MODE_U, MODE_U, k_patched, scratch));
	expect("loads", loads, count_event(18, MODE_U, MODE_U, k_patched, scratch));
}

static void patched_code(void)
{
	patched(0, 3, 0);
	patched(WORD_LW, 3, 1);
	patched(WORD_MULT, 4, 0);
	patched(0, 3, 0);
}

static u32 modify(u32 event, u32 insn)
{
	*(volatile u64 *)scratch = (u64)k_self_modified;
	set_word(8, insn);
	set_word(12, 0);
	return count_event(event, MODE_K, MODE_K, k_self_modifying, scratch);
}

/* 10 turns of 11 + 3; the patched one of each two is a load, or counts two. */
static void self_modifying(void)
{
	u32 cache = is_r12000() ? 0 : 20;

	expect("instructions", 2 + 10 * 14, modify(15, WORD_LW));
	expect("loads", 1 + 10 + cache + 5, modify(18, WORD_LW));
	expect("stores", 10, modify(19, WORD_LW));
	expect("instructions, with a multiply", 2 + 10 * 14 + 5, modify(15, WORD_MULT));
	expect("loads, with a multiply", 1 + 10 + cache, modify(18, WORD_MULT));
}

static void calls(void)
{
	expect("instructions", 1 + 1000 * 7 + 2, count_event(15, MODE_U, MODE_U, k_calls, scratch));
	expect("branches", event6(1000 + 1, 2000), count_event(6, MODE_U, MODE_U, k_calls, scratch));
}

static void many_modes(void)
{
	fast_skip(1000);
	expect("user", 1 + 3000, count_event(15, MODE_U, MODE_U, k_break_loop, scratch));
	fast_skip(1000);
	expect("EXL", 1000 * FAST_INSNS + EXL_AROUND(MODE_U),
	       count_event(15, MODE_U, MODE_EXL, k_break_loop, scratch));
	fast_skip(1000);
	expect("branches of both", event6(1000 + 1000 * FAST_BRANCHES, 1000 * FAST_JUMPS),
	       count_event(6, MODE_U, MODE_ALL, k_break_loop, scratch));
}

/* Far enough ahead for a busy host to set a timer in time */
#define TICK		20000
#define PATIENCE	400000000

static u32 ticks;

static enum exc_answer tick(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	ticks++;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TICK);
	return EXC_RESUME;
}

/*
 * The emulator's clock may be late on a busy host; if the match has come already, keep
 * it, to interrupt the loop.
 */
static void set_tick(void)
{
	u32 now = c0_read(C0_COUNT);

	if (!ip7())
		c0_write(C0_COMPARE, now + TICK);
}

/* The loop is run until the timer has interrupted it a few times. */
static void interrupted(void)
{
	static const u32 start[2];
	const u32 ctl[2] = { ctl_event(15, MODE_U), ctl_event(18, MODE_U) };
	u32 began = c0_read(C0_COUNT);

	exc_hook_fn = tick;
	ticks = 0;
	while (ticks < 10 && (u32)c0_read(C0_COUNT) - began < PATIENCE) {
		struct counts n;

		set_tick();
		n = run_from(MODE_U, ctl, start, ST_NORMAL | ST_IE | ST_IM7, k_long_loop, scratch);
		expect("instructions", 400002, n.c[0]);
		expect("loads", 100000, n.c[1]);
	}
	expect_true("the timer has interrupted the loop", ticks > 0);
}

static void page_end_in(u32 mode)
{
	static const struct {
		const char *name, *kernel;
		u32 insns, loads;
	} ends[] = {
		{ "taken", k_page_taken, 4, 1 },
		{ "not taken", k_page_not_taken, 5, 1 },
		{ "likely, taken", k_page_likely, 4, 1 },
		{ "likely, nullified", k_page_nullified, 4, 0 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(ends); i++) {
		expect(ends[i].name, ends[i].insns,
		       count_event(15, mode, mode, ends[i].kernel, scratch));
		expect("loads", ends[i].loads,
		       count_event(18, mode, mode, ends[i].kernel, scratch));
		expect("branches", 1, count_event(6, mode, mode, ends[i].kernel, scratch));
	}
}

static void page_ends(void)
{
	page_end_in(MODE_K);
	page_end_in(MODE_U);
}

static void reads_in_slots(void)
{
	*(volatile u64 *)scratch = DEVICE;
	expect("instructions", 29, count_event(15, MODE_K, MODE_K, k_reads_in_slots, scratch));
	expect("loads", 7, count_event(18, MODE_K, MODE_K, k_reads_in_slots, scratch));
	expect("branches", 7, count_event(6, MODE_K, MODE_K, k_reads_in_slots, scratch));
	run_kernel(MODE_K, ctl_event(15, MODE_K), insns1(MODE_K), k_reads_in_slots, scratch);
	expect("counter 0, read in a delay slot", 18, word(8));
	expect("counter 1, read in a delay slot", 20, word(12));
}

static u32 write_in_slots(u32 first, u32 second)
{
	set_word(0, first);
	set_word(4, second);
	return run_kernel(MODE_K, ctl_event(15, MODE_K), insns1(MODE_K), k_writes_in_slots,
			  scratch).c[0];
}

/* Many times, because the emulator chains a block to the one that followed it. */
static void writes_in_slots(void)
{
	u32 insns = ctl_event(15, MODE_K), branches = ctl_event(6, MODE_K);

	for (u32 i = 0; i < 20; i++) {
		expect("instructions throughout", 15, write_in_slots(insns, insns));
		expect("stopped between", 5 + 4, write_in_slots(0, insns));
		expect("stopped behind", 11, write_in_slots(insns, 0));
		expect("stopped", 5, write_in_slots(0, 0));
		expect("branches between", 5 + 1 + 4, write_in_slots(branches, insns));
		expect("counter 1 meanwhile", 15, snap.c[1]);
	}
}

static u32 status_in_slot(u32 status, u32 bits)
{
	const void *low = (const void *)user_address(k_status_in_slot);

	set_word(0, status);
	return run_kernel(MODE_K, ctl_event(15, bits), 0, low, scratch).c[0];
}

static void statuses_in_slots(void)
{
	for (u32 i = 0; i < 20; i++) {
		expect("kernel part, user mode behind", 5,
		       status_in_slot(ST_NORMAL | ST_KSU_USER, MODE_K));
		expect("user part", 3, status_in_slot(ST_NORMAL | ST_KSU_USER, MODE_U));
		expect("kernel mode behind", 8, status_in_slot(ST_NORMAL, MODE_K));
		expect("user part, supervisor mode behind", 0,
		       status_in_slot(ST_NORMAL | ST_KSU_SUPER, MODE_U));
	}
}

static const struct tap_case cases[] = {
	{ "another event on the way", change_event },
	{ "counters rewritten on the way", rewrite_counters },
	{ "a reading has what came before it", read_counters },
	{ "code patched between runs", patched_code },
	{ "self-modifying code", self_modifying },
	{ "1000 calls", calls },
	{ "1000 changes of mode", many_modes },
	{ "timer interrupts change no user count", interrupted },
	{ "Count, counters and devices read in delay slots", reads_in_slots },
	{ "controls written in delay slots", writes_in_slots },
	{ "Status written in delay slots", statuses_in_slots },
	{ "branch and delay slot on two pages", page_ends },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
