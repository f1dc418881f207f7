// SPDX-License-Identifier: GPL-2.0-only
/*
 * Corner cases of caches, branch predictor and CP0, each of which the emulated
 * CPU once got wrong.
 *
 * @run
 * @run way=plain props=model-hold=0
 */
#include "mem.h"

extern const char k_nullified_cache[], k_bltzal[], k_bnel[], k_own_line[], k_slot_ends_0[],
	k_slot_ends_1[];

typedef void (*code)(u64 argument);

#define INDEX		40
#define VA		0x20000000UL
#define UNMAPPED	0x30000000UL
#define BEYOND		(1UL << 50)	/* no address has this bit */
#define PIECE(n)	(OP(0, 0, (n) * PAGE))

static u32 faults;

static enum exc_answer skip_fault(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	faults++;
	f->epc += 4;
	return EXC_RESUME;
}

/* The count of an event in a function and the few instructions around it */
static u32 counted(u32 event, code function, u64 argument)
{
	u32 control = ctl_event(event, MODE_ALL);

	pmu_stop();
	if (is_r12000() || event < 16)
		ctl_write(0, control);
	else
		ctl_write(1, control);
	function(argument);
	ctl_write(0, 0);
	ctl_write(1, 0);
	return ctr_read(0) + ctr_read(1);
}

static u64 cached(const void *p)
{
	return 0x9800000000000000UL | ((u64)p & 0x1fffffff);
}

static void load(u64 address)
{
	(void)*(volatile u32 *)address;
}

static void cache_hit_invalidate_s(u64 address)
{
	asm volatile("cache 0x13, 0(%0)" : : "r"(address) : "memory");
}

/* Map a pair of pages under the ASID in the address */
static void put(u32 index, u64 hi, u32 op, u32 flags)
{
	u64 lo = op_physical(op) >> 12 << 6 | TLB_CCA(3) | flags;

	c0_write(C0_INDEX, index);
	c0_write(C0_PAGEMASK, 0);
	c0_write64(C0_ENTRYHI, hi);
	c0_write64(C0_ENTRYLO0, lo);
	c0_write64(C0_ENTRYLO1, lo + (1 << 6));
	asm volatile("tlbwi" : : : "memory");
}

static void nullified_cache(void)
{
	faults = 0;
	exc_hook_fn = skip_fault;
	run_kernel(MODE_K, 0, 0, k_nullified_cache, scratch);
	expect("faults", 0, faults);
}

/* Once trained, only the loop's own branch is mispredicted, at the end. */
static void never_taken(void)
{
	counted(24, (code)k_bltzal, 0);
	expect("mispredictions around bltzal", 1, counted(24, (code)k_bltzal, 0));
	counted(24, (code)k_bnel, 0);
	expect("mispredictions around bnel", 1, counted(24, (code)k_bnel, 0));
}

static void slot_ends_counting(void)
{
	code function = (code)(is_r12000() ? k_slot_ends_0 : k_slot_ends_1);

	expect("mispredictions", 1, counted(24, function, 0));
}

/* Two loads under ASID 1, one under ASID 2, which a write or TLBR sets */
static void two_spaces(u64 by_tlbr)
{
	c0_write64(C0_ENTRYHI, VA | 1);
	load(VA);
	load(VA);
	c0_write(C0_INDEX, INDEX + 1);
	if (by_tlbr)
		asm volatile("tlbr" : : : "memory");
	else
		c0_write64(C0_ENTRYHI, VA | 2);
	load(VA);
	c0_write64(C0_ENTRYHI, 0);
}

static u32 misses_of_two_spaces(u64 by_tlbr)
{
	const u32 all[] = { PIECE(0), PIECE(2) };

	mem_init();
	put(INDEX, VA | 1, all[0], TLB_V | TLB_D);
	put(INDEX + 1, VA | 2, all[1], TLB_V | TLB_D);
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		cache_hit_invalidate_s(op_address(LOAD(0, 0) | all[i]));
	return counted(25, two_spaces, by_tlbr);
}

static void address_spaces(void)
{
	expect("L1D misses, ASID by a write", 2, misses_of_two_spaces(0));
	expect("L1D misses, ASID by TLBR", 2, misses_of_two_spaces(1));
}

