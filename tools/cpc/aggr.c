// SPDX-License-Identifier: GPL-2.0-or-later
/* Aggregations: counts by keys. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "dprog.h"

/* More entries than anybody reads; more would let a program fill the memory */
#define ENTRIES_MAX	65536

/**
 * struct cell - a count
 * @keys: number of keys
 * @number: the count
 * @key: the keys
 */
struct cell {
	unsigned int keys;
	int64_t number;
	struct {
		enum d_type type;
		int64_t number;
		char *text;
	} key[D_KEYS];
};

static int compare(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	unsigned int i;
	int diff = 0;

	for (i = 0; i < x->keys && diff == 0; i++)
		diff = x->key[i].type == D_STR ?
		       strcmp(x->key[i].text, y->key[i].text) :
		       (x->key[i].number > y->key[i].number) -
		       (x->key[i].number < y->key[i].number);

	return diff;
}

static void entry_free(struct cell *entry)
{
	unsigned int i;

	for (i = 0; entry && i < entry->keys; i++)
		free(entry->key[i].text);
	free(entry);
}

static struct cell *entry_new(const struct cell *from)
{
	struct cell *entry = calloc(1, sizeof(*entry));
	unsigned int i;

	if (!entry)
		return NULL;
	entry->keys = from->keys;
	for (i = 0; i < from->keys; i++) {
		entry->key[i] = from->key[i];
		if (from->key[i].type == D_INT)
			continue;
		entry->key[i].text = strdup(from->key[i].text);
		if (!entry->key[i].text) {
			entry_free(entry);
			return NULL;
		}
	}

	return entry;
}

static struct cell *find(struct aggregation *aggr, const struct cell *key)
{
	struct cell **found = tfind(key, &aggr->root, compare), *entry;

	if (found)
		return *found;
	entry = aggr->nr < ENTRIES_MAX ? entry_new(key) : NULL;
	if (!entry || !tsearch(entry, &aggr->root, compare)) {
		entry_free(entry);
		return NULL;
	}
	aggr->nr++;

	return entry;
}

/* Count in the entry with these keys */
void aggregate(struct aggregation *aggr, const struct value *key)
{
	struct cell wanted = { .keys = aggr->keys }, *entry;
	unsigned int i;

	for (i = 0; i < aggr->keys; i++) {
		wanted.key[i].type = key[i].type;
		wanted.key[i].number = key[i].type == D_INT ? key[i].number : 0;
		wanted.key[i].text = key[i].type == D_STR ? (char *)key[i].text : NULL;
	}
	entry = find(aggr, &wanted);
	if (entry)
		entry->number++;
	else
		aggr->drops++;
}

struct list {
	unsigned int nr;
	struct cell **entry;
};

/* twalk(3) takes no argument for its function, and musl has no twalk_r(3) */
static struct list *listed;

static void list_add(const void *node, VISIT which, int depth)
{
	(void)depth;
	if (which == postorder || which == leaf)
		listed->entry[listed->nr++] = *(struct cell *const *)node;
}

static int by_number(const void *a, const void *b)
{
	const struct cell *x = *(struct cell *const *)a;
	const struct cell *y = *(struct cell *const *)b;

	return x->number != y->number ? (x->number > y->number ? 1 : -1) : compare(x, y);
}

/* All entries, the smallest number first. No memory: none */
static struct list sorted(const struct aggregation *aggr)
{
	struct list list = { .entry = calloc(aggr->nr + 1, sizeof(*list.entry)) };

	if (!list.entry)
		return list;
	listed = &list;
	twalk(aggr->root, list_add);
	qsort(list.entry, list.nr, sizeof(*list.entry), by_number);

	return list;
}

/* Keep the @keep largest entries, or the smallest if @keep is negative */
void aggregation_trunc(struct aggregation *aggr, int64_t keep)
{
	struct list list = sorted(aggr);
	uint64_t left = keep < 0 ? 0 - (uint64_t)keep : (uint64_t)keep;
	unsigned int i;

	for (i = 0; i < list.nr; i++) {
		uint64_t rank = keep < 0 ? i : list.nr - 1 - i;

		if (rank < left)
			continue;
		tdelete(list.entry[i], &aggr->root, compare);
		entry_free(list.entry[i]);
		aggr->nr--;
	}
	free(list.entry);
}

/* Stacks begin a line of their own; so does what follows them */
static void print_entry(FILE *out, const struct cell *entry)
{
	unsigned int i;

	for (i = 0; i < entry->keys; i++)
		if (entry->key[i].type == D_INT)
			fprintf(out, " %16" PRId64, entry->key[i].number);
		else if (strchr(entry->key[i].text, '\n'))
			fprintf(out, "\n%s", entry->key[i].text);
		else
			fprintf(out, "  %-50s", entry->key[i].text);
	fprintf(out, " %16" PRId64 "\n", entry->number);
}

static void print_as(FILE *out, const struct cell *entry, const char *format)
{
	static struct value value[D_KEYS];
	unsigned int i;

	for (i = 0; i < entry->keys; i++) {
		value[i].type = entry->key[i].type;
		value[i].number = entry->key[i].number;
		value[i].text = entry->key[i].text;
	}
	print_values(out, format, value, entry->keys, &entry->number);
}

/* Print all entries, sorted by their numbers */
void aggregation_print(FILE *out, struct aggregation *aggr, const char *format)
{
	struct list list = sorted(aggr);
	unsigned int i;

	if (!format)
		putc('\n', out);
	for (i = 0; i < list.nr; i++)
		if (format)
			print_as(out, list.entry[i], format);
		else
			print_entry(out, list.entry[i]);
	free(list.entry);
}
