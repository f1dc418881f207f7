// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the parser of files of costs. Beyond crashes: a file with a mistake
 * changes nothing and says where it is, and what is read is read again from
 * what costs_print() writes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "costs.h"

#define MAX_COST	1e9

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void begin_table(struct cost_table *table)
{
	memset(table, 0, sizeof(*table));
	table->machine.chip = IRIXPERF_R12000;
	table->board = "IP27";
}

static int load(struct cost_table *table, const void *bytes, size_t size,
		struct cost_error *error)
{
	int fd = memfd_create("costs", MFD_CLOEXEC), ret;
	char path[32];

	promise(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = costs_load(table, path, error);
	close(fd);

	return ret;
}

static unsigned int nr_lines(const uint8_t *data, size_t size)
{
	unsigned int nr = 1;

	for (; size > 0; size--)
		nr += *data++ == '\n';

	return nr;
}

static void check_mistake(const struct cost_table *table,
			  const struct cost_error *error, unsigned int lines)
{
	struct cost_table before;
	char text[256];

	begin_table(&before);
	promise(memcmp(table, &before, sizeof(before)) == 0);
	promise(error->line > 0 && error->line <= lines && error->column > 0);
	promise(error->text[0] && strlen(error->text) < sizeof(error->text));
	costs_describe(text, sizeof(text), "costs", error);
}

/* Costs have two decimals there, and only events that the machine has */
static void check_table(const struct cost_table *table)
{
	struct cost_table again;
	struct cost_error error;
	char *text = NULL;
	size_t size = 0;
	unsigned int i, kind;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		for (kind = 0; kind < COST_KINDS; kind++)
			promise(table->row[i].cost[kind].value >= 0 &&
				table->row[i].cost[kind].value <= MAX_COST);
	costs_print(out, table);
	fclose(out);
	begin_table(&again);
	promise(load(&again, text, size, &error) == 0);
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		promise(!irixperf_event_get(IRIXPERF_R12000, i) ||
			again.row[i].known == table->row[i].known);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cost_table table;
	struct cost_error error;
	int ret;

	begin_table(&table);
	ret = load(&table, data, size, &error);
	promise(ret == 0 || ret == -EINVAL);
	if (ret == 0)
		check_table(&table);
	else
		check_mistake(&table, &error, nr_lines(data, size));

	return 0;
}
