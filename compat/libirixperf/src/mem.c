// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory for what is changed under the lock. malloc(3) has locks of its own:
 * whoever has been interrupted in it by a handler that waits for our lock would
 * wait for ever, if the one who holds ours waited for malloc(3). So none of
 * it is called under the lock, and these two wait for nobody.
 *
 * Blocks are pages of which a few are kept, as programs change their counters
 * again and again.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "internal.h"

#define PAGE	4096
#define KEPT	8

/* What comes before the memory that is given out, which is aligned to it */
union header {
	size_t size;
	max_align_t align;
};

static _Atomic(union header *) kept[KEPT];

static union header *block_map(size_t size)
{
	void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return block == MAP_FAILED ? NULL : block;
}

static union header *block_kept(void)
{
	union header *block = NULL;
	unsigned int i;

	for (i = 0; i < KEPT && !block; i++)
		if (atomic_load_explicit(&kept[i], memory_order_relaxed))
			block = atomic_exchange(&kept[i], NULL);

	return block;
}

static bool block_keep(union header *block)
{
	union header *none;
	unsigned int i;

	for (i = 0; i < KEPT; i++) {
		none = NULL;
		if (atomic_compare_exchange_strong(&kept[i], &none, block))
			return true;
	}

	return false;
}

/**
 * ixp_alloc_begun() - get memory without malloc(3), of which the beginning is zero
 * @size: bytes
 * @zero: how many of them are zero at least; the others may be anything
 *
 * Safe in all threads, in handlers of signals and under the lock.
 *
 * Return: memory which ixp_free() frees, or NULL.
 */
void *ixp_alloc_begun(size_t size, size_t zero)
{
	union header *block = NULL;

	size += sizeof(*block);
	if (size <= PAGE)
		block = block_kept();
	if (block)
		memset(block + 1, 0, zero);
	else
		block = block_map(size < PAGE ? PAGE : size);
	if (!block)
		return NULL;
	block->size = size < PAGE ? PAGE : size;

	return block + 1;
}

/**
 * ixp_alloc() - the same with all of it zero
 * @size: bytes
 *
 * Return: memory which ixp_free() frees, or NULL.
 */
void *ixp_alloc(size_t size)
{
	return ixp_alloc_begun(size, size);
}

/**
 * ixp_free() - give memory back
 * @memory: of ixp_alloc() or ixp_alloc_begun(), or NULL
 *
 * Safe wherever ixp_alloc() is.
 */
void ixp_free(void *memory)
{
	union header *block = memory;

	if (!block)
		return;
	block--;
	if (block->size > PAGE || !block_keep(block))
		munmap(block, block->size);
}
