// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes cpctrace: the input is a D program and, behind a zero byte, what "perf script"
 * prints, with names that programs have chosen. Beyond crashes: a program that is
 * refused says why, and nothing that is printed controls a terminal.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "dprog.h"
#include "input.h"
#include "sample.h"

#define LINES_MAX	2000

static struct program program;
static struct run run;

static void fire(enum probe_kind kind)
{
	static struct firing firing;
	unsigned int i;

	for (i = 0; i < program.nr_probes; i++) {
		if (program.probe[i].kind != kind)
			continue;
		firing.probe = &program.probe[i];
		run_probe(&run, &firing);
	}
}

/* Each line, and at the end an empty one, which ends a stack */
static void samples_read(char *text)
{
	static struct samples samples;
	unsigned int lines = 0;
	char *line;

	memset(&samples, 0, sizeof(samples));
	while (lines++ < LINES_MAX) {
		char empty[] = "";
		bool last = !text;

		line = last ? empty : strsep(&text, "\n");
		if (sample_line(&samples, line)) {
			promise(samples.firing.nr <= D_FRAMES, "a stack has a limit");
			if (samples.probe < program.nr_probes) {
				samples.firing.probe = &program.probe[samples.probe];
				run_probe(&run, &samples.firing);
			}
		}
		if (last)
			break;
	}
}

static void check_output(const char *text, size_t size, bool plain)
{
	size_t i;

	for (i = 0; i < size && plain; i++)
		promise((unsigned char)text[i] >= ' ' || text[i] == '\n' ||
			text[i] == '\t', "names control no terminal");
}

/* A program may print any characters that are in its own strings */
static bool is_plain(const char *text)
{
	return !strchr(text, '\\') && !text[strcspn(text, "\a\b\f\r\v\33")];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 2), *out = NULL, *samples;
	size_t printed = 0, i;
	bool plain;

	tool_name = "fuzz";
	memset(&program, 0, sizeof(program));
	memset(&run, 0, sizeof(run));
	memcpy(text, data, size);
	samples = text + strlen(text) + (strlen(text) < size);
	program.limits.chip = size & 1 ? IRIXPERF_R12000 : IRIXPERF_R10000_V3;
	program.limits.min_count = 5000;
	plain = is_plain(text);
	run.program = &program;
	run.out = open_memstream(&out, &printed);
	if (program_parse(&program, "input", text) == 0) {
		fire(PROBE_BEGIN);
		samples_read(samples);
		fire(PROBE_TICK);
		fire(PROBE_END);
		for (i = 0; i < program.nr_aggrs; i++)
			aggregation_print(run.out, &program.aggr[i], NULL);
	} else {
		program.nr_probes = 0;
		samples_read(samples);
	}
	fclose(run.out);
	check_output(out, printed, plain);
	free(out);
	program_free(&program);
	free(text);

	return 0;
}
