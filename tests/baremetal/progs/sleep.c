// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model that no selected event needs stays awake for a while, then sleeps and keeps
 * its state: here the while is 0, or longer than any test.
 *
 * @run props=model-hold=0 qemu=-append asleep
 * @run way=plain props=model-hold=1000000
 */
#include "mem.h"

#define A	0
#define B	L1_WAY
#define C	(2 * L1_WAY)

#define CODE	0xffffffffa4000100UL

static u32 misses(u32 op)
{
	return count_ops_event(&op, 1, 25);
}

/* B and C would replace A in L1D. */
static void caches(void)
{
	const u32 all[] = { LOAD(0, A), LOAD(0, B), LOAD(0, C) };
	const u32 others[] = { LOAD(0, B), LOAD(0, C) };

	mem_init();
	clean_ops(all, 3);
	expect("the first access", 1, misses(LOAD(0, A)));
	run_ops(others, 2);
	expect("accesses meanwhile have replaced it", !bm_argument("asleep"), misses(LOAD(0, A)));
}

/* An event without a mode does not wake the caches. */
static void no_mode(void)
{
	const u32 all[] = { LOAD(0, A), LOAD(0, B), LOAD(0, C) };
	const u32 others[] = { LOAD(0, B), LOAD(0, C) };

	mem_init();
	clean_ops(all, 3);
	misses(LOAD(0, A));
	count_ops(others, 2, ctl_event(9, 0), ctl_event(25, 0));
	expect("replaced meanwhile", !bm_argument("asleep"), misses(LOAD(0, A)));
}

/* A mode bit wakes them, even that of a mode in which the CPU is not. */
static void other_mode(void)
{
	const u32 all[] = { LOAD(0, A), LOAD(0, B), LOAD(0, C) };
	const u32 others[] = { LOAD(0, B), LOAD(0, C) };

	mem_init();
	clean_ops(all, 3);
	misses(LOAD(0, A));
	count_ops(others, 2, ctl_event(9, MODE_U), ctl_event(25, MODE_U));
	expect("replaced meanwhile", 1, misses(LOAD(0, A)));
}

/* bne $4, $0, .+8; nop; jr $31; nop */
static u32 predicted(const char *outcomes, u32 ctl)
{
	static const u32 site[] = { 0x14800001, 0, 0x03e00008, 0 };
	static struct counts n;
	struct step steps[24], *to = steps;

	memcpy((void *)CODE, site, sizeof(site));
	*to++ = (struct step){ (void *)op_clear, 0 };
	*to++ = (struct step){ (void *)op_control, (u64)ctl << 32 };
	for (; *outcomes; outcomes++)
		*to++ = (struct step){ (void *)CODE, *outcomes == 'T' };
	*to++ = (struct step){ (void *)op_snap, (u64)&n };
	*to++ = (struct step){ (void *)op_control, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
	return n.c[1];
}

static void predictor(void)
{
	u32 ctl = ctl_event(24, MODE_K);

	predicted("NNNN", ctl);
	predicted("TTTT", 0);
	expect("was trained meanwhile", bm_argument("asleep") ? 1 : 0, predicted("T", ctl));
}

static const struct tap_case cases[] = {
	{ "caches without an event", caches },
	{ "an event without a mode", no_mode },
	{ "an event of another mode", other_mode },
	{ "the branch predictor without an event", predictor },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
