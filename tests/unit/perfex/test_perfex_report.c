// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfex makes of counts: statistics (the sample report of SGI's tuning
 * guide again), bounds of projections, means, CSV and JSON.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"
#include "perfex.h"
#include "seed.h"
#include "unit.h"

static const struct cost_machine origin = {
	.chip = IRIXPERF_R10000_V2, .model = "R10000", .major = 2, .minor = 6,
	.board = "IP27", .mhz = 196,
};

static struct perfex_row counted(unsigned int event, uint64_t value)
{
	return (struct perfex_row){
		.event = event, .counted = true, .value = value,
	};
}

static const struct {
	const char *label;
	double value;
	bool of_cycles;
} adi2[] = {
	{ "Graduated floating point instructions/cycle", 0.017302, true },
	{ "Graduated loads & stores/cycle", 0.074595, true },
	{ "Graduated loads & stores/floating point instruction", 4.311456, false },
	{ "Mispredicted branches/Decoded branches", 0.007952, false },
	{ "Graduated loads/Issued loads", 0.808696, false },
	{ "Graduated stores/Issued stores", 0.761099, false },
	{ "L1 Cache Line Reuse", 6.473003, false },
	{ "L2 Cache Line Reuse", 1.115754, false },
	{ "L1 Data Cache Hit Rate", 0.866185, false },
	{ "L2 Data Cache Hit Rate", 0.527355, false },
	{ "Time accessing memory/Total time", 0.750045, true },
	{ "L1--L2 bandwidth used (MB/s, average per process)", 124.541, true },
	{ "Memory bandwidth used (MB/s, average per process)", 236.383, true },
	{ "MFLOPS (average per process)", 3.391108, true },
};

static void check_statistics(bool of_cycles)
{
	const struct perfex_row row[] = {
		counted(2, 109918560), counted(3, 43923616),
		counted(6, 52497360), counted(7, 61712384), counted(9, 8272),
		counted(10, 768), counted(16, 1639802080),
		counted(18, 88890736), counted(19, 33430240),
		counted(21, 28371152), counted(22, 32385280),
		counted(23, 5693808), counted(24, 417440),
		counted(25, 16368384), counted(26, 7736432),
	};
	struct perfex_stat stat[PERFEX_MAX_STATS];
	struct cost_table table;
	unsigned int nr, at = 0;
	size_t i;

	costs_builtin(&table, &origin);
	nr = perfex_stats(stat, &table, row, ARRAY_SIZE(row));
	for (i = 0; i < ARRAY_SIZE(adi2); i++) {
		if (adi2[i].of_cycles && !of_cycles)
			continue;
		assert_true(at < nr);
		assert_string_equal(stat[at].label, adi2[i].label);
		assert_float_equal(stat[at++].value, adi2[i].value,
				   adi2[i].value > 100 ? 6e-4 : 6e-7);
	}
	assert_int_equal(at, nr);
}

static void statistics_of_the_sample(void **state)
{
	(void)state;
	check_statistics(true);
}

/* As on r10kvm's machines */
static int emulate(void **state)
{
	(void)state;
	fake_install(R10000_V26);
	fake_file("/proc/cmdline", "r10kperf.cycles=unmodelled\n");

	return 0;
}

static int emulate_no_more(void **state)
{
	(void)state;
	fake_remove_file("/proc/cmdline");

	return 0;
}

static void nothing_is_computed_from_an_emulators_cycles(void **state)
{
	(void)state;
	check_statistics(false);
}

static void statistics_of_other_chips(void **state)
{
	const struct perfex_row row[] = {
		counted(0, 1000), counted(4, 2500), counted(6, 100),
		counted(14, 600), counted(15, 1500), counted(16, 50),
		counted(17, 5), counted(24, 10),
	};
	static const struct {
		const char *label;
		double value;
	} expected[] = {
		{ "Graduated instructions/cycle", 1.5 },
		{ "Mispredicted branches/Resolved conditional branches", 0.1 },
		{ "Time not making progress (probably waiting on memory) / Total time",
		  0.4 },
		{ "Cache misses in flight per cycle (average)", 2.5 },
		{ "Prefetch miss rate", 0.1 },
	};
	struct cost_machine machine = origin;
	struct perfex_stat stat[PERFEX_MAX_STATS];
	struct cost_table table;
	size_t i;

	(void)state;
	machine.chip = IRIXPERF_R12000;
	costs_builtin(&table, &machine);
	assert_int_equal(perfex_stats(stat, &table, row, ARRAY_SIZE(row)),
			 ARRAY_SIZE(expected));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_string_equal(stat[i].label, expected[i].label);
		assert_float_equal(stat[i].value, expected[i].value, 1e-9);
	}
}

