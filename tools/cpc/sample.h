/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples, as "perf script" prints them. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "dprog.h"

/* The fields that sample_line() and stack_line() read, and what perf calls the event of probe N */
#define SAMPLE_FIELDS	"comm,pid,tid,cpu,time,event,ip,sym,symoff,dso"
#define STACK_FIELDS	"tid,time,ip,sym,symoff,dso"
#define SAMPLE_EVENT	"cpcprobe"

/* More than perf records twice at a time */
#define SAMPLE_RECENT	256

/**
 * struct samples - the state of a reader
 * @firing: the sample that was read
 * @probe: the number in the event's name
 * @text: names of its functions and files
 * @used: bytes of it
 * @lost: records that were lost
 * @lost_samples: samples among these, or 0 if the kernel does not say how many
 * @unknown: lines that are none of perf's
 * @recent: what the last lines were about
 * @next: where the next one goes
 */
struct samples {
	struct firing firing;
	unsigned int probe;
	char text[8192];
	size_t used;
	uint64_t lost;
	uint64_t lost_samples;
	uint64_t unknown;
	struct {
		uint64_t time;
		uint64_t number;
		pid_t tid;
		unsigned int cpu;
	} recent[SAMPLE_RECENT];
	unsigned int next;
};

/* Read a line, which is modified. True: it is a sample, which is in @firing and @probe */
bool sample_line(struct samples *samples, char *line);

/* True: the lines up to this one are a stack, which is in @firing with its thread and time */
bool stack_line(struct samples *samples, char *line);

/* Add the stack to a sample of the same moment; what it points to stays in @stack */
void sample_add_stack(struct firing *firing, const struct firing *stack);

#endif
