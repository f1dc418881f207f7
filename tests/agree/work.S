/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of known length without a C library, and its loop alone.
 *
 * void agree_loop(unsigned long n, const double *two): 12 instructions an
 * iteration, n >= 1, 2 of them loads and 1 an addition of doubles; 2 to return.
 *
 * Started without an argument it is the empty workload: one iteration. With an
 * argument there are AGREE_ROUNDS more. All the rest is 15 instructions, 2 to
 * return among them, and a load. The last, syscall, raises an exception and does
 * not graduate.
 *
 * No load or store sits in a delay slot, and no branch is the last word of a
 * page: a branch whose delay slot raises an exception counts twice.
 */
#define __NR_exit_group	5205

	.option pic0
	.set	noreorder
	.set	noat
	.text

	.balign	256
	.globl	agree_loop
	.type	agree_loop, @function
	.ent	agree_loop
agree_loop:
	.frame	$29, 0, $31
1:	ldc1	$f0, 0($5)
	ldc1	$f2, 8($5)
	add.d	$f4, $f0, $f2
	daddiu	$4, $4, -1
	addu	$8, $8, $9
	xor	$9, $9, $8
	sll	$10, $8, 3
	or	$11, $10, $9
	subu	$8, $8, $11
	nor	$9, $11, $10
	bnez	$4, 1b
	 addu	$10, $9, $8
	jr	$31
	 nop
	.end	agree_loop
	.size	agree_loop, . - agree_loop

#ifdef AGREE_PROGRAM
	.globl	__start
	.type	__start, @function
	.ent	__start
__start:
	.frame	$29, 0, $31
	ld	$12, 0($29)			/* argc */
	lui	$4, AGREE_ROUNDS >> 16
	ori	$4, $4, AGREE_ROUNDS & 0xffff
	slti	$12, $12, 2
	movn	$4, $0, $12
	daddiu	$4, $4, 1
	bal	1f				/* where is this? */
	 nop
1:	daddiu	$5, $31, two - 1b
	jal	agree_loop
	 nop
	move	$4, $0
	li	$2, __NR_exit_group
	syscall
	nop
	.end	__start
	.size	__start, . - __start
	.balign	16
two:	.double	1.0, 2.0
#endif

	.section .note.GNU-stack, "", @progbits
