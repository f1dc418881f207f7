/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples, as "perf script" prints them. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "dprog.h"

/* The fields that sample_line() reads, and what perf calls the event of probe N */
#define SAMPLE_FIELDS	"comm,pid,tid,cpu,time,event,ip,sym,symoff,dso"
#define SAMPLE_EVENT	"cpcprobe"

/**
 * struct samples - the state of the reader
 * @firing: the sample that is being read, with its stack
 * @probe: the number in the event's name
 * @text: names of the stack's functions and files
 * @used: bytes of it
 * @open: there is a sample whose stack may go on in the next line
 * @lost: samples that were lost
 */
struct samples {
	struct firing firing;
	unsigned int probe;
	char text[8192];
	size_t used;
	bool open;
	uint64_t lost;
};

/* Read a line, which is modified. True: a sample is complete, in @firing and @probe */
bool sample_line(struct samples *samples, char *line);

#endif
