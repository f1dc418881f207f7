// SPDX-License-Identifier: GPL-2.0-only
/* The registers of coprocessor 0: which bits exist, and what is reserved. */
#include "one.h"

#define CONFIG_K0	7
#define CONFIG_BE	0x8000
#define CAUSE_WRITABLE	0x300
#define STATUS_BITS	0xf67dffff
#define STATUS_MODES	(ST_KSU | ST_ERL | ST_EXL | ST_IE)
#define DIAG_R10000	0x00400000UL
#define DIAG_R12000	0x0c400000UL

#define C0_FRAMEMASK	"$21"
#define C0_DIAG		"$22"
#define C0_ECC		"$26"
#define C0_CACHEERR	"$27"
#define C0_TAGLO	"$28"
#define C0_TAGHI	"$29"
#define C0_WATCHLO	"$18"
#define C0_WATCHHI	"$19"

#define WORD_MFC0(rt, rd, sel)	(0x40000000 | (rt) << 16 | (rd) << 11 | (sel))
#define WORD_MTC0(rt, rd, sel)	(0x40800000 | (rt) << 16 | (rd) << 11 | (sel))
#define V0	2

#define c0_read64(sel)	({						\
	u64 v_;								\
	asm volatile("dmfc0 %0, " sel : "=r"(v_) : : "memory");		\
	v_; })

/* Writes a value and reads back, then leaves zero. */
#define holds(name, sel, value, want) do {				\
	c0_write64(sel, value);						\
	expect(name, want, c0_read(sel));				\
	c0_write64(sel, 0);						\
} while (0)

static void prid(void)
{
	static const u32 known[] = { 0x0934, 0x0926, 0x0e35, 0x0f14 };
	u32 got = c0_read(C0_PRID), found = 0;

	for (u32 i = 0; i < ARRAY_SIZE(known); i++)
		found |= got == known[i];
	if (!expect_true("a revision that exists", found))
		note("  ... PRId 0x%x", got);
	c0_write(C0_PRID, ~got);
	expect("PRId after a write", got, c0_read(C0_PRID));
}

static void config_fields(void)
{
	u32 config = c0_read(C0_CONFIG);
	const u32 one = 1;

	expect("IC", 3, config >> 29);
	expect("DC", 3, config >> 26 & 7);
	expect("BE", !*(const u8 *)&one, config >> 15 & 1);
	expect("bits 25:22", 0, config >> 22 & 15);
}

static void config_write(void)
{
	u32 config = c0_read(C0_CONFIG);

	for (u32 k0 = 2; k0 < 8; k0++) {
		c0_write(C0_CONFIG, (~config & ~CONFIG_K0) | k0);
		expect("Config", (s32)((config & ~CONFIG_K0) | k0), c0_read(C0_CONFIG));
	}
	c0_write(C0_CONFIG, config);
	expect("Config as it was", (s32)config, c0_read(C0_CONFIG));
}

static void status_bits(void)
{
	c0_write(C0_STATUS, ~STATUS_MODES);
	expect("Status of all ones", (s32)(STATUS_BITS & ~STATUS_MODES), c0_read(C0_STATUS));
	c0_write(C0_STATUS, ~STATUS_BITS & 0xffffffff);
	expect("Status of reserved bits", 0, c0_read(C0_STATUS));
	c0_write(C0_STATUS, ST_NORMAL);
}

static void cause_bits(void)
{
	u32 before = c0_read(C0_CAUSE) & ~CAUSE_WRITABLE;

	c0_write(C0_CAUSE, ~0);
	expect("Cause of all ones", (s32)(before | CAUSE_WRITABLE), c0_read(C0_CAUSE));
	c0_write(C0_CAUSE, 0);
	expect("Cause of zero", (s32)before, c0_read(C0_CAUSE));
}

static void entrylo(void)
{
	c0_write64(C0_ENTRYLO0, ~0UL);
	c0_write64(C0_ENTRYLO1, 0x5555555555555555);
	expect("EntryLo0", 0xc0000003ffffffff, c0_read64(C0_ENTRYLO0));
	expect("EntryLo1", 0x4000000155555555, c0_read64(C0_ENTRYLO1));
	c0_write64(C0_ENTRYLO0, 0);
	c0_write64(C0_ENTRYLO1, 0);
}

static void pagemask(void)
{
	for (u32 mask = 0; mask <= 0xfff; mask = mask << 2 | 3)
		holds("PageMask", C0_PAGEMASK, mask << 13, mask << 13);
	holds("PageMask of all ones", C0_PAGEMASK, ~0UL, 0xfff << 13);
}

static void framemask(void)
{
	expect("FrameMask after reset", 0, c0_read(C0_FRAMEMASK));
	holds("FrameMask of all ones", C0_FRAMEMASK, ~0UL, 0xffff);
	holds("FrameMask", C0_FRAMEMASK, 0x1234a5a5, 0xa5a5);
}

