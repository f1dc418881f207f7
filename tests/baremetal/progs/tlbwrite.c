// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to the TLB: an entry that overlaps others drops them and sets Status.TS;
 * FrameMask; what TLBR reads.
 */
#include "bm.h"

#define C0_FRAMEMASK	"$21"
#define ST_TS		0x00200000
#define FIRST		8	/* the first entry that the runtime does not use */
#define VA		0x00800000UL
#define HOLE		0x00c00000UL
#define MASK_64K	(0xf << 13)
#define UC(n)		((u64)(n) << 62)
#define PAIR		(2 * PAGE)

struct entry {
	u64 hi, lo0, lo1;
	u32 mask;
};

static const u32 page_a[PAGE / 4] __attribute__((aligned(PAGE))) = { 0xaaaa };
static const u32 page_b[PAGE / 4] __attribute__((aligned(PAGE))) = { 0xbbbb };

static u64 lo(const void *page, u32 flags)
{
	return ((u64)page & 0x1fffffff) >> 12 << 6 | TLB_CCA(3) | flags;
}

static void set_registers(const struct entry *e)
{
	c0_write(C0_PAGEMASK, e->mask);
	c0_write64(C0_ENTRYHI, e->hi);
	c0_write64(C0_ENTRYLO0, e->lo0);
	c0_write64(C0_ENTRYLO1, e->lo1);
}

static void put(u32 index, u64 hi, const void *page, u32 flags, u32 mask)
{
	struct entry e = { hi, lo(page, flags), lo(page, flags), mask };

	set_registers(&e);
	c0_write(C0_INDEX, index);
	asm volatile("tlbwi" : : : "memory");
}

/* At index 63, the only one that is not wired */
static void put_random(u64 hi, const void *page, u32 flags)
{
	struct entry e = { hi, lo(page, flags), lo(page, flags), 0 };
	u32 wired = c0_read(C0_WIRED);

	set_registers(&e);
	c0_write(C0_WIRED, 63);
	asm volatile("tlbwr" : : : "memory");
	c0_write(C0_WIRED, wired);
}

static struct entry get(u32 index)
{
	struct entry e;

	c0_write(C0_INDEX, index);
	asm volatile("tlbr" : : : "memory");
	asm volatile("dmfc0 %0, $10" : "=r"(e.hi));
	asm volatile("dmfc0 %0, $2" : "=r"(e.lo0));
	asm volatile("dmfc0 %0, $3" : "=r"(e.lo1));
	e.mask = c0_read(C0_PAGEMASK);
	c0_write64(C0_ENTRYHI, 0);
	return e;
}

/* The index that matches, or -1 */
static s32 probe(u64 hi)
{
	s32 index;

	c0_write64(C0_ENTRYHI, hi);
	asm volatile("tlbp" : : : "memory");
	index = c0_read(C0_INDEX);
	c0_write64(C0_ENTRYHI, 0);
	return index < 0 ? -1 : index;
}

static u32 ts(void)
{
	return !!(c0_read(C0_STATUS) & ST_TS);
}

static u32 load(u64 va)
{
	u32 value;

	asm volatile("lw %0, 0(%1)" : "=r"(value) : "r"(va) : "memory");
	return value;
}

static void duplicate(void)
{
	put(FIRST, VA, page_a, TLB_RW, 0);
	expect("TS after the first", 0, ts());
	expect("load", 0xaaaa, load(VA));
	put(FIRST + 1, VA, page_b, TLB_RW, 0);
	expect("TS after the second", 1, ts());
	expect("load", 0xbbbb, load(VA));
	expect("index", FIRST + 1, probe(VA));
	put(FIRST + 1, VA + PAIR, page_b, TLB_RW, 0);
	expect("TS when the second has moved away", 0, ts());
	expect("no index", -1, probe(VA));
	expect("what is left of the first, EntryHi", 0, get(FIRST).hi);
	expect("what is left of the first, EntryLo0", 0, get(FIRST).lo0);
}

