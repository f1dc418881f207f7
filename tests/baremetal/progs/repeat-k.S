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
