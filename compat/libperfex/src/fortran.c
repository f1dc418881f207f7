// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions for Fortran, as gfortran calls them: arguments by reference, the
 * length of a text after all other arguments, and one underscore after the name, or
 * two with -fsecond-underscore. With -fno-underscoring the names would be those of C.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "internal.h"

#define FORTRAN(name, args)						\
	_Pragma("GCC visibility push(default)")				\
	int name##_ args;						\
	int name##__ args __attribute__((alias(#name "_")));		\
	_Pragma("GCC visibility pop")

FORTRAN(start_counters, (const int *e0, const int *e1))
FORTRAN(read_counters, (const int *e0, int64_t *c0, const int *e1, int64_t *c1))
FORTRAN(print_counters, (const int *e0, const int64_t *c0, const int *e1,
			 const int64_t *c1))
FORTRAN(print_costs, (const int *e0, const int64_t *c0, const int *e1,
		      const int64_t *c1))
FORTRAN(load_costs, (const char *file, size_t length))

int start_counters_(const int *e0, const int *e1)
{
	return start_counters(*e0, *e1);
}

int read_counters_(const int *e0, int64_t *c0, const int *e1, int64_t *c1)
{
	long long count[2];
	int ret = read_counters(*e0, &count[0], *e1, &count[1]);

	if (ret < 0)
		return ret;
	*c0 = count[0];
	*c1 = count[1];

	return ret;
}

int print_counters_(const int *e0, const int64_t *c0, const int *e1,
		    const int64_t *c1)
{
	return print_counters(*e0, *c0, *e1, *c1);
}

int print_costs_(const int *e0, const int64_t *c0, const int *e1,
		 const int64_t *c1)
{
	return print_costs(*e0, *c0, *e1, *c1);
}

/* Fortran pads a CHARACTER variable with blanks */
int load_costs_(const char *file, size_t length)
{
	char *name;
	int ret;

	while (length > 0 && file[length - 1] == ' ')
		length--;
	name = strndup(file, length);
	if (!name)
		return pfx_result(-ENOMEM);
	ret = load_costs(name);
	free(name);

	return ret;
}
