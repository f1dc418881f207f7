/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading without the lock. Handlers of signals read counters, and may have
 * interrupted whoever holds the lock or reads himself; so readers wait for
 * nobody and nobody waits for them. What they may be looking at is freed when
 * it is certain that none of them does any more.
 *
 * Readers count themselves on one of two counters. What is put aside is free
 * once each of the two has been seen at zero since. New readers change over to
 * the other counter whenever it is looked at, so that each gets there.
 */
#ifndef IXP_GRACE_H
#define IXP_GRACE_H

#include <stdatomic.h>
#include "internal.h"

#define READER_TURNS	2

/* At a fixed place of each thread: handlers must not be given memory for it */
#define READER_TLS	__attribute__((tls_model("initial-exec")))

extern atomic_uint ixp_readers[READER_TURNS];
extern atomic_uint ixp_reader_turn;

/* How often this thread is among them: more than once in handlers */
extern _Thread_local unsigned int ixp_reader_mine[READER_TURNS] READER_TLS;

/* Keep what is read from now on; gives what ixp_read_end() wants to know */
static inline unsigned int ixp_read_begin(void)
{
	unsigned int which = atomic_load(&ixp_reader_turn);

	ixp_reader_mine[which]++;
	atomic_fetch_add(&ixp_readers[which], 1);

	return which;
}

/* What was read may vanish from now on */
static inline void ixp_read_end(unsigned int which)
{
	atomic_fetch_sub(&ixp_readers[which], 1);
	ixp_reader_mine[which]--;
}

#endif
