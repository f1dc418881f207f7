// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache events and modes: the mode in which a miss counts, the counts after an
 * exception in the middle of a block, and accesses while nothing is counted.
 *
 * @run
 * @run cpu=R10000,R12000 order=be way=icount qemu=-append near
 */
#include "mem.h"

extern const char k_lines[], k_break[], k_refill[], k_refill_slot[], k_modified[],
	k_address[], k_slots[], k_erl[], k_two_modes[], k_walk[], k_write_back[], k_code[],
	k_visible[], k_freeze[], k_prefetch[], k_sc[], k_kinds[];

#define HOLE		0x00400000UL
#define DATA		IN(COLOR(0), LOAD(0, 0))
#define LINES		8

static u8 page[PAGE] __attribute__((aligned(PAGE)));
static const u32 modes[] = { MODE_K, MODE_U, MODE_S, MODE_EXL };

static u64 *word(u32 offset)
{
	return (u64 *)(op_address(IN(UNCACHED, DATA)) + offset);
}

static void *data(void)
{
	return (void *)op_address(DATA);
}

/* Drop all lines of the page and of the other page from the caches. */
static void clean(void)
{
	u32 ops[LINES];

	mem_init();
	tlb_user_cca(UNCACHED);
	for (u32 i = 0; i < LINES; i++)
		ops[i] = DATA + i * 32;
	clean_ops(ops, LINES);
}

static u32 count(u32 event, u32 mode, u32 bits, const void *kernel)
{
	clean();
	return count_event(event, mode, bits, kernel, data());
}

static void each_mode(void)
{
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++)
		for (u32 b = 0; b < ARRAY_SIZE(modes); b++) {
			u32 same = m == b;

			expect("L1D misses", same * 4, count(25, modes[m], modes[b], k_lines));
			expect("all but this mode", !same * 4,
			       count(25, modes[m], MODE_ALL ^ modes[b], k_lines));
			/* 128-byte blocks: one */
			expect("L2 misses", same * 128 / l2_line(),
			       count(26, modes[m], modes[b], k_lines));
		}
}

/* Handlers run uncached: nothing in EXL mode */
static void mid_block(void)
{
	fast_skip(1);
	expect("user", 4, count(25, MODE_U, MODE_U, k_break));
	fast_skip(1);
	expect("EXL", 0, count(25, MODE_U, MODE_EXL, k_break));
	fast_skip(1);
	expect("kernel", 4, count(25, MODE_K, MODE_K, k_break));
}

static u32 at_exception;

static enum exc_answer map_hole(struct frame *f)
{
	u32 code = cause_code(f->cause);

	if (code != EXC_TLBL)
		return exc_default(f);
	at_exception = counts_so_far().c[!is_r12000()];
	tlb_map(f->badvaddr, page, page, TLB_RW | TLB_CCA(5));
	return EXC_RESUME;
}

static void refill(const void *kernel, u32 mode)
{
	const u32 hole[] = { LOAD(0, 0) };
	u64 cached = 0x9800000000000000 | ((u64)page & 0x1fffffff);
	u32 n;

	*word(0) = HOLE;
	exc_hook_fn = map_hole;
	clean();
	asm volatile("cache 0x17, 0(%0)" : : "r"(cached) : "memory");
	n = count_event(25, mode, mode, kernel, data());
	expect("L1D misses", 3, n);
	expect("at the TLB refill", 1, at_exception);
	tlb_flush();
	clean_ops(hole, 1);
}

static void tlb_refills(void)
{
	refill(k_refill, MODE_U);
	refill(k_refill, MODE_K);
	refill(k_refill_slot, MODE_U);
	refill(k_refill_slot, MODE_S);
}

static enum exc_answer skip_all(struct frame *f)
{
	return exc_skip(f);
}

static void read_only(void)
{
	exc_hook_fn = skip_all;
	*word(0) = HOLE;
	clean();
	tlb_map(HOLE, page, page, (TLB_RW & ~TLB_D) | TLB_CCA(5));
	expect("a store that raises Modified", 2,
	       count_event(25, MODE_U, MODE_U, k_modified, data()));
	expect("address errors", 1, count(25, MODE_U, MODE_U, k_address));
}

static void delay_slots(void)
{
	expect("user", 3, count(25, MODE_U, MODE_U, k_slots));
	expect("kernel", 3, count(25, MODE_K, MODE_K, k_slots));
}

/* With ERL nothing is counted, but the lines are brought into the caches. */
static void error_level(void)
{
	clean();
	expect("L1D misses", 1,
	       count_event(25, MODE_K, MODE_ALL, k_erl, (void *)op_address(LOAD(0, 0))));
}

static void mode_changes(void)
{
	const void *low = (const void *)user_address(k_two_modes);

	for (u32 i = 0; i < 2; i++) {
		u32 mode = i ? MODE_U : MODE_K;

		*(u32 *)word(128) = ST_NORMAL | ST_KSU_USER;
		clean();
		/* line 128 is the kernel's, too */
		expect(i ? "user part" : "kernel part", 2,
		       count_event(25, MODE_K, mode, low, data()));
	}
}

/* Lines that a mode brings in without counting hit in a mode that counts. */
static void uncounted_modes(void)
{
	expect("kernel, not counted", 0, count(25, MODE_K, MODE_U, k_lines));
	expect("user, the lines are there", 0,
	       count_event(25, MODE_U, MODE_U, k_lines, data()));
}

