// SPDX-License-Identifier: GPL-2.0-only
/*
 * The costs of events: the sample report of SGI's tuning guide (an IP27 of 196
 * MHz) to the last digit, and files of costs, good and bad.
 */
#include "costs.h"
#include "unit.h"

static const struct cost_machine origin = {
	.chip = IRIXPERF_R10000_V3, .model = "R10000", .major = 3, .minor = 4,
	.board = "IP27", .mhz = 196,
};

static const struct {
	unsigned int event;
	uint64_t count;
	const char *seconds[COST_KINDS];
} adi2[] = {
	{ 0, 1639802080, { "8.366337", "8.366337", "8.366337" } },
	{ 16, 1639802080, { "8.366337", "8.366337", "8.366337" } },
	{ 26, 7736432, { "2.920580", "1.909429", "3.248837" } },
	{ 23, 5693808, { "1.978017", "1.978017", "1.978017" } },
	{ 7, 61712384, { "1.973562", "1.305834", "1.973562" } },
	{ 25, 16368384, { "0.752445", "0.235504", "0.752445" } },
	{ 22, 32385280, { "0.636139", "0.518825", "0.735278" } },
	{ 2, 109918560, { "0.560809", "0.560809", "0.560809" } },
	{ 18, 88890736, { "0.453524", "0.453524", "0.453524" } },
	{ 6, 52497360, { "0.267844", "0.267844", "0.267844" } },
	{ 3, 43923616, { "0.224100", "0.224100", "0.224100" } },
	{ 19, 33430240, { "0.170562", "0.170562", "0.170562" } },
	{ 21, 28371152, { "0.144751", "0.072375", "7.527040" } },
	{ 24, 417440, { "0.003024", "0.001363", "0.011118" } },
	{ 9, 8272, { "0.000761", "0.000238", "0.000761" } },
	{ 10, 768, { "0.000290", "0.000190", "0.000323" } },
};

CASE(the_sample_comes_out)
{
	struct cost_table table;
	size_t i, kind;

	costs_builtin(&table, &origin);
	for (i = 0; i < ARRAY_SIZE(adi2); i++)
		for (kind = 0; kind < COST_KINDS; kind++) {
			char text[32];

			snprintf(text, sizeof(text), "%.6f",
				 costs_seconds(&table, adi2[i].event, kind,
					       (double)adi2[i].count));
			assert_string_equal(text, adi2[i].seconds[kind]);
		}
}

CASE(the_sample_is_sorted)
{
	struct cost_count row[ARRAY_SIZE(adi2)];
	struct cost_table table;
	size_t i, n = ARRAY_SIZE(adi2);

	costs_builtin(&table, &origin);
	for (i = 0; i < n; i++)
		row[i] = (struct cost_count){
			adi2[n - 1 - i].event, adi2[n - 1 - i].count, true,
		};
	costs_sort(&table, row, (unsigned int)n);
	for (i = 0; i < n; i++)
		assert_int_equal(row[i].event, adi2[i].event);
}

/* Clocks scale with the clock, what the board does takes its time */
CASE(another_clock)
{
	struct cost_machine machine = origin;
	struct cost_table table;

	machine.mhz = 98;
	costs_builtin(&table, &machine);
	assert_true(costs_seconds(&table, 25, COST_TYPICAL, 98e6) == 9.01);
	assert_float_equal(costs_seconds(&table, 10, COST_TYPICAL, 1e9), 377.51,
			   1e-9);
	machine.mhz = 0;
	costs_builtin(&table, &machine);
	assert_true(costs_seconds(&table, 25, COST_TYPICAL, 98e6) == 0);
}

CASE(numbers_that_mean_something_else)
{
	struct cost_machine machine = origin;
	struct cost_table table;

	machine.chip = IRIXPERF_R12000;
	costs_builtin(&table, &machine);
	assert_false(table.row[16].known || table.row[17].known);
	assert_true(table.row[25].known);
	machine.chip = IRIXPERF_R10000_V2;
	costs_builtin(&table, &machine);
	assert_true(table.row[16].known && table.row[17].known);
}

static char path[] = "/tmp/perfex-costs-XXXXXX";

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void same_rows(const struct cost_table *a, const struct cost_table *b)
{
	size_t i, kind;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		for (kind = 0; kind < COST_KINDS; kind++) {
			const struct cost *x = &a->row[i].cost[kind];
			const struct cost *y = &b->row[i].cost[kind];

			assert_int_equal(a->row[i].known, b->row[i].known);
			assert_true(x->value == y->value);
			assert_int_equal(x->unit, y->unit);
		}
}

