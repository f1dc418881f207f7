/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf(1) takes the samples of all probes of cpc on all CPUs. */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <sys/types.h>
#include "dprog.h"

/**
 * struct record - a perf record that runs
 * @folder: a file system without a name, where its files are; 0 if there is none
 * @pid: its process, 0 if it does not run
 * @control: pipe for commands to it
 * @answer: pipe for its answers
 * @stacks: it takes stacks
 * @lost: samples that were lost
 * @unknown: lines that are no sample
 * @throttled: how often the kernel has stopped a counter
 */
struct record {
	int folder;
	pid_t pid;
	int control;
	int answer;
	bool stacks;
	uint64_t lost;
	uint64_t unknown;
	uint64_t throttled;
};

/*
 * Return 0, or a negative errno value after a message. record_start() returns when all
 * events count.
 */
int record_start(struct record *record, const struct program *program);

/* Is there so much that it should be read before it fills the memory? */
bool record_is_large(const struct record *record);

/* Begin another file, after which record_read() finds all samples up to now */
int record_next(struct record *record);

int record_stop(struct record *record);

/* Read and remove the files that are complete; @sample is called for each sample */
int record_read(struct record *record, void (*sample)(void *arg, unsigned int probe,
						     struct firing *firing),
		void *arg);
void record_end(struct record *record);

/* Has perf ended without being told to? */
bool record_has_failed(struct record *record);

#endif