static void same_index(void)
{
	put(FIRST, VA, page_a, TLB_RW, 0);
	put(FIRST, VA, page_b, TLB_RW, 0);
	expect("TS", 0, ts());
	expect("load", 0xbbbb, load(VA));
}

static void neighbours(void)
{
	put(FIRST, VA, page_a, TLB_RW, 0);
	put(FIRST + 1, VA + PAIR, page_b, TLB_RW, 0);
	expect("TS", 0, ts());
	expect("load", 0xaaaa, load(VA));
	expect("load of the neighbour", 0xbbbb, load(VA + PAIR));
}

/* Valid or not, an entry matches. */
static void invalid(void)
{
	put(FIRST, VA, page_a, TLB_G, 0);
	put(FIRST + 1, VA, page_b, TLB_RW, 0);
	expect("TS", 1, ts());
	expect("load", 0xbbbb, load(VA));
}

static void address_spaces(void)
{
	u32 local = TLB_V | TLB_D;

	put(FIRST, VA | 1, page_a, local, 0);
	put(FIRST + 1, VA | 2, page_b, local, 0);
	expect("TS with another ASID", 0, ts());
	expect("index of ASID 1", FIRST, probe(VA | 1));
	expect("index of ASID 2", FIRST + 1, probe(VA | 2));
	put(FIRST + 2, VA | 3, page_b, TLB_RW, 0);
	expect("TS with a global entry", 1, ts());
	expect("index of ASID 1", FIRST + 2, probe(VA | 1));
	expect("index of ASID 2", FIRST + 2, probe(VA | 2));
	put(FIRST, VA | 1, page_a, local, 0);
	expect("TS when another was global", 1, ts());
	expect("index of ASID 1", FIRST, probe(VA | 1));
	expect("index of ASID 2", -1, probe(VA | 2));
}

static void sizes(void)
{
	for (u32 i = 0; i < 3; i++)
		put(FIRST + i, VA + i * PAIR, page_a, TLB_RW, 0);
	put(FIRST + 3, VA + 16 * PAIR, page_a, TLB_RW, 0);
	put(FIRST + 4, VA, page_b, TLB_RW, MASK_64K);
	expect("TS", 1, ts());
	for (u32 i = 0; i < 3; i++)
		expect("index of a small page", FIRST + 4, probe(VA + i * PAIR));
	expect("index behind the large page", FIRST + 3, probe(VA + 16 * PAIR));
	put(FIRST, VA + PAIR, page_a, TLB_RW, 0);
	expect("TS of a small page within", 1, ts());
	expect("index of that", FIRST, probe(VA + PAIR));
	expect("index of the rest", -1, probe(VA));
}

static void random(void)
{
	u32 wired = c0_read(C0_WIRED);

	c0_write(C0_WIRED, FIRST + 1);
	put(FIRST, VA, page_a, TLB_RW, 0);
	put_random(VA, page_b, TLB_RW);
	expect("TS", 1, ts());
	expect("index", 63, probe(VA));
	put_random(VA, page_a, TLB_RW);
	expect("TS when it replaces itself", 0, ts());
	put_random(VA + PAIR, page_a, TLB_RW);
	expect("index when it is replaced", -1, probe(VA));
	c0_write(C0_WIRED, wired);
}

static u32 refills;

static enum exc_answer refill(struct frame *f)
{
	if (f->vector == 0x180)
		return exc_default(f);
	refills++;
	put_random(HOLE, page_a, TLB_V | TLB_D);
	expect("TS after the refill", 0, ts());
	return EXC_RESUME;
}

/* The exception sets EntryHi; an entry that is written later may match it. */
static enum exc_answer refill_twice(struct frame *f)
{
	struct entry e = { 0, lo(page_b, TLB_V | TLB_D), 0, 0 };