CASE(what_is_printed_reads_back)
{
	static const enum irixperf_chip chips[] = {
		IRIXPERF_R10000_V2, IRIXPERF_R10000_V3, IRIXPERF_R12000,
		IRIXPERF_MAPPED,
	};
	struct cost_machine machine = origin;
	struct cost_table table, empty;
	struct cost_error error;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(chips); i++) {
		FILE *file = fopen(path, "w");

		machine.chip = chips[i];
		costs_builtin(&table, &machine);
		empty = table;
		memset(empty.row, 0, sizeof(empty.row));
		costs_print(file, &table);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(costs_load(&empty, path, &error), 0);
		same_rows(&empty, &table);
	}
}

CASE(the_head_of_a_table)
{
	static const char head[] =
"Costs for IP27 processor\n"
"MIPS R10000 CPU\n"
"CPU revision 3.4\n"
"# event, then typical, minimum and maximum cost of each\n"
" 0 Cycles.....................................................     1.00 clks     1.00 clks     1.00 clks\n"
" 1 Issued instructions........................................     0.00 clks     0.00 clks     1.00 clks\n";
	char text[8192] = "";
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");
	struct cost_table table;

	costs_builtin(&table, &origin);
	costs_print(out, &table);
	fclose(out);
	text[strlen(head)] = '\0';
	assert_string_equal(text, head);
}

static const struct {
	const char *board;
	const char *model;
	enum irixperf_chip chip;
	const char *based;
	const char *noted;
} others[] = {
	{ "IP27", "R10000", IRIXPERF_R10000_V3, "Based on 250 MHz IP27\n", NULL },
	{ "IP30", "R10000", IRIXPERF_R10000_V3,
	  "Based on 250 MHz IP30, costs of IP27\n", "those of the IP27\n" },
	{ "IP27", "R12000", IRIXPERF_R12000,
	  "Based on 250 MHz IP27, costs of IP27 (R10000)\n",
	  "those of the IP27 (R10000)\n" },
	{ "IP30", "R14000", IRIXPERF_R12000,
	  "Based on 250 MHz IP30, costs of IP27 (R10000)\n",
	  "those of the IP27 (R10000)\n" },
	{ "", "", IRIXPERF_MAPPED, "Based on 250 MHz, costs of IP27\n",
	  "those of the IP27\n" },
};

/* Neither the report nor the table passes them off as the machine's own */
CASE(costs_of_another_machine)
{
	struct cost_machine machine = { .mhz = 250 };
	struct cost_count row = { 0, 1, true };
	struct cost_table table;
	char report[4096], costs[8192];
	FILE *out;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		machine.chip = others[i].chip;
		snprintf(machine.board, sizeof(machine.board), "%s",
			 others[i].board);
		snprintf(machine.model, sizeof(machine.model), "%s",
			 others[i].model);
		costs_builtin(&table, &machine);
		out = fmemopen(report, sizeof(report), "w");
		costs_report(out, &table, &row, 1);
		fclose(out);
		out = fmemopen(costs, sizeof(costs), "w");
		costs_print(out, &table);
		fclose(out);
		assert_non_null(strstr(report, others[i].based));
		if (others[i].noted)
			assert_non_null(strstr(costs, others[i].noted));
		else
			assert_null(strstr(costs, "those of"));
	}
}

CASE(some_rows)
{
	struct cost_table table;
	struct cost_error error;

	costs_builtin(&table, &origin);
	write_file("# mine\n\n\t26 Secondary (L2) misses.. 100 nsec 50.5 nsec 9 clks\r\n"
		   "12 7 clks 7 clks 7 clks\n"
		   "13 an event .... 3 clks 1 clks 4 clks\n");
	assert_int_equal(costs_load(&table, path, &error), 0);
	assert_true(table.row[26].cost[COST_TYPICAL].value == 100);
	assert_true(table.row[26].cost[COST_MINIMUM].value == 50.5);
	assert_int_equal(table.row[26].cost[COST_MAXIMUM].unit, COST_CLKS);
	assert_true(table.row[12].known);
	assert_true(table.row[13].cost[COST_TYPICAL].value == 3);
	assert_true(table.row[25].cost[COST_TYPICAL].value == 9.01);
}

