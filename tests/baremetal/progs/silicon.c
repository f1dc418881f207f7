// SPDX-License-Identifier: GPL-2.0-only
/*
 * What silicon may do where no source says what it does: the properties of the CPU that
 * make the model do so. The kernel's argument says which one a run has.
 *
 * @run cpu=R10000,R12000 way=icount props=overflow=crossing qemu=-append crossing
 * @run cpu=R10000,R12000 way=icount props=overflow=latch qemu=-append latch
 * @run cpu=R10000,R12000 way=icount props=overflow=never qemu=-append never
 * @run cpu=R12000,R14000 way=icount props=events=split5 qemu=-append split5
 * @run cpu=R12000,R14000 way=icount props=events=split4 qemu=-append split4
 * @run cpu=R10000,R12000 way=icount props=linger=200 qemu=-append linger
 * @run cpu=R10000,R12000 way=icount props=stuck-after=2 qemu=-append stuck
 * @run cpu=R10000,R12000 way=icount props=reset-value=0xcafe8370 qemu=-append reset
 * @run cpu=R10000,R12000 way=icount props=reserved-bits=on qemu=-append reserved
 */
#include "bm.h"

#define INSNS		ctl_event(15, MODE_U)
#define STORES		4	/* of k_ten */
#define LINGER		200	/* instructions */
#define RESET_VALUE	0xcafe8370

extern const char k_ten[];

/* What a case does when the ten instructions have been executed, before all is stopped */
static void (*then)(void);

static enum exc_answer at_end(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		then();
	return exc_default(f);
}

static struct counts ten(u32 ctl0, u32 ctl1, u32 start0)
{
	return run_from(MODE_U, (u32[]){ ctl0, ctl1 }, (u32[]){ start0, 0 }, ST_NORMAL, k_ten,
			scratch);
}

static void ten_then(u32 ctl0, u32 start0, void (*function)(void))
{
	then = function;
	exc_hook_fn = at_end;
	ten(ctl0, 0, start0);
}

static void is_low(void)
{
	expect("IP7", 0, ip7());
}

static void is_high(void)
{
	expect("IP7", 1, ip7());
}

static void preset(void)
{
	ctl_write(0, INSNS | CTL_IE);
	ctr_write(0, BIT31);
	expect("IP7, counter 0x80000000", 0, ip7());
	ten_then(INSNS | CTL_IE, BIT31, is_low);
}

static void carry(void)
{
	ten_then(INSNS | CTL_IE, BIT31 - 11, is_low);
	ten_then(INSNS | CTL_IE, BIT31 - 10, is_high);
	ten_then(INSNS | CTL_IE, BIT31 - 1, is_high);
}

static void enable_late(void)
{
	ctl_write(0, INSNS | CTL_IE);
	expect("IP7", 0, ip7());
}

static void carry_without_enable(void)
{
	ten_then(INSNS, BIT31 - 5, enable_late);
}

static void drop(void)
{
	ctl_write(0, 0);
	expect("IP7 after a write to the control register", bm_argument("latch"), ip7());
	ctr_write(0, 0);
	expect("IP7 after a write to the counter", 0, ip7());
}

static void dropped(void)
{
	ten_then(INSNS | CTL_IE, BIT31 - 5, drop);
}

static const struct tap_case overflow_cases[] = {
	{ "a counter that is preset at bit 31 does not interrupt", preset },
	{ "the event that sets bit 31 interrupts", carry },
	{ "without IE it does not, even if IE is set later", carry_without_enable },
	{ "the interrupt stays until a register is written", dropped },
};

static void silent(void)
{
	ten_then(INSNS | CTL_IE, BIT31 - 5, is_low);
	ten_then(INSNS | CTL_IE, BIT31 + 5, is_low);
	expect_true("the timer raises IP7", timer_fire());
}

static const struct tap_case never_cases[] = {
	{ "no overflow interrupts, but the timer does", silent },
};

