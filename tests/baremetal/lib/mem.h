/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory accesses, fetches and cache operations in the order of a list, with nothing
 * else in the caches: the program itself runs uncached, and the code that executes
 * the list has no conditional branch.
 *
 * An operation is one word:
 *
 *	31..26	what: a code of the CACHE instruction, or one below
 *	25..22	where: 2..5 the cache algorithm (2: uncached; xkphys), 8..11 a
 *		mapped page with these two bits as VA[13:12] (tags 0 to 3 only)
 *	21..18	tag: operations that differ in it only meet in one L2 set
 *	17	alias: another L2 set that has the same way prediction bit
 *	16..0	offset, in mapped pages less than 8 KB; bit 0 is the way of index
 *		operations
 *
 * Each line to be fetched has "jr $31; nop" at its start; loads and stores access the
 * word at the offset plus 16.
 */
#ifndef BAREMETAL_MEM_H
#define BAREMETAL_MEM_H

#include "bm.h"

enum {
	OP_LOAD = 32, OP_STORE = 33, OP_FETCH = 34, OP_LLSC = 35, OP_SC = 36, OP_PREF = 40,
	OP_KINDS = 48,
};

#define OP(kind, tag, offset)	((u32)(kind) << 26 | 3 << 22 | (tag) << 18 | (offset))
#define LOAD(tag, offset)	OP(OP_LOAD, tag, offset)
#define STORE(tag, offset)	OP(OP_STORE, tag, offset)
#define FETCH(tag, offset)	OP(OP_FETCH, tag, offset)
#define LLSC(tag, offset)	OP(OP_LLSC, tag, offset)
#define SC(tag, offset)		OP(OP_SC, tag, offset)	/* fails */
#define PREFETCH(hint, tag, offset)	OP(OP_PREF + (hint), tag, offset)
#define CACHE(code, tag, offset)	OP(code, tag, offset)
#define ALIAS			(1U << 17)
/* The operation at another place */
#define IN(where, op)		(((op) & ~(15U << 22)) | (where) << 22)
#define COLOR(n)		(8 + (n))
/* A distance of one way of the primary caches: the same set there, another in L2 */
#define L1_WAY			0x4000

#define UNCACHED		2
#define MAX_OPS			8192

/* The codes of the CACHE instruction, reference 4.6 */
enum {
	I_INDEX_INVALIDATE = 0x00, D_INDEX_WRITEBACK = 0x01, S_INDEX_WRITEBACK = 0x03,
	I_INDEX_LOAD_TAG = 0x04, D_INDEX_LOAD_TAG = 0x05, S_INDEX_LOAD_TAG = 0x07,
	I_INDEX_STORE_TAG = 0x08, D_INDEX_STORE_TAG = 0x09, S_INDEX_STORE_TAG = 0x0b,
	I_HIT_INVALIDATE = 0x10, D_HIT_INVALIDATE = 0x11, S_HIT_INVALIDATE = 0x13,
	I_BARRIER = 0x14, D_HIT_WRITEBACK = 0x15, S_HIT_WRITEBACK = 0x17,
	I_INDEX_LOAD_DATA = 0x18, D_INDEX_LOAD_DATA = 0x19, S_INDEX_LOAD_DATA = 0x1b,
	I_INDEX_STORE_DATA = 0x1c, D_INDEX_STORE_DATA = 0x1d, S_INDEX_STORE_DATA = 0x1f,
};

/* One step of a list: a function (of lib/ops.S, or any) and its argument */
struct step {
	void *function;
	u64 argument;
};

extern const char op_end[], op_control[], op_clear[], op_snap[], op_diag[], op_store_tag[],
	op_load_tag[];
extern const void *const op_handlers[OP_KINDS];
void run_steps(const struct step *steps);

void mem_init(void);
void kseg0_cca(u32 cca);
u64 op_physical(u32 op);
u64 op_address(u32 op);
struct step op_step(u32 op);
void run_ops(const u32 *ops, u32 n);
struct counts count_ops(const u32 *ops, u32 n, u32 ctl0, u32 ctl1);
u32 count_ops_event(const u32 *ops, u32 n, u32 event);
void clean_ops(const u32 *ops, u32 n);

/* States of a block, as the R12000 adds them up */
enum { INVALID, SHARED, CLEAN, DIRTY };

/* What one of two CPUs counts */
struct seen {
	u32 interventions, invalidates;
	u32 hits, states;	/* of interventions */
	u32 inv_hits, inv_states;
	u32 misses, way;	/* L2, data */
	u32 fetches, fetch_misses;
	u32 lines, blocks;	/* written back */
	u32 clean, shared;	/* stores to blocks of these states */
};

u32 seen_count(const struct seen *s, u32 event);

#endif
