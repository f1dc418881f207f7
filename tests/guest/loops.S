/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loops of known length; loops.c lists what one iteration executes.
 *
 * unsigned long loop_NAME(unsigned long n, void *buf), n >= 1.
 *
 * Rules that keep the counts exact on an interrupted machine:
 *  - no load or store is in a branch's delay slot: if it faulted, the branch
 *    would be executed, and counted, again;
 *  - buf is aligned to 64 bytes and accessed before anything is counted;
 *  - each loop is aligned to 256 bytes and is shorter, so no iteration
 *    crosses a page.
 */
	.option pic0		/* so that j and jal stay j and jal */
	.set	noreorder
	.set	noat
	.text

	.macro	loop name
	.globl	\name
	.type	\name, @function
	.balign	256
	.ent	\name
\name:
	.frame	$29, 0, $31
	.endm

	.macro	endloop name
	.end	\name
	.size	\name, . - \name
	.endm

/* 8 instructions, 1 of them a conditional branch */
	loop	loop_int
1:	daddiu	$4, $4, -1
	addu	$8, $8, $9
	xor	$9, $9, $8
	sll	$10, $8, 3
	or	$11, $10, $9
	subu	$8, $8, $11
	bnez	$4, 1b
	 nor	$9, $11, $10
	jr	$31
	 move	$2, $0
	endloop	loop_int

/* 10 instructions: 2 loads, 1 store, 1 FP, 1 multiply, 1 conditional branch */
	loop	loop_mix
	ldc1	$f0, 0($5)
	ldc1	$f2, 8($5)
1:	lw	$8, 16($5)
	ld	$9, 24($5)
	add.d	$f4, $f0, $f2
	mult	$8, $8
	daddiu	$4, $4, -1
	sw	$8, 32($5)
	mflo	$10
	addu	$11, $10, $8
	bnez	$4, 1b
	 xor	$9, $9, $10
	jr	$31
	 move	$2, $0
	endloop	loop_mix

/* 25 instructions: 16 loads of all sizes and pref, 1 branch */
	loop	loop_loads
1:	lb	$8, 0($5)
	lbu	$8, 1($5)
	lh	$8, 2($5)
	lhu	$8, 4($5)
	lw	$8, 8($5)
	lwu	$8, 12($5)
	ld	$8, 16($5)
	lwl	$8, 25($5)
	lwr	$8, 28($5)
	ldl	$9, 33($5)
	ldr	$9, 40($5)
	lwc1	$f0, 8($5)
	ldc1	$f2, 16($5)
	lwxc1	$f0, $0($5)
	ldxc1	$f2, $0($5)
	pref	0, 0($5)
	daddiu	$4, $4, -1
	nop
	nop
	nop
	nop
	nop
	nop
	bnez	$4, 1b
	 nop
	jr	$31
	 move	$2, $0
	endloop	loop_loads

/* 20 instructions: 14 stores of all sizes, 1 branch */
	loop	loop_stores
	mtc1	$0, $f0
	dmtc1	$0, $f2
1:	sb	$8, 0($5)
	sh	$8, 2($5)
	sw	$8, 4($5)
	sd	$8, 8($5)
	swl	$8, 17($5)
	swr	$8, 20($5)
	sdl	$8, 25($5)
	sdr	$8, 32($5)
	swc1	$f0, 40($5)
	sdc1	$f2, 48($5)
	swxc1	$f0, $0($5)
	sdxc1	$f2, $0($5)
	sb	$0, 1($5)
	sd	$0, 56($5)
	daddiu	$4, $4, -1
	nop
	nop
	nop
	bnez	$4, 1b
	 nop
	jr	$31
	 move	$2, $0
	endloop	loop_stores

/* 8 multiplies and divides, each counts two; 12 more instructions, 1 a branch */
	loop	loop_muldiv
	li	$8, 7
	li	$9, 1000
1:	mult	$8, $9
	mflo	$10
	multu	$8, $9
	mfhi	$10
	dmult	$8, $9
	mflo	$10
	dmultu	$8, $9
	mfhi	$10
	div	$0, $9, $8
	mflo	$10
	divu	$0, $9, $8
	mfhi	$10
	ddiv	$0, $9, $8
	mflo	$10
	ddivu	$0, $9, $8
	mfhi	$10
	daddiu	$4, $4, -1
	nop
	bnez	$4, 1b
	 nop
	jr	$31
	 move	$2, $0
	endloop	loop_muldiv

/*
 * 25 instructions, of which 12 are FP operations. Instructions that cannot raise an
 * FP exception are none: moves between the register files, FP loads and branches.
 */
	loop	loop_fp
	ldc1	$f0, 0($5)
	ldc1	$f2, 8($5)
	cvt.s.d	$f12, $f0
	cvt.s.d	$f14, $f2
