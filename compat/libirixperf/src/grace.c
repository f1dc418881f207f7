// SPDX-License-Identifier: LGPL-2.1-or-later
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
#include <stdatomic.h>
#include <stdlib.h>
#include "internal.h"

#define TURNS	2

static atomic_uint readers[TURNS];
static atomic_uint turn;

/* How often this thread is among them: more than once in handlers */
static _Thread_local unsigned int mine[TURNS]
	__attribute__((tls_model("initial-exec")));

static struct ixp_retired *retired;

/**
 * ixp_read_begin() - keep what is read from now on
 *
 * Safe in handlers of signals.
 *
 * Return: what ixp_read_end() wants to know.
 */
unsigned int ixp_read_begin(void)
{
	unsigned int which = atomic_load(&turn);

	mine[which]++;
	atomic_fetch_add(&readers[which], 1);

	return which;
}

/* What was read may vanish from now on */
void ixp_read_end(unsigned int which)
{
	atomic_fetch_sub(&readers[which], 1);
	mine[which]--;
}

/**
 * ixp_retire() - free something as soon as nobody reads it
 * @item: part of what is no longer to be found by new readers
 * @free: how to free it
 *
 * Callers hold the lock.
 */
void ixp_retire(struct ixp_retired *item, void (*free)(struct ixp_retired *))
{
	item->seen = 0;
	item->free = free;
	item->next = retired;
	retired = item;
}

static unsigned int turns_without_readers(void)
{
	unsigned int i, seen = 0;

	for (i = 0; i < TURNS; i++)
		if (atomic_load(&readers[i]) == 0)
			seen |= 1u << i;

	return seen;
}

/**
 * ixp_retired_free() - free what nobody reads any more
 *
 * Callers hold the lock.
 */
void ixp_retired_free(void)
{
	struct ixp_retired **where = &retired;
	unsigned int seen = turns_without_readers();

	while (*where) {
		struct ixp_retired *item = *where;

		item->seen |= seen;
		if (item->seen != (1u << TURNS) - 1) {
			where = &item->next;
			continue;
		}
		*where = item->next;
		item->free(item);
	}
	atomic_fetch_xor(&turn, 1);
}

/* In the child of a fork: of all threads only this one is left */
void ixp_read_fork_child(void)
{
	unsigned int i;

	for (i = 0; i < TURNS; i++)
		atomic_store(&readers[i], mine[i]);
}
