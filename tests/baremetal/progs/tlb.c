// SPDX-License-Identifier: GPL-2.0-only
/*
 * TLB refills: only the refill vectors count, in the mode of the instruction
 * that missed.
 */
#include "bm.h"

#define HOLE		0x00400000UL
#define KERNEL_HOLE	0xffffffffc0400000UL

extern const char k_load[], k_store[], k_prefetch[], k_jump[], k_landing[], k_walk[], k_nested[];

static u8 page[PAGE] __attribute__((aligned(PAGE)));
static u32 exceptions;
static u64 first_vector;
static u32 first_code;

/* Map the missing page, read-only unless it was a store, and continue. */
static enum exc_answer refill(struct frame *f)
{
	u32 code = cause_code(f->cause);

	if (code == EXC_SYS)
		return EXC_LEAVE;
	if (!exceptions++) {
		first_vector = f->vector;
		first_code = code;
	}
	if (code != EXC_TLBL && code != EXC_TLBS && code != EXC_MOD)
		return exc_default(f);
	tlb_map(f->badvaddr, page, page, TLB_RW);
	return EXC_RESUME;
}

static u32 refills(u32 mode, u32 bits, const void *kernel, u64 va)
{
	exc_hook_fn = refill;
	exceptions = 0;
	return count_event(23, mode, bits, kernel, (void *)va);
}

/* A miss in one mode, counted with each combination of mode bits. */
static void attributed(u32 mode, const void *kernel, u32 code)
{
	for (u32 bits = 0; bits < 16; bits++) {
		tlb_flush();
		if (!expect("refills", !!(bits & mode), refills(mode, bits, kernel, HOLE)))
			note("  ... with mode bits 0x%x", bits);
		expect("exceptions", 1, exceptions);
		expect("exception code", code, first_code);
	}
}

static void user_mode(void)
{
	attributed(MODE_U, k_load, EXC_TLBL);
	attributed(MODE_U, k_store, EXC_TLBS);
}

static void supervisor_mode(void)
{
	attributed(MODE_S, k_load, EXC_TLBL);
	attributed(MODE_S, k_store, EXC_TLBS);
}

static void kernel_mode(void)
{
	attributed(MODE_K, k_load, EXC_TLBL);
	attributed(MODE_K, k_store, EXC_TLBS);
}

static void mapped_kernel_segment(void)
{
	expect("refills", 1, refills(MODE_K, MODE_K, k_load, KERNEL_HOLE));
	expect("refills, mapped", 0, refills(MODE_K, MODE_K, k_load, KERNEL_HOLE));
}

static void instruction_fetch(void)
{
	const u32 *landing = (const u32 *)k_landing;

	*(volatile u32 *)page = *landing;
	attributed(MODE_U, k_jump, EXC_TLBL);
	attributed(MODE_K, k_jump, EXC_TLBL);
}

/* The vector depends on the mode's 64-bit addressing; refills by both vectors count. */
static void both_vectors(void)
{
	static const u32 start[2];
	u32 event = ctl_event(23, MODE_U);
	const u32 ctl[2] = { is_r12000() ? event : 0, event };

	exc_hook_fn = refill;
	exceptions = 0;
	run_from(MODE_U, ctl, start, ST_NORMAL, k_load, (void *)HOLE);
	expect("vector, UX set", 0x080, first_vector);
	expect("refills", 1, snap.c[1]);
	tlb_flush();
	exceptions = 0;
	run_from(MODE_U, ctl, start, ST_NORMAL & ~ST_UX, k_load, (void *)HOLE);
	expect("vector, UX clear", 0x000, first_vector);
	expect("refills", 1, snap.c[1]);
}

static void mapped(void)
{
	tlb_map(HOLE, page, page, TLB_RW);
	expect("refills", 0, refills(MODE_U, MODE_ALL, k_load, HOLE));
	expect("exceptions", 0, exceptions);
}

static void invalid(void)
{
	tlb_map(HOLE, page, page, TLB_G);
	expect("refills", 0, refills(MODE_U, MODE_ALL, k_load, HOLE));
	expect("exceptions", 1, exceptions);
	expect("vector", 0x180, first_vector);
	expect("exception code", EXC_TLBL, first_code);
}

static void modified(void)
{
	tlb_map(HOLE, page, page, TLB_G | TLB_V);
	expect("refills", 0, refills(MODE_U, MODE_ALL, k_store, HOLE));
	expect("exceptions", 1, exceptions);
	expect("exception code", EXC_MOD, first_code);
}

static enum exc_answer resume(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	exceptions++;
	first_vector = f->vector;
	first_code = cause_code(f->cause);
	return EXC_RESUME;
}

static void nested(void)
{
	exc_hook_fn = resume;
	exceptions = 0;
	expect("refills", 0, count_event(23, MODE_K, MODE_ALL, k_nested, (void *)HOLE));
	expect("exceptions", 1, exceptions);
	expect("vector", 0x180, first_vector);
	expect("exception code", EXC_TLBL, first_code);
}

static void prefetch(void)
{
	expect("refills", 0, refills(MODE_U, MODE_ALL, k_prefetch, HOLE));
	expect("exceptions", 0, exceptions);
}

static void walk(void)
{
	expect("refills of 8 pairs", 8, refills(MODE_U, MODE_U, k_walk, HOLE));
	expect("exceptions", 8, exceptions);
	expect("refills, all mapped", 0, refills(MODE_U, MODE_U, k_walk, HOLE));
	tlb_flush();
	expect("instructions around refills", 8 * 7,
	       count_event(15, MODE_U, MODE_U, k_walk, (void *)HOLE));
	tlb_flush();
	expect("loads around refills", 8 * 2,
	       count_event(18, MODE_U, MODE_U, k_walk, (void *)HOLE));
	tlb_flush();
	expect("stores around refills", 8 * 2,
	       count_event(19, MODE_U, MODE_U, k_walk, (void *)HOLE));
}

/* An entry that tlbwr has overwritten no longer maps anything. */
static void displaced(void)
{
	for (u32 i = 0; i < 100; i++) {
		u64 va = HOLE + (i & 1) * 2 * PAGE;

		tlb_map_random(va, page, 63);
		expect("refills, just mapped", 0, refills(MODE_U, MODE_U, k_load, va));
		tlb_map_random(va ^ 2 * PAGE, page, 63);
		expect("refills, displaced", 1, refills(MODE_U, MODE_U, k_load, va));
		tlb_flush();
	}
}

static void eight_after(void)
{
	const u32 start[2] = { 0x7ffffffe, 0x7ffffffe };
	u32 event = ctl_event(23, MODE_U) | CTL_IE;
	const u32 ctl[2] = { is_r12000() ? event : 0, event };

	exc_hook_fn = refill;
	run_from(MODE_U, ctl, start, ST_NORMAL, k_walk, (void *)HOLE);
	expect("counter", 0x80000006, snap.c[1]);
}

static const struct tap_case cases[] = {
	{ "misses of user mode", user_mode },
	{ "misses of supervisor mode", supervisor_mode },
	{ "misses of kernel mode", kernel_mode },
	{ "misses in a mapped kernel segment", mapped_kernel_segment },
	{ "misses of instruction fetches", instruction_fetch },
	{ "both refill vectors", both_vectors },
	{ "no miss, no count", mapped },
	{ "an invalid entry is no refill", invalid },
	{ "a store to a clean page is no refill", modified },
	{ "a miss with EXL set is no refill", nested },
	{ "a prefetch takes no exception", prefetch },
	{ "8 misses of a walk", walk },
	{ "an entry displaced by tlbwr misses again", displaced },
	{ "misses count past bit 31", eight_after },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