1:	add.d	$f4, $f0, $f2
	sub.d	$f5, $f0, $f2
	mul.d	$f6, $f0, $f2
	div.d	$f7, $f0, $f2
	sqrt.d	$f8, $f0
	madd.d	$f9, $f0, $f2, $f2
	nmsub.d	$f10, $f0, $f2, $f2
	add.s	$f13, $f12, $f14
	cvt.d.s	$f11, $f12
	trunc.l.d $f15, $f0
	cvt.d.l	$f16, $f15
	c.lt.d	$f0, $f2
	ldc1	$f17, 0($5)
	sdc1	$f0, 48($5)
	dmfc1	$8, $f4
	dmtc1	$8, $f18
	mfc1	$9, $f12
	mtc1	$9, $f19
	bc1f	2f
	 nop
	nop
2:	daddiu	$4, $4, -1
	nop
	bnez	$4, 1b
	 nop
	jr	$31
	 move	$2, $0
	endloop	loop_fp

/*
 * 9 conditional branches and 3 jumps, 26 instructions executed: taken, not
 * taken, likely (a slot that is not executed does not count), FP.
 */
	loop	loop_branches
	move	$8, $0
	li	$9, 1
	ldc1	$f0, 0($5)
	c.eq.d	$f0, $f0
1:	beq	$8, $9, 9f
	 nop
	bne	$8, $9, 2f
	 nop
	nop
2:	blez	$8, 3f
	 nop
	nop
3:	bgtz	$8, 9f
	 nop
	bltz	$9, 9f
	 nop
	beql	$8, $9, 9f
	 nop
	bnel	$8, $9, 4f
	 nop
	nop
4:	bc1t	5f
	 nop
	nop
5:	j	6f
	 nop
	nop
6:	move	$10, $31
	jal	8f
	 nop
	move	$31, $10
	daddiu	$4, $4, -1
	bnez	$4, 1b
	 nop
9:	jr	$31
	 move	$2, $0
8:	jr	$31
	 nop
	endloop	loop_branches

/*
 * LL and an SC that succeeds unless an exception comes between them. Returns how
 * many have succeeded.
 */
	.macro	sc_loop	name, ll, sc
	loop	\name
	move	$2, $0
1:	\ll	$8, 0($5)
	daddiu	$4, $4, -1
	\sc	$8, 0($5)
	daddu	$2, $2, $8
	nop
	nop
	bnez	$4, 1b
	 nop
	jr	$31
	 nop
	endloop	\name
	.endm

	sc_loop	loop_sc, ll, sc
	sc_loop	loop_scd, lld, scd

/*
 * LL, getppid, SC: the return from the exception breaks the link, so each SC
 * fails. The syscall instruction raises an exception and so does not graduate: 10
 * instructions, not 11. Returns how many SCs have succeeded (none).
 */
	loop	loop_sc_syscall
	daddiu	$29, $29, -32
	sd	$16, 0($29)
	sd	$17, 8($29)
	sd	$18, 16($29)
	move	$16, $4
	move	$17, $5
	move	$18, $0
1:	ll	$8, 0($17)
	li	$2, 5108
	syscall
	li	$8, 1
	sc	$8, 0($17)
	daddu	$18, $18, $8
	daddiu	$16, $16, -1
	nop
	nop
	bnez	$16, 1b
	 nop
	move	$2, $18
	ld	$16, 0($29)
	ld	$17, 8($29)
	ld	$18, 16($29)
	jr	$31
	 daddiu	$29, $29, 32
	endloop	loop_sc_syscall

/*
 * unsigned long loop_between(fd, on, off, run, n, buf): calls run(n, buf) between
 * the ioctl()s on and off of fd. Returns what run() returns, or -1 if the first
 * ioctl() fails. This is not in C, because neither the C library's ioctl() nor the
 * compiler follows the rules above, and their instructions would be counted.
 */
	loop	loop_between
	daddiu	$29, $29, -48
	sd	$31, 0($29)
	sd	$16, 8($29)
	sd	$17, 16($29)
	sd	$18, 24($29)
	sd	$19, 32($29)
	sd	$20, 40($29)
	move	$16, $4
	move	$17, $6
	move	$18, $7
	move	$19, $8
	move	$20, $9
	li	$2, 5015
	move	$6, $0
	syscall
	li	$2, -1
	bnez	$7, 1f
	 nop
	move	$4, $19
	move	$5, $20
	jalr	$18
	 nop
	move	$18, $2
	li	$2, 5015
	move	$4, $16
	move	$5, $17
	move	$6, $0
	syscall
	move	$2, $18
1:	ld	$31, 0($29)
	ld	$16, 8($29)
	ld	$17, 16($29)
	ld	$18, 24($29)
	ld	$19, 32($29)
	ld	$20, 40($29)
	jr	$31
	 daddiu	$29, $29, 48
	endloop	loop_between

	.section .note.GNU-stack, "", @progbits
