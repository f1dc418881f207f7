// SPDX-License-Identifier: GPL-2.0-only
/* Reads the records that the kernel writes into an event's mapped buffer. */
#include <sys/mman.h>

#include "tap.h"
#include "ring.h"

/* data_pages must be a power of two */
void ring_map(struct ring *ring, int fd, unsigned int data_pages)
{
	long page_size = sysconf(_SC_PAGESIZE);
	void *map;

	ring->data_size = (uint64_t)data_pages * page_size;
	map = mmap(NULL, page_size + ring->data_size, PROT_READ | PROT_WRITE,
		   MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		tap_bail_errno("mmap of an event");
	ring->page = map;
	ring->data = (unsigned char *)map + page_size;
}

void ring_unmap(struct ring *ring)
{
	munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->data_size);
}

static void copy_out(const struct ring *ring, uint64_t from, void *to,
		     size_t size)
{
	size_t at = from % ring->data_size;
	size_t first = ring->data_size - at;

	if (first > size)
		first = size;
	memcpy(to, ring->data + at, first);
	memcpy((char *)to + first, ring->data, size - first);
}

/* Call fn with a copy of each record, then free their space in the buffer */
void ring_drain(struct ring *ring, ring_fn fn, void *arg)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head,
					__ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	union {
		struct perf_event_header header;
		unsigned char bytes[65536];
	} record;

	while (tail < head) {
		copy_out(ring, tail, &record.header, sizeof(record.header));
		if (record.header.size < sizeof(record.header))
			tap_bail("a record of %u bytes in the buffer\n",
				 record.header.size);
		copy_out(ring, tail, record.bytes, record.header.size);
		fn(&record.header, arg);
		tail += record.header.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}
