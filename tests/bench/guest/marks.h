/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks that tests/bench/where.c looks for: what is measured stands between
 * begin() and end().
 */
#ifndef MARKS_H
#define MARKS_H

/* 256 functions: "lui $0, 0xbe00 + n", return */
asm("	.text\n"
"	.balign	16\n"
"marks:	.set	push\n"
"	.set	noreorder\n"
"	.set	n, 0\n"
"	.rept	256\n"
"	.word	0x3c00be00 + n\n"
"	jr	$31\n"
"	 nop\n"
"	nop\n"
"	.set	n, n + 1\n"
"	.endr\n"
"	.set	pop\n");

extern const char marks[256][16];

static inline void mark(unsigned int n)
{
	((void (*)(void))marks[n])();
}

static unsigned int window;

static inline void begin(void)
{
	mark(window);
}

static inline void end(void)
{
	mark(window + 128);
}

#endif
