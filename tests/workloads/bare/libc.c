// SPDX-License-Identifier: GPL-2.0-only
/* What the workloads call, where there is no operating system. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cachectl.h>

#include "../wl.h"

#define HEAP	(24ul << 20)

static uint8_t heap[HEAP] __attribute__((aligned(64)));
static size_t used;

unsigned long wl_size(int argc, char **argv, const char *unit,
		      unsigned long dflt, unsigned long max)
{
	(void)argc, (void)argv, (void)unit, (void)max;
	return dflt;
}

/* Hangs, which the host notices */
void wl_die(const char *what)
{
	(void)what;
	for (;;)
		;
}

uint64_t wl_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

void *calloc(size_t n, size_t size)
{
	size_t start = used;

	used += (n * size + 63) & -64ul;
	return used <= HEAP ? heap + start : NULL;
}

void free(void *p)
{
	(void)p;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	const char *f = from;
	char *t = to;

	while (n--)
		*t++ = *f++;
	return to;
}

/* Nothing of what is flushed has been executed yet. */
int cacheflush(void *start, int bytes, int which)
{
	(void)start, (void)bytes, (void)which;
	return 0;
}

int printf(const char *format, ...)
{
	(void)format;
	return 0;
}

int putchar(int c)
{
	return c;
}

int puts(const char *s)
{
	(void)s;
	return 0;
}
