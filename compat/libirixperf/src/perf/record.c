// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the records that the kernel writes into a ring buffer, as perf_event_open(2)
 * describes them: the samples of events with sample_type PERF_SAMPLE_IP, and the
 * numbers of lost samples. Other records are skipped. All values are checked: they
 * could be those of another kernel version, or torn.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "record.h"

/* Records and ring consist of whole words: no word wraps around the ring's end */
#define WORD		8

/* Which types of records are read, and which word of them; the header is word 0 */
static const struct {
	uint32_t type;
	unsigned int word;
	bool lost;
} record_table[] = {
	{ PERF_RECORD_SAMPLE, 1, false },	/* its program counter */
	{ PERF_RECORD_LOST, 2, true },		/* by the ring */
	{ PERF_RECORD_LOST_SAMPLES, 1, true },	/* by the hardware */
};

#define RECORD_TYPES	(sizeof(record_table) / sizeof(record_table[0]))

static bool is_power_of_two(uint64_t n)
{
	return n && (n & (n - 1)) == 0;
}

/**
 * ixp_records_begin() - look for new records
 * @records: gets the position of the new records
 * @map: the mapping of the event
 * @size: its size in bytes
 *
 * Return: 0; -EBADMSG if the values are impossible.
 */
int ixp_records_begin(struct ixp_records *records, const void *map,
		      size_t size)
{
	const struct perf_event_mmap_page *page = map;
	uint64_t offset, length;

	if (size < sizeof(*page))
		return -EBADMSG;
	offset = page->data_offset;
	length = page->data_size;
	if (length == 0) {
		/* Kernels before 4.1 do not say where the ring is: after the first page */
		offset = (uint64_t)sysconf(_SC_PAGESIZE);
		length = size > offset ? size - offset : 0;
	}
	if (!is_power_of_two(length) || length > size || offset > size - length)
		return -EBADMSG;

	records->data = (const unsigned char *)map + offset;
	records->size = length;
	records->tail = page->data_tail;
	/*
	 * 32-bit machines read the two halves separately. The upper half changes only
	 * every 4 GiB; the check below finds a value whose halves do not match.
	 */
	records->head = *(const volatile __u64 *)&page->data_head;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (records->head - records->tail > length ||
	    records->head % WORD || records->tail % WORD)
		return -EBADMSG;

	return 0;
}

static uint64_t word(const struct ixp_records *records, unsigned int nr)
{
	uint64_t at = (records->tail + nr * WORD) & (records->size - 1);
	uint64_t value;

	memcpy(&value, records->data + at, sizeof(value));

	return value;
}

/* Parse a record of @size bytes; -EBADMSG if it is too short for its type */
static int parse(const struct ixp_records *records, size_t size,
		 struct ixp_record *record)
{
	size_t i = 0;
	uint64_t value;

	while (i < RECORD_TYPES && record_table[i].type != record->type)
		i++;
	if (i == RECORD_TYPES)
		return 0;
	if (size / WORD <= record_table[i].word)
		return -EBADMSG;

	value = word(records, record_table[i].word);
	if (record_table[i].lost) {
		record->type = PERF_RECORD_LOST;
		record->lost = value;
	} else {
		record->ip = value;
	}

	return 0;
}

/**
 * ixp_records_next() - take the next record
 * @records: the records that ixp_records_begin() found
 * @record: gets the record
 *
 * After an invalid record, the start of the next one is unknown: so all others are
 * dropped.
 *
 * Return: 1, 0 after the last, or -EBADMSG.
 */
int ixp_records_next(struct ixp_records *records, struct ixp_record *record)
{
	struct perf_event_header header;
	int ret = -EBADMSG;
	uint64_t first;

	if (records->tail == records->head)
		return 0;

	first = word(records, 0);
	memcpy(&header, &first, sizeof(header));
	if (header.size >= sizeof(header) && header.size % WORD == 0 &&
	    header.size <= records->head - records->tail) {
		*record = (struct ixp_record){ .type = header.type };
		ret = parse(records, header.size, record);
	}
	records->tail = ret == 0 ? records->tail + header.size : records->head;

	return ret == 0 ? 1 : ret;
}

/**
 * ixp_records_end() - give the room of the records that were read back to the kernel
 * @records: the records
 * @map: the mapping of the event
 */
void ixp_records_end(const struct ixp_records *records, void *map)
{
	struct perf_event_mmap_page *page = map;

	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile __u64 *)&page->data_tail = records->tail;
}
