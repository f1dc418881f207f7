/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf(1) takes the samples of all probes of cpc on all CPUs. */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <limits.h>
#include <sys/types.h>
#include "sample.h"

/**
 * struct record - a perf record that runs
 * @folder: where its files are, empty if there is none
 * @pid: its process, 0 if it does not run
 * @control: pipe for commands to it
 * @answer: pipe for its answers
 * @parts: it can begin another file
 * @read: what its samples have
 * @losses: what was lost
 */
struct record {
	char folder[PATH_MAX / 2];
	pid_t pid;
	int control;
	int answer;
	bool parts;
	struct sample_options read;
	struct sample_losses losses;
};

/*
 * Return 0, or a negative errno value after a message. record_start() returns when all
 * events count. With @parts, record_next() may be called.
 */
int record_start(struct record *record, const struct program *program, bool parts);

/* Begin another file, after which record_read() finds all samples up to now */
int record_next(struct record *record);

int record_stop(struct record *record);

/* Read and remove the files that are complete; @sample is called for each sample */
int record_read(struct record *record, sample_fn *sample, void *arg);
void record_end(struct record *record);

/* Has perf ended without being told to? */
bool record_has_failed(struct record *record);

#endif
