// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which instructions exist, and which of them user mode has only with Status.XX. The
 * tests give instructions as words, since the assembler rejects some of them.
 */
#include "one.h"

#define NO_XX	(ST_NORMAL & ~ST_XX)

struct row {
	const char *name;
	u32 word;
};

/* What MIPS IV adds to MIPS III. All compute with FP and v0 registers. */
static const struct row mips4[] = {
	{ "movf v0, zero, $fcc0", 0x00001001 },
	{ "movt v0, zero, $fcc7", 0x001d1001 },
	{ "movz v0, zero, zero", 0x0000100a },
	{ "movn v0, zero, zero", 0x0000100b },
	{ "pref 0, 0(a0)", 0xcc800000 },
	{ "pref 5, 0(a0)", 0xcc850000 },
	{ "prefx 0, zero(a0)", 0x4c80000f },
	{ "lwxc1 $f2, zero(a0)", 0x4c800080 },
	{ "ldxc1 $f2, zero(a0)", 0x4c800081 },
	{ "swxc1 $f2, zero(a0)", 0x4c801008 },
	{ "sdxc1 $f2, zero(a0)", 0x4c801009 },
	{ "madd.s $f2, $f4, $f6, $f8", 0x4c8830a0 },
	{ "madd.d $f2, $f4, $f6, $f8", 0x4c8830a1 },
	{ "msub.d $f2, $f4, $f6, $f8", 0x4c8830a9 },
	{ "nmadd.d $f2, $f4, $f6, $f8", 0x4c8830b1 },
	{ "nmsub.s $f2, $f4, $f6, $f8", 0x4c8830b8 },
	{ "bc1f $fcc1, the next but one", 0x45040001 },
	{ "bc1tl $fcc7, the next but one", 0x451f0001 },
	{ "c.eq.d $fcc1, $f2, $f4", 0x46241132 },
	{ "c.ngt.s $fcc7, $f2, $f4", 0x4604173f },
	{ "movf.d $f2, $f4, $fcc0", 0x46202091 },
	{ "movz.s $f2, $f4, zero", 0x46002092 },
	{ "movn.d $f2, $f4, zero", 0x46202093 },
	{ "recip.d $f2, $f4", 0x46202095 },
	{ "rsqrt.s $f2, $f4", 0x46002096 },
};

/* Older instructions with similar codes */
static const struct row mips3[] = {
	{ "daddu v0, zero, zero", 0x0000102d },
	{ "dsrl32 v0, zero, 0", 0x0000103e },
	{ "sync", 0x0000000f },
	{ "tne zero, zero", 0x00000036 },
	{ "bltzal zero, the next but one", 0x04100001 },
	{ "ld v0, 0(a0)", 0xdc820000 },
	{ "ldc1 $f2, 0(a0)", 0xd4820000 },
	{ "bc1f the next but one", 0x45000001 },
	{ "c.eq.d $f2, $f4", 0x46241032 },
	{ "sqrt.d $f2, $f4", 0x46202084 },
	{ "trunc.l.d $f2, $f4", 0x46202089 },
	{ "cvt.s.l $f2, $f4", 0x46a020a0 },
	{ "dmfc1 v0, $f2", 0x44221000 },
};

