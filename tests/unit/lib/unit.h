/* SPDX-License-Identifier: GPL-2.0-only */
/* What cmocka wants before its own header, and a shorter main(). */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define UNIT_MAIN(tests)						\
	int main(void)							\
	{								\
		return cmocka_run_group_tests(tests, NULL, NULL) != 0;	\
	}

#endif
