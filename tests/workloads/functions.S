/* SPDX-License-Identifier: GPL-2.0-only */
/* Many small functions, one after the other: uint64_t f(uint64_t). */
#include "functions.h"

	.set	noreorder
	.text
	.balign	FUNCTION_BYTES
	.globl	functions
	.type	functions, @function
functions:
	.rept	FUNCTIONS
	dsrl	$2, $4, 7
	dsll	$3, $4, 9
	xor	$2, $2, $3
	daddu	$2, $2, $4
	dsrl	$3, $2, 11
	xor	$2, $2, $3
	jr	$31
	 daddiu	$2, $2, 1
	.balign	FUNCTION_BYTES
	.endr
	.size	functions, . - functions
