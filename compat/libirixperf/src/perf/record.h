/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records that the kernel writes into the ring buffer of a profile. */
#ifndef IXP_RECORD_H
#define IXP_RECORD_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct ixp_records - the unread records of a ring buffer
 * @data: the ring buffer
 * @size: its size in bytes, a power of two
 * @tail: where the next record starts, in bytes since the ring was new
 * @head: where the last record ends
 */
struct ixp_records {
	const unsigned char *data;
	uint64_t size;
	uint64_t tail;
	uint64_t head;
};

/**
 * struct ixp_record - the members of a record that profiles need
 * @type: PERF_RECORD_*
 * @ip: of PERF_RECORD_SAMPLE: the program counter
 * @lost: of PERF_RECORD_LOST: how many records the kernel could not write
 */
struct ixp_record {
	uint32_t type;
	uint64_t ip;
	uint64_t lost;
};

int ixp_records_begin(struct ixp_records *records, const void *map,
		      size_t size);
int ixp_records_next(struct ixp_records *records, struct ixp_record *record);
void ixp_records_end(const struct ixp_records *records, void *map);

#endif
