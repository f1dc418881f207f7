/* SPDX-License-Identifier: GPL-2.0-only */
/* CP0 register 25 by both families of encodings, and all its numbers. */
#include "asm.h"

	.data
	.balign	4
	.globl	words_r10000, words_sel
words_r10000:
	mfps	t0, 0
	mfpc	t0, 0
	mfps	t0, 1
	mfpc	t0, 1
	mtps	t0, 0
	mtpc	t0, 0
	mtps	t0, 1
	mtpc	t0, 1
words_sel:
	.set	push
	.set	mips64
	mfc0	t0, $25, 0
	mfc0	t0, $25, 1
	mfc0	t0, $25, 2
	mfc0	t0, $25, 3
	mtc0	t0, $25, 0
	mtc0	t0, $25, 1
	mtc0	t0, $25, 2
	mtc0	t0, $25, 3
	.set	pop

	.text
	.set	noreorder
	.set	noat

	/* u64 read_absent(u32 number): any of the 64, by a table of code */
	.globl	read_absent
read_absent:
	dla	t0, reads
	dsll	a0, a0, 3
	daddu	t0, t0, a0
	jr	t0
	 nop
reads:
	.set	number, 0
	.rept	64
	jr	ra
	.word	0x4000c800 | 2 << 16 | number
	.set	number, number + 1
	.endr

	/* u64 read_present(u32 number): the first four, by mfc0 with sel */
	.globl	read_present
read_present:
	dla	t0, sel_reads
	dsll	a0, a0, 3
	daddu	t0, t0, a0
	jr	t0
	 nop
	.set	push
	.set	mips64
sel_reads:
	.irp	n, 0, 1, 2, 3
	jr	ra
	 mfc0	v0, $25, \n
	.endr
	.set	pop

	/* void write_absent(u32 number, u64 value) */
	.globl	write_absent
write_absent:
	dla	t0, writes
	dsll	a0, a0, 3
	daddu	t0, t0, a0
	jr	t0
	 nop
writes:
	.set	number, 0
	.rept	64
	jr	ra
	.word	0x4080c800 | 5 << 16 | number
	.set	number, number + 1
	.endr
