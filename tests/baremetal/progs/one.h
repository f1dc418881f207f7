/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs one instruction, given as its word, and returns the exception that it has
 * raised. The instruction may change only v0 and FP registers.
 */
#ifndef BAREMETAL_ONE_H
#define BAREMETAL_ONE_H

#include "bm.h"

#define NO_EXCEPTION	32
#define WORD_SYSCALL	0x0000000c

/* The scratch page for its address, registers for what it computes */
static u32 one_code[4] __attribute__((aligned(16)));
static u32 one_exception;

static enum exc_answer one_hook(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	if (one_exception == NO_EXCEPTION)
		one_exception = cause_code(f->cause);
	f->epc += 4;
	return EXC_RESUME;
}

/* Run it in this mode, with other bits of Status as given; a0 is scratch's address. */
static inline u32 one_raises(u32 word, u32 mode, u32 status)
{
	static const u32 off[2];

	one_code[0] = word;
	one_code[1] = 0;
	one_code[2] = WORD_SYSCALL;
	one_exception = NO_EXCEPTION;
	exc_hook_fn = one_hook;
	run_from(mode, off, off, status, one_code, scratch);
	return one_exception;
}

#endif
