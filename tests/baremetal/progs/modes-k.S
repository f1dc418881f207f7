/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of modes.c, which has their counts. */
#include "asm.h"

	KERNELS

	/* 10 instructions */
KERNEL(k_ten)
	.rept	10
	nop
	.endr
	END

	/* Some of everything, which is not counted */
KERNEL(k_busy)
	li	t0, 16
1:	addiu	t0, t0, -1
	lw	t1, 0(a0)
	sw	t1, 4(a0)
	beql	t1, t0, 2f
	 nop
2:	bne	t0, zero, 1b
	 nop
	nop
	nop
	END

	/* Before ERL 3, after it 3, between them 11 that nothing counts. */
KERNEL(k_erl)
	mfc0	t0, C0_STATUS
	ori	t1, t0, ST_ERL
	mtc0	t1, C0_STATUS
	.rept	10
	nop
	.endr
	mtc0	t0, C0_STATUS
	nop
	nop
	nop
	END

	/*
	 * As above, but ERL is left by eret, in ERL mode: before 6, after 2.
	 * It saves 2 x 2 readings of the counters in ERL.
	 */
KERNEL(k_erl_eret)
	bltzal	zero, 1f
	 mfc0	t0, C0_STATUS
1:	daddiu	t2, ra, 2f - 1b
	dmtc0	t2, C0_ERROREPC
	ori	t1, t0, ST_ERL
	mtc0	t1, C0_STATUS
	mfpc	t0, 0
	sw	t0, 0(a0)
	mfpc	t0, 1
	sw	t0, 4(a0)
	lw	t2, 0(a0)
	sync
	mfpc	t0, 0
	sw	t0, 8(a0)
	mfpc	t0, 1
	sw	t0, 12(a0)
	eret
	nop
2:	nop
	nop
	END

	/*
	 * Run at a useg address: kernel mode turns into user mode by writing
	 * Status, without eret. Kernel 3, user 7.
	 */
KERNEL(k_drop_to_user)
	mfc0	t0, C0_STATUS
	ori	t0, t0, ST_KSU_USER
	mtc0	t0, C0_STATUS
	.rept	7
	nop
	.endr
	END

	/* KSU = 3 is no mode: kernel 3, none 8, kernel 2 */
KERNEL(k_ksu_3)
	mfc0	t0, C0_STATUS
	ori	t1, t0, ST_KSU
	mtc0	t1, C0_STATUS
	.rept	7
	nop
	.endr
	mtc0	t0, C0_STATUS
	nop
	nop
	END

	/*
	 * Kernel mode into EXL and back: kernel 4, EXL 5 + 1, kernel 2. The
	 * write that leaves EXL is the last instruction in EXL.
	 */
KERNEL(k_exl_and_back)
	mfc0	t0, C0_STATUS
	ori	t1, t0, ST_EXL
	nop
	mtc0	t1, C0_STATUS
	.rept	5
	nop
	.endr
	mtc0	t0, C0_STATUS
	nop
	nop
	END

	/* Exceptions that the fast path answers: 6, with 4 breaks between */
KERNEL(k_breaks)
	nop
	break
	nop
	break
	nop
	nop
	break
	nop
	break
	nop
	END

	/* Settings: t0 = *a0. Each write counts under the settings before it. */
KERNEL(k_write_controls)
	lw	t0, 0(a0)
	lw	t1, 4(a0)
	mtps	t0, 0
	nop
	nop
	mtps	t1, 1
	nop
	nop
	nop
	mtps	zero, 0
	nop
	mtps	zero, 1
	nop
	nop
	END
