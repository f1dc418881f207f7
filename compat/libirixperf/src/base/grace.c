// SPDX-License-Identifier: LGPL-2.1-or-later
/* Free what readers without the lock may still use: see grace.h. */
#include <stdlib.h>
#include "grace.h"

atomic_uint ixp_readers[READER_TURNS];
atomic_uint ixp_reader_turn;
_Thread_local unsigned int ixp_reader_mine[READER_TURNS] READER_TLS;

static struct ixp_retired *retired;

/**
 * ixp_retire() - free an item as soon as no reader uses it
 * @item: member of the item, which new readers cannot find any more
 * @free: frees the item
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
 * ixp_retired_free() - free the retired items that no reader uses any more
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

/* Called in a child that must not close what its parent has retired */
void ixp_retired_forget(void)
{
	retired = NULL;
}

/* Called in a forked child: only this thread is left */
void ixp_read_fork_child(void)
{
	unsigned int i;

	for (i = 0; i < READER_TURNS; i++)
		atomic_store(&ixp_readers[i], ixp_reader_mine[i]);
}
