// SPDX-License-Identifier: GPL-2.0-only
/* Lists of memory accesses, see mem.h */
#include "mem.h"

#define BASE		0x04000000UL
#define MAP_BASE	0x10000000UL
#define MAPPED_TAGS	4
#define XKPHYS(cca, pa)	(1UL << 63 | (u64)(cca) << 59 | (pa))

/* jr $31 */
#define WORD_RETURN	0x03e00008

static struct step steps[MAX_OPS + 8];

u64 op_physical(u32 op)
{
	u64 sets = is_r12000() ? 16384 : 8192;

	return BASE + (op >> 18 & 15) * (l2_size() / 2) + (op & ALIAS ? sets * l2_line() : 0) +
	       (op & 0x1ffff);
}

/* The two pages of each tag and alias are mapped four times, once for each color. */
static u64 mapped_address(u32 op)
{
	u64 page = (op >> 18 & 15) * 4 + (op & ALIAS ? 2 : 0) + (op >> 12 & 1);

	return MAP_BASE + ((page * 4) + (op >> 22 & 3)) * PAGE + (op & 0xfff);
}

u64 op_address(u32 op)
{
	u32 where = op >> 22 & 15;

	return where < 8 ? XKPHYS(where, op_physical(op)) : mapped_address(op);
}

static void *make_code(u32 op)
{
	u32 *code = (u32 *)op_address(IN(UNCACHED, op));

	if (code[0] != WORD_RETURN) {
		code[0] = WORD_RETURN;
		code[1] = 0;
	}
	return (void *)op_address(op);
}

struct step op_step(u32 op)
{
	if (op >> 26 == OP_FETCH)
		return (struct step){ make_code(op), 0 };
	return (struct step){ (void *)op_handlers[op >> 26], op_address(op) };
}

/* Set the cache algorithm of kseg0, where the program is; tlb.c's pages have their own */
void kseg0_cca(u32 cca)
{
	c0_write(C0_CONFIG, (c0_read(C0_CONFIG) & ~7) | cca);
}

static void map_pages(u32 op)
{
	const void *page = (const void *)op_physical(op);

	for (u32 color = 0; color < 4; color += 2)
		tlb_map(op_address(IN(COLOR(color), op)), page, page, TLB_RW | TLB_CCA(5));
}

/* Needed in each case: tap_begin() drops the mappings */
void mem_init(void)
{
	kseg0_cca(UNCACHED);
	for (u32 tag = 0; tag < MAPPED_TAGS; tag++)
		for (u32 page = 0; page < 2; page++) {
			map_pages(OP(0, tag, page << 12));
			map_pages(OP(0, tag, page << 12) | ALIAS);
		}
}

void run_ops(const u32 *ops, u32 n)
{
	struct step *to = steps;

	for (u32 i = 0; i < n; i++)
		*to++ = op_step(ops[i]);
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
}

struct counts count_ops(const u32 *ops, u32 n, u32 ctl0, u32 ctl1)
{
	static struct counts counted;
	struct step *to = steps;

	*to++ = (struct step){ (void *)op_clear, 0 };
	*to++ = (struct step){ (void *)op_control, (u64)ctl1 << 32 | ctl0 };
	for (u32 i = 0; i < n; i++)
		*to++ = op_step(ops[i]);
	*to++ = (struct step){ (void *)op_snap, (u64)&counted };
	*to++ = (struct step){ (void *)op_control, 0 };
	*to = (struct step){ (void *)op_end, 0 };
	run_steps(steps);
	return counted;
}

u32 count_ops_event(const u32 *ops, u32 n, u32 event)
{
	u32 ctl = ctl_event(event, MODE_K), second = !is_r12000() && event >= 16;

	return count_ops(ops, n, second ? 0 : ctl, second ? ctl : 0).c[second];
}

/* Drop all lines that the operations may have brought into the caches. */
void clean_ops(const u32 *ops, u32 n)
{
	static u32 clean[MAX_OPS];

	for (u32 i = 0; i < n; i++)
		clean[i] = (ops[i] & 0x3fffffe) | S_HIT_WRITEBACK << 26;
	/* A model that sleeps would not change. */
	count_ops(clean, n, is_r12000() ? ctl_event(26, MODE_K) : 0, ctl_event(26, MODE_K));
}

/* The count of an event of two CPUs; 0 of others. */
u32 seen_count(const struct seen *s, u32 event)
{
	switch (event) {
	case 7:
		return s->blocks * l2_line() / 16;
	case 9:
		return s->fetches;
	case 10:
		return s->fetch_misses;
	case 12:
		return s->interventions;
	case 13:
		return s->invalidates;
	case 22:
		return s->lines * 2;
	case 26:
		return s->misses;
	case 27:
		return s->way;
	case 28:
		return is_r12000() ? s->states : s->hits;
	case 29:
		return is_r12000() ? s->inv_states : s->inv_hits;
	case 30:
		return s->clean;
	case 31:
		return is_r12000() ? s->clean + 2 * s->shared : s->shared;
	default:
		return 0;
	}
}
