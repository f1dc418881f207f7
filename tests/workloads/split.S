/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * void split_heavy(unsigned long n), void split_light(unsigned long n):
 * 10 instructions an iteration and 2 to return: 10 n + 2.
 */
	.set	noreorder
	.text

	.macro	burn name
	.globl	\name
	.type	\name, @function
	.balign	64
	.ent	\name
\name:
	.frame	$29, 0, $31
1:	daddiu	$4, $4, -1
	addu	$8, $8, $9
	xor	$9, $9, $8
	sll	$10, $8, 3
	or	$11, $10, $9
	subu	$8, $8, $11
	nor	$9, $11, $10
	addu	$10, $9, $8
	bnez	$4, 1b
	 xor	$11, $10, $9
	jr	$31
	 nop
	.end	\name
	.size	\name, . - \name
	.endm

	burn	split_heavy
	burn	split_light

	.section .note.GNU-stack, "", @progbits
