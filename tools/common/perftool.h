/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tools share that let perf(1) take samples. */
#ifndef PERFTOOL_H
#define PERFTOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <irixperf.h>

/**
 * struct tool_perf - a perf(1) whose output is read
 * @pid: its process
 * @out: its output
 */
struct tool_perf {
	pid_t pid;
	FILE *out;
};

void tool_perf_child(pid_t parent);
int tool_perf_open(struct tool_perf *perf, char *const argv[]);
bool tool_perf_close(struct tool_perf *perf);
int tool_perf_throttled(char *data, uint64_t *times);
void tool_perf_event(char *to, size_t size, enum irixperf_chip chip, unsigned int num,
		     const char *terms, const char *modifier);

#endif
