/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A workload without an operating system: maps the first 32 MB of memory at
 * the same addresses in user space, cached, and runs main() there in user
 * mode. Its last system call resets the board.
 */
#define STATUS		0xa40000b2	/* XX, CU1, FR; KX, UX; user mode; EXL */
#define PAGES_OF_16MB	0x01ffe000
#define SECOND_PAGE	(0x1000 << 6)
#define CACHED_RW_G	0x1f

	.set	noreorder
	.set	noat

	.section .vectors, "ax"
	.org	0
	b	.			/* no TLB refill is expected */
	 nop
	.org	0x80
	b	.
	 nop
	.org	0x180
	mfc0	$26, $13
	andi	$26, $26, 0x7c
	xori	$26, $26, 8 << 2	/* nothing but a system call */
1:	bnez	$26, 1b
	 lui	$26, 0xbf00
	li	$27, 0x42
	sw	$27, 0x500($26)		/* the board's reset register */
2:	b	2b
	 nop

	.section .start, "ax"
	.globl	_start
_start:
	mtc0	$0, $0
	dmtc0	$0, $10
	li	$8, PAGES_OF_16MB
	mtc0	$8, $5
	li	$8, CACHED_RW_G
	dmtc0	$8, $2
	li	$8, SECOND_PAGE | CACHED_RW_G
	dmtc0	$8, $3
	tlbwi
	li	$8, STATUS
	mtc0	$8, $12
	dla	$8, user
	dmtc0	$8, $14
	eret

	.text
user:
	dla	$29, stack_top
	move	$4, $0
	dla	$25, main
	jalr	$25
	 move	$5, $0
	syscall

	.section .bss
	.balign	16
	.space	0x40000
stack_top:
