/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of overflow.c */
#include "asm.h"

	KERNELS

KERNEL(k_ten)
	.rept	10
	nop
	.endr
	END

KERNEL(k_one_mult)
	mult	zero, zero
	END

	/* Endless, in blocks of 2 and of 20 instructions */
KERNEL(k_forever_2)
1:	b	1b
	 nop

KERNEL(k_forever_20)
1:	.rept	17
	nop
	.endr
	lw	t0, 0(a0)
	b	1b
	 nop

	/* 1 + 3 n instructions, n loads; n = *a0 */
KERNEL(k_loop)
	lw	t0, 0(a0)
1:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 lw	t1, 4(a0)
	END

	/* 10, an exception, 10 */
KERNEL(k_break_between)
	.rept	10
	nop
	.endr
	break
	.rept	10
	nop
	.endr
	END

	/*
	 * Privileged: writes values at a0 to the control register and to the
	 * counter, which assert the line; the interrupt must come before the label.
	 */
	.globl	k_raise_by_counter_late, k_raise_by_control_late, k_raise_by_status_late
KERNEL(k_raise_by_counter)
	lw	t0, 0(a0)
	lw	t1, 4(a0)
	mtps	t0, 0
	mtpc	t1, 0
	.rept	8
	nop
	.endr
k_raise_by_counter_late:
	END

KERNEL(k_raise_by_control)
	lw	t0, 0(a0)
	lw	t1, 4(a0)
	mtpc	t1, 0
	mtps	t0, 0
	.rept	8
	nop
	.endr
k_raise_by_control_late:
	END

	/* The line is asserted; Status at 8(a0) enables the interrupt. */
KERNEL(k_raise_by_status)
	lw	t0, 8(a0)
	mtc0	t0, C0_STATUS
	.rept	8
	nop
	.endr
k_raise_by_status_late:
	END
