/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel of skid.c */
#include "asm.h"

	KERNELS

	/*
	 * Endless: 40 instructions with a load that hits, a store, an FP add, and a
	 * load that always misses, as it goes round three lines of a set of two.
	 * a0 has the first of these lines; the word at 64(a0) is in another set.
	 */
	.globl	k_skid_loop, k_skid_hit, k_skid_store, k_skid_fp, k_skid_miss, k_skid_delay
KERNEL(k_skid)
	mtc1	zero, $f2
	move	a1, a0
	daddiu	a2, a0, 0x4000
	daddiu	a3, a2, 0x4000
k_skid_loop:
	move	v0, a1
	move	a1, a2
	move	a2, a3
	move	a3, v0
	.rept	6
	addu	t0, t0, t1
	.endr
k_skid_hit:
	lw	t1, 64(a0)
	.rept	7
	addu	t0, t0, t1
	.endr
k_skid_store:
	sw	t1, 64(a0)
	.rept	3
	addu	t0, t0, t1
	.endr
k_skid_fp:
	add.s	$f2, $f2, $f2
	.rept	5
	addu	t0, t0, t1
	.endr
k_skid_miss:
	lw	t2, 0(a1)
	.rept	9
	addu	t0, t0, t1
	.endr
	b	k_skid_loop
k_skid_delay:
	 nop

	/* The same with the load that misses in a delay slot */
	.globl	k_slot_after
KERNEL(k_slot)
	move	a1, a0
	daddiu	a2, a0, 0x4000
	daddiu	a3, a2, 0x4000
1:
	move	v0, a1
	move	a1, a2
	move	a2, a3
	move	a3, v0
	b	k_slot_after
	 lw	t2, 0(a1)
	addu	t0, t0, t1
k_slot_after:
	addu	t0, t0, t1
	b	1b
	 nop

	/* Three lines 16 KB apart, endless, in a set that vectors do not use */
	.globl	k_fetch_1, k_fetch_2, k_fetch_3
	.balign	0x4000
	.space	0x2000
KERNEL(k_fetch)
k_fetch_1:
	addu	t0, t0, t1
	b	k_fetch_2
	 nop
	.space	0x4000 - 12
k_fetch_2:
	addu	t0, t0, t1
	b	k_fetch_3
	 nop
	.space	0x4000 - 12
k_fetch_3:
	addu	t0, t0, t1
	b	k_fetch_1
	 nop
