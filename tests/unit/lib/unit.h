/* SPDX-License-Identifier: GPL-2.0-only */
/* Cases for cmocka, an assertion, and the headers that most tests need. */
#ifndef UNIT_H
#define UNIT_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* A call that sets errno */
#define assert_fails(call, err)						\
	do {								\
		errno = 0;						\
		assert_int_equal(call, -1);				\
		assert_int_equal(errno, err);				\
	} while (0)

/* The cases of this program, and what FIXTURE() sets */
#define CASES_MAX	100

static struct CMUnitTest unit_cases[CASES_MAX];
static unsigned int unit_nr_cases;
static CMFixtureFunction unit_setup, unit_teardown;

static inline void unit_add(const char *name, CMUnitTestFunction run,
			    CMFixtureFunction setup, CMFixtureFunction teardown)
{
	if (unit_nr_cases == CASES_MAX)
		abort();
	unit_cases[unit_nr_cases++] = (struct CMUnitTest){
		.name = name, .test_func = run,
		.setup_func = setup, .teardown_func = teardown,
	};
}

/*
 * A case is CASE(its_name) and a body in braces. There is no table that could lack it:
 * what is defined runs, in the order of the file. Each case adds itself in a constructor,
 * before main(). Its priority is the line: the lowest comes first; up to 100 they are
 * reserved.
 */
#define CASE(name)	CASE_WITH(name, unit_setup, unit_teardown)

/* A case with another fixture than the file's; NULL for none */
#define CASE_WITH(name, setup, teardown)				\
	static void name(void);						\
	static void unit_run_##name(void **state)			\
	{								\
		(void)state;						\
		name();							\
	}								\
	__attribute__((constructor(101 + __LINE__)))			\
	static void unit_add_##name(void)				\
	{								\
		unit_add(#name, unit_run_##name, setup, teardown);	\
	}								\
	static void name(void)

/* What runs before and after each CASE() of the file, wherever this line is, or NULL */
#define FIXTURE(setup, teardown)					\
	static CMFixtureFunction unit_setup = setup, unit_teardown = teardown

/* Run all cases. These functions, or NULL, run once: before the first, after the last */
static inline int run_cases(CMFixtureFunction before, CMFixtureFunction after)
{
	return _cmocka_run_group_tests("tests", unit_cases, unit_nr_cases, before,
				       after) != 0;
}

#define UNIT_MAIN()							\
	int main(void)							\
	{								\
		return run_cases(NULL, NULL);				\
	}

#endif
