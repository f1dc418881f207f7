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
	/* With two CPUs both start here; the one that comes second waits. */
	dla	t0, boot_ticket
1:	ll	t1, 0(t0)
	addiu	t2, t1, 1
	sc	t2, 0(t0)
	beqz	t2, 1b
	 nop
	bnez	t1, second
	 nop
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

	/*
	 * The emulator switches to the other CPU when a timer fires: let it fire
	 * often. second_go is set when the bss has been cleared.
	 */
second:
	dla	t3, second_go
1:	mfc0	t0, C0_COUNT
	addiu	t0, t0, 1000
	mtc0	t0, C0_COMPARE
2:	lw	t1, 0(t3)
	bnez	t1, 3f
	 nop
	mfc0	t0, C0_CAUSE
	andi	t0, t0, 0x8000
	bnez	t0, 1b
	 mfc0	t0, C0_COUNT
	mfc0	t1, C0_COMPARE
	subu	t0, t0, t1
	/* A match that was missed */
	lui	t1, 1
	slt	t0, t1, t0
	bnez	t0, 1b
	 nop
	b	2b
	 nop
3:	dla	sp, second_stack + 0x2000
	jal	second_main
	 nop
1:	b	1b
	 nop

	.data
	.globl	second_go
boot_ticket:
	.word	0
second_go:
	.word	0

	.section .bss
	.balign	16
boot_stack:
	.space	0x4000
second_stack:
	.space	0x2000
