// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reporting of results, on top of the kernel's own kselftest.h.
 *
 * Every check that fails prints what was expected and what it got, in "# expected:"
 * and "# got:" lines before its "not ok" line; tests/run shows them.
 */
#include <math.h>

#include "tap.h"

#pragma GCC diagnostic ignored "-Wunused-function"
#undef ARRAY_SIZE
#include "kselftest.h"

void tap_start(unsigned int plan)
{
	ksft_print_header();
	ksft_set_plan(plan);
}

/* The exit status: 0 if all planned checks have passed */
int tap_end(void)
{
	ksft_print_cnts();
	return ksft_plan == ksft_test_num() && !ksft_get_fail_cnt() ?
	       KSFT_PASS : KSFT_FAIL;
}

/* TEST_LONG in the environment asks for a longer run */
bool tap_long(void)
{
	return getenv("TEST_LONG");
}

void tap_note(const char *fmt, ...)
{
	va_list args;

	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
}

/* Give up: the remaining checks cannot run */
void tap_bail(const char *fmt, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	ksft_exit_fail();
}

void tap_bail_errno(const char *what)
{
	ksft_exit_fail_perror(what);
}

void check_equal(const char *what, uint64_t got, uint64_t expected)
{
	if (got != expected) {
		tap_note("expected: %llu\n", (unsigned long long)expected);
		tap_note("got: %llu (difference %lld)\n",
			 (unsigned long long)got,
			 (long long)(got - expected));
	}
	ksft_test_result(got == expected, "%s\n", what);
}

/* tolerance is relative: 0.01 is one per cent */
void check_near(const char *what, double got, double expected,
		double tolerance)
{
	bool ok = fabs(got - expected) <= tolerance * fabs(expected);

	tap_note("expected: %.6g +- %g %%\n", expected, tolerance * 100);
	tap_note("got: %.6g (%+.4f %%)\n", got,
		 expected ? (got / expected - 1) * 100 : INFINITY);
	ksft_test_result(ok, "%s\n", what);
}

/* fmt describes what the check got; it is printed only if the check fails */
void check_true(const char *what, bool ok, const char *fmt, ...)
{
	va_list args;

	if (!ok) {
		printf("# got: ");
		va_start(args, fmt);
		vprintf(fmt, args);
		va_end(args);
		printf("\n");
	}
	ksft_test_result(ok, "%s\n", what);
}
