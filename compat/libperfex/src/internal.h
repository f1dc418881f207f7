/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIBPERFEX_INTERNAL_H
#define LIBPERFEX_INTERNAL_H

#include <irixperf.h>
#include "perfex.h"

/**
 * struct pfx_choice - the two events of a call
 * @chip: the CPU type
 * @event: their numbers, with T5_EVENT0 and T5_EVENT1 applied
 */
struct pfx_choice {
	enum irixperf_chip chip;
	unsigned int event[2];
};

/* choose.c: 0 or a negative errno value, after a message */
int pfx_choose(struct pfx_choice *choice, int e0, int e1);
int pfx_check_conflict(const struct pfx_choice *choice);

/* message.c: write a message, with the library's name before each line */
__attribute__((format(printf, 1, 2)))
void pfx_message(const char *format, ...);

/* Turn a negative errno value into -1 and errno; return other values unchanged */
int pfx_result(int ret);

#endif
