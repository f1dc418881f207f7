/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libgcc2.c must know of the target, for MIPS IV with the n64 interface.
 * In the compiler's own build this comes from its configuration.
 */
#define BITS_PER_UNIT		8
#define MIN_UNITS_PER_WORD	8