	if (f->vector == 0x180)
		return exc_default(f);
	refills++;
	c0_write(C0_INDEX, FIRST);
	c0_write(C0_PAGEMASK, 0);
	c0_write64(C0_ENTRYLO0, e.lo0);
	asm volatile("tlbwi" : : : "memory");
	expect("TS after the first write", 0, ts());
	c0_write(C0_INDEX, FIRST + 1);
	asm volatile("tlbwi" : : : "memory");
	expect("TS after the second", 1, ts());
	return EXC_RESUME;
}

static void in_refill(void)
{
	refills = 0;
	exc_hook_fn = refill;
	c0_write(C0_STATUS, ST_NORMAL | ST_TS);
	expect("load", 0xaaaa, load(HOLE));
	expect("refills", 1, refills);
	exc_hook_fn = refill_twice;
	expect("load", 0xbbbb, load(HOLE + PAIR));
	expect("refills", 2, refills);
	expect("index", FIRST + 1, probe(HOLE + PAIR));
}

static void software(void)
{
	c0_write(C0_STATUS, ST_NORMAL | ST_TS);
	expect("TS", 1, ts());
	c0_write(C0_STATUS, ST_NORMAL);
	expect("TS", 0, ts());
}

static void never_written(void)
{
	expect("entries matched address 0 at reset", -1, probe(HOLE + 0x10000000));
}

static void reads_back(void)
{
	struct entry e = { 0xc000000000802000 | 7, UC(2) | 0x3fffffffe, UC(1) | 0x155555554,
			   0 };
	struct entry got;

	set_registers(&e);
	c0_write(C0_INDEX, FIRST);
	asm volatile("tlbwi" : : : "memory");
	got = get(FIRST);
	expect("EntryHi", e.hi, got.hi);
	expect("EntryLo0", e.lo0, got.lo0);
	expect("EntryLo1", e.lo1, got.lo1);
}

/* Bits 33:18 of EntryLo, that is 39:24 of the address; UC is not masked. */
static void framemask(void)
{
	struct entry e = { VA, lo(page_a, TLB_RW) | 5UL << 18 | UC(3),
			   lo(page_b, TLB_RW) | 0xffffUL << 18, 0 };
	struct entry got;

	c0_write(C0_FRAMEMASK, 0xffff);
	set_registers(&e);
	expect("EntryLo1 unmasked", lo(page_b, TLB_RW) | 0xffffUL << 18,
	       ({ u64 v; asm volatile("dmfc0 %0, $3" : "=r"(v)); v; }));
	c0_write(C0_INDEX, FIRST);
	asm volatile("tlbwi" : : : "memory");
	c0_write(C0_FRAMEMASK, 0);
	expect("even page", 0xaaaa, load(VA));
	expect("odd page", 0xbbbb, load(VA + PAGE));
	got = get(FIRST);
	expect("EntryLo0", lo(page_a, TLB_RW) | UC(3), got.lo0);
	expect("EntryLo1", lo(page_b, TLB_RW), got.lo1);
	c0_write(C0_FRAMEMASK, 0xfffa);
	set_registers(&e);
	c0_write(C0_INDEX, FIRST);
	asm volatile("tlbwi" : : : "memory");
	c0_write(C0_FRAMEMASK, 0);
	expect("EntryLo0 with two bits left", lo(page_a, TLB_RW) | 5UL << 18 | UC(3),
	       get(FIRST).lo0);
}

static const struct tap_case cases[] = {
	{ "a duplicate drops the older entry and sets TS", duplicate },
	{ "the same index again is no duplicate", same_index },
	{ "nor are neighbours", neighbours },
	{ "invalid pages match as well", invalid },
	{ "ASIDs keep entries apart, G joins them", address_spaces },
	{ "pages of different size", sizes },
	{ "tlbwr drops even a wired entry", random },
	{ "in a refill handler", in_refill },
	{ "TS is writable", software },
	{ "an entry never written matches nothing", never_written },
	{ "TLBR gives UC, 28 bits of PFN, R and ASID", reads_back },
	{ "FrameMask clears bits of the frame number", framemask },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
