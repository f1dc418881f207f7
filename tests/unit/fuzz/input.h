/* SPDX-License-Identifier: GPL-2.0-only */
/* What fuzzers of sequences of operations have in common: promises, and the input. */
#ifndef INPUT_H
#define INPUT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what)
{
	if (kept)
		return;
	/* Not stderr, in whose place a fuzzer may read what is printed */
	dprintf(STDERR_FILENO, "broken: %s\n", what);
	abort();
}

/* A process has no more than these in any of the tests */
#define FDS_MAX		512

/* Which descriptors are open: poll(2) would say of those of O_PATH that they are not */
static inline void open_descriptors(bool open[FDS_MAX])
{
	int fd;

	for (fd = 0; fd < FDS_MAX; fd++)
		open[fd] = fcntl(fd, F_GETFD) >= 0;
}

/* What is left of the input, which zeros without end follow */
static const uint8_t *input;
static size_t input_left;

static inline unsigned int take(void)
{
	if (input_left == 0)
		return 0;
	input_left--;

	return *input++;
}

#endif
