/* SPDX-License-Identifier: GPL-2.0-only */
/* A loop whose additions of doubles a counter must count exactly. */
#ifndef ADDITIONS_H
#define ADDITIONS_H

#define ADDITION	21	/* the event; counter 1 on the R10000 */
#define STEP_INSNS	3

/* An addition, a branch, and its delay slot, steps + 1 times */
static inline void run_steps(long steps)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "1:	add.d	$f0, $f0, $f0\n"
			 "	bnez	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(steps) : : "$f0");
}

#endif
