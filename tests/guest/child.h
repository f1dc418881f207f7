/* SPDX-License-Identifier: GPL-2.0-only */
/* Children that wait until the parent has opened events for them. */
#ifndef R10K_TEST_CHILD_H
#define R10K_TEST_CHILD_H

#include <stdint.h>
#include <sys/types.h>

typedef void (*child_fn)(void *arg);

pid_t child_hold(child_fn fn, void *arg);
void child_let_go(pid_t child);
void child_await(pid_t child);

/* What an event has counted when the child has ended; it is closed */
uint64_t child_count(pid_t child, int fd);

#endif /* R10K_TEST_CHILD_H */
