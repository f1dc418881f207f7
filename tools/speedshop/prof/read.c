// SPDX-License-Identifier: GPL-2.0-or-later
/* Read, compare and add up files of ssrun. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "prof.h"

static const char *const keys[PROF_KEYS] = {
	[PROF_NAME] = "name",
	[PROF_EXPERIMENT] = "experiment",
	[PROF_EVENT] = "event",
	[PROF_INTERVAL] = "interval",
	[PROF_COUNTER] = "counter",
	[PROF_PROGRAM] = "program",
	[PROF_CPU] = "cpu",
	[PROF_FPU] = "fpu",
	[PROF_CPUS] = "cpus",
	[PROF_MHZ] = "mhz",
	[PROF_MAP] = "map",
	[PROF_PERF] = "perf",
	[PROF_NOTE] = "note",
	[PROF_DATE] = "date",
	[PROF_COMMAND] = "command",
	[PROF_CODE] = "code",
	[PROF_ID] = "id",
	[PROF_PID] = "pid",
	[PROF_LOST] = "lost",
	[PROF_THROTTLED] = "throttled",
	[PROF_STARVED] = "starved",
};

static char no_value[] = "";

static int out_of_memory(void)
{
	tool_error("%s", strerror(ENOMEM));

	return TOOL_FAILED;
}

static int damaged(const struct prof_file *file, unsigned int line)
{
	tool_error("%s:%u: not understood: the file is damaged, or of another "
		   "version", file->path, line);

	return TOOL_FAILED;
}

/* Return the next free sample, NULL if there is no memory */
static struct prof_sample *sample_new(struct prof_data *data)
{
	struct prof_sample *more = tool_one_more(data->sample, data->nr,
						 sizeof(*more));

	if (!more)
		return NULL;
	data->sample = more;

	return memset(&more[data->nr], 0, sizeof(*more));
}

static bool number(uint64_t *to, const char *text, int base)
{
	char *end;

	if (!text || !*text || *text == '-')
		return false;
	errno = 0;
	*to = strtoull(text, &end, base);

	return !*end && !errno;
}

/* COUNT ADDRESS START DSO FUNCTION. Return 0, 1 if it is damaged, or an exit status */
static int read_sample(struct prof_data *data, struct prof_file *file,
		       char *text)
{
	struct prof_sample *sample = sample_new(data);
	char *dso;

	if (!sample)
		return out_of_memory();
	if (!number(&sample->count, strsep(&text, "\t"), 10) ||
	    !number(&sample->address, strsep(&text, "\t"), 16) ||
	    !number(&sample->start, strsep(&text, "\t"), 16))
		return 1;
	dso = strsep(&text, "\t");
	if (!dso || !text)
		return 1;
	sample->dso = strdup(dso);
	sample->function = strdup(text);
	if (!sample->dso || !sample->function)
		return out_of_memory();
	data->nr++;

	return __builtin_add_overflow(file->samples, sample->count, &file->samples);
}

static int read_value(struct prof_file *file, const char *key,
		      const char *value)
{
	size_t i;

	for (i = 0; i < PROF_KEYS; i++)
		if (strcmp(keys[i], key) == 0)
			break;
	/* Files of later versions may have more keys */
	if (i == PROF_KEYS)
		return 0;
	file->value[i] = strdup(value);

	return file->value[i] ? 0 : out_of_memory();
}

/* A file without a line "end" is incomplete */
static int read_lines(struct prof_data *data, struct prof_file *file, FILE *in)
{
	unsigned int line = 0;
	size_t size = 0;
	char *text = NULL;
	bool ended = false;
	uint64_t total = 0;
	int ret = 0;

	while (ret == 0 && !ended && getline(&text, &size, in) > 0) {
		char *rest = text, *key;

		text[strcspn(text, "\n")] = '\0';
		line++;
		tool_printable(text, '\t');
		key = strsep(&rest, "\t");
		if (!rest)
			ret = 1;
		else if (strcmp(key, "sample") == 0)
			ret = read_sample(data, file, rest);
		else if (strcmp(key, "end") == 0)
			ended = number(&total, rest, 10);
		else
			ret = read_value(file, key, rest);
	}
	free(text);
	if (ret == 0 && (!ended || total != file->samples))
		ret = 1;

	return ret == 1 ? damaged(file, line) : ret;
}

