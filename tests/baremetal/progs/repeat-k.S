/* SPDX-License-Identifier: GPL-2.0-only */
#include "asm.h"

	KERNELS

	/* n = 0(a0) turns with a device access (its address is at 8(a0)) */
KERNEL(k_device_loop)
	lw	t0, 0(a0)
	ld	t1, 8(a0)
1:	lbu	t2, 0(t1)
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 sw	t2, 4(a0)
	END

	/* Loads and stores all over 4 MB at 16(a0), random branches */
KERNEL(k_roam)
	lw	t0, 0(a0)
	ld	t1, 8(a0)
	ld	t2, 16(a0)
	lui	t3, 0x41c6
	ori	t3, t3, 0x4e6d
	li	a1, 1
1:	multu	a1, t3
	mflo	a1
	addiu	a1, a1, 12345
	srl	a2, a1, 10
	lui	a3, 0x3f
	ori	a3, a3, 0xffe0
	and	a2, a2, a3
	daddu	a2, a2, t2
	sll	a3, a1, 5
	bltz	a3, 2f
	 lw	a3, 0(a2)
	sw	a3, 4(a2)
	lbu	a3, 0(t1)
2:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 pref	0, 256(a2)
	END
