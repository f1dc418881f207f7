// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the other programs depend on, without the counters: modes, exceptions, the TLB,
 * and the identification of the CPU.
 */
#include "bm.h"

#define VA_HOLE		0x00400000UL

extern const char k_store_42[], k_load_store[], k_read_status[], k_three_breaks[];

static struct frame seen;
static u32 exceptions;
static u8 page_a[PAGE] __attribute__((aligned(PAGE)));
static u8 page_b[PAGE] __attribute__((aligned(PAGE)));

static enum exc_answer map_hole(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	seen = *f;
	exceptions++;
	tlb_map(VA_HOLE, page_a, page_b, TLB_RW);
	return EXC_RESUME;
}

static void stores_in(u32 mode)
{
	memset(scratch, 0, 8);
	run_kernel(mode, 0, 0, k_store_42, scratch);
	expect("stored word", 42, *(volatile u32 *)scratch);
}

static void kernel_mode(void)
{
	stores_in(MODE_K);
}

static void exl_mode(void)
{
	stores_in(MODE_EXL);
}

static void user_mode(void)
{
	stores_in(MODE_U);
}

static void supervisor_mode(void)
{
	stores_in(MODE_S);
}

static enum exc_answer keep_frame(struct frame *f)
{
	seen = *f;
	return exc_skip(f);
}

static void user_is_user(void)
{
	exc_hook_fn = keep_frame;
	run_kernel(MODE_U, 0, 0, k_store_42, scratch);
	expect("KSU in Status", ST_KSU_USER, seen.status & ST_KSU);
	run_kernel(MODE_S, 0, 0, k_store_42, scratch);
	expect("KSU in Status", ST_KSU_SUPER, seen.status & ST_KSU);
}

static void exl_is_exl(void)
{
	run_kernel(MODE_EXL, 0, 0, k_read_status, scratch);
	expect("EXL in Status", ST_EXL, *(volatile u32 *)scratch & ST_EXL);
}

static void kernel_resumes(u32 mode)
{
	exc_hook_fn = map_hole;
	exceptions = 0;
	*(volatile u64 *)page_a = 0x123456789abcdef0;
	run_kernel(mode, 0, 0, k_load_store, (void *)VA_HOLE);
	expect("exceptions", 1, exceptions);
	expect("exception code", EXC_TLBL, cause_code(seen.cause));
	expect("vector", 0x080, seen.vector);
	expect("BadVAddr", VA_HOLE, seen.badvaddr);
	expect("word", 0x123456789abcdef1, *(volatile u64 *)(page_a + 8));
}

static void refill_in_user(void)
{
	kernel_resumes(MODE_U);
}

static void refill_in_kernel(void)
{
	kernel_resumes(MODE_K);
}

static void syscall_in_exl(void)
{
	exc_hook_fn = keep_frame;
	seen.vector = 0;
	run_kernel(MODE_EXL, 0, 0, k_store_42, scratch);
	expect("vector of the syscall", 0x180, seen.vector);
}

static void fast_path(void)
{
	memset(scratch, 0, 8);
	fast_skip(3);
	run_kernel(MODE_U, 0, 0, k_three_breaks, scratch);
	expect("exceptions not skipped", 0, fast_left());
	expect("word", user_address(scratch), *(volatile u32 *)scratch);
}

static void processor(void)
{
	u32 prid = c0_read(C0_PRID);

	if (is_r12000())
		expect("PRId", prid >> 8 == 0x0e ? 0x0e35 : 0x0f14, prid);
	else
		expect("PRId", is_rev2() ? 0x0926 : 0x0934, prid);
}

static void count_runs(void)
{
	u32 first = c0_read(C0_COUNT);

	for (volatile int i = 0; i < 20000; i++)
		;
	expect_true("Count moves", (u32)c0_read(C0_COUNT) != first);
}

static void timer(void)
{
	expect("IP7 before", 0, ip7());
	expect_true("IP7 rises when Count reaches Compare", timer_fire());
	for (volatile int i = 0; i < 1000; i++)
		;
	expect("IP7 later", 1, ip7());
	timer_off();
	expect("IP7 after Compare was written", 0, ip7());
}

static const struct tap_case cases[] = {
	{ "PRId is the CPU's", processor },
	{ "kernel mode runs a kernel", kernel_mode },
	{ "EXL mode runs a kernel", exl_mode },
	{ "user mode runs a kernel", user_mode },
	{ "supervisor mode runs a kernel", supervisor_mode },
	{ "user and supervisor mode are what they should be", user_is_user },
	{ "EXL mode has EXL set", exl_is_exl },
	{ "TLB refill in user mode resumes", refill_in_user },
	{ "TLB refill in kernel mode resumes", refill_in_kernel },
	{ "a syscall with EXL set goes to the general vector", syscall_in_exl },
	{ "fast path skips instructions", fast_path },
	{ "Count runs", count_runs },
	{ "Compare raises and drops IP7", timer },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
