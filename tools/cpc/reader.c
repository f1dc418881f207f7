// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read a file of perf's by "perf script": each sample's place, and beside it its stack.
 * What programs have chosen as names is in the text, so it is not trusted (sample.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "perftool.h"
#include "sample.h"

#define SKIP_MAX	64

/**
 * struct reader - a "perf script" that is read
 * @perf: its process
 * @samples: the parser, which has the last sample
 * @line: the last line
 * @size: bytes that this has
 * @ended: there is none
 */
struct reader {
	struct tool_perf perf;
	struct samples samples;
	char *line;
	size_t size;
	bool ended;
};

/*
 * Looking up the kernel's functions is most of perf's work, so it gets an empty table if
 * nobody asks for names.
 */
static int reader_open(struct reader *reader, char *path, bool names, bool stacks)
{
	char *const argv[] = {
		"perf", "script", "-f", "-i", path, "--ns", "-F", SAMPLE_FIELDS,
		"--show-lost-events", stacks ? "--no-inline" : "-G",
		names ? NULL : "--kallsyms", "/dev/null", NULL,
	};

	memset(reader, 0, sizeof(*reader));

	return tool_perf_open(&reader->perf, argv);
}

static bool reader_next(struct reader *reader)
{
	while (getline(&reader->line, &reader->size, reader->perf.out) > 0)
		if (sample_line(&reader->samples, reader->line))
			return true;
	reader->ended = true;

	return false;
}

/* perf may still have something to say */
static int reader_close(struct reader *reader)
{
	while (!reader->ended)
		reader_next(reader);
	free(reader->line);

	return tool_perf_close(&reader->perf) ? 0 : -EIO;
}

/**
 * struct ahead - stacks that were read, and that no place has asked for yet
 * @stack: a ring of them, no later one before an earlier one
 * @first: the first one
 * @nr: how many there are
 *
 * perf prints samples in the order of time. If a stack is later than the next one, one of
 * the two is faked. The later one goes: so a fake costs others SKIP_MAX stacks at most.
 */
struct ahead {
	struct samples stack[SKIP_MAX];
	unsigned int first;
	unsigned int nr;
};

static struct samples *ahead_get(struct ahead *ahead, unsigned int i)
{
	return &ahead->stack[(ahead->first + i) % SKIP_MAX];
}

static void move_name(const char **name, struct samples *to, const struct samples *from)
{
	if (*name >= from->text && *name < from->text + sizeof(from->text))
		*name = to->text + (*name - from->text);
}

static void ahead_push(struct ahead *ahead, const struct samples *from)
{
	struct samples *to;
	unsigned int i;

	while (ahead->nr && ahead_get(ahead, ahead->nr - 1)->firing.time > from->firing.time)
		ahead->nr--;
	if (ahead->nr == SKIP_MAX)
		ahead->nr--;
	to = ahead_get(ahead, ahead->nr++);
	*to = *from;
	for (i = 0; i < to->firing.nr; i++) {
		move_name(&to->firing.frame[i].function, to, from);
		move_name(&to->firing.frame[i].module, to, from);
	}
}

static bool is_of(const struct samples *stack, const struct firing *firing)
{
	return stack->firing.time == firing->time && stack->firing.tid == firing->tid;
}

/* The stack of a place; NULL if there is none. It is valid until the next call */
static const struct samples *stack_of(const struct firing *firing, struct reader *reader,
				      struct ahead *ahead)
{
	struct samples *stack;

	for (; ahead->nr; ahead->nr--) {
		stack = ahead_get(ahead, 0);
		if (stack->firing.time > firing->time)
			break;
		ahead->first++;
		if (is_of(stack, firing)) {
			ahead->nr--;
			return stack;
		}
	}
	do {
		if (!reader_next(reader))
			return NULL;
		if (is_of(&reader->samples, firing)) {
			ahead->nr = 0;		/* they are later, or were passed over */
			return &reader->samples;
		}
		ahead_push(ahead, &reader->samples);
	} while (ahead->nr < SKIP_MAX);

	return NULL;
}

static void add_stack(struct firing *firing, struct reader *reader, struct ahead *ahead)
{
	const struct samples *stack = stack_of(firing, reader, ahead);

	if (!stack || stack->firing.nr == 0)
		return;
	firing->nr = stack->firing.nr;
	memcpy(firing->frame, stack->firing.frame, firing->nr * sizeof(firing->frame[0]));
}

/*
 * A stack begins with the place of the sample, but for programs on MIPS, whose stacks the
 * kernel leaves empty. So the places are read without stacks, and those beside them.
 */
int samples_read(char *path, const struct sample_options *options, sample_fn *sample,
		 void *arg, struct sample_losses *losses)
{
	static struct reader places, stacks;
	static struct ahead ahead;
	uint64_t throttled = 0;
	int ret = reader_open(&places, path, options->names, false), err = 0;

	if (ret < 0)
		return ret;
	ahead.nr = 0;
	if (options->stacks)
		err = reader_open(&stacks, path, options->names, true);
	while (err == 0 && reader_next(&places)) {
		struct firing *firing = &places.samples.firing;

		if (options->stacks)
			add_stack(firing, &stacks, &ahead);
		sample(arg, places.samples.probe, firing);
	}
	ret = reader_close(&places);
	if (options->stacks && err == 0)
		err = reader_close(&stacks);
	losses->lost += places.samples.lost;
	if (ret == 0 && err == 0)
		ret = tool_perf_throttled(path, &throttled);
	losses->throttled += throttled;

	return err < 0 ? err : ret;
}
