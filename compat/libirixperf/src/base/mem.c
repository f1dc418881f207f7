// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory that can be allocated while the lock is held. malloc(3) has locks of its own.
 * A signal handler may interrupt a thread in malloc(3) and wait for our lock; if the
 * thread that holds our lock called malloc(3), both would wait forever. So the library
 * does not call malloc(3) under the lock, and these functions never wait.
 *
 * Each block has pages of its own, from mmap(2). A few blocks of one page are kept when
 * they are freed, because programs change their counters again and again.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "mem.h"

#define PAGE	4096
#define KEPT	8

/* Header of a block; the memory after it is aligned for any type */
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
 * ixp_alloc_begun() - allocate memory without malloc(3), and clear its start
 * @size: bytes
 * @zero: how many bytes to clear; the others may have any value
 *
 * Safe in all threads, in signal handlers and under the lock.
 *
 * Return: memory, which ixp_free() frees, or NULL.
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
 * ixp_alloc() - allocate memory without malloc(3), and clear all of it
 * @size: bytes
 *
 * Return: memory, which ixp_free() frees, or NULL.
 */
void *ixp_alloc(size_t size)
{
	return ixp_alloc_begun(size, size);
}

/**
 * ixp_free() - free memory
 * @memory: memory from ixp_alloc() or ixp_alloc_begun(), or NULL
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
