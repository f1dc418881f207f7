/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each public function that uses the library's state calls ixp_enter() first and
 * ixp_leave() last. In between, the thread holds the lock, and gets no signals.
 */
#ifndef IXP_ENTER_H
#define IXP_ENTER_H

#include <stdbool.h>
#include "kernel.h"

struct timespec;

void ixp_enter(void);
void ixp_leave(void);
bool ixp_enter_soon(const struct timespec *moment);
bool ixp_forking(void);

bool ixp_inside(void);
void ixp_set_inside(bool now);

/**
 * struct ixp_held - a thread's state before it took the lock
 * @signals: signal mask. Signals are blocked under the lock: a handler that reads
 *	counters or waits for children would wait for the thread that it interrupts
 * @cancel: cancellation state. Cancellation is disabled under the lock: a cancelled
 *	thread would never release it
 */
struct ixp_held {
	unsigned char signals[IXP_MASK];
	int cancel;
};

void ixp_thread_hold(struct ixp_held *held);
void ixp_thread_release(const struct ixp_held *held);

#endif
