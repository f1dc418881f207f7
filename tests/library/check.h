/* SPDX-License-Identifier: GPL-2.0-only */
/* Results as TAP, for programs of one file that are linked with the library. */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int nr, nr_failed;

__attribute__((format(printf, 3, 4)))
static inline void check(bool ok, const char *what, const char *format, ...)
{
	va_list args;

	printf("%sok %d - %s\n", ok ? "" : "not ", ++nr, what);
	if (ok)
		return;
	nr_failed++;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static inline void check_count(unsigned long long got,
			       unsigned long long expected, const char *what)
{
	check(got == expected, what, "expected: %llu, got: %llu", expected, got);
}

#endif
