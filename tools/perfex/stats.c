// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics of -y. Each is a quotient of two sums of counts, and is printed only if
 * all of these events were counted, and nothing speaks against it (irixperf_event_note).
 * The labels come from IRIX's perfex(1) and the tuning guide. Their texts disagree
 * about the divisor of mispredictions; this file divides by what the label says: hits.
 */
#include <string.h>
#include "perfex.h"

#define V2	IRIXPERF_R10000_V2
#define V3	(IRIXPERF_R10000_V3 | IRIXPERF_MAPPED)
#define R10K	(V2 | V3)
#define R12K	IRIXPERF_R12000
#define ALL	(R10K | R12K)

#define MAX_TERMS	5

/* What is made of the quotient top / bottom */
enum form {
	RATIO,
	REST,			/* 1 - quotient */
	MILLIONS_A_SECOND,	/* top per second; bottom is cycles */
	TIME,			/* typical time of top / time; bottom is cycles */
};

struct term {
	int factor;
	unsigned int event;
};

/* Sizes in bytes */
#define QUADWORD	16
#define L1_LINE		32
#define L2_LINE		128

static const struct {
	const char *label;
	unsigned int chips;
	enum form form;
	struct term top[MAX_TERMS];
	struct term bottom[MAX_TERMS];
} stats[] = {
	{ "Graduated instructions/cycle", R10K, RATIO,
	  { { 1, 17 } }, { { 1, 0 } } },
	{ "Graduated instructions/cycle", R12K, RATIO,
	  { { 1, 15 } }, { { 1, 0 } } },
	{ "Graduated floating point instructions/cycle", ALL, RATIO,
	  { { 1, 21 } }, { { 1, 0 } } },
	{ "Graduated loads & stores/cycle", ALL, RATIO,
	  { { 1, 18 }, { 1, 19 } }, { { 1, 0 } } },
	{ "Graduated loads & stores/floating point instruction", ALL, RATIO,
	  { { 1, 18 }, { 1, 19 } }, { { 1, 21 } } },
	{ "Mispredicted branches/Decoded branches", V2, RATIO,
	  { { 1, 24 } }, { { 1, 6 } } },
	{ "Mispredicted branches/Resolved branches", V3, RATIO,
	  { { 1, 24 } }, { { 1, 6 } } },
	{ "Mispredicted branches/Resolved conditional branches", R12K, RATIO,
	  { { 1, 24 } }, { { 1, 6 } } },
	{ "Graduated loads/Issued loads", R10K, RATIO,
	  { { 1, 18 } }, { { 1, 2 } } },
	{ "Graduated loads/Decoded loads", R12K, RATIO,
	  { { 1, 18 } }, { { 1, 2 } } },
	{ "Graduated stores/Issued stores", R10K, RATIO,
	  { { 1, 19 } }, { { 1, 3 } } },
	{ "Graduated stores/Decoded stores", R12K, RATIO,
	  { { 1, 19 } }, { { 1, 3 } } },
	{ "Data mispredict/Data scache hits", ALL, RATIO,
	  { { 1, 27 } }, { { 1, 25 }, { -1, 26 } } },
	{ "Instruction mispredict/Instruction scache hits", ALL, RATIO,
	  { { 1, 11 } }, { { 1, 9 }, { -1, 10 } } },
	{ "L1 Cache Line Reuse", ALL, RATIO,
	  { { 1, 18 }, { 1, 19 }, { -1, 25 } }, { { 1, 25 } } },
	{ "L2 Cache Line Reuse", ALL, RATIO,
	  { { 1, 25 }, { -1, 26 } }, { { 1, 26 } } },
	{ "L1 Data Cache Hit Rate", ALL, REST,
	  { { 1, 25 } }, { { 1, 18 }, { 1, 19 } } },
	{ "L2 Data Cache Hit Rate", ALL, REST,
	  { { 1, 26 } }, { { 1, 25 } } },
	{ "Time accessing memory/Total time", ALL, TIME,
	  { { 1, 18 }, { 1, 19 }, { 1, 25 }, { 1, 26 }, { 1, 23 } },
	  { { 1, 0 } } },
	{ "Time not making progress (probably waiting on memory) / Total time",
	  R12K | V3, REST, { { 1, 14 } }, { { 1, 0 } } },
	{ "L1--L2 bandwidth used (MB/s, average per process)", ALL,
	  MILLIONS_A_SECOND, { { L1_LINE, 25 }, { QUADWORD, 22 } },
	  { { 1, 0 } } },
	{ "Memory bandwidth used (MB/s, average per process)", ALL,
	  MILLIONS_A_SECOND, { { L2_LINE, 26 }, { QUADWORD, 7 } },
	  { { 1, 0 } } },
	{ "MFLOPS (average per process)", ALL, MILLIONS_A_SECOND,
	  { { 1, 21 } }, { { 1, 0 } } },
	{ "Cache misses in flight per cycle (average)", R12K, RATIO,
	  { { 1, 4 } }, { { 1, 0 } } },
	{ "Prefetch miss rate", R12K, RATIO, { { 1, 17 } }, { { 1, 16 } } },
};

