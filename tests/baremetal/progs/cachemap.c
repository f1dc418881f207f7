// SPDX-License-Identifier: GPL-2.0-only
/*
 * Caches and mappings: an address that was just accessed hits until its mapping
 * changes. And code with many accesses: long blocks, loops.
 */
#include "mem.h"

extern const char k_one_line[], k_page[], k_page_loop[], k_two_lines[], k_chain[],
	k_remap[], k_asid[], k_config[], k_long_code[];

#define HERE		0x00600000UL
/* EntryLo of a physical page */
#define ENTRY(pa, flags)	((u64)(pa) >> 12 << 6 | (flags))

static const u32 first = LOAD(0, 0), other = LOAD(1, 0), third = LOAD(0, L1_WAY);

static u64 page(u32 op)
{
	return op_physical(op) & -PAGE;
}

/* Drop all lines of the three pages from the caches. */
static void clean(void)
{
	u32 ops[3 * PAGE / 32], n = 0;

	mem_init();
	tlb_user_cca(UNCACHED);
	for (u32 offset = 0; offset < PAGE; offset += 32) {
		ops[n++] = first + offset;
		ops[n++] = other + offset;
		ops[n++] = third + offset;
	}
	clean_ops(ops, n);
}

static void map(u32 op, u32 cca)
{
	tlb_map(HERE, (void *)page(op), (void *)page(op), TLB_RW | TLB_CCA(cca));
}

static u32 count(u32 event, const void *kernel)
{
	clean();
	map(first, 3);
	return count_event(event, MODE_U, MODE_U, kernel, (void *)HERE);
}

static void one_line(void)
{
	expect("L1D misses", is_rev2() ? 1 : 2, count(25, k_one_line));
	expect("L2 misses", 1, count(26, k_one_line));
	expect("stores to clean blocks", 1, count(is_r12000() ? 31 : 30, k_one_line));
}

static void whole_page(void)
{
	u32 blocks = PAGE / l2_line();

	expect("L1D misses", 128, count(25, k_page));
	expect("L2 misses", blocks, count(26, k_page));
	expect("again", 0, count_event(25, MODE_U, MODE_U, k_page, (void *)HERE));
	expect("L1D misses", 128 + (is_rev2() ? 0 : blocks), count(25, k_page_loop));
	expect("L2 misses", blocks, count(26, k_page_loop));
	expect("write-backs", 0, count(22, k_page_loop));
	/* The store misses, so it does not update a line in the cache. */
	expect("two lines", 2, count(25, k_two_lines));
}

static void own_base(void)
{
	u64 *chain = (u64 *)op_address(IN(UNCACHED, first));

	/* lines 0, 64, 128 and back to 64 */
	chain[0] = HERE + 64;
	chain[8] = HERE + 128;
	chain[16] = HERE + 64;
	expect("L1D misses", 3, count(25, k_chain));
}

static u64 *parameters(u64 a, u64 b, u64 c)
{
	u64 *p = (u64 *)scratch;

	p[0] = a;
	p[1] = b;
	p[2] = c;
	return p;
}

/* Map a pair of pages at HERE for an address space; Index and EntryHi stay changed */
static void write_entry(u32 index, u32 asid, u64 lo)
{
	c0_write(C0_INDEX, index);
	c0_write(C0_PAGEMASK, 0);
	c0_write64(C0_ENTRYHI, HERE | asid);
	c0_write64(C0_ENTRYLO0, lo);
	c0_write64(C0_ENTRYLO1, lo);
	asm volatile("tlbwi" : : : "memory");
}

static u32 remap(u32 op, u32 cca)
{
	u64 *p = parameters(HERE, ENTRY(page(op), TLB_RW | TLB_CCA(cca)), 0);

	clean();
	write_entry(60, 0, ENTRY(page(first), TLB_RW | TLB_CCA(3)));
	return count_event(25, MODE_K, MODE_K, k_remap, p);
}

/* To another page: a miss. To the same: a hit. To uncached: no access. */
static void remapped(void)
{
	expect("the same page", 1, remap(first, 3));
	expect("the same, coherent", 1, remap(first, 5));
	expect("the same, uncached", 1, remap(first, 2));
	expect("a page of the same L2 sets", 2, remap(other, 3));
	expect("a page of the same L1 sets", 2, remap(third, 3));
	expect("another page, uncached", 1, remap(other, 2));
}

static u32 spaces(u32 second)
{
	const u32 flags = TLB_V | TLB_D | TLB_CCA(3);
	u64 *p = parameters(HERE, HERE | 2, HERE | 1);

	clean();
	write_entry(61, 2, ENTRY(page(second), flags));
	write_entry(60, 1, ENTRY(page(first), flags));
	return count_event(25, MODE_K, MODE_K, k_asid, p);
}

static void address_spaces(void)
{
	expect("the same page", 1, spaces(first));
	expect("another page", 2, spaces(other));
	c0_write64(C0_ENTRYHI, 0);
}

static void kseg0(void)
{
	u32 config = c0_read(C0_CONFIG) & ~7;
	u64 *p = parameters(0xffffffff80000000 | op_physical(first), config | UNCACHED, config | 3);

	clean();
	expect("L1D misses", 1, count_event(25, MODE_K, MODE_K, k_config, p));
	kseg0_cca(UNCACHED);
}

/* 8 KB of code, and the line of the syscall behind it */
static void long_code(void)
{
	const char *code = k_long_code;

	for (u32 offset = 0; offset < 8192 + 64; offset += 32)
		asm volatile("cache 0x17, 0(%0)" : : "r"(0x9800000000000000 |
			     (((u64)code + offset) & 0x1fffffff)) : "memory");
	tlb_user_cca(3);
	expect("L1I misses", 129, count_event(9, MODE_U, MODE_U, code, 0));
	expect("again", 0, count_event(9, MODE_U, MODE_U, code, 0));
	tlb_user_cca(UNCACHED);
	expect("uncached", 0, count_event(9, MODE_U, MODE_U, code, 0));
	tlb_user_cca(3);
}

static const struct tap_case cases[] = {
	{ "loads and stores of one line", one_line },
	{ "long blocks and loops", whole_page },
	{ "a load that overwrites its base register", own_base },
	{ "a mapping rewritten on the way", remapped },
	{ "address spaces", address_spaces },
	{ "Config.K0 rewritten on the way", kseg0 },
	{ "long code", long_code },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