static void nothing_is_divided_by_zero(void **state)
{
	const struct perfex_row row[] = {
		counted(0, 0), counted(25, 0), counted(26, 0), counted(27, 3),
	};
	struct perfex_stat stat[PERFEX_MAX_STATS];
	struct cost_table table;

	(void)state;
	costs_builtin(&table, &origin);
	assert_int_equal(perfex_stats(stat, &table, row, ARRAY_SIZE(row)), 0);
}

static double uniform(void)
{
	return drand48();
}

/*
 * A program whose rate wanders, of which an event sees one window in @turns, for
 * that long. Return whether the bound held.
 */
static bool bound_holds(unsigned int windows, unsigned int turns)
{
	struct perfex_spread spread = { 0 };
	struct irixperf_count count = { 0 };
	double truth = 0, rate = 1000, bound, off;
	unsigned int i, phase = (unsigned int)(uniform() * turns);

	for (i = 0; i < windows * turns; i++) {
		rate = 1000 + 0.7 * (rate - 1000) + 400 * (uniform() - 0.5);
		truth += rate * 100;
		count.enabled += 100;
		if (i % turns == phase) {
			count.running += 100;
			count.value += (uint64_t)(rate * 100);
		}
		if (i % turns == turns - 1)
			perfex_spread_add(&spread, &count);
	}
	bound = perfex_spread_bound(&spread, &count);
	off = fabs((double)irixperf_count_scale(&count) - truth);

	return off <= bound;
}

static void bounds_hold_in_95_of_100_runs(void **state)
{
	static const unsigned int windows[] = { 3, 5, 10, 100 };
	unsigned int i, run, held;

	(void)state;
	srand48(test_seed(1996));
	for (i = 0; i < ARRAY_SIZE(windows); i++) {
		for (run = held = 0; run < 2000; run++)
			held += bound_holds(windows[i], 16);
		if (held < 1900)
			print_message("# %u windows: %u of 2000\n", windows[i],
				      held);
		assert_true(held >= 1900);
	}
}

/* A bound that always holds because it is huge says nothing */
static void bounds_are_small_if_rates_are_even(void **state)
{
	struct perfex_spread spread = { 0 };
	struct irixperf_count count = { 0 };
	unsigned int i;
	double bound;

	(void)state;
	for (i = 0; i < 100; i++) {
		count.value += 5000;
		count.enabled += 1600;
		count.running += 100;
		perfex_spread_add(&spread, &count);
	}
	bound = perfex_spread_bound(&spread, &count);
	assert_true(bound > 0);
	assert_true(bound < 0.02 * (double)irixperf_count_scale(&count));
}

/*
 * Windows of 100, 200 and 300 in half of the time: the rate is 2, 100 is left of
 * the first and of the last, and Student's quantile for two degrees is 4.303. So
 * it is sqrt((1 - 1/2) * 20000 * 3/2) / 300 * 4.303 * 600, and 300 / (1/2) / 2.
 */
static void bound_by_hand(void **state)
{
	struct perfex_spread spread = { 0 };
	struct irixperf_count count = { 0 };
	unsigned int i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		count.value += 100 * i;
		count.enabled += 200;
		count.running += 100;
		perfex_spread_add(&spread, &count);
	}
	assert_true(fabs(perfex_spread_bound(&spread, &count) - 1354.015) < 0.01);
}

static void bounds_that_nobody_knows(void **state)
{
	struct perfex_spread spread = { 0 };
	struct irixperf_count count = { 10, 200, 100 };

	(void)state;
	perfex_spread_add(&spread, &count);
	assert_true(perfex_spread_bound(&spread, &count) == PERFEX_NO_BOUND);
	count.running = 200;
	assert_true(perfex_spread_bound(&spread, &count) == 0);
	count.running = 0;
	assert_true(perfex_spread_bound(&spread, &count) == PERFEX_NO_BOUND);
}

static const struct perfex_choice choice = {
	.chip = IRIXPERF_R10000_V2, .nr = 2, .event = { 2, 26 }, .mode = 8,
};

static char *command[] = { "a \"b\"", "c\\", NULL };

