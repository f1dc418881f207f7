// SPDX-License-Identifier: GPL-2.0-only
/*
 * Crafted access patterns with cache events counted by hand. Events that a row does
 * not name must be 0. The sets in use are empty at the start of a row; no count
 * depends on which of a set's two ways is used first.
 *
 * @run
 * @run way=plain props=l2-size=512K,l2-line=64
 * @run way=plain order=be props=l2-size=16M
 */
#include "mem.h"

#define ROW_OPS		12

/* What happens in the caches; events() says what each CPU counts for it. */
struct row {
	const char *name;
	u32 ops[ROW_OPS];
	u32 l1i, l2i, wayi;	/* fetches: misses, and hits in the wrong way */
	u32 l1d, l2d, wayd;	/* data */
	u32 lines, blocks;	/* written back: L1D lines, L2 blocks */
	u32 clean, shared;	/* stores to blocks of these states */
	u32 updates;		/* those of them that hit L1D */
	u32 dops;		/* CACHE operations on L1D */
	u32 virtual;		/* L2 hits with another virtual index */
	u32 prefetches, prefetch_misses;
};

/* Lines of one L1 set that are in different L2 sets */
#define A	0
#define B	L1_WAY
#define C	(2 * L1_WAY)
/* The other L1D line of a block */
#define NEXT	32

#include "caches-rows.h"

static const u8 r10000_events[] = {
	7, 8, 9, 10, 11, 12, 13, 22, 25, 26, 27, 28, 29, 30, 31, 14,
};
static const u8 r12000_events[] = {
	7, 8, 9, 10, 11, 12, 13, 22, 25, 26, 27, 28, 29, 31, 16, 17,
};

static u32 requests(const struct row *r)
{
	return r->l1d + (is_rev2() ? 0 : r->updates + r->dops);
}

static u32 expected(const struct row *r, u32 event)
{
	switch (event) {
	case 7:
		return r->blocks * l2_line() / 16;
	case 9:
		return r->l1i;
	case 10:
		return r->l2i;
	case 11:
		return r->wayi;
	case 14:
		return r->virtual;
	case 16:
		return r->prefetches;
	case 17:
		return r->prefetch_misses;
	case 22:
		return r->lines * 2;
	case 25:
		return requests(r);
	case 26:
		return r->l2d;
	case 27:
		return r->wayd;
	case 30:
		return r->clean;
	case 31:
		return is_r12000() ? r->clean + 2 * r->shared : r->shared;
	default:
		return 0;
	}
}

static u32 length(const struct row *r)
{
	u32 n = 0;

	while (n < ROW_OPS && r->ops[n])
		n++;
	return n;
}

static void run_row(const struct row *r)
{
	const u8 *events = is_r12000() ? r12000_events : r10000_events;
	u32 n = ARRAY_SIZE(r10000_events) - (!is_r12000() && !is_rev2());

	mem_init();
	for (u32 i = 0; i < n; i++) {
		u32 got;

		clean_ops(r->ops, length(r));
		got = count_ops_event(r->ops, length(r), events[i]);
		if (!expect("count", expected(r, events[i]), got))
			note("  ... of event %u", events[i]);
	}
}

/* 64 bytes later: in the same block or in the next one */
static void line_size(void)
{
	const u32 data[] = { LOAD(0, A), LOAD(0, A + 64) };
	const u32 code[] = { FETCH(0, A), FETCH(0, A + 64) };
	u32 blocks = 128 / l2_line();

	mem_init();
	clean_ops(data, 2);
	expect("misses of loads", blocks, count_ops_event(data, 2, 26));
	clean_ops(code, 2);
	expect("misses of fetches", blocks, count_ops_event(code, 2, 10));
	clean_ops(code, 2);
	expect("L1I misses", 2, count_ops_event(code, 2, 9));
}

/*
 * Four blocks half a way apart are in two sets, where all of them stay: the second
 * four loads, which read the blocks' other L1D lines, all hit L2.
 */
static void half_way(void)
{
	static struct counts counted;
	struct step steps[16], *to = steps;
	u64 half = l2_size() / 4;
	u32 ctl = ctl_event(26, MODE_K);

	*to++ = (struct step){ (void *)op_clear, 0 };
	*to++ = (struct step){ (void *)op_control, (u64)ctl << 32 | (is_r12000() ? ctl : 0) };
	for (u32 i = 0; i < 8; i++) {
		u32 op = LOAD(0, 0x1000 + ((i >> 1 & 1) ^ (i >> 2) ? NEXT : 0));

		*to++ = (struct step){ (void *)op_handlers[OP_LOAD],
				       op_address(op) + (i & 3) * half };
	}
	*to++ = (struct step){ (void *)op_snap, (u64)&counted };
	*to++ = (struct step){ (void *)op_control, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
	expect("L2 misses", 4, counted.c[1]);
}

static const struct tap_case cases[] = {
	{ "blocks half a way apart meet in pairs only", half_way },
	{ "the L2 line size", line_size },
};

void tests(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		tap_begin();
		run_row(&rows[i]);
		tap_end("%s", rows[i].name);
	}
	tap_run(cases, ARRAY_SIZE(cases));
}
