/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reporting of results, on top of the kernel's own kselftest.h. That header keeps its
 * counts in static variables, so only one file includes it: tap.c.
 */
#ifndef R10K_TEST_TAP_H
#define R10K_TEST_TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The exit status of a program that has skipped all its checks */
#define TAP_SKIPPED	4

void tap_start(unsigned int plan);
int tap_end(void);
bool tap_long(void);
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_bail(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
void tap_bail_errno(const char *what) __attribute__((noreturn));

void check_equal(const char *what, uint64_t got, uint64_t expected);
void check_near(const char *what, double got, double expected,
		double tolerance);
void check_true(const char *what, bool ok, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* R10K_TEST_TAP_H */
