/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CP0 register 25 of the R10000, and a loop of known length.
 *
 * The kernel's accessors with the MIPS32 selectors 0 to 3 have the same encoding as
 * the R10000's mfps, mfpc, mtps and mtpc for counters 0 and 1.
 */
#ifndef _MIPS_R10K_CP0_H
#define _MIPS_R10K_CP0_H

#include <linux/types.h>

#include <asm/mipsregs.h>

static inline u32 r10k_read_control(unsigned int i)
{
	return i ? read_c0_perfctrl1() : read_c0_perfctrl0();
}

static inline void r10k_write_control(unsigned int i, u32 value)
{
	if (i)
		write_c0_perfctrl1(value);
	else
		write_c0_perfctrl0(value);
}

/* mfc0 sign-extends the value to 64 bits; the return type drops the upper half. */
static inline u32 r10k_read_counter(unsigned int i)
{
	return i ? read_c0_perfcntr1() : read_c0_perfcntr0();
}

static inline void r10k_write_counter(unsigned int i, u32 value)
{
	if (i)
		write_c0_perfcntr1(value);
	else
		write_c0_perfcntr0(value);
}

/* Whether a counter, or the timer, asserts the interrupt line */
static inline bool r10k_cp0_line(void)
{
	return read_c0_cause() & CAUSEF_IP7;
}

/* Executes three instructions each turn, one of which is a load; at least one turn. */
static inline void r10k_cp0_loop(unsigned int turns)
{
	u32 word = 0, loaded;

	asm volatile("	.set	push\n"
	"	.set	noreorder\n"
	"1:	addiu	%0, %0, -1\n"
	"	bnez	%0, 1b\n"
	"	 lw	%1, 0(%2)\n"
	"	.set	pop\n"
	: "+&r" (turns), "=&r" (loaded)
	: "r" (&word), "m" (word));
}

#endif /* _MIPS_R10K_CP0_H */
