// SPDX-License-Identifier: GPL-2.0-only
/* The reader of the kernel's ring buffer, with rings made by this test. */
#include <linux/perf_event.h>
#include "record.h"
#include "unit.h"

#define RING	128

/**
 * struct ring - a mapping as the kernel makes it
 * @page: its first page
 * @data: the ring
 */
static struct {
	union {
		struct perf_event_mmap_page page;
		unsigned char bytes[65536];
	};
	unsigned char data[RING];
} map;

/* Fills bytes of @data that must not be read */
#define POISON	0xa5

static int setup(void **state)
{
	(void)state;
	memset(&map, 0, sizeof(map));
	memset(map.data, POISON, sizeof(map.data));
	map.page.data_offset = sizeof(map.bytes);
	map.page.data_size = RING;

	return 0;
}

FIXTURE(setup, NULL);

/* Write at data_head, as the kernel would */
static void put_bytes(const void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		map.data[map.page.data_head++ % RING] =
			((const unsigned char *)bytes)[i];
}

static void put(uint32_t type, uint16_t size, uint64_t first, uint64_t second)
{
	struct perf_event_header header = { .type = type, .size = size };
	uint64_t words[2] = { first, second };

	put_bytes(&header, sizeof(header));
	put_bytes(words, size - sizeof(header));
}

static int begin(struct ixp_records *records)
{
	return ixp_records_begin(records, &map, sizeof(map));
}

static void assert_sample(struct ixp_records *records, uint64_t ip)
{
	struct ixp_record record;

	assert_int_equal(ixp_records_next(records, &record), 1);
	assert_int_equal(record.type, PERF_RECORD_SAMPLE);
	assert_int_equal(record.ip, ip);
	assert_int_equal(record.lost, 0);
}

CASE(samples_and_losses)
{
	struct ixp_records records;
	struct ixp_record record;

	put(PERF_RECORD_SAMPLE, 16, 0x1234567890abcdef, 0);
	put(PERF_RECORD_LOST, 24, 5, 77);
	put(PERF_RECORD_LOST_SAMPLES, 16, 3, 0);
	put(PERF_RECORD_THROTTLE, 24, 1, 2);
	put(PERF_RECORD_SAMPLE, 24, 1, 2);
	assert_int_equal(begin(&records), 0);
	assert_sample(&records, 0x1234567890abcdef);
	assert_int_equal(ixp_records_next(&records, &record), 1);
	assert_int_equal(record.type, PERF_RECORD_LOST);
	assert_int_equal(record.lost, 77);
	assert_int_equal(ixp_records_next(&records, &record), 1);
	assert_int_equal(record.type, PERF_RECORD_LOST);
	assert_int_equal(record.lost, 3);
	assert_int_equal(ixp_records_next(&records, &record), 1);
	assert_int_equal(record.type, PERF_RECORD_THROTTLE);
	assert_int_equal(record.ip | record.lost, 0);
	assert_sample(&records, 1);
	assert_int_equal(ixp_records_next(&records, &record), 0);
	assert_int_equal(ixp_records_next(&records, &record), 0);
	ixp_records_end(&records, &map);
	assert_int_equal(map.page.data_tail, map.page.data_head);
	assert_int_equal(begin(&records), 0);
	assert_int_equal(ixp_records_next(&records, &record), 0);
}

/* At each place in the ring, and when positions pass 2^32 and 2^64 */
CASE(records_go_round)
{
	static const uint64_t starts[] = { 0, (UINT64_C(1) << 32) - 64, -64 };
	struct ixp_records records;
	unsigned int i, turn;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		map.page.data_head = map.page.data_tail = starts[i];
		for (turn = 0; turn < 3 * RING; turn++) {
			put(PERF_RECORD_SAMPLE,
			    turn % 3 ? 16 : 24, turn, ~turn);
			assert_int_equal(begin(&records), 0);
			assert_sample(&records, turn);
			ixp_records_end(&records, &map);
		}
	}
}

/* A ring that is full to the last byte */
CASE(a_full_ring)
{
	struct ixp_records records;
	struct ixp_record record;
	unsigned int i;

	map.page.data_head = map.page.data_tail = 40;
	for (i = 0; i < RING / 16; i++)
		put(PERF_RECORD_SAMPLE, 16, i, 0);
	assert_int_equal(begin(&records), 0);
	for (i = 0; i < RING / 16; i++)
		assert_sample(&records, i);
	assert_int_equal(ixp_records_next(&records, &record), 0);
}

static void assert_given_up(unsigned int good)
{
	struct ixp_records records;
	struct ixp_record record;

	assert_int_equal(begin(&records), 0);
	while (good-- > 0)
		assert_int_equal(ixp_records_next(&records, &record), 1);
	assert_int_equal(ixp_records_next(&records, &record), -EBADMSG);
	assert_int_equal(ixp_records_next(&records, &record), 0);
	ixp_records_end(&records, &map);
	assert_int_equal(map.page.data_tail, map.page.data_head);
}

/* A damaged record ends the reading; the next one starts after the damaged data */
CASE(damaged_records)
{
	static const struct {
		uint32_t type;
		uint16_t size;
	} bad[] = {
		{ PERF_RECORD_SAMPLE, 0 },
		{ PERF_RECORD_SAMPLE, 4 },
		{ PERF_RECORD_SAMPLE, 8 },
		{ PERF_RECORD_SAMPLE, 15 },
		{ PERF_RECORD_SAMPLE, 17 },
		{ PERF_RECORD_LOST, 16 },
		{ PERF_RECORD_LOST_SAMPLES, 8 },
		{ PERF_RECORD_SAMPLE, 48 },
		{ PERF_RECORD_SAMPLE, 0xfff8 },
		{ 0, 0 },
		{ 0xffffffff, 7 },
	};
	struct perf_event_header header;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		setup(NULL);
		put(PERF_RECORD_SAMPLE, 16, 1, 0);
		header.type = bad[i].type;
		header.misc = 0;
		header.size = bad[i].size;
		put_bytes(&header, sizeof(header));
		put(PERF_RECORD_SAMPLE, 16, 2, 0);
		put(PERF_RECORD_SAMPLE, 16, 3, 0);
		assert_given_up(1);
	}
}

CASE(impossible_mappings)
{
	struct ixp_records records;

	assert_int_equal(ixp_records_begin(&records, &map, 100), -EBADMSG);
	map.page.data_size = RING - 8;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_size = 2 * RING;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_size = UINT64_C(1) << 63;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_size = RING;
	map.page.data_offset++;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_offset = -RING;
	assert_int_equal(begin(&records), -EBADMSG);
	setup(NULL);
	map.page.data_head = RING + 8;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_head = 12;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_head = 8;
	map.page.data_tail = 16;
	assert_int_equal(begin(&records), -EBADMSG);
	map.page.data_head = 20;
	map.page.data_tail = 4;
	assert_int_equal(begin(&records), -EBADMSG);
}

/* Kernels before 4.1 do not give data_offset */
CASE_WITH(the_place_follows_from_the_size, NULL, NULL)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *map = calloc(2, page);
	struct ixp_records records;

	assert_non_null(map);
	assert_int_equal(ixp_records_begin(&records, map, 2 * page), 0);
	assert_ptr_equal(records.data, (unsigned char *)map + page);
	assert_int_equal(records.size, page);
	assert_int_equal(ixp_records_begin(&records, map, page), -EBADMSG);
	free(map);
}

UNIT_MAIN()
