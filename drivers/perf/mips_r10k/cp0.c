// SPDX-License-Identifier: GPL-2.0-only
/*
 * CP0 register 25 of the R10000, and a loop of known length.
 *
 * The kernel's accessors with the MIPS32 selectors 0 to 3 produce exactly the
 * words of the R10000's mfps, mfpc, mtps and mtpc for counters 0 and 1.
 */
#include <asm/mipsregs.h>

#include "pmu.h"

static u32 r10k_cp0_read_control(unsigned int i)
{
	return i ? read_c0_perfctrl1() : read_c0_perfctrl0();
}

static void r10k_cp0_write_control(unsigned int i, u32 value)
{
	if (i)
		write_c0_perfctrl1(value);
	else
		write_c0_perfctrl0(value);
}

/* mfc0 extends the sign into 64 bits; the return type cuts it off. */
static u32 r10k_cp0_read_counter(unsigned int i)
{
	return i ? read_c0_perfcntr1() : read_c0_perfcntr0();
}

static void r10k_cp0_write_counter(unsigned int i, u32 value)
{
	if (i)
		write_c0_perfcntr1(value);
	else
		write_c0_perfcntr0(value);
}

const struct r10k_regs_ops r10k_cp0_ops = {
	.read_control = r10k_cp0_read_control,
	.write_control = r10k_cp0_write_control,
	.read_counter = r10k_cp0_read_counter,
	.write_counter = r10k_cp0_write_counter,
};

/**
 * r10k_cp0_prid() - read the PRId register of the executing CPU
 *
 * Return: the register.
 */
u32 r10k_cp0_prid(void)
{
	return read_c0_prid();
}

/**
 * r10k_cp0_loop() - execute a known number of instructions
 * @turns: half of that number, less one
 */
void r10k_cp0_loop(unsigned int turns)
{
	asm volatile("	.set	push\n"
	"	.set	noreorder\n"
	"1:	bnez	%0, 1b\n"
	"	 addiu	%0, %0, -1\n"
	"	.set	pop\n"
	: "+r" (turns));
}
