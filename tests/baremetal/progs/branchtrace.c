// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pseudo-random trace of branches, compared with model.py's predictor. Its branches
 * share entries of the tables; no other conditional branch is executed meanwhile.
 * They share sets of L1I as well, whose misses are counted at the same time.
 */
#include "mem.h"

#define TRACE_BRANCHES
#include "trace.h"

/* Written uncached, executed cached */
#define SITES_WRITTEN	0xffffffffa4000000UL
#define SITES		0x9800000004000000UL
#define DIAG_E_GHIST	(1UL << 26)

/* bne $4, $0, .+8; nop; jr $31; nop */
static const u32 site[] = { 0x14800001, 0, 0x03e00008, 0 };

static struct step steps[BRANCHES + BRANCH_ROUNDS + 8];
static struct counts counted[BRANCH_ROUNDS];

static void make_sites(void)
{
	for (u32 i = 0; i < BRANCHES; i++)
		memcpy((void *)(SITES_WRITTEN + (branch_trace[i] & ~1)), site, sizeof(site));
}

/*
 * Branch-free from start to end, with the counters read after each round. In the
 * second half the R12000's global history is on; the R10000 has none.
 */
static void run_branches(void)
{
	struct step *to = steps;
	u64 ctl = ctl_event(9, MODE_K);

	*to++ = (struct step){ (void *)op_control, (u64)ctl_event(24, MODE_K) << 32 | ctl };
	for (u32 i = 0; i < BRANCHES; i++) {
		if (i == BRANCHES / 2)
			*to++ = (struct step){ (void *)op_diag, DIAG_E_GHIST };
		*to++ = (struct step){ (void *)(SITES + (branch_trace[i] & ~1)),
				       branch_trace[i] & 1 };
		if (i % ROUND == ROUND - 1)
			*to++ = (struct step){ (void *)op_snap, (u64)&counted[i / ROUND] };
	}
	*to++ = (struct step){ (void *)op_control, 0 };
	*to++ = (struct step){ (void *)op_diag, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
}

/* Stop at the first round that differs: later differences follow from it. */
static void compare(const u16 *want)
{
	for (u32 i = 0; i < BRANCH_ROUNDS; i++) {
		if (!expect("L1I misses", branch_fetches[i], counted[i].c[0]) ||
		    !expect("mispredicted branches", want[i], counted[i].c[1])) {
			note("  ... after %u branches", (i + 1) * ROUND);
			return;
		}
	}
}

/* The tables are all 0 only once, after reset, so this is the only case. */
static void random_branches(void)
{
	kseg0_cca(UNCACHED);
	make_sites();
	run_branches();
	compare(is_r12000() ? branch_counts_1 : branch_counts_0);
}

static const struct tap_case cases[] = {
	{ "a random trace of branches counts what model.py computes", random_branches },
};

void tests(void)
{
	note("seed %u", SEED_BRANCHES);
	tap_run(cases, ARRAY_SIZE(cases));
}
