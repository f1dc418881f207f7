/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of cachemodes.c; a0 is the cached page under test. */
#include "asm.h"

	KERNELS

	/* Four lines, two of them modified */
KERNEL(k_lines)
	lw	t0, 0(a0)
	lw	t0, 32(a0)
	sw	t0, 64(a0)
	sw	t0, 96(a0)
	lw	t0, 4(a0)
	END

	/* Two lines, an exception, two lines */
KERNEL(k_break)
	lw	t0, 0(a0)
	lw	t0, 32(a0)
	break
	lw	t0, 64(a0)
	lw	t0, 96(a0)
	END

	/* One line, a page that is not mapped (its address is at 0(a0)), one line */
KERNEL(k_refill)
	ld	t1, 0(a0)
	lw	t0, 0(t1)
	lw	t0, 64(a0)
	END

	/* The same in the delay slot of a branch */
KERNEL(k_refill_slot)
	ld	t1, 0(a0)
	beq	zero, zero, 1f
	 lw	t0, 0(t1)
1:	lw	t0, 64(a0)
	END

	/* A store to a page that is read-only: skipped */
KERNEL(k_modified)
	ld	t1, 0(a0)
	break
	sw	t0, 0(t1)
	lw	t0, 64(a0)
	END

	/* Address errors access nothing. */
KERNEL(k_address)
	lw	t0, 1(a0)
	sw	t0, 34(a0)
	lh	t0, 65(a0)
	lw	t0, 96(a0)
	END

	/* In delay slots: taken, not taken, likely taken, nullified */
KERNEL(k_slots)
	beq	zero, zero, 1f
	 lw	t0, 0(a0)
	nop
1:	bne	zero, zero, 2f
	 lw	t0, 32(a0)
	nop
2:	beql	zero, zero, 3f
	 lw	t0, 64(a0)
	nop
3:	move	t1, zero
	bnel	t1, zero, 4f	/* not decided by its registers' names alone */
	 lw	t0, 96(a0)
	nop
4:	nop
	END

	/* With ERL a line of which a0 is the unmapped address, and again without */
KERNEL(k_erl)
	mfc0	t0, C0_STATUS
	ori	t1, t0, ST_ERL
	mtc0	t1, C0_STATUS
	lw	t2, 0(a0)
	mtc0	t0, C0_STATUS
	lw	t2, 0(a0)
	lw	t2, 32(a0)
	END

	/* Kernel mode part, then user mode part (Status from 128(a0)) */
KERNEL(k_two_modes)
	lw	t0, 0(a0)
	lw	t1, 128(a0)
	mtc0	t1, C0_STATUS
	lw	t0, 32(a0)
	sw	t0, 64(a0)
	END

	/* 8 lines, one a turn */
KERNEL(k_walk)
	li	t0, 8
1:	lw	t1, 0(a0)
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 addiu	a0, a0, 32
	nop
	END

	/* A modified line is written back, some nops follow. */
KERNEL(k_write_back)
	li	t0, 0
	sw	t0, 0(a0)
	cache	0x15, 0(a0)
	li	t0, 1
	nop
	b	1f
	 nop
1:	li	t0, 2
	END

	/* 4 L1I lines and the first word of the next */
KERNEL(k_code)
	.rept	63
	nop
	.endr
	nop
	END

	/* Reads the counter between misses: to 64(a1)... uncached */
KERNEL(k_visible)
	ld	t3, 128(a0)
	lw	t0, 0(a0)
	mfpc	t1, 0
	lw	t0, 32(a0)
	mfpc	t2, 0
	sw	t1, 0(t3)
	sw	t2, 4(t3)
	mfpc	t1, 0
	sw	t1, 8(t3)
	END

	/* Like a multiplexing scheduler: stop, access another line, start again */
KERNEL(k_freeze)
	lw	t0, 0(a0)
	mfps	t1, 0
	mfps	t2, 1
	mtps	zero, 0
	mtps	zero, 1
	lw	t0, 32(a0)
	mtps	t1, 0
	mtps	t2, 1
	lw	t0, 32(a0)
	lw	t0, 64(a0)
	END

	/* Prefetches of addresses that are not mapped, and of one that is */
KERNEL(k_prefetch)
	lui	t0, 0x5000
	pref	0, 0(t0)
	pref	1, 0(t0)
	prefx	0, zero(t0)
	pref	0, 1(zero)
	pref	0, 0(a0)
	prefx	4, zero(a0)
	END

	/* LL, SC; an SC that fails */
KERNEL(k_sc)
	ll	t0, 0(a0)
	sc	t0, 0(a0)
	ll	t0, 32(a0)
	sc	t0, 64(a0)
	END

	/* Unaligned and FP accesses are accesses like others. */
KERNEL(k_kinds)
	lwl	t0, 1(a0)
	lwr	t0, 34(a0)
	ldl	t0, 65(a0)
	sdr	t0, 98(a0)
	lwc1	$f0, 128(a0)
	sdc1	$f0, 160(a0)
	lb	t0, 192(a0)
	sh	t0, 224(a0)
	END
