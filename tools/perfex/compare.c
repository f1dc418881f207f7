// SPDX-License-Identifier: GPL-2.0-or-later
/* --compare: what two reports of --json have in common, side by side. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "perfex.h"

static int read_one(struct perfex_compared *to, const char *path)
{
	FILE *file = tool_open_regular(path);
	int ret;

	if (!file) {
		tool_error("cannot read %s: %s", path, strerror(errno));
		return TOOL_FAILED;
	}
	ret = perfex_json_read(to, file);
	fclose(file);
	if (!ret)
		return 0;
	tool_error(ret == -EFBIG ? "%s is too large" :
		   "%s is not a report of perfex --json", path);

	return TOOL_FAILED;
}

static void print_head(char letter, const char *path,
		       const struct perfex_compared *report)
{
	printf("%c: %s: %s (%s, %s)\n", letter, path, report->command, report->model,
	       report->modes);
}

static const struct perfex_compared_row *
same_event(const struct perfex_compared *report, const struct perfex_compared_row *as)
{
	unsigned int i;

	for (i = 0; i < report->nr; i++)
		if (report->row[i].event == as->event &&
		    strcmp(report->row[i].name, as->name) == 0)
			return &report->row[i];

	return NULL;
}

/* Cycles of an emulator are no CPU's: nothing is computed from them */
static bool is_comparable(const struct perfex_compared *report,
			  const struct perfex_compared_row *row)
{
	return row->counted && !(report->note[0] && strstr(row->name, "cycles"));
}

/* Is the difference no larger than the bounds of the two? */
static bool is_within(const struct perfex_compared_row *a,
		      const struct perfex_compared_row *b)
{
	double bound = fmax(a->bound, 0) + fmax(b->bound, 0);

	return fabs(a->count - b->count) <= bound && bound > 0;
}

static void print_count(const struct perfex_compared_row *row)
{
	if (row->counted)
		printf(" %18.0f", row->count);
	else
		printf(" %18s", "not counted");
}

/* Return true if the row has the mark of a difference that may be chance */
static bool print_row(const struct perfex_compared *a, const struct perfex_compared_row *x,
		      const struct perfex_compared *b, const struct perfex_compared_row *y)
{
	bool within = x->counted && y->counted && x->count != 0 && is_within(x, y);

	printf("%2u %-34s", x->event, x->name);
	print_count(x);
	print_count(y);
	if (!is_comparable(a, x) || !is_comparable(b, y) || x->count == 0)
		printf(" %9s\n", "-");
	else
		printf(" %9.3f%s\n", y->count / x->count, within ? " ~" : "");

	return within;
}

static void print_others(char letter, const struct perfex_compared *report,
			 const struct perfex_compared *other)
{
	unsigned int i, nr = 0;

	for (i = 0; i < report->nr; i++)
		if (!same_event(other, &report->row[i]))
			printf("%s%u %s", nr++ ? ", " : letter == 'A' ?
			       "Only in A: " : "Only in B: ", report->row[i].event,
			       report->row[i].name);
	if (nr)
		printf("\n");
}

/* The files may be anybody's */
static void make_printable(struct perfex_compared *report)
{
	unsigned int i;

	tool_printable(report->command, 0);
	tool_printable(report->model, 0);
	for (i = 0; i < report->nr; i++)
		tool_printable(report->row[i].name, 0);
	tool_printable(report->modes, 0);
	tool_printable(report->note, 0);
}

/**
 * perfex_compare() - print two reports side by side
 * @path: the names of two files, and NULL
 *
 * Return: an exit status.
 */
int perfex_compare(char *const *path)
{
	struct perfex_compared a, b;
	const struct perfex_compared_row *other;
	bool marked = false;
	unsigned int i;

	if (read_one(&a, path[0]) || read_one(&b, path[1]))
		return TOOL_FAILED;
	make_printable(&a);
	make_printable(&b);
	print_head('A', path[0], &a);
	print_head('B', path[1], &b);
	printf("%-37s %18s %18s %9s\n", "event", "A", "B", "B / A");
	for (i = 0; i < a.nr; i++) {
		other = same_event(&b, &a.row[i]);
		if (other)
			marked |= print_row(&a, &a.row[i], &b, other);
	}
	print_others('A', &a, &b);
	print_others('B', &b, &a);
	if (strcmp(a.modes, b.modes))
		printf("WARNING: A counts in other modes than B.\n");
	if (marked)
		printf("~ : no larger than the errors of projection, or of repeated runs\n");
	if (a.note[0] || b.note[0])
		printf("NOTE: " COSTS_NOTE "\n", a.note[0] ? a.note : b.note);

	return tool_flush_stdout();
}
