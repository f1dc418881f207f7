/* SPDX-License-Identifier: GPL-2.0-only */
/* Entry of every program: a known CPU state, an empty bss, then bm_main(). */
#include "asm.h"

	.text
	.set	noreorder
	.set	hardfloat
	.globl	_start
	.type	_start, @function
_start:
	dli	t0, ST_NORMAL
	mtc0	t0, C0_STATUS
	dla	sp, boot_stack + 0x4000
	dla	t0, __bss_start
	dla	t1, __bss_end
1:	sd	zero, 0(t0)
	daddiu	t0, t0, 8
	bne	t0, t1, 1b
	 nop
	ctc1	zero, $31
	/* Every FP register holds 1.0 so that no kernel meets a NaN. */
	dli	t0, 0x3ff0000000000000
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	dmtc1	t0, $f\n
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	dmtc1	t0, $f\n
	.endr
	jal	bm_main
	 nop
1:	b	1b
	 nop

	.section .bss
	.balign	16
boot_stack:
	.space	0x4000
