// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as the ring buffer of an event, and as the regions of a profile
 * that its samples go into. The input is
 *
 *   byte 0		the size of the ring, as a power of two, and whether the
 *			mapping says where it is
 *   bytes 1 to 8	data_tail
 *   bytes 9 to 16	data_head
 *   bytes 17 to 34	three regions: start, buckets and scale, of 16 bits each
 *   the rest		the ring, over and over
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "buckets.h"
#include "record.h"

#define FIRST		35
#define REGIONS		3
#define BUCKETS_MAX	64

#define promise(what)	do { if (!(what)) abort(); } while (0)

static uint64_t number(const uint8_t *data, unsigned int bytes)
{
	uint64_t n = 0;

	while (bytes-- > 0)
		n = n << 8 | *data++;

	return n;
}

/* Exactly as large as they say, so that AddressSanitizer sees the next byte */
static struct ixp_profile *make_profile(const uint8_t *data, void *buckets[])
{
	struct ixp_profile *profile = NULL;
	struct prof prof[REGIONS];
	unsigned int i;

	for (i = 0; i < REGIONS; i++, data += 6) {
		prof[i].pr_off = number(data, 2);
		prof[i].pr_size = number(data + 2, 2) % (2 * BUCKETS_MAX);
		prof[i].pr_scale = number(data + 4, 2) << (i * 8);
		prof[i].pr_base = buckets[i] = calloc(1, prof[i].pr_size + 1);
		promise(buckets[i]);
	}
	promise(ixp_profile_new(&profile, prof, REGIONS) == 0 ||
		!profile);

	return profile;
}

static void check_records(struct ixp_records *records,
			  struct ixp_profile *profile)
{
	uint64_t before, head = records->head, size = head - records->tail;
	struct ixp_record record;
	int ret;

	promise(size <= records->size);
	do {
		before = records->tail;
		ret = ixp_records_next(records, &record);
		promise(ret == 1 || ret == 0 || ret == -EBADMSG);
		promise(records->head == head);
		promise(head - records->tail <= head - before);
		promise(ret != 1 || records->tail - before >= 8);
		promise(ret != 1 || !record.ip ||
			record.type == PERF_RECORD_SAMPLE);
		promise(ret != 1 || !record.lost ||
			record.type == PERF_RECORD_LOST);
		if (profile && ret == 1)
			ixp_profile_hit(profile, record.ip);
	} while (ret != 0);
	promise(records->tail == head);
}

static void fuzz_ring(const uint8_t *data, size_t size,
		      struct ixp_profile *profile)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t ring = (size_t)1 << (data[0] & 0xf), i;
	struct perf_event_mmap_page *map = calloc(1, page + ring);
	struct ixp_records records;

	promise(map);
	for (i = 0; size > FIRST && i < ring; i++)
		((uint8_t *)map)[page + i] = data[FIRST + i % (size - FIRST)];
	map->data_tail = number(data + 1, 8);
	map->data_head = number(data + 9, 8);
	if (data[0] & 0x80)
		map->data_head = map->data_tail + number(data + 9, 8) % (ring + 1);
	if (data[0] & 0x40) {
		map->data_offset = page;
		map->data_size = ring;
	}
	if (ixp_records_begin(&records, map, page + ring) == 0) {
		check_records(&records, profile);
		ixp_records_end(&records, map);
		promise(map->data_tail == map->data_head);
	}
	free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ixp_profile *profile;
	void *buckets[REGIONS];
	unsigned int i;

	if (size < FIRST)
		return 0;

	profile = make_profile(data + 17, buckets);
	fuzz_ring(data, size, profile);
	ixp_profile_free(profile);
	for (i = 0; i < REGIONS; i++)
		free(buckets[i]);

	return 0;
}
