// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mode bits: each alone and all combinations, in each mode; ERL; changes of mode
 * while counting.
 */
#include "bm.h"

extern const char k_ten[], k_busy[], k_erl[], k_erl_eret[], k_drop_to_user[],
	k_exl_and_back[], k_ksu_3[], k_breaks[], k_write_controls[];

static const struct {
	const char *name;
	u32 mode;
} modes[] = {
	{ "kernel", MODE_K }, { "user", MODE_U }, { "supervisor", MODE_S }, { "EXL", MODE_EXL },
};

/* Graduated instructions; on the R10000 each counter has its own number. */
static struct counts instructions(u32 mode, u32 bits, const void *kernel, void *arg)
{
	return run_kernel(mode, ctl_event(15, bits), ctl_event(is_r12000() ? 15 : 17, bits),
			  kernel, arg);
}

static void expect_both(const char *what, u32 want, struct counts n)
{
	expect(what, want, n.c[0]);
	expect("the same on counter 1", want, n.c[1]);
}

static u32 want_in(u32 mode, u32 bits, u32 in_kernel)
{
	u32 want = bits & mode ? in_kernel : 0;

	return bits & MODE_EXL ? want + EXL_AROUND(mode) : want;
}

static void all_masks(u32 mode)
{
	for (u32 bits = 0; bits < 16; bits++) {
		struct counts n = instructions(mode, bits, k_ten, scratch);

		if (n.c[0] != want_in(mode, bits, 10) || n.c[1] != n.c[0])
			note("mode bits 0x%x:", bits);
		expect_both("instructions", want_in(mode, bits, 10), n);
	}
}

static void one_bit_each(void)
{
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++) {
		struct counts n = instructions(modes[m].mode, modes[m].mode, k_ten, scratch);

		expect_both(modes[m].name, want_in(modes[m].mode, modes[m].mode, 10), n);
	}
}

static void counters_differ(void)
{
	u32 u = ctl_event(15, MODE_U), k = ctl_event(is_r12000() ? 15 : 17, MODE_K);
	struct counts n = run_kernel(MODE_U, u, k, k_ten, scratch);

	expect("user instructions of user mode", 10, n.c[0]);
	expect("kernel instructions of user mode", 0, n.c[1]);
	n = run_kernel(MODE_K, u, k, k_ten, scratch);
	expect("user instructions of kernel mode", 0, n.c[0]);
	expect("kernel instructions of kernel mode", 10, n.c[1]);
}

/* EXL has priority: with EXL set no code counts in user, supervisor or kernel mode. */
static void exl_wins(void)
{
	static const u32 start[2];

	for (u32 ksu = 0; ksu <= ST_KSU_USER; ksu += ST_KSU_SUPER) {
		u32 ctl[2] = { ctl_event(15, MODE_ALL & ~MODE_EXL), ctl_event(15, MODE_EXL) };
		struct counts n;

		if (!is_r12000())
			ctl[1] = ctl_event(17, MODE_EXL);
		n = run_from(MODE_EXL, ctl, start, ST_NORMAL | ksu, k_ten, scratch);
		expect("U, S, K in EXL", 0, n.c[0]);
		expect("EXL in EXL", 10 + EXL_AROUND(MODE_EXL), n.c[1]);
	}
}

static void erl_freezes(void)
{
	expect_both("kernel mode", 6, instructions(MODE_K, MODE_K, k_erl, scratch));
	expect_both("all modes", 6 + EXL_AROUND(MODE_K),
		    instructions(MODE_K, MODE_ALL, k_erl, scratch));
	expect_both("EXL and ERL", 6 + EXL_AROUND(MODE_EXL),
		    instructions(MODE_EXL, MODE_ALL, k_erl, scratch));
}

static void erl_by_eret(void)
{
	const u32 *seen = (const u32 *)scratch;

	expect_both("kernel mode", 8, instructions(MODE_K, MODE_K, k_erl_eret, scratch));
	expect("counter 0 in ERL", 6, seen[0]);
	expect("counter 1 in ERL", 6, seen[1]);
	expect("counter 0 later in ERL", 6, seen[2]);
	expect("counter 1 later in ERL", 6, seen[3]);
}

