// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes cpctrace: the input is a D program and, behind a zero byte each, what "perf
 * script" prints without stacks and with them, with names that programs have chosen.
 * Beyond crashes: a program that is refused says why, and nothing that is printed
 * controls a terminal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dprog.h"
#include "input.h"
#include "perftool.h"
#include "sample.h"

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

/* What perf prints the first time it is run, and what it prints with stacks */
static char *printed_by_perf[2];
static unsigned int times;

int tool_perf_open(struct tool_perf *perf, char *const argv[])
{
	char *text = times < 2 ? printed_by_perf[times] : "";

	promise(strcmp(argv[1], "script") == 0, "perf script is run");
	times++;
	perf->out = *text ? fmemopen(text, strlen(text), "r") : fopen("/dev/null", "r");

	return perf->out ? 0 : -errno;
}

bool tool_perf_close(struct tool_perf *perf)
{
	fclose(perf->out);

	return true;
}

int tool_perf_throttled(char *data, uint64_t *number)
{
	*number = strlen(data);

	return 0;
}

static void on_sample(void *arg, unsigned int probe, struct firing *firing)
{
	(void)arg;
	promise(firing->nr <= D_FRAMES, "a stack has a limit");
	if (probe >= program.nr_probes)
		return;
	firing->probe = &program.probe[probe];
	run_probe(&run, firing);
}

static void read_all(bool stacks)
{
	const struct sample_options options = { .names = true, .stacks = stacks };
	struct sample_losses losses = { 0 };

	times = 0;
	promise(samples_read("data", &options, on_sample, NULL, &losses) == 0 &&
		times == 1U + stacks && losses.throttled == strlen("data"),
		"the samples are read to the end");
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
	for (; *text; text++)
		if (*text == '\\' || ((unsigned char)*text < ' ' && !strchr("\n\t", *text)))
			return false;

	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 3), *out = NULL;
	size_t printed = 0, i;
	bool plain;

	tool_name = "fuzz";
	memset(&program, 0, sizeof(program));
	memset(&run, 0, sizeof(run));
	memcpy(text, data, size);
	printed_by_perf[0] = text + strlen(text) + 1;
	printed_by_perf[1] = printed_by_perf[0] + strlen(printed_by_perf[0]) + 1;
	program.limits.chip = size & 1 ? IRIXPERF_R12000 : IRIXPERF_R10000_V3;
	program.limits.min_count = 5000;
	plain = is_plain(text);
	run.program = &program;
	run.out = open_memstream(&out, &printed);
	if (program_parse(&program, "input", text) == 0) {
		fire(PROBE_BEGIN);
		read_all(program.stacks);
		fire(PROBE_TICK);
		fire(PROBE_END);
		for (i = 0; i < program.nr_aggrs; i++)
			aggregation_print(run.out, &program.aggr[i], NULL);
	} else {
		program.nr_probes = 0;
		read_all(true);
	}
	fclose(run.out);
	check_output(out, printed, plain);
	free(out);
	program_free(&program);
	free(text);

	return 0;
}