/* Instructions of later architectures, and unused codes */
static const struct row reserved[] = {
	{ "mul v0, zero, zero", 0x70001002 },
	{ "madd zero, zero", 0x70000000 },
	{ "clz v0, zero", 0x70021020 },
	{ "dclo v0, zero", 0x70021025 },
	{ "sdbbp", 0x7000003f },
	{ "ext v0, zero, 0, 1", 0x7c020000 },
	{ "dins v0, zero, 0, 1", 0x7c020007 },
	{ "seb v0, zero", 0x7c021420 },
	{ "rdhwr v0, $29", 0x7c02e83b },
	{ "lsa v0, zero, zero", 0x00001005 },
	{ "jalx", 0x74000000 },
	{ "major 30", 0x78000000 },
	{ "major 59", 0xec000000 },
	{ "synci 0(a0)", 0x049f0000 },
	{ "regimm 4", 0x04040000 },
	{ "special 14", 0x0000000e },
	{ "special 21", 0x00000015 },
	{ "special 40", 0x00000028 },
	{ "special 53", 0x00000035 },
	{ "special 61", 0x0000003d },
	{ "mfhc1 v0, $f2", 0x44621000 },
	{ "bc1any2f", 0x45200000 },
	{ "add.ps $f2, $f4, $f6", 0x46c62080 },
	{ "recip1.d $f2, $f4", 0x4620209d },
	{ "movn.d's neighbour", 0x46202094 },
	{ "cvt.s.s", 0x460020a0 },
	{ "add.w", 0x46862080 },
	{ "luxc1 $f2, zero(a0)", 0x4c800085 },
	{ "alnv.ps $f2, $f4, $f6, zero", 0x4c06209e },
	{ "madd.ps $f2, $f4, $f6, $f8", 0x4c8830a6 },
};

static void rows_raise(const struct row *rows, u32 n, u32 want, u32 mode, u32 status)
{
	for (u32 i = 0; i < n; i++)
		if (!expect("exception code (32: none)", want,
			    one_raises(rows[i].word, mode, status)))
			note("  ... %s, word 0x%08x, mode %u", rows[i].name, rows[i].word, mode);
}

#define RAISE(rows, want, mode, status) \
	rows_raise(rows, ARRAY_SIZE(rows), want, mode, status)

static void xx_user(void)
{
	RAISE(mips4, NO_EXCEPTION, MODE_U, ST_NORMAL);
	RAISE(mips4, EXC_RI, MODE_U, NO_XX);
}

static void xx_others(void)
{
	RAISE(mips4, NO_EXCEPTION, MODE_K, ST_NORMAL);
	RAISE(mips4, NO_EXCEPTION, MODE_K, NO_XX);
	RAISE(mips4, NO_EXCEPTION, MODE_S, NO_XX);
	RAISE(mips4, NO_EXCEPTION, MODE_EXL, NO_XX);
}

static void xx_mips3(void)
{
	RAISE(mips3, NO_EXCEPTION, MODE_U, NO_XX);
	RAISE(mips3, NO_EXCEPTION, MODE_K, NO_XX);
}

static void reserved_everywhere(void)
{
	RAISE(reserved, EXC_RI, MODE_U, ST_NORMAL);
	RAISE(reserved, EXC_RI, MODE_U, NO_XX);
	RAISE(reserved, EXC_RI, MODE_K, ST_NORMAL);
	RAISE(reserved, EXC_RI, MODE_S, ST_NORMAL);
}

/* An unusable coprocessor 1 comes first. */
static void unusable(void)
{
	expect("recip.d without CU1 or XX", EXC_CPU,
	       one_raises(0x46202095, MODE_U, NO_XX & ~ST_CU1));
	expect("add.d without CU1 or XX", EXC_CPU,
	       one_raises(0x46262080, MODE_U, NO_XX & ~ST_CU1));
	expect("madd.d without CU1", EXC_CPU,
	       one_raises(0x4c8830a1, MODE_U, ST_NORMAL & ~ST_CU1));
}

/* A reserved word that is not executed does nothing. */
static void nullified(void)
{
	static const u32 off[2];
	static u32 code[] __attribute__((aligned(16))) = {
		0x57ff0001,	/* bnel ra, ra, 1 */
		0x0000100a,	/* movz v0, zero, zero */
		WORD_SYSCALL, 0,
	};

	one_exception = NO_EXCEPTION;
	exc_hook_fn = one_hook;
	run_from(MODE_U, off, off, NO_XX, code, scratch);
	expect("exception code (32: none)", NO_EXCEPTION, one_exception);
}

static const struct tap_case cases[] = {
	{ "user mode needs XX for MIPS IV", xx_user },
	{ "kernel and supervisor mode do not", xx_others },
	{ "MIPS III needs no XX", xx_mips3 },
	{ "later instructions are reserved", reserved_everywhere },
	{ "a coprocessor that is off goes before XX", unusable },
	{ "a nullified MIPS IV instruction raises nothing", nullified },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