static void runs_have_mean_and_deviation(void **state)
{
	const struct perfex_options opt = { .repeat = 3 };
	struct perfex_result result[3] = {
		{ .count = { { 10, 5, 5 }, { 0, 5, 0 } } },
		{ .count = { { 20, 5, 5 }, { 7, 5, 5 } } },
		{ .count = { { 60, 5, 5 }, { 9, 5, 5 } } },
	};
	const struct perfex_report report = {
		.opt = &opt, .choice = &choice, .runs = 3, .result = result,
	};
	struct perfex_row row[2];

	(void)state;
	perfex_rows_of_runs(row, &report);
	assert_float_equal(row[0].mean, 30, 1e-9);
	assert_float_equal(row[0].deviation, 26.457513, 1e-6);
	assert_true(row[0].bound == 0);
	assert_float_equal(row[1].mean, 8, 1e-9);
	assert_float_equal(row[1].deviation, 1.414214, 1e-6);
}

static void report_to(char *text, size_t size, const struct perfex_report *report)
{
	FILE *out = fmemopen(text, size, "w");

	perfex_report(out, report);
	fclose(out);
}

/* No deviation, rather than one of 0 */
static void one_run_tells_nothing_of_others(void **state)
{
	struct perfex_options opt = { .repeat = 2 };
	struct perfex_result result[2] = {
		{ .count = { { 10, 5, 5 }, { 0, 5, 0 } } },
		{ .count = { { 0, 5, 0 }, { 0, 5, 0 } } },
	};
	const struct perfex_report report = {
		.opt = &opt, .choice = &choice, .runs = 2, .result = result,
	};
	struct perfex_row row[2];
	char text[4096];

	(void)state;
	perfex_rows_of_runs(row, &report);
	assert_true(row[0].counted && isnan(row[0].deviation));
	assert_false(row[1].counted);
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, " 10 in one run\n"));
	opt.csv = true;
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, ",,10.000,\n"));
	assert_non_null(strstr(text, ",,,\n"));
}

/* 0 of what has slept all the time; but not of what has never been started */
static void what_has_not_run_has_none(void **state)
{
	struct perfex_options opt = { 0 };
	struct perfex_result result = { .pid = 1 };
	const struct perfex_report report = {
		.opt = &opt, .choice = &choice, .runs = 1, .result = &result,
	};
	const struct perfex_thread lost = { .lost = true };
	struct perfex_row row[2];
	char text[4096];

	(void)state;
	report_to(text, sizeof(text), &report);
	assert_null(strstr(text, "not counted"));
	assert_null(strstr(text, "WARNING"));
	opt.by_signal = true;
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, "not counted"));
	assert_non_null(strstr(text, "got no SIGUSR1"));
	result.started = true;
	report_to(text, sizeof(text), &report);
	assert_null(strstr(text, "WARNING"));
	perfex_rows_of_thread(row, &choice, &lost);
	assert_false(row[0].counted || row[1].counted);
}

/* perfex has found out before the command ran that others have a counter */
static void what_others_keep_from_it_is_told(void **state)
{
	const struct perfex_options opt = { .json = true, .command = command };
	struct perfex_result result = {
		.count = { { 10, 100000000, 100000000 }, { 0, 100000000, 0 } },
	};
	struct cost_table table;
	struct perfex_choice apart = choice;
	const struct perfex_report report = {
		.opt = &opt, .choice = &apart, .table = &table, .runs = 1,
		.result = &result,
	};
	char text[4096];

	(void)state;
	costs_builtin(&table, &origin);
	apart.apart = true;
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, " \"warning\": \"1 of 2 events had no turn: "
			       "others have the counters"));
	result.count[1].running = 1;
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, " \"warning\": null,\n"));
}

/* Of 50 ns in which the first event of the thread was enabled */
static uint64_t thread_ran = 50;

static void write_report(char *text, size_t size,
			 const struct perfex_options *opt)
{
	struct cost_table table;
	struct perfex_thread thread[] = {
		{ .tid = 7, .pid = 7, .number = 1, .gone = true,
		  .count = { { 1000, 50, thread_ran }, { 0, 50, 0 } } },
	};
	const struct perfex_result result = {
		.pid = 7, .ran = true, .status = 3, .seconds = 0.25,
		.user = 0.125, .system = 0.0625, .nr_threads = 1,
		.thread = thread,
		.count = { { 1000, 50, 25 }, { 0, 50, 0 } },
		.bound = { 40.4, PERFEX_NO_BOUND },
	};
	const struct perfex_report report = {
		.opt = opt, .choice = &choice, .table = &table, .runs = 1,
		.result = &result,
	};
	FILE *out = fmemopen(text, size - 1, "w");

	/* perfex asks whether others still have the counters */
	fake_install("R10000 V2.6  FPU V0.0");
	costs_builtin(&table, &origin);
	perfex_report(out, &report);
	fclose(out);
}