static void drop_to_user(void)
{
	const void *low = (const void *)user_address(k_drop_to_user);

	expect_both("kernel part", 3, instructions(MODE_K, MODE_K, low, scratch));
	expect_both("user part", 7, instructions(MODE_K, MODE_U, low, scratch));
	expect_both("both", 10, instructions(MODE_K, MODE_K | MODE_U, low, scratch));
}

static void exl_and_back(void)
{
	expect_both("kernel part", 6, instructions(MODE_K, MODE_K, k_exl_and_back, scratch));
	expect_both("EXL part", 6 + EXL_AROUND(MODE_K),
		    instructions(MODE_K, MODE_EXL, k_exl_and_back, scratch));
}

static void ksu_3(void)
{
	expect_both("kernel part", 5, instructions(MODE_K, MODE_K, k_ksu_3, scratch));
	expect_both("user and supervisor part", 0,
		    instructions(MODE_K, MODE_U | MODE_S, k_ksu_3, scratch));
}

static void handler_is_exl(void)
{
	u32 in_exl = 4 * FAST_INSNS + EXL_AROUND(MODE_U);

	fast_skip(4);
	expect_both("user", 6, instructions(MODE_U, MODE_U, k_breaks, scratch));
	fast_skip(4);
	expect_both("EXL", in_exl, instructions(MODE_U, MODE_EXL, k_breaks, scratch));
	fast_skip(4);
	expect_both("all", 6 + in_exl, instructions(MODE_U, MODE_ALL, k_breaks, scratch));
	fast_skip(4);
	expect_both("kernel", 0, instructions(MODE_U, MODE_K | MODE_S, k_breaks, scratch));
}

/* The vector that ends a run adds nothing: it reads the counters first. */
static void handler_events(void)
{
	fast_skip(4);
	expect("loads", 4 * FAST_LOADS, count_event(18, MODE_U, MODE_EXL, k_breaks, scratch));
	fast_skip(4);
	expect("stores", 4 * FAST_STORES, count_event(19, MODE_U, MODE_EXL, k_breaks, scratch));
	fast_skip(4);
	expect("branches", event6(4 * FAST_BRANCHES, 4 * FAST_JUMPS),
	       count_event(6, MODE_U, MODE_EXL, k_breaks, scratch));
}

static void no_mode_freezes(void)
{
	const u32 ctl[2] = { ctl_event(15, 0), ctl_event(is_r12000() ? 15 : 17, 0) };
	const u32 start[2] = { 12345, 0x80000005 };
	struct counts n = run_from(MODE_K, ctl, start, ST_NORMAL, k_busy, scratch);

	expect("counter 0", 12345, n.c[0]);
	expect("counter 1", 0x80000005, n.c[1]);
}

/* Two nops, mtps 1, three nops, mtps 0: 7; three nops, mtps 0, nop, mtps 1: 6 */
static void control_writes(void)
{
	u32 *settings = (u32 *)scratch;
	struct counts n;

	settings[0] = ctl_event(15, MODE_K);
	settings[1] = ctl_event(is_r12000() ? 15 : 17, MODE_K);
	n = run_kernel(MODE_K, 0, 0, k_write_controls, scratch);
	expect("counter 0", 7, n.c[0]);
	expect("counter 1", 6, n.c[1]);
}

static const struct tap_case cases[] = {
	{ "each mode bit counts its mode", one_bit_each },
	{ "EXL is none of the other modes, whatever KSU says", exl_wins },
	{ "the counters have mode bits of their own", counters_differ },
	{ "ERL freezes, all mode bits set", erl_freezes },
	{ "eret out of ERL is not counted", erl_by_eret },
	{ "kernel to user mode by writing Status", drop_to_user },
	{ "EXL on and off by writing Status", exl_and_back },
	{ "the reserved KSU code is no mode", ksu_3 },
	{ "an exception handler counts as EXL", handler_is_exl },
	{ "loads, stores, branches of a handler", handler_events },
	{ "no mode bit: the counter keeps its value", no_mode_freezes },
	{ "control writes count under the settings before", control_writes },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++) {
		tap_begin();
		all_masks(modes[m].mode);
		tap_end("all 16 mode masks in %s mode", modes[m].name);
	}
}
