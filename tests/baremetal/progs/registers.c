// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control and counter registers: width, reading back, the two families of
 * encodings, registers that do not exist.
 */
#include "bm.h"

extern const u32 words_r10000[8], words_sel[8];
extern u64 read_absent(u32 number), read_present(u32 number);
extern void write_absent(u32 number, u64 value);

/* Not documented; the model starts from zero. */
static void after_reset(void)
{
	expect("control 0", 0, reset_ctl[0]);
	expect("control 1", 0, reset_ctl[1]);
	expect("counter 0", 0, reset_ctr[0]);
	expect("counter 1", 0, reset_ctr[1]);
}

static void reads_back(void)
{
	u32 bits = ctl_bits() & ~MODE_ALL;

	ctl_write(0, bits);
	ctl_write(1, 0x20);
	expect("control 0", bits, ctl_read(0));
	expect("control 1", 0x20, ctl_read(1));
	ctl_write(1, bits);
	ctl_write(0, 0x40);
	expect("control 0", 0x40, ctl_read(0));
	expect("control 1", bits, ctl_read(1));
}

static void control_width(void)
{
	ctl_write(0, 0xfffffff0);
	ctl_write(1, 0xfffffff0);
	expect("control 0 of 0xfffffff0", ctl_bits() & ~15, ctl_read(0));
	expect("control 1 of 0xfffffff0", ctl_bits() & ~15, ctl_read(1));
	ctl_write(0, ~0UL << 32);
	expect("control 0 of 0xffffffff00000000", 0, ctl_read(0));
}

static void control_bits_alone(void)
{
	for (u32 bit = 0; bit < 32; bit++) {
		ctl_write(0, 1U << bit);
		ctl_write(1, 1U << bit);
		expect("control 0", 1U << bit & ctl_bits(), ctl_read(0));
		expect("control 1", 1U << bit & ctl_bits(), ctl_read(1));
	}
}

static void counter_holds(u64 value, s64 want)
{
	ctr_write(0, value);
	ctr_write(1, ~value);
	expect("counter 0", want, ctr_read(0));
	expect("counter 1", ~want, ctr_read(1));
	ctr_write(1, value);
	expect("counter 1", want, ctr_read(1));
	expect("counter 0 after writing counter 1", want, ctr_read(0));
}

static void counter_width(void)
{
	counter_holds(0x12345678, 0x12345678);
	counter_holds(0xdeadbeef12345678, 0x12345678);
	counter_holds(0, 0);
}

static void counter_sign(void)
{
	counter_holds(0x7fffffff, 0x7fffffff);
	counter_holds(0x80000000, -0x80000000L);
	counter_holds(0xffffffff, -1L);
}

/* Stopped counters do not change, whatever is executed. */
static void stopped(void)
{
	ctr_write(0, 0x11111111);
	ctr_write(1, 0x22222222);
	for (volatile int i = 0; i < 1000; i++)
		;
	expect("counter 0", 0x11111111, ctr_read(0));
	expect("counter 1", 0x22222222, ctr_read(1));
}

static void control_write_keeps_counter(void)
{
	ctr_write(0, 0x11111111);
	ctr_write(1, 0x80000000);
	ctl_write(0, ctl_event(6, 0));
	ctl_write(1, ctl_event(19, 0));
	expect("counter 0", 0x11111111, ctr_read(0));
	expect("counter 1", -0x80000000L, ctr_read(1));
}

static void same_words(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(words_sel); i++)
		expect("mfps, mfpc, mtps, mtpc as mfc0, mtc0 with sel",
		       words_sel[i], words_r10000[i]);
}

static void sel_encodings(void)
{
	ctl_write(0, 0x20);
	ctl_write(1, 0x40);
	ctr_write(0, 0xfffffffe);
	ctr_write(1, 7);
	expect("mfc0 $25, 0", 0x20, read_present(0));
	expect("mfc0 $25, 1", -2L, read_present(1));
	expect("mfc0 $25, 2", 0x40, read_present(2));
	expect("mfc0 $25, 3", 7, read_present(3));
}

/* Numbers 4 to 63: control and counter of counters 2 to 31 */
static void absent_read(void)
{
	ctl_write(0, 0x1e0);
	ctl_write(1, 0x1e0);
	ctr_write(0, 0xffffffff);
	ctr_write(1, 0xffffffff);
	for (u32 number = 4; number < 64; number++)
		if (!expect("register of an absent counter", 0, read_absent(number)))
			note("  ... control (even) or counter (odd) number %u", number);
}

static void absent_write(void)
{
	ctr_write(0, 0x55555555);
	ctr_write(1, 0x66666666);
	ctl_write(0, 0x20);
	ctl_write(1, 0x40);
	for (u32 number = 4; number < 64; number++) {
		write_absent(number, 0xff0 | number);
		expect("written register of an absent counter", 0, read_absent(number));
	}
	expect("counter 0", 0x55555555, ctr_read(0));
	expect("counter 1", 0x66666666, ctr_read(1));
	expect("control 0", 0x20, ctl_read(0));
	expect("control 1", 0x40, ctl_read(1));
}

static const struct tap_case cases[] = {
	{ "all are zero after reset", after_reset },
	{ "control registers read back", reads_back },
	{ "control registers have their width", control_width },
	{ "each bit of the control registers alone", control_bits_alone },
	{ "counters hold 32 bits", counter_width },
	{ "counters read sign-extended", counter_sign },
	{ "stopped counters hold still", stopped },
	{ "a control write leaves the counter alone", control_write_keeps_counter },
	{ "both families of encodings are the same words", same_words },
	{ "mfc0 with sel 0 to 3", sel_encodings },
	{ "absent counters read as zero", absent_read },
	{ "writes to absent counters are ignored", absent_write },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