/* Each thread has a share of its own */
static void threads_of_a_part_of_the_time(void **state)
{
	const struct perfex_options opt = { .processes = true, .command = command };
	char text[4096] = "";

	(void)state;
	thread_ran = 5;
	write_report(text, sizeof(text), &opt);
	thread_ran = 50;
	assert_non_null(strstr(text,
"26 Secondary (L2) data cache misses...........................      not counted\n"
"NOTE: each event was counted for 10.0 to 10.0 % of the time.\n"
"NOTE: with -mp and -pp the error of projections is not known.\n"
"\n"
"Total of 1 thread in 1 process\n"));
}

/* Clocks of published costs in place of seconds, and none for cycles */
static void a_report_without_seconds(void **state)
{
	static const char expected[] =
"                                                Based on 196 MHz IP27\n"
"                                                   MIPS R10000 CPU\n"
"                                                   CPU revision 2.6\n"
"                                                                                     Typical      Minimum      Maximum\n"
"   Event Counter Name                                             Counter Value       Clocks       Clocks       Clocks\n"
"======================================================================================================================\n"
"26 Secondary (L2) data cache misses...........................             1000        73992        48375        82308\n"
" 0 Cycles.....................................................             5000            -            -            -\n"
"NOTE: cycles and seconds are the emulator's, not a CPU's: no times or rates.\n";
	struct perfex_choice mine = {
		.chip = IRIXPERF_R10000_V2, .nr = 2, .event = { 0, 26 }, .mode = 8,
	};
	struct perfex_options opt = { .estimate = true, .command = command };
	const struct perfex_result result = {
		.count = { { 5000, 50, 50 }, { 1000, 50, 50 } },
	};
	struct cost_table table;
	const struct perfex_report report = {
		.opt = &opt, .choice = &mine, .table = &table, .runs = 1,
		.result = &result,
	};
	char text[4096] = "";
	const char *row;

	(void)state;
	costs_builtin(&table, &origin);
	report_to(text, sizeof(text), &report);
	assert_string_equal(text, expected);
	opt.json = true;
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, " \"note\": \"cycles and seconds are the emulator's, not a CPU's: "
			       "no times or rates\",\n"));
	row = strstr(text, "\"event\": 26, ");
	assert_non_null(row);
	assert_non_null(strstr(row, "\"count\": 1000, "));
	assert_non_null(strstr(row, "\"typical_s\": null, \"minimum_s\": null, "
			       "\"maximum_s\": null"));
	opt = (struct perfex_options){ .csv = true, .estimate = true, .command = command };
	report_to(text, sizeof(text), &report);
	assert_non_null(strstr(text, ",cycles,5000,5000,50,50,1.000000,0,,,,,\n"));
	assert_non_null(strstr(text, ",l2_data_misses,1000,1000,50,50,1.000000,0,,,,,\n"));
	/* Without cycles, as long as there are no times */
	mine.event[0] = 2;
	opt = (struct perfex_options){ .command = command };
	report_to(text, sizeof(text), &report);
	assert_null(strstr(text, "NOTE"));
}

static void csv_to_the_letter(void **state)
{
	static const char expected[] =
"schema,scope,pid,tid,start_s,end_s,event,name,count,raw,enabled_ns,running_ns,share,bound,typical_s,minimum_s,maximum_s,mean,deviation\n"
"1,thread,7,7,0.000000,0.250000,2,issued_loads,1000,1000,50,50,1.000000,0,0.000005102,0.000005102,0.000005102,,\n"
"1,thread,7,7,0.000000,0.250000,26,l2_data_misses,,0,50,0,0.000000,,,,,,\n"
"1,total,7,,0.000000,0.250000,2,issued_loads,2000,1000,50,25,0.500000,40,0.000010204,0.000010204,0.000010204,,\n"
"1,total,7,,0.000000,0.250000,26,l2_data_misses,,0,50,0,0.000000,,,,,,\n";
	const struct perfex_options opt = {
		.csv = true, .estimate = true, .processes = true,
		.command = command,
	};
	char text[4096] = "";

	(void)state;
	write_report(text, sizeof(text), &opt);
	assert_string_equal(text, expected);
}