static void diagnostic(void)
{
	u64 bits = is_r12000() ? DIAG_R12000 : DIAG_R10000;

	expect("Diagnostic after reset", 0, c0_read64(C0_DIAG));
	c0_write64(C0_DIAG, ~0UL);
	expect("Diagnostic of all ones", bits, c0_read64(C0_DIAG));
	expect("its lower half", bits, c0_read(C0_DIAG));
	for (u32 bit = 0; bit < 32; bit++)
		holds("a bit of Diagnostic alone", C0_DIAG, 1UL << bit, 1UL << bit & bits);
	c0_write(C0_DIAG, ~0);
	expect("Diagnostic by mtc0", bits, c0_read64(C0_DIAG));
	c0_write(C0_DIAG, 0);
}

static void cache_registers(void)
{
	holds("ECC", C0_ECC, ~0UL, 0x3ff);
	holds("CacheErr", C0_CACHEERR, ~0UL, 0);
	holds("TagLo", C0_TAGLO, 0x89abcdef, (s32)0x89abcdef);
	holds("TagLo", C0_TAGLO, 0x76543210, 0x76543210);
	holds("TagHi", C0_TAGHI, 0x89abcdef, (s32)0x89abcdef);
	holds("TagHi", C0_TAGHI, ~0UL << 32, 0);
}

/* These registers only keep what is written: watchpoints are not modelled. */
static void watch(void)
{
	expect("WatchLo after reset", 0, c0_read(C0_WATCHLO));
	expect("WatchHi after reset", 0, c0_read(C0_WATCHHI));
	holds("WatchLo", C0_WATCHLO, ~0UL, -5L);
	holds("WatchHi", C0_WATCHHI, ~0UL, 0xff);
}

static void absent(void)
{
	holds("register 7", "$7", ~0UL, 0);
	holds("register 23", "$23", ~0UL, 0);
	holds("register 24", "$24", ~0UL, 0);
	holds("register 31", "$31", ~0UL, 0);
}

static void kernel_raises(const char *what, u32 word)
{
	if (!expect(what, EXC_RI, one_raises(word, MODE_K, ST_NORMAL)))
		note("  ... word 0x%08x", word);
}

/* No Config1, no EBase: register 25 alone has numbers in these bits. */
static void selects(void)
{
	for (u32 rd = 0; rd < 32; rd++) {
		for (u32 sel = 1; sel < 8 && rd != 25; sel++) {
			kernel_raises("mfc0 with a select", WORD_MFC0(V0, rd, sel));
			kernel_raises("mtc0 with a select", WORD_MTC0(V0, rd, sel));
		}
	}
}

static void reserved(void)
{
	kernel_raises("wait", 0x42000020);
	kernel_raises("deret", 0x4200001f);
	kernel_raises("eretnc", 0x42000058);
	kernel_raises("tlbinv", 0x42000003);
	kernel_raises("tlbinvf", 0x42000004);
	kernel_raises("di", 0x41606000);
	kernel_raises("ei", 0x41606020);
	kernel_raises("rdpgpr", 0x41401000);
	kernel_raises("mfhc0", 0x40421000);
	kernel_raises("mftr", 0x41020000);
	kernel_raises("bc0f", 0x41000001);
}

/* "Coprocessor unusable" has priority over "reserved instruction". */
static void unusable(void)
{
	u32 status = ST_NORMAL & ~ST_CU0;

	expect("wait in user mode", EXC_CPU, one_raises(0x42000020, MODE_U, status));
	expect("mfc0 of Config1", EXC_CPU, one_raises(WORD_MFC0(V0, 16, 1), MODE_U, status));
	expect("mfc0 of Diagnostic", EXC_CPU, one_raises(WORD_MFC0(V0, 22, 0), MODE_S, status));
	expect("mfc0 of PRId, allowed", NO_EXCEPTION,
	       one_raises(WORD_MFC0(V0, 15, 0), MODE_U, ST_NORMAL));
}

static const struct tap_case cases[] = {
	{ "PRId", prid },
	{ "fields of Config", config_fields },
	{ "a write to Config changes K0 alone", config_write },
	{ "Status has its bits", status_bits },
	{ "a write to Cause changes two bits alone", cause_bits },
	{ "EntryLo has UC and 28 bits of PFN", entrylo },
	{ "PageMask reaches to 16 MB", pagemask },
	{ "FrameMask has 16 bits", framemask },
	{ "Diagnostic has its bits", diagnostic },
	{ "ECC, CacheErr, TagLo, TagHi", cache_registers },
	{ "WatchLo and WatchHi", watch },
	{ "registers that do not exist read as zero", absent },
	{ "selects are reserved", selects },
	{ "instructions that do not exist are reserved", reserved },
	{ "an unusable coprocessor goes before that", unusable },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
