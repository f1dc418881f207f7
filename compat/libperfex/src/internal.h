/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIBPERFEX_INTERNAL_H
#define LIBPERFEX_INTERNAL_H

#include <irixperf.h>
#include "perfex.h"

/**
 * struct pfx_choice - the two events of a call
 * @chip: which events there are
 * @event: their numbers, after T5_EVENT0 and T5_EVENT1
 */
struct pfx_choice {
	enum irixperf_chip chip;
	unsigned int event[2];
};

/* choose.c: 0 or a negative errno value, after a message */
int pfx_choose(struct pfx_choice *choice, int e0, int e1);
int pfx_check_conflict(const struct pfx_choice *choice);

/* message.c: each line with the library's name in front */
__attribute__((format(printf, 1, 2)))
void pfx_message(const char *format, ...);

/* -1 and errno of a negative errno value; others as they are */
int pfx_result(int ret);

#endif
