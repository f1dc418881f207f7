/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variables of the environment that name the two events, for perfex and libperfex. */
#ifndef T5EVENT_H
#define T5EVENT_H

#define T5_EVENTS	2

/* The value for event 0 or 1, with its variable in @name; NULL if none is set */
const char *t5_event(unsigned int which, const char **name);

#endif
