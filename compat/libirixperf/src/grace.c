// SPDX-License-Identifier: LGPL-2.1-or-later
/* Frees what readers without the lock may be looking at: see grace.h. */
#include <stdlib.h>
#include "grace.h"

atomic_uint ixp_readers[READER_TURNS];
atomic_uint ixp_reader_turn;
_Thread_local unsigned int ixp_reader_mine[READER_TURNS] READER_TLS;

static struct ixp_retired *retired;

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

	for (i = 0; i < READER_TURNS; i++)
		if (atomic_load(&ixp_readers[i]) == 0)
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
		if (item->seen != (1u << READER_TURNS) - 1) {
			where = &item->next;
			continue;
		}
		*where = item->next;
		item->free(item);
	}
	atomic_fetch_xor(&ixp_reader_turn, 1);
}

/* In the child of a fork: of all threads only this one is left */
void ixp_read_fork_child(void)
{
	unsigned int i;

	for (i = 0; i < READER_TURNS; i++)
		atomic_store(&ixp_readers[i], ixp_reader_mine[i]);
}
