/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of cachemap.c; a0 is the page under test. */
#include "asm.h"

	KERNELS

	/* A load and a store of one line, then all of it again */
KERNEL(k_one_line)
	lw	t0, 0(a0)
	sw	t0, 4(a0)
	lw	t0, 8(a0)
	sw	t0, 12(a0)
	END

	/* 128 lines, a page, in a row; modified */
KERNEL(k_page)
	.set	offset, 0
	.rept	128
	sw	zero, offset(a0)
	.set	offset, offset + 32
	.endr
	END

	/* The same, 20 times over, by a loop */
KERNEL(k_page_loop)
	li	t0, 20
1:	li	t1, 128
	move	t2, a0
2:	lw	t3, 0(t2)
	addiu	t1, t1, -1
	sw	t3, 8(t2)
	bne	t1, zero, 2b
	 daddiu	t2, t2, 32
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	END

	/* 10000 times two lines */
KERNEL(k_two_lines)
	li	t0, 10000
1:	lw	t1, 0(a0)
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 sw	t1, 32(a0)
	END

	/* A chain of four pointers from 0(a0); the register is its own base. */
KERNEL(k_chain)
	ld	a0, 0(a0)
	ld	a0, 0(a0)
	ld	a0, 0(a0)
	ld	a0, 0(a0)
	END

	/* The line at 0(a0); EntryLo from 8(a0), tlbwi; the line again, twice */
KERNEL(k_remap)
	ld	t1, 0(a0)
	ld	t2, 8(a0)
	lw	t0, 0(t1)
	dmtc0	t2, $2
	dmtc0	t2, $3
	tlbwi
	lw	t0, 0(t1)
	lw	t0, 0(t1)
	END

	/* The line at 0(a0); EntryHi from 8(a0); the line; EntryHi from 16(a0); again */
KERNEL(k_asid)
	ld	t1, 0(a0)
	ld	t2, 8(a0)
	ld	t3, 16(a0)
	lw	t0, 0(t1)
	dmtc0	t2, $10
	lw	t0, 0(t1)
	dmtc0	t3, $10
	lw	t0, 0(t1)
	END

	/* The line at 0(a0), with Config from 8, 16, 8, 16(a0) */
KERNEL(k_config)
	ld	t1, 0(a0)
	ld	t2, 8(a0)
	ld	t3, 16(a0)
	mtc0	t2, $16
	lw	t0, 0(t1)
	mtc0	t3, $16
	lw	t0, 0(t1)
	mtc0	t2, $16
	lw	t0, 0(t1)
	mtc0	t3, $16
	lw	t0, 0(t1)
	END

	/* 2048 words of code: 128 L1I lines */
	.balign	4096
KERNEL(k_long_code)
	.rept	2047
	nop
	.endr
	nop
	END
