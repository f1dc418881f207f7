// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the records that the kernel writes into a ring buffer, as
 * perf_event_open(2) describes them: the samples of events with sample_type
 * PERF_SAMPLE_IP, and how many found no room. Others are passed over. Nothing
 * that stands in the buffer is believed: it could be another version's, or torn.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "overflow.h"

/* Records consist of these, and so does the ring: none reaches over its end */
#define WORD		8

/* Records that are looked at, and which of their words; the header is word 0 */
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

/*
 * 32-bit machines cannot read 64 bits at a time, but the upper half changes
 * only after 4 GiB: a torn value is found to be none by ixp_records_begin().
 */
static uint64_t head_read(const struct perf_event_mmap_page *page)
{
	uint64_t head = *(const volatile __u64 *)&page->data_head;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);

	return head;
}

/* Kernels before 4.1 do not tell where the ring is: after the first page */
static void ring_place(const struct perf_event_mmap_page *page, size_t size,
		       uint64_t *offset, uint64_t *length)
{
	*offset = page->data_offset;
	*length = page->data_size;
	if (*length == 0) {
		*offset = (uint64_t)sysconf(_SC_PAGESIZE);
		*length = size > *offset ? size - *offset : 0;
	}
}

/**
 * ixp_records_begin() - look for new records
 * @records: gets where they are
 * @map: the mapping of the event
 * @size: its size in bytes
 *
 * Return: 0; -EBADMSG if this cannot be what the kernel writes.
 */
int ixp_records_begin(struct ixp_records *records, const void *map,
		      size_t size)
{
	const struct perf_event_mmap_page *page = map;
	uint64_t offset, length;

	if (size < sizeof(*page))
		return -EBADMSG;
	ring_place(page, size, &offset, &length);
	if (!is_power_of_two(length) || length > size || offset > size - length)
		return -EBADMSG;

	records->data = (const unsigned char *)map + offset;
	records->size = length;
	records->tail = page->data_tail;
	records->head = head_read(page);
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

/* Take what a record of so many bytes has; -EBADMSG if it ought to be longer */
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

static bool header_fits(const struct ixp_records *records,
			const struct perf_event_header *header)
{
	return header->size >= sizeof(*header) &&
	       header->size % WORD == 0 &&
	       header->size <= records->head - records->tail;
}

/**
 * ixp_records_next() - take the next record
 * @records: what ixp_records_begin() found
 * @record: gets it
 *
 * Behind a record that cannot be one nobody knows where the next begins: all
 * that is left is given up.
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
	if (header_fits(records, &header)) {
		*record = (struct ixp_record){ .type = header.type };
		ret = parse(records, header.size, record);
	}
	records->tail = ret == 0 ? records->tail + header.size : records->head;

	return ret == 0 ? 1 : ret;
}

/**
 * ixp_records_end() - let the kernel write where records have been read
 * @records: as far as they have been
 * @map: the mapping of the event
 */
void ixp_records_end(const struct ixp_records *records, void *map)
{
	struct perf_event_mmap_page *page = map;

	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile __u64 *)&page->data_tail = records->tail;
}
