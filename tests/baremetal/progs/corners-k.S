/* SPDX-License-Identifier: GPL-2.0-only */
#include "asm.h"

	KERNELS

/* A Hit operation without a mapping, in a slot that is not executed */
KERNEL(k_nullified_cache)
	li	t0, 0x00400000
	addiu	t1, zero, 1
	beql	t1, zero, 1f
	 cache	0x11, 0(t0)
1:	nop
	END

/* The old idiom that reads the PC: a branch that is never taken, eight times */
	.balign 4096
KERNEL(k_bltzal)
	addiu	t1, zero, 8
	move	s0, ra
1:	bltzal	zero, 2f
	 addiu	t1, t1, -1
	.balign 64
2:	bgtz	t1, 1b
	 nop
	jr	s0
	 nop

/* A likely branch that is never taken beside one that always is, eight times */
	.balign 4096
KERNEL(k_bnel)
	addiu	t1, zero, 8
	move	s0, ra
1:	bnel	zero, zero, 2f
	 nop
2:	beq	zero, zero, 3f
	 addiu	t1, t1, -1
	.balign 64
3:	bgtz	t1, 1b
	 nop
	jr	s0
	 nop

/* Takes its own line, a0, out of the cache; runs at a cached address. */
	.balign 4096
KERNEL(k_own_line)
	cache	0x10, 0(a0)
	nop
	nop
	jr	ra
	 nop

/* A conditional branch, taken, whose slot ends counting: on counter 0, on 1 */
	.balign 4096
KERNEL(k_slot_ends_0)
	addiu	t1, zero, 1
	bne	t1, zero, 1f
	 mtps	zero, 0
1:	jr	ra
	 nop

	.balign 4096
KERNEL(k_slot_ends_1)
	addiu	t1, zero, 1
	bne	t1, zero, 1f
	 mtps	zero, 1
1:	jr	ra
	 nop
