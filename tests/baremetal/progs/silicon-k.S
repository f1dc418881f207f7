/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of silicon.c */
#include "asm.h"

	KERNELS

	/* 10 instructions, 4 of which are stores */
KERNEL(k_ten)
	.rept	6
	nop
	.endr
	.rept	4
	sw	zero, 0(a0)
	.endr
	END
