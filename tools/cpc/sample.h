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

typedef void sample_fn(void *arg, unsigned int probe, struct firing *firing);

/**
 * struct sample_options - what samples have
 * @names: the names of the kernel's functions; without them reading is much quicker
 * @stacks: stacks
 */
struct sample_options {
	bool names;
	bool stacks;
};

/**
 * struct sample_losses - what perf and the kernel have not taken
 * @lost: samples that perf was too slow for
 * @throttled: how often the kernel has stopped a counter
 */
struct sample_losses {
	uint64_t lost;
	uint64_t throttled;
};

/**
 * samples_read() - read all samples of a file of perf's
 * @path: the file
 * @options: what the samples get
 * @sample: called for each sample, in the order of time
 * @arg: its first argument
 * @losses: what was lost is added to it
 *
 * Return: 0 or a negative errno value.
 */
int samples_read(char *path, const struct sample_options *options, sample_fn *sample,
		 void *arg, struct sample_losses *losses);

#endif
