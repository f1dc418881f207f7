/* SPDX-License-Identifier: GPL-2.0-only */
#include "asm.h"

	.text
	.set	noreorder
	.globl	trace_bases
	.type	trace_bases, @function
	/* The base registers of trace.c, from u64 [8] at a0 */
trace_bases:
	ld	$2, 0(a0)
	ld	$3, 8(a0)
	ld	$5, 16(a0)
	ld	$6, 24(a0)
	ld	$7, 32(a0)
	ld	$8, 40(a0)
	ld	$9, 48(a0)
	ld	$10, 56(a0)
	jr	ra
	 nop