static u32 left;

static enum exc_answer overflow(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	left = f->r[12];
	expect_true("bit 31 is set", (snap.c[0] | snap.c[1]) >> 31);
	pmu_stop();
	return EXC_RESUME;
}

/* $12 of the kernel at the interrupt that comes after this many misses */
static u32 interrupted(u32 event, u32 after, const void *kernel)
{
	u32 start[2] = { 0, 0 }, ctl[2] = { 0, 0 }, n = !is_r12000();

	start[n] = 0x80000000 - after;
	ctl[n] = ctl_event(event, MODE_K) | CTL_IE;
	clean();
	exc_hook_fn = overflow;
	left = 100;
	run_from(MODE_K, ctl, start, ST_NORMAL | ST_IE | ST_IM7, kernel, data());
	return left;
}

/* 8 misses, the third of which makes the counter overflow */
static void interrupt(void)
{
	expect_range("turns left", 8 - 4, 8 - 3 + 1, interrupted(25, 3, k_walk));
}

static void interrupt_by_cache(void)
{
	expect_range("how far it got", 0, 2, interrupted(22, 2, k_write_back));
}

/* kseg0 as Config.K0 says; L1I lines at the kernel's addresses */
static u32 code_lines(u32 cca)
{
	u32 n;

	for (u64 a = (u64)k_code; a < (u64)k_code + 320; a += 32)
		asm volatile("cache 0x17, 0(%0)" : : "r"(0x9800000000000000 | (a & 0x1fffffff))
			     : "memory");
	kseg0_cca(cca);
	n = count_event(9, MODE_K, MODE_K, k_code, 0);
	kseg0_cca(UNCACHED);
	return n;
}

static void kseg0(void)
{
	/* 256 bytes and a syscall, whose line is fetched, too */
	expect("uncached", 0, code_lines(UNCACHED));
	expect("noncoherent", 5, code_lines(3));
	expect("coherent", 5, code_lines(5));
}

static void user_code(void)
{
	code_lines(UNCACHED);
	tlb_user_cca(3);
	expect("cached", 5, count_event(9, MODE_U, MODE_U, k_code, 0));
	expect("again", 0, count_event(9, MODE_U, MODE_U, k_code, 0));
	tlb_user_cca(UNCACHED);
	expect("uncached", 0, count_event(9, MODE_U, MODE_U, k_code, 0));
	tlb_user_cca(3);
}

/* Event 9 and others of counter 0 are visible in the next reading. */
static void visible(void)
{
	u32 ctl = ctl_event(is_r12000() ? 25 : 7, MODE_K);
	volatile u32 *seen = (volatile u32 *)word(512);

	*word(128) = (u64)seen;
	clean();
	run_kernel(MODE_K, ctl, 0, k_visible, data());
	for (u32 i = 0; i < 3; i++)
		seen[i] -= run_first;
	if (!is_r12000()) {
		expect("nothing is written back", 0, seen[0] | seen[1] | seen[2]);
		return;
	}
	/* line 128 is the first miss */
	expect("after two misses", 2, seen[0]);
	expect("after three", 3, seen[1]);
	expect("after none more", 3, seen[2]);
}

/* The model stays awake while it is deselected for a moment: 32(a0) hits. */
static void freeze(void)
{
	expect("L1D misses", 2, count(25, MODE_K, MODE_K, k_freeze));
}

static void prefetches(void)
{
	expect("L1D misses", 1, count(25, MODE_U, MODE_U, k_prefetch));
	if (!is_r12000())
		return;
	expect("prefetches", 2, count(16, MODE_U, MODE_U, k_prefetch));
	expect("prefetches that miss", 1, count(17, MODE_U, MODE_U, k_prefetch));
}

/* The store to line 64 fails: it is not the linked address. */
static void conditional(void)
{
	clean();
	*word(0) = *word(32) = 0;
	expect("L1D misses", 2 + (is_rev2() ? 0 : 1),
	       count_event(25, MODE_U, MODE_U, k_sc, data()));
	expect("L1D misses, EXL", 2 + (is_rev2() ? 0 : 1), count(25, MODE_EXL, MODE_EXL, k_sc));
}

static void kinds(void)
{
	expect("L1D misses", 8, count(25, MODE_U, MODE_U, k_kinds));
	expect("L1D misses, kernel", 8, count(25, MODE_K, MODE_K, k_kinds));
}

static const struct tap_case cases[] = {
	{ "misses count in the mode that causes them", each_mode },
	{ "an exception in the middle of a block", mid_block },
	{ "TLB refills in the middle of a block", tlb_refills },
	{ "what raises an exception accesses nothing", read_only },
	{ "accesses in delay slots", delay_slots },
	{ "with ERL accesses happen, but do not count", error_level },
	{ "a change of mode between two misses", mode_changes },
	{ "what is not counted happens", uncounted_modes },
	{ "a miss raises the overflow interrupt", interrupt },
	{ "a cache operation raises it", interrupt_by_cache },
	{ "code in kseg0 is cached as Config.K0 says", kseg0 },
	{ "code of user mode", user_code },
	{ "a miss is in the next reading", visible },
	{ "caches stay awake while deselected for a moment", freeze },
	{ "prefetches that are not mapped are dropped", prefetches },
	{ "store conditionals", conditional },
	{ "all kinds of loads and stores", kinds },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
