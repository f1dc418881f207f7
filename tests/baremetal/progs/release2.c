// SPDX-License-Identifier: GPL-2.0-only
/*
 * The property mips64r2: the instructions of MIPS64 release 2 work in every mode, with
 * and without XX; coprocessor 0 is that of an R10000.
 *
 * @run props=mips64r2=on
 */
#include "one.h"

#define NO_XX	(ST_NORMAL & ~ST_XX)

static const struct {
	const char *name;
	u32 word;
} rows[] = {
	{ "mul v0, zero, zero", 0x70001002 },
	{ "clz v0, zero", 0x70021020 },
	{ "ext v0, zero, 0, 1", 0x7c020000 },
	{ "dins v0, zero, 0, 1", 0x7c020007 },
	{ "seb v0, zero", 0x7c021420 },
	{ "rotr v0, zero, 1", 0x00201042 },
	{ "synci 0(a0)", 0x049f0000 },
	{ "mfhc1 v0, $f2", 0x44621000 },
	{ "madd.d $f2, $f4, $f6, $f8", 0x4c8830a1 },
	{ "movz v0, zero, zero", 0x0000100a },
	{ "recip.d $f2, $f4", 0x46202095 },
};

static void works(void)
{
	static const u32 modes[] = { MODE_U, MODE_S, MODE_K };

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		for (u32 m = 0; m < ARRAY_SIZE(modes); m++)
			if (!expect("exception code (32: none)", NO_EXCEPTION,
				    one_raises(rows[i].word, modes[m], NO_XX)))
				note("  ... %s, mode %u", rows[i].name, modes[m]);
}

static u64 result(u32 word, u64 a0)
{
	static u32 code[4] __attribute__((aligned(16)));
	u64 (*run)(u64) = (u64 (*)(u64))code;

	code[0] = word;
	code[1] = 0x03e00008;	/* jr ra */
	code[2] = 0;
	asm volatile("" : : : "memory");
	return run(a0);
}

static void computes(void)
{
	expect("mul v0, a0, a0", 49, result(0x70841002, 7));
	expect("clz v0, a0", 25, result(0x70821020, 0x55));
	expect("ext v0, a0, 4, 8", 0x67, result(0x7c823900, 0x12345678));
	expect("seb v0, a0", -128L, result(0x7c041420, 0x80));
	expect("wsbh v0, a0", 0x34127856, result(0x7c0410a0, 0x12345678));
	expect("drotr v0, a0, 4", 0x8000000000000000, result(0x0024113a, 8));
}

/* Registers of release 1 and 2 would be visible in selects, and in Cause. */
static void coprocessor(void)
{
	expect("mfc0 v0, $12, 1", EXC_RI, one_raises(0x40026001, MODE_K, ST_NORMAL));
	expect("mfc0 v0, $15, 1", EXC_RI, one_raises(0x40027801, MODE_K, ST_NORMAL));
	expect("mfc0 v0, $16, 1", EXC_RI, one_raises(0x40028001, MODE_K, ST_NORMAL));
	expect("wait", EXC_RI, one_raises(0x42000020, MODE_K, ST_NORMAL));
	expect("rdhwr v0, $29, in user mode", EXC_RI,
	       one_raises(0x7c02e83b, MODE_U, ST_NORMAL & ~ST_CU0));
	expect_true("the timer fires", timer_fire());
	expect("Cause but IP", 0, c0_read(C0_CAUSE) & ~0xff00 & ~0x7c);
	c0_write(C0_CAUSE, ~0);
	expect("Cause after a write, but IP", 0, c0_read(C0_CAUSE) & ~0xff00 & ~0x7c);
	c0_write(C0_CAUSE, 0);
}

static const struct tap_case cases[] = {
	{ "the instructions are there in all modes, without XX", works },
	{ "they compute", computes },
	{ "coprocessor 0 is that of an R10000", coprocessor },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