static void json_to_the_letter(void **state)
{
	static const char expected[] =
"{\"schema\": 1,\n"
" \"command\": [\"a \\\"b\\\"\", \"c\\\\\"],\n"
" \"pid\": 7, \"status\": 3, \"runs\": 1, \"failed_runs\": 1, \"lost_threads\": 0,\n"
" \"elapsed_s\": 0.250000, \"user_s\": 0.125000, \"system_s\": 0.062500,\n"
" \"cpu\": {\"model\": \"R10000\", \"board\": \"IP27\", \"mhz\": 196, \"revision\": \"2.6\"},\n"
" \"modes\": [\"user\"],\n"
" \"note\": null,\n"
" \"warning\": \"1 of 2 events had no turn: the command, or each of its processes, was too short, or others had the counters meanwhile\",\n"
" \"counts\": [\n"
"  {\"event\": 2, \"name\": \"issued_loads\", \"label\": \"Issued loads\", \"count\": 2000, \"raw\": 1000, \"enabled_ns\": 50, \"running_ns\": 25, \"share\": 0.500000, \"bound\": 40},\n"
"  {\"event\": 26, \"name\": \"l2_data_misses\", \"label\": \"Secondary (L2) data cache misses\", \"count\": null, \"raw\": 0, \"enabled_ns\": 50, \"running_ns\": 0, \"share\": 0.000000, \"bound\": null}]}\n";
	const struct perfex_options opt = { .json = true, .command = command };
	char text[4096] = "";

	(void)state;
	write_report(text, sizeof(text), &opt);
	assert_string_equal(text, expected);
}

/* A process that is not perfex's own has times that perfex does not learn */
static void json_without_a_command(void **state)
{
	static char *none[] = { NULL };
	const struct perfex_options opt = { .json = true, .command = none };
	char text[4096] = "";

	(void)state;
	write_report(text, sizeof(text), &opt);
	assert_non_null(strstr(text, " \"command\": [],\n"));
	assert_non_null(strstr(text, "\"elapsed_s\": 0.250000, "
			       "\"user_s\": null, \"system_s\": null,\n"));
}

static void odd_texts(void **state)
{
	char text[64] = "";
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");

	(void)state;
	perfex_json_text(out, "a\n\x01\"\\");
	perfex_csv_text(out, "say \"x\", y");
	fclose(out);
	assert_string_equal(text, "\"a\\u000a\\u0001\\\"\\\\\"\"say \"\"x\"\", y\"");
}

#define FFFD	"\xef\xbf\xbd"

static const struct {
	const char *text;
	const char *json;
} encoded[] = {
	{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8e\xb5",
	  "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8e\xb5\"" },
	{ "gr\xfc\xdf", "\"gr" FFFD FFFD "\"" },
	{ "\xe2\x82", "\"" FFFD FFFD "\"" },
	{ "\xc3\"", "\"" FFFD "\\\"\"" },
	{ "\xc0\x80 \xe0\x9f\xbf", "\"" FFFD FFFD " " FFFD FFFD FFFD "\"" },
	{ "\xed\xa0\x80", "\"" FFFD FFFD FFFD "\"" },
	{ "\xf4\x90\x80\x80", "\"" FFFD FFFD FFFD FFFD "\"" },
	{ "\x80\xff", "\"" FFFD FFFD "\"" },
	{ "\xf4\x8f\xbf\xbf\x7f", "\"\xf4\x8f\xbf\xbf\x7f\"" },
};

/* JSON is UTF-8, whatever the words of the command are */
static void json_in_utf8(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(encoded); i++) {
		char text[64] = "";
		FILE *out = fmemopen(text, sizeof(text) - 1, "w");

		perfex_json_text(out, encoded[i].text);
		fclose(out);
		assert_string_equal(text, encoded[i].json);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(statistics_of_the_sample),
	cmocka_unit_test_setup_teardown(nothing_is_computed_from_an_emulators_cycles,
					emulate, emulate_no_more),
	cmocka_unit_test(statistics_of_other_chips),
	cmocka_unit_test(nothing_is_divided_by_zero),
	cmocka_unit_test(bounds_hold_in_95_of_100_runs),
	cmocka_unit_test(bounds_are_small_if_rates_are_even),
	cmocka_unit_test(bound_by_hand),
	cmocka_unit_test(bounds_that_nobody_knows),
	cmocka_unit_test(runs_have_mean_and_deviation),
	cmocka_unit_test(one_run_tells_nothing_of_others),
	cmocka_unit_test(what_has_not_run_has_none),
	cmocka_unit_test(what_others_keep_from_it_is_told),
	cmocka_unit_test(threads_of_a_part_of_the_time),
	cmocka_unit_test_setup_teardown(a_report_without_seconds, emulate,
					emulate_no_more),
	cmocka_unit_test(csv_to_the_letter),
	cmocka_unit_test(json_to_the_letter),
	cmocka_unit_test(json_without_a_command),
	cmocka_unit_test(odd_texts),
	cmocka_unit_test(json_in_utf8),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