static void own_half(void)
{
	struct counts n = ten(INSNS, ctl_event(bm_argument("split4") ? 3 : 19, MODE_U), 0);

	expect("instructions, counter 0", 10, n.c[0]);
	expect("stores, counter 1", STORES, n.c[1]);
}

static void other_half(void)
{
	struct counts n = ten(ctl_event(19, MODE_U), INSNS, 0);

	expect("stores, counter 0", 0, n.c[0]);
	expect("instructions, counter 1", 0, n.c[1]);
}

static void fifth_bit(void)
{
	struct counts n = ten(0, ctl_event(19, MODE_U), 0);

	expect("stores, counter 1", bm_argument("split5") ? STORES : 0, n.c[1]);
}

static const struct tap_case split_cases[] = {
	{ "each counter counts its half of the events", own_half },
	{ "no counter counts the other half", other_half },
	{ "a code of five bits", fifth_bit },
};

static void lingers(void)
{
	expect("IP7 before the overflow is cleared", 1, ip7());
	for (volatile int i = 0; i < LINGER; i++)
		;
	expect("IP7 much later", 1, ip7());
	ctl_write(0, 0);
	expect("IP7 after it is cleared", 1, ip7());
	for (volatile int i = 0; i < LINGER; i++)
		;
	expect("IP7 much later", 0, ip7());
}

static void interrupt_lingers(void)
{
	ten_then(INSNS | CTL_IE, BIT31 - 5, lingers);
}

static const struct tap_case linger_cases[] = {
	{ "IP7 drops some instructions after the overflow is cleared", interrupt_lingers },
};

static void writable(void)
{
	ctr_write(0, 7);
	expect("counter 0 after a write", 7, ctr_read(0));
}

static void stuck(void)
{
	ctr_write(0, 7);
	expect("counter 0 after a write", (u64)(s64)(s32)(BIT31 + 5), ctr_read(0));
	expect("IP7", 1, ip7());
	ctl_write(0, 0);
	expect("IP7 without IE", 0, ip7());
	ctr_write(1, 7);
	expect("counter 1 after a write", 7, ctr_read(1));
}

static void sticks(void)
{
	ten_then(INSNS | CTL_IE, BIT31 - 5, writable);
	ten_then(INSNS | CTL_IE, BIT31 - 5, stuck);
}

static const struct tap_case stuck_cases[] = {
	{ "after two overflows the counter ignores writes", sticks },
};

static void after_reset(void)
{
	expect("control 0", RESET_VALUE & ctl_bits(), reset_ctl[0]);
	expect("control 1", RESET_VALUE & ctl_bits(), reset_ctl[1]);
	expect("counter 0", RESET_VALUE, reset_ctr[0]);
	expect("counter 1", RESET_VALUE, reset_ctr[1]);
}

static const struct tap_case reset_cases[] = {
	{ "the registers have this value after reset", after_reset },
};

static void reserved(void)
{
	ctl_write(0, 0);
	ctl_write(1, 0x30);
	expect("control 0 of 0", (u64)(s64)(s32)~ctl_bits(), ctl_read(0));
	expect("control 1 of 0x30", (u64)(s64)(s32)(~ctl_bits() | 0x30), ctl_read(1));
	expect("instructions", 10, ten(INSNS, 0, 0).c[0]);
}

static const struct tap_case reserved_cases[] = {
	{ "bits that do not exist read as ones", reserved },
};

#define CASES(word, cases)	{ word, cases, ARRAY_SIZE(cases) }

static const struct {
	const char *word;
	const struct tap_case *cases;
	u32 n;
} runs[] = {
	CASES("crossing", overflow_cases),
	CASES("latch", overflow_cases),
	CASES("never", never_cases),
	CASES("split5", split_cases),
	CASES("split4", split_cases),
	CASES("linger", linger_cases),
	CASES("stuck", stuck_cases),
	CASES("reset", reset_cases),
	CASES("reserved", reserved_cases),
};

void tests(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(runs); i++)
		if (bm_argument(runs[i].word))
			tap_run(runs[i].cases, runs[i].n);
}
