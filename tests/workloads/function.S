/* SPDX-License-Identifier: GPL-2.0-only */
/* A small function to make many of: uint64_t function(uint64_t). */
	.set	noreorder
	.text
	.globl	function
	.type	function, @function
function:
	dsrl	$2, $4, 7
	dsll	$3, $4, 9
	xor	$2, $2, $3
	daddu	$2, $2, $4
	dsrl	$3, $2, 11
	xor	$2, $2, $3
	jr	$31
	 daddiu	$2, $2, 1
	.globl	function_end
function_end:
	.size	function, . - function
