// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes cpctrace: the input is a D program and, behind a zero byte, what "perf script"
 * prints, with names that programs have chosen. Beyond crashes: stacks have a limit, and no
 * name controls a terminal.
 */
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

/* Each line is read as a sample, and as one of a stack, which is added to the next sample */
static void samples_read(char *text)
{
	static struct samples samples, stacks;
	unsigned int lines = 0;
	char *line, *copy;

	memset(&samples, 0, sizeof(samples));
	memset(&stacks, 0, sizeof(stacks));
	while (lines++ < LINES_MAX && (line = strsep(&text, "\n"))) {
		copy = strdup(line);
		stack_line(&stacks, copy);
		free(copy);
		if (!sample_line(&samples, line))
			continue;
		stacks.firing.tid = samples.firing.tid;
		stacks.firing.time = samples.firing.time;
		sample_add_stack(&samples.firing, &stacks.firing);
		promise(samples.firing.nr > 0 && samples.firing.nr <= D_FRAMES,
			"a stack has a limit");
		if (samples.probe >= program.nr_probes)
			continue;
		samples.firing.probe = &program.probe[samples.probe];
		run_probe(&run, &samples.firing);
	}
}

static bool is_harmless(char c)
{
	return ((unsigned char)c >= ' ' && c != 0x7f) || c == '\n' || c == '\t';
}

static void check_output(const char *text, size_t size, bool plain)
{
	size_t i;

	for (i = 0; i < size && plain; i++)
		promise(is_harmless(text[i]), "names control no terminal");
}

/* A program may print any characters that are in its own strings */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text == '\\' || !is_harmless(*text))
			return false;

	return true;
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
