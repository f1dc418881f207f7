/* SPDX-License-Identifier: GPL-2.0-only */
/* The headers that cmocka's own needs, an assertion, and a shorter main(). */
#ifndef UNIT_H
#define UNIT_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* A call that sets errno */
#define assert_fails(call, err)						\
	do {								\
		errno = 0;						\
		assert_int_equal(call, -1);				\
		assert_int_equal(errno, err);				\
	} while (0)

#define UNIT_MAIN(tests)						\
	int main(void)							\
	{								\
		return cmocka_run_group_tests(tests, NULL, NULL) != 0;	\
	}

#endif
