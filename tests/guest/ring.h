/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the records that the kernel writes into an event's mapped buffer. */
#ifndef R10K_TEST_RING_H
#define R10K_TEST_RING_H

#include <linux/perf_event.h>
#include <stdint.h>

struct ring {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t data_size;
};

typedef void (*ring_fn)(const struct perf_event_header *record, void *arg);

void ring_map(struct ring *ring, int fd, unsigned int data_pages);
void ring_unmap(struct ring *ring);
void ring_drain(struct ring *ring, ring_fn fn, void *arg);

#endif /* R10K_TEST_RING_H */