static u32 both_tags(u64 asid)
{
	u32 tag[2];

	c0_write64(C0_ENTRYHI, VA | asid);
	asm volatile("cache 0x07, 0(%0)" : : "r"(VA));
	tag[0] = c0_read("$28");
	asm volatile("cache 0x07, 1(%0)" : : "r"(VA));
	tag[1] = c0_read("$28");
	c0_write64(C0_ENTRYHI, 0);
	return (tag[0] | tag[1]) >> 10 & 3;
}

/* With model-hold=0 the caches sleep here, but CACHE still works on them. */
static void spaces_asleep(void)
{
	mem_init();
	put(INDEX, VA | 1, PIECE(0), TLB_V | TLB_D);
	put(INDEX + 1, VA | 2, PIECE(2), TLB_V | TLB_D);
	cache_hit_invalidate_s(op_address(LOAD(0, 0) | PIECE(2)));
	counted(25, load, op_address(LOAD(0, 0) | PIECE(0)));
	expect_true("state of the page of ASID 1 is not Invalid", both_tags(1) != 0);
	expect("state of the page of ASID 2", 0, both_tags(2));
}

static void call(u64 address)
{
	((code)address)(address);
}

static void own_line(void)
{
	mem_init();
	expect("L1I misses", 2, counted(9, call, cached(k_own_line)));
}

/* An Invalid block of another set has address 0, whose lines stay where they are. */
static void tag_over_invalid(void)
{
	u64 other = cached((void *)(128 * 8UL));

	mem_init();
	c0_write("$28", 0);
	c0_write("$29", 0);
	for (u32 way = 0; way < 2; way++) {
		cache_hit_invalidate_s(other);
		counted(25, load, cached(0));
		asm volatile("cache 0x0b, 0(%0)" : : "r"(other + way) : "memory");
		expect("L1D misses of address 0", 0, counted(25, load, cached(0)));
	}
}

static void index_unmapped(void)
{
	mem_init();
	counted(25, load, cached(0));
	asm volatile("cache 0x03, 0(%0); cache 0x03, 1(%0)" : : "r"(UNMAPPED) : "memory");
	expect("L1D misses of address 0", 0, counted(25, load, cached(0)));
}

static void reserved_move(void)
{
	exc_hook_fn = skip_fault;
	faults = 0;
	asm volatile(".word 0x40000000 | 8 << 21 | 8 << 16 | 25 << 11" : : : "$8", "memory");
	expect("faults of COP0 format 8, register 25", 1, faults);
}

static void load_at_error_level(u64 address)
{
	u32 status = c0_read(C0_STATUS);

	c0_write(C0_STATUS, status | ST_ERL);
	load(address);
	c0_write(C0_STATUS, status);
}

/* ERL makes only the first 2^31 bytes unmapped. Nothing is counted with ERL. */
static void error_level(void)
{
	u64 va = 1UL << 32;

	mem_init();
	put(INDEX, va, PIECE(0), TLB_RW);
	cache_hit_invalidate_s(op_address(LOAD(0, 0) | PIECE(0)));
	counted(25, load_at_error_level, va);
	expect("misses after a load with ERL", 0, counted(25, load, va));
}

static void prefetch(u64 address)
{
	asm volatile("pref 0, 0(%0)" : : "r"(address));
}

/* Prefetches have an event on the R12000; the R10000 shows them by L1D misses. */
static void beyond(void)
{
	u32 event = is_r12000() ? 17 : 25;

	mem_init();
	put(INDEX, VA, PIECE(0), TLB_RW);
	cache_hit_invalidate_s(op_address(LOAD(0, 0) | PIECE(0)));
	expect("misses of a prefetch beyond 44 bits", 0, counted(event, prefetch, VA | BEYOND));
	expect("misses of the page's own", 1, counted(event, prefetch, VA));
}

static const struct tap_case cases[] = {
	{ "a nullified CACHE translates nothing", nullified_cache },
	{ "branches that are never taken are predicted so, at their own place", never_taken },
	{ "a branch counts as selected before its slot", slot_ends_counting },
	{ "TLBR changes the address space", address_spaces },
	{ "CACHE sees the address space, models asleep too", spaces_asleep },
	{ "CACHE on the executing line", own_line },
	{ "S Index Store Tag over an Invalid block", tag_over_invalid },
	{ "S Index operations without a mapping", index_unmapped },
	{ "a reserved move of COP0", reserved_move },
	{ "ERL and addresses above 2^31", error_level },
	{ "a prefetch where no address can be", beyond },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