static int read_file(struct prof_data *data, struct prof_file *file)
{
	FILE *in;
	size_t i;
	int ret;

	for (i = 0; i < PROF_KEYS; i++)
		file->value[i] = no_value;
	if (!prof_is_data(file->path)) {
		tool_error("%s: %s", file->path, errno ? strerror(errno) :
			   "not a file of ssrun, which calls them "
			   "PROGRAM.EXPERIMENT.m and a number");
		return TOOL_FAILED;
	}
	in = fopen(file->path, "re");
	if (!in) {
		tool_error("%s: %s", file->path, strerror(errno));
		return TOOL_FAILED;
	}
	ret = read_lines(data, file, in);
	fclose(in);

	return ret;
}

static int compare_files(const struct prof_file *a, const struct prof_file *b)
{
	size_t i;

	for (i = 0; i < PROF_SAME; i++) {
		if (strcmp(a->value[i], b->value[i]) == 0)
			continue;
		tool_error("%s and %s cannot be added up: the %s differs, %s "
			   "and %s", a->path, b->path,
			   i == PROF_NAME ? "program" : keys[i], a->value[i],
			   b->value[i]);
		return TOOL_FAILED;
	}

	return 0;
}

/* Does it start like a file of ssrun's? errno is 0 if it is readable but does not */
bool prof_is_data(const char *path)
{
	char text[sizeof(SPEEDSHOP_MAGIC) + 1] = "";
	FILE *in = fopen(path, "re");
	bool is;

	if (!in)
		return false;
	errno = 0;
	is = fgets(text, sizeof(text), in) &&
	     strcmp(text, SPEEDSHOP_MAGIC "\n") == 0;
	fclose(in);

	return is;
}

int prof_data_read(struct prof_data *data, char *const *paths)
{
	size_t nr = 0, i;
	uint64_t counts;
	int ret = 0;

	memset(data, 0, sizeof(*data));
	while (paths[nr])
		nr++;
	data->files = calloc(nr, sizeof(*data->files));
	if (!data->files)
		return out_of_memory();
	data->nr_files = nr;
	for (i = 0; i < nr && ret == 0; i++) {
		struct prof_file *file = &data->files[i];

		file->path = paths[i];
		ret = read_file(data, file);
		if (ret == 0)
			ret = compare_files(&data->files[0], file);
		if (ret == 0 && __builtin_add_overflow(data->total, file->samples,
						       &data->total))
			ret = damaged(file, 0);
	}
	if (ret == 0 && (!number(&data->interval,
				 data->files[0].value[PROF_INTERVAL], 10) ||
			 __builtin_mul_overflow(data->total, data->interval, &counts)))
		ret = damaged(&data->files[0], 0);

	return ret;
}

static int compare_samples(const void *a, const void *b)
{
	const struct prof_sample *x = a, *y = b;
	int order = strcmp(x->dso, y->dso);

	if (order)
		return order;

	return (x->address > y->address) - (x->address < y->address);
}

/* Sort samples by address, and merge those of one address */
void prof_data_merge(struct prof_data *data)
{
	size_t i, used = 0;

	if (!data->nr)
		return;
	qsort(data->sample, data->nr, sizeof(*data->sample), compare_samples);
	for (i = 1; i < data->nr; i++) {
		if (compare_samples(&data->sample[used], &data->sample[i]) == 0)
			data->sample[used].count += data->sample[i].count;
		else
			data->sample[++used] = data->sample[i];
	}
	data->nr = used + 1;
}