static const struct perfex_row *find(const struct perfex_row *row,
				     unsigned int nr, unsigned int event,
				     enum irixperf_chip chip)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (row[i].event == event && row[i].counted &&
		    !irixperf_event_note(chip, event))
			return &row[i];

	return NULL;
}

/* Both counters of an R10000 count cycles and instructions */
static const struct perfex_row *find_twin(const struct perfex_row *row,
					  unsigned int nr, unsigned int event,
					  enum irixperf_chip chip)
{
	const struct perfex_row *found = find(row, nr, event, chip);

	return found ? found :
	       find(row, nr, irixperf_event_get(chip, event)->twin, chip);
}

struct input {
	const struct cost_table *table;
	const struct perfex_row *row;
	unsigned int nr;
};

static bool sum_up(double *sum, const struct input *in, const struct term *term,
		   bool seconds)
{
	unsigned int i;

	*sum = 0;
	for (i = 0; i < MAX_TERMS && term[i].factor; i++) {
		const struct perfex_row *row =
			find_twin(in->row, in->nr, term[i].event,
				  in->table->machine.chip);
		double value;

		if (!row)
			return false;
		value = (double)row->value;
		if (seconds)
			value = costs_seconds(in->table, term[i].event,
					      COST_TYPICAL, value);
		*sum += term[i].factor * value;
	}

	return true;
}

static bool calculate(double *value, const struct input *in, size_t which)
{
	enum form form = stats[which].form;
	double mhz = in->table->machine.mhz;
	double top, bottom;

	if (!(stats[which].chips & in->table->machine.chip) ||
	    !sum_up(&top, in, stats[which].top, form == TIME) ||
	    !sum_up(&bottom, in, stats[which].bottom, false) || bottom <= 0)
		return false;
	if ((form == TIME || form == MILLIONS_A_SECOND) && mhz <= 0)
		return false;

	*value = top / bottom;
	if (form == REST)
		*value = 1 - *value;
	else if (form == MILLIONS_A_SECOND)
		*value *= mhz;
	else if (form == TIME)
		*value *= mhz * 1e6;

	return true;
}

/* Return the number of statistics */
unsigned int perfex_stats(struct perfex_stat *stat,
			  const struct cost_table *table,
			  const struct perfex_row *row, unsigned int nr)
{
	const struct input in = { table, row, nr };
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < sizeof(stats) / sizeof(stats[0]); i++) {
		if (!calculate(&stat[n].value, &in, i))
			continue;
		stat[n++].label = stats[i].label;
	}

	return n;
}

#define DOTS_END	76
#define LINE_WIDTH	92

void perfex_stats_print(FILE *out, const struct perfex_stat *stat,
			unsigned int nr)
{
	unsigned int i;
	int at;

	if (!nr)
		return;
	fprintf(out, "\nStatistics\n");
	for (at = 0; at < LINE_WIDTH; at++)
		fputc('=', out);
	fputc('\n', out);
	for (i = 0; i < nr; i++) {
		for (at = fprintf(out, "%s", stat[i].label); at < DOTS_END; at++)
			fputc('.', out);
		fprintf(out, " %*.6f\n", LINE_WIDTH - DOTS_END - 1,
			stat[i].value);
	}
}
