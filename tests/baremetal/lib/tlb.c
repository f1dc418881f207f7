// SPDX-License-Identifier: GPL-2.0-only
/*
 * TLB: one wired entry shows the program's megabyte at the same offset in
 * useg, for kernels that run in user or supervisor mode; another serves the
 * vectors (exc.c). Other entries belong to the test.
 */
#include "bm.h"

#define TLB_ENTRIES	64
#define LO_CCA		TLB_CCA(7)
#define MASK_4K		0
#define MASK_1M		(0xff << 13)
#define PHYS(p)		((u64)(p) & 0x1fffffff)

static u32 next_index;

static void tlb_write(u32 index, u64 hi, u64 lo0, u64 lo1, u32 mask)
{
	c0_write(C0_INDEX, index);
	c0_write(C0_PAGEMASK, mask);
	c0_write64(C0_ENTRYHI, hi);
	c0_write64(C0_ENTRYLO0, lo0);
	c0_write64(C0_ENTRYLO1, lo1);
	asm volatile("tlbwi" : : : "memory");
}

static u64 entry_lo(const void *page, u32 flags)
{
	u32 cca = flags & LO_CCA ? flags & LO_CCA : TLB_CCA(3);

	return PHYS(page) >> 12 << 6 | cca | (flags & TLB_RW);
}

/* Empty the entries: each gets an address of its own, which no access can have. */
static void tlb_clear(u32 from)
{
	for (u32 i = from; i < TLB_ENTRIES; i++)
		tlb_write(i, 0xffffffff80000000 + i * 2 * PAGE, TLB_G, TLB_G, MASK_4K);
}

/* The cache algorithm of the program's megabyte in useg */
void tlb_user_cca(u32 cca)
{
	tlb_write(0, 0, TLB_G, entry_lo((void *)0x100000, TLB_RW | TLB_CCA(cca)), MASK_1M);
}

void tlb_init(void)
{
	tlb_clear(0);
	tlb_user_cca(3);
	next_index = 1;
}

/* Drop all mappings that tests have made. */
void tlb_flush(void)
{
	u32 wired = c0_read(C0_WIRED);

	tlb_clear(wired);
	next_index = wired;
}

/* Maps a pair of 4 KB pages; mapping the same pair again replaces it. */
void tlb_map(u64 va, const void *even, const void *odd, u32 flags)
{
	u32 odd_flags = flags & TLB_ODD_INVALID ? flags & ~TLB_V : flags;
	s32 index;

	c0_write64(C0_ENTRYHI, va & -2L * PAGE);
	asm volatile("tlbp" : : : "memory");
	index = c0_read(C0_INDEX);
	if (index < 0)
		index = next_index++;
	tlb_write(index, va & -2L * PAGE, entry_lo(even, flags), entry_lo(odd, odd_flags),
		  MASK_4K);
}

/* Map a pair of pages in the entry that Random chooses; Wired = 63 leaves only one. */
void tlb_map_random(u64 va, const void *page, u32 wired)
{
	u32 old_wired = c0_read(C0_WIRED);

	c0_write(C0_WIRED, wired);
	c0_write(C0_PAGEMASK, MASK_4K);
	c0_write64(C0_ENTRYHI, va & -2L * PAGE);
	c0_write64(C0_ENTRYLO0, entry_lo(page, TLB_RW));
	c0_write64(C0_ENTRYLO1, entry_lo(page, TLB_RW));
	asm volatile("tlbwr" : : : "memory");
	c0_write(C0_WIRED, old_wired);
}

/* The useg address of a part of the program; other values are returned unchanged. */
u64 user_address(const void *p)
{
	u64 va = (u64)p;

	return va >> 29 == 0xffffffff80000000 >> 29 ? PHYS(p) : va;
}
