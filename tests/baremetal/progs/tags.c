// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tags as the CACHE instruction loads and stores them (reference 4.6). Only a tag's
 * address, state, virtual index and "newer than L2" are checked: the LRU, parity and
 * ECC bits are not modelled, or not documented.
 */
#include "mem.h"

#define A		0x1040
#define STATE_SHARED	1
#define STATE_CLEAN	2
#define STATE_DIRTY	3

#define LO_PA(pa)	((u32)((pa) >> 12) << 8)
#define D_STATE(lo)	((lo) >> 6 & 3)
#define I_VALID(lo)	((lo) >> 6 & 1)
#define S_STATE(lo)	((lo) >> 10 & 3)
#define S_VINDEX(lo)	((lo) >> 7 & 3)
#define STATEMOD(hi)	((hi) >> 29)
#define NORMAL		1
#define INCONSISTENT	2

struct tag {
	u32 lo, hi;
};

static struct tag loaded[2];

static void select(struct step **to)
{
	u64 ctl = ctl_event(26, MODE_K);

	*(*to)++ = (struct step){ (void *)op_control, ctl << 32 | (is_r12000() ? ctl : 0) };
}

/* The tags of both ways after the operations */
static void load_tags(const u32 *ops, u32 n, u32 code, u32 where)
{
	struct step steps[32], *to = steps;

	clean_ops(ops, n);
	select(&to);
	for (u32 i = 0; i < n; i++)
		*to++ = op_step(ops[i]);
	for (u32 way = 0; way < 2; way++) {
		*to++ = op_step(CACHE(code, 0, where + way));
		*to++ = (struct step){ (void *)op_load_tag, (u64)&loaded[way] };
	}
	*to++ = (struct step){ (void *)op_control, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
}

static u32 mask_d(struct tag t)
{
	return t.lo & 0xffffffc0;
}

/* The way that holds the address, by a mask of the physical address */
static const struct tag *holder(u64 pa, u32 mask)
{
	for (u32 way = 0; way < 2; way++)
		if ((loaded[way].lo & mask) == (LO_PA(pa) & mask))
			return &loaded[way];
	note("TagLo: %x %x, no way holds %lx", loaded[0].lo, loaded[1].lo, pa);
	expect_true("a way holds the address", 0);
	return &loaded[0];
}

static void data_tag(const char *what, const u32 *ops, u32 n, u32 state, u32 mod)
{
	const struct tag *t;

	load_tags(ops, n, D_INDEX_LOAD_TAG, A);
	t = holder(op_physical(ops[0]), 0xffffff00);
	if (!expect("state", state, D_STATE(t->lo)) || !expect("StateMod", mod, STATEMOD(t->hi)))
		note("  ... of %s", what);
	expect("address bits 39:36", 0, t->hi & 15);
}

static void l1d_tags(void)
{
	const u32 load[] = { LOAD(0, A) };
	const u32 store[] = { STORE(0, A) };
	const u32 prefetch[] = { PREFETCH(1, 0, A) };
	const u32 other_line[] = { LOAD(0, A), STORE(0, A ^ 32) };

	mem_init();
	data_tag("a loaded line", load, 1, STATE_CLEAN, NORMAL);
	data_tag("a modified line", store, 1, STATE_DIRTY, INCONSISTENT);
	data_tag("a line prefetched for a store", prefetch, 1, STATE_DIRTY, NORMAL);
	data_tag("a line whose neighbour is modified", other_line, 2, STATE_DIRTY, NORMAL);
}

static void l1d_empty(void)
{
	const u32 gone[] = { LOAD(0, A), CACHE(D_HIT_WRITEBACK, 0, A) };
	const u32 full[] = { LOAD(0, A), LOAD(1, A) };

	mem_init();
	load_tags(gone, 2, D_INDEX_LOAD_TAG, A);
	expect("state of way 0 or 1", 0, D_STATE(loaded[0].lo) & D_STATE(loaded[1].lo));
	load_tags(full, 2, D_INDEX_LOAD_TAG, A);
	expect_true("two different lines", mask_d(loaded[0]) != mask_d(loaded[1]));
	holder(op_physical(full[0]), 0xffffff00);
	holder(op_physical(full[1]), 0xffffff00);
}

static void l1i_tags(void)
{
	const u32 fetch[] = { FETCH(0, A) };
	const u32 gone[] = { FETCH(0, A), CACHE(I_INDEX_INVALIDATE, 0, A),
			     CACHE(I_INDEX_INVALIDATE, 0, A + 1) };

	mem_init();
	load_tags(fetch, 1, I_INDEX_LOAD_TAG, A);
	expect("valid", 1, I_VALID(holder(op_physical(fetch[0]), 0xffffff00)->lo));
	load_tags(gone, 3, I_INDEX_LOAD_TAG, A);
	expect("way 0", 0, I_VALID(loaded[0].lo));
	expect("way 1", 0, I_VALID(loaded[1].lo));
}

static void secondary_tag(const u32 *ops, u32 n, u32 state, u32 vindex)
{
	const struct tag *t;

	load_tags(ops, n, S_INDEX_LOAD_TAG, A);
	/* TagLo 31:14 is PA 35:18, as in the formats of the others. */
	t = holder(op_physical(ops[0]), 0xffffc000);
	expect("state", state, S_STATE(t->lo));
	expect("virtual index", vindex, S_VINDEX(t->lo));
	expect("address bits 39:36", 0, t->hi & 15);
}

static void l2_tags(void)
{
	const u32 load[] = { LOAD(0, A) };
	const u32 store[] = { STORE(0, A) };
	const u32 fetch[] = { FETCH(0, A) };
	const u32 moved[] = { LOAD(0, A), IN(COLOR(2), LOAD(0, A)) };

	mem_init();
	secondary_tag(load, 1, STATE_CLEAN, 1);
	secondary_tag(store, 1, STATE_DIRTY, 1);
	secondary_tag(fetch, 1, STATE_CLEAN, 1);
	secondary_tag(moved, 2, STATE_CLEAN, 2);
}

/* The MRU bit of a block names its way, whether its value is 0 or 1. */
static void l2_mru(void)
{
	const u32 one[] = { LOAD(0, A) };
	const u32 two[] = { LOAD(0, A), LOAD(1, A) };
	u32 first;

	mem_init();
	load_tags(one, 1, S_INDEX_LOAD_TAG, A);
	first = holder(op_physical(one[0]), 0xffffc000)->hi >> 31;
	load_tags(two, 2, S_INDEX_LOAD_TAG, A);
	expect("the way filled in an empty set", 1, first);
	expect("of two the later one", 1, holder(op_physical(two[1]), 0xffffc000)->hi >> 31);
	expect("and not the other", 0, holder(op_physical(two[0]), 0xffffc000)->hi >> 31);
}

struct stored {
	u32 event, count;
};

/* Store a tag into way 0, then run the operations and count. */
static void store_tag(u32 code, u64 tag, const u32 *ops, u32 n, const struct stored *want)
{
	static struct counts counted;

	for (; want->event; want++) {
		u64 ctl = ctl_event(want->event, MODE_K);
		u32 second = !is_r12000() && want->event >= 16;
		struct step steps[32], *to = steps;

		clean_ops(ops, n);
		*to++ = (struct step){ (void *)op_control, second ? ctl << 32 : ctl };
		*to++ = (struct step){ (void *)op_store_tag, tag };
		*to++ = op_step(CACHE(code, 0, A));
		*to++ = (struct step){ (void *)op_clear, 0 };
		for (u32 i = 0; i < n; i++)
			*to++ = op_step(ops[i]);
		*to++ = (struct step){ (void *)op_snap, (u64)&counted };
		*to++ = (struct step){ (void *)op_control, 0 };
		*to = (struct step){ (void *)op_end, 0 };
		run_steps(steps);
		if (!expect("count", want->count, counted.c[second]))
			note("  ... of event %u", want->event);
	}
}

/* Make a block shared, as if another CPU had it: with one CPU only a tag can do it */
static void shared_block(void)
{
	const u32 store[] = { LOAD(0, A), STORE(0, A), STORE(0, A) };
	const u32 conditional[] = { LLSC(0, A) };
	u64 tag = LO_PA(op_physical(LOAD(0, A))) | STATE_SHARED << 10 | 1 << 7;
	u32 misses = is_rev2() ? 1 : 2;
	const struct stored r10000[] = {
		{ 26, 0 }, { 25, misses }, { 31, 1 }, { 30, 0 }, { 0, 0 },
	};
	const struct stored r12000[] = { { 26, 0 }, { 25, 2 }, { 31, 2 }, { 0, 0 } };
	const struct stored *want = is_r12000() ? r12000 : r10000;

	mem_init();
	store_tag(S_INDEX_STORE_TAG, tag, store, 3, want);
	store_tag(S_INDEX_STORE_TAG, tag, conditional, 1, want);
}

static void stored_states(void)
{
	const u32 evict[] = { LOAD(1, A), LOAD(2, A ^ 32), LOAD(3, A) };
	const u32 load[] = { LOAD(0, A) };
	const u32 store[] = { STORE(0, A) };
	u64 tag = LO_PA(op_physical(LOAD(0, A))) | 1 << 7;
	const struct stored written[] = { { 7, l2_line() / 16 }, { 26, 3 }, { 0, 0 } };
	const struct stored hit[] = { { 26, 0 }, { 0, 0 } }, miss[] = { { 26, 1 }, { 0, 0 } };
	const struct stored none[] = { { 31, 0 }, { 26, 0 }, { 0, 0 } };

	mem_init();
	store_tag(S_INDEX_STORE_TAG, tag | STATE_DIRTY << 10, evict, 3, written);
	store_tag(S_INDEX_STORE_TAG, tag | STATE_DIRTY << 10, store, 1, none);
	store_tag(S_INDEX_STORE_TAG, tag | STATE_CLEAN << 10, load, 1, hit);
	store_tag(S_INDEX_STORE_TAG, tag, load, 1, miss);
}

/* A line that a tag has put into L1I hits; its block is not in L2. */
static void l1i_stored(void)
{
	const u32 fetch[] = { FETCH(0, A), CACHE(I_INDEX_INVALIDATE, 0, A) };
	const u32 fetch_again[] = { FETCH(0, A), CACHE(I_INDEX_STORE_TAG, 0, A),
				    CACHE(I_INDEX_STORE_TAG, 0, A + 1), FETCH(0, A) };
	u64 tag = LO_PA(op_physical(LOAD(0, A)));
	const struct stored hit[] = { { 9, 0 }, { 10, 0 }, { 0, 0 } };
	const struct stored miss[] = { { 9, 1 }, { 10, 1 }, { 0, 0 } };
	const struct stored twice[] = { { 9, 2 }, { 10, 1 }, { 0, 0 } };

	mem_init();
	store_tag(I_INDEX_STORE_TAG, tag | 1 << 6, fetch, 2, hit);
	store_tag(I_INDEX_STORE_TAG, tag, fetch, 2, miss);
	store_tag(I_INDEX_STORE_TAG, tag, fetch_again, 4, twice);
}

/* The same for L1D; an invalid tag drops a modified line without a write-back. */
static void l1d_stored(void)
{
	const u32 load[] = { LOAD(0, A), CACHE(D_INDEX_WRITEBACK, 0, A) };
	const u32 forget[] = { STORE(0, A), CACHE(D_INDEX_STORE_TAG, 0, A),
			       CACHE(D_INDEX_STORE_TAG, 0, A + 1), LOAD(0, A) };
	u64 tag = LO_PA(op_physical(LOAD(0, A)));
	u64 modified = (u64)INCONSISTENT << 61, normal = (u64)NORMAL << 61;
	u32 op = !is_rev2();
	const struct stored clean[] = { { 25, op }, { 22, 0 }, { 0, 0 } };
	const struct stored dirty[] = { { 25, op }, { 22, 2 }, { 0, 0 } };
	const struct stored none[] = { { 25, 1 + op }, { 26, 1 }, { 0, 0 } };
	const struct stored forgotten[] = { { 22, 0 }, { 25, 2 + 2 * op }, { 26, 1 }, { 0, 0 } };

	mem_init();
	store_tag(D_INDEX_STORE_TAG, normal | tag | STATE_CLEAN << 6, load, 2, clean);
	store_tag(D_INDEX_STORE_TAG, modified | tag | STATE_DIRTY << 6, load, 2, dirty);
	store_tag(D_INDEX_STORE_TAG, normal | tag, load, 1, (const struct stored []){
		  { 25, 1 }, { 26, 1 }, { 0, 0 } });
	store_tag(D_INDEX_STORE_TAG, normal | tag, load, 2, none);
	store_tag(D_INDEX_STORE_TAG, normal, forget, 4, forgotten);
}

static const struct tap_case cases[] = {
	{ "tags of L1D", l1d_tags },
	{ "empty and full sets of L1D", l1d_empty },
	{ "tags of L1I", l1i_tags },
	{ "tags of L2", l2_tags },
	{ "the MRU bit of L2", l2_mru },
	{ "stores to a block whose tag says shared", shared_block },
	{ "tags stored in L1I", l1i_stored },
	{ "tags stored in L1D", l1d_stored },
	{ "other states stored in a tag of L2", stored_states },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