static const struct {
	const char *text;
	const char *described;
} bad_files[] = {
	{ "# x\n32 L... 1 clks 1 clks 1 clks\n",
	  ":2:1: '32' is not an event's number, 0 to 31" },
	{ "nonsense\n", ":1:1: 'nonsense' is not an event's number, 0 to 31" },
	{ "1.5 1 clks 1 clks 1 clks\n",
	  ":1:1: '1.5' is not an event's number, 0 to 31" },
	{ " -1 1 clks 1 clks 1 clks\n",
	  ":1:2: '-1' is not an event's number, 0 to 31" },
	{ "0 Cycles... 1 clks 1 clks 1\n",
	  ":1:28: three costs, each with clks or nsec, must end the line" },
	{ "0 Issued loads.. 1 clks 1 nsecs 1 clks\n",
	  ":1:27: 'nsecs' is not a unit: clks or nsec" },
	{ "0 C 1 clks 1 clks 1 clks 1\n",
	  ":1:26: '1': nothing may follow the costs" },
	{ "0 1 clks 1 clks\n",
	  ":1:16: three costs, each with clks or nsec, must end the line" },
	{ "0\n", ":1:2: three costs, each with clks or nsec, must end the line" },
	{ "0 C... 1 clks 1,5 clks 1 clks\n", ":1:15: '1,5' is not a cost" },
	{ "0 C... 1 clks -1 clks 1 clks\n", ":1:15: '-1' is not a cost" },
	{ "0 C... 1 clks . clks 1 clks\n", ":1:15: '.' is not a cost" },
	{ "0 C... 1 clks nan clks 1 clks\n", ":1:15: 'nan' is not a cost" },
	{ "0 C... 1 clks 1e3 clks 1 clks\n", ":1:15: '1e3' is not a cost" },
	{ "0 C... 1 clks 1 usec 1 clks\n",
	  ":1:17: 'usec' is not a unit: clks or nsec" },
};

CASE(bad_files_are_refused)
{
	struct cost_table table, before;
	struct cost_error error;
	char text[256];
	size_t i;

	costs_builtin(&table, &origin);
	before = table;
	for (i = 0; i < ARRAY_SIZE(bad_files); i++) {
		write_file(bad_files[i].text);
		assert_int_equal(costs_load(&table, path, &error), -EINVAL);
		costs_describe(text, sizeof(text), "", &error);
		assert_string_equal(text, bad_files[i].described);
		same_rows(&table, &before);
	}
}

CASE(files_that_cannot_be_read)
{
	struct cost_table table;
	struct cost_error error;
	const char *where;
	char text[256];

	assert_int_equal(costs_for(&table, &origin, "/no/such/file", &where,
				   &error), -ENOENT);
	costs_describe(text, sizeof(text), where, &error);
	assert_string_equal(text, "/no/such/file: No such file or directory");
	assert_int_equal(costs_load(&table, "/tmp", &error), -EISDIR);
	assert_int_equal(error.line, 0);
}

CASE(what_costs_nothing_known_comes_last)
{
	static const char expected[] =
"                                           Based on 200 MHz, costs of IP27\n"
"                                                   MIPS R10000 CPU\n"
"                                                   CPU revision 2.6\n"
"                                                                                     Typical      Minimum      Maximum\n"
"   Event Counter Name                                             Counter Value   Time (sec)   Time (sec)   Time (sec)\n"
"======================================================================================================================\n"
"26 Secondary (L2) data cache misses...........................          1000000     0.377510     0.246810     0.419940\n"
"15 Graduated instructions.....................................        200000000     0.000000     0.000000     1.000000\n"
" 0 Cycles.....................................................      not counted            -            -            -\n"
"12 External interventions.....................................                5            -            -            -\n";
	const struct cost_machine machine = {
		.chip = IRIXPERF_R10000_V2, .model = "R10000", .major = 2,
		.minor = 6, .mhz = 200,
	};
	struct cost_count row[] = {
		{ 0, 0, false }, { 12, 5, true }, { 15, 200000000, true },
		{ 26, 1000000, true },
	};
	char text[4096] = "";
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");
	struct cost_table table;

	costs_builtin(&table, &machine);
	costs_report(out, &table, row, ARRAY_SIZE(row));
	fclose(out);
	assert_string_equal(text, expected);
}

/* What the board does takes its time all the same */
CASE(nobody_knows_the_clock)
{
	static const char expected[] =
"26 Secondary (L2) data cache misses...........................          1000000     0.377510     0.246810     0.419940\n"
" 0 Cycles.....................................................              100            -            -            -\n";
	struct cost_machine machine = origin;
	struct cost_count row[] = { { 0, 100, true }, { 26, 1000000, true } };
	char text[4096] = "";
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");
	struct cost_table table;

	machine.mhz = 0;
	costs_builtin(&table, &machine);
	costs_report(out, &table, row, ARRAY_SIZE(row));
	fclose(out);
	assert_non_null(strstr(text, " Based on unknown MHz IP27\n"));
	assert_non_null(strstr(text, "=\n"));
	assert_string_equal(strstr(text, "=\n") + 2, expected);
}

static int make_path(void **state)
{
	int fd = mkstemp(path);

	(void)state;

	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;

	return unlink(path);
}

int main(void)
{
	return run_cases(make_path, remove_path);
}
