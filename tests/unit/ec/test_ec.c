// SPDX-License-Identifier: GPL-2.0-only
/* ecadmin's and ecstats' command lines, lists of events and reports. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "../../../tools/ec/ecadmin.h"
#include "../../../tools/ec/ecstats.h"
#include "fake.h"
#include "messages.h"
#include "unit.h"

static int parse_admin(struct admin_options *opt, const char *line)
{
	static char copy[256];
	char *argv[MAX_ARGS + 1];
	int status, argc;

	snprintf(copy, sizeof(copy), "%s", line);
	argc = split(copy, argv);
	tool_name = "ecadmin";
	catch_messages();
	status = admin_options_parse(opt, argc, argv);
	release_messages();

	return status;
}

static int parse_stats(struct stats_options *opt, const char *line)
{
	static char copy[256];
	char *argv[MAX_ARGS + 1];
	int status, argc;

	snprintf(copy, sizeof(copy), "%s", line);
	argc = split(copy, argv);
	tool_name = "ecstats";
	catch_messages();
	status = stats_options_parse(opt, argc, argv);
	release_messages();

	return status;
}

struct refusal {
	const char *line;
	const char *message;
};

static const struct refusal admin_refusals[] = {
	{ "ecadmin", "ecadmin: nothing to do; see ecadmin --help\n" },
	{ "ecadmin -D", "ecadmin: nothing to do; see ecadmin --help\n" },
	{ "ecadmin -M", "ecadmin: nothing to do; see ecadmin --help\n" },
	{ "ecadmin -a 15", "ecadmin: unexpected argument '15'; see ecadmin --help\n" },
	{ "ecadmin -r -e 1",
	  "ecadmin: -r releases all events: it excludes -a, -d, -e and "
	  "--check\n" },
	{ "ecadmin -ra",
	  "ecadmin: -r releases all events: it excludes -a, -d, -e and "
	  "--check\n" },
	{ "ecadmin -z", "ecadmin: invalid option -- 'z'\n"
	  "ecadmin: see ecadmin --help\n" },
	{ "ecadmin -e", "ecadmin: option requires an argument -- 'e'\n"
	  "ecadmin: see ecadmin --help\n" },
	{ "ecadmin --enable", "ecadmin: unrecognized option '--enable'\n"
	  "ecadmin: see ecadmin --help\n" },
};

static void bad_lines_of_ecadmin(void **state)
{
	struct admin_options opt;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(admin_refusals); i++) {
		assert_int_equal(parse_admin(&opt, admin_refusals[i].line),
				 EC_USAGE);
		assert_string_equal(messages, admin_refusals[i].message);
		free(opt.change);
	}
}

#define NO_INTERVAL(word)						\
	"ecstats: the interval is a number of seconds, from 0.01 to 1000000, not '" \
	word "'\n"
#define NO_SAMPLES(word)						\
	"ecstats: -s needs a number of reports, at least 1, not '" word "'\n"

static const struct refusal stats_refusals[] = {
	{ "ecstats 0", NO_INTERVAL("0") },
	{ "ecstats -- -1", NO_INTERVAL("-1") },
	{ "ecstats 5s", NO_INTERVAL("5s") },
	{ "ecstats nan", NO_INTERVAL("nan") },
	{ "ecstats 1e9", NO_INTERVAL("1e9") },
	{ "ecstats ''", NO_INTERVAL("") },
	{ "ecstats 5 6", "ecstats: unexpected argument '6'; see ecstats --help\n" },
	{ "ecstats -s 0", NO_SAMPLES("0") },
	{ "ecstats -s -1", NO_SAMPLES("-1") },
	{ "ecstats -s 2x", NO_SAMPLES("2x") },
	{ "ecstats -s 99999999999999999999", NO_SAMPLES("99999999999999999999") },
	{ "ecstats -C --csv", "ecstats: -C excludes -o, --csv and --json\n" },
	{ "ecstats -C -o x", "ecstats: -C excludes -o, --csv and --json\n" },
	{ "ecstats --csv --json",
	  "ecstats: --csv and --json exclude each other\n" },
	{ "ecstats -z", "ecstats: invalid option -- 'z'\n"
	  "ecstats: see ecstats --help\n" },
};

static void bad_lines_of_ecstats(void **state)
{
	struct stats_options opt;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(stats_refusals); i++) {
		assert_int_equal(parse_stats(&opt, stats_refusals[i].line),
				 EC_USAGE);
		assert_string_equal(messages, stats_refusals[i].message);
	}
}

static void changes_keep_their_order(void **state)
{
	struct admin_options opt;

	(void)state;
	assert_int_equal(parse_admin(&opt, "ecadmin -al -d 5,6 -e15 -M"), EC_OK);
	assert_int_equal(opt.nr, 3);
	assert_true(opt.change[0].enable);
	assert_string_equal(opt.change[0].list, "*");
	assert_false(opt.change[1].enable);
	assert_string_equal(opt.change[1].list, "5,6");
	assert_true(opt.change[2].enable);
	assert_string_equal(opt.change[2].list, "15");
	assert_true(opt.list && opt.mixed);
	assert_false(opt.release || opt.check);
	free(opt.change);
}

static void one_word_may_have_many_letters(void **state)
{
	char line[256] = "ecadmin -";
	struct admin_options opt;

	(void)state;
	memset(line + 9, 'a', 200);
	assert_int_equal(parse_admin(&opt, line), EC_OK);
	assert_int_equal(opt.nr, 200);
	free(opt.change);
}

static void unknown_meaning_is_ignored_aloud(void **state)
{
	struct admin_options opt;

	(void)state;
	assert_int_equal(parse_admin(&opt, "ecadmin -T -l"), EC_OK);
	assert_string_equal(messages,
			    "ecadmin: -T is ignored: its meaning on IRIX is not known\n");
	free(opt.change);
}

static void defaults_of_ecstats(void **state)
{
	struct stats_options opt;

	(void)state;
	assert_int_equal(parse_stats(&opt, "ecstats"), EC_OK);
	assert_false(opt.absolute || opt.all || opt.screen);
	assert_int_equal(opt.format, STATS_TEXT);
	assert_int_equal(opt.samples, 0);
	assert_true(opt.interval == 5);
	assert_int_equal(parse_stats(&opt, "ecstats -af -re -s 3 0.25"), EC_OK);
	assert_false(opt.absolute || opt.all);
	assert_int_equal(opt.samples, 3);
	assert_true(opt.interval == 0.25);
	assert_int_equal(parse_stats(&opt, "ecstats -a -f -C 1e3"), EC_OK);
	assert_true(opt.absolute && opt.all && opt.screen);
}

static const struct {
	const char *list;
	uint32_t events;
	const char *message;
} lists[] = {
	{ "0", 1, "" },
	{ "31,0", 0x80000001, "" },
	{ "5,5", 0x20, "" },
	{ "*", 0xffffffff, "" },
	{ "3,*", 0xffffffff, "" },
	{ "TLB-Misses,Cycles", 0x800001, "" },
	{ "", 0, "ecadmin: unknown event ''\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
	{ "1,,2", 0, "ecadmin: unknown event ''\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
	{ "1,32", 0, "ecadmin: unknown event '32'\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
	{ "-1", 0, "ecadmin: unknown event '-1'\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
	{ "1,?", 0, "ecadmin: unknown event '?'\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
	{ "tlb_mises", 0, "ecadmin: unknown event 'tlb_mises': did you mean tlb_misses (23)?\n"
	  "ecadmin: ecadmin -e '?' lists all events\n" },
};

static void lists_of_events(void **state)
{
	const struct ec_machine machine = {
		.chip = IRIXPERF_R10000_V3, .usable = UINT32_MAX,
	};
	uint32_t events;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		bool good = !lists[i].message[0];
		int status;

		events = 0;
		tool_name = "ecadmin";
		catch_messages();
		status = ec_events_parse(&events, &machine, lists[i].list);
		release_messages();
		assert_string_equal(messages, lists[i].message);
		assert_int_equal(status, good ? EC_OK : EC_USAGE);
		assert_int_equal(events, lists[i].events);
	}
}

#define PROCESSOR(n, model)						\
	"processor\t\t: " #n "\ncpu model\t\t: " model "\n"

/* 6 and 14 differ between revisions; 1-4, 14?, 15-17 and 30 between types */
static void mixed_machines(void **state)
{
	struct ec_machine machine;

	(void)state;
	fake_install(R10000_V34);
	ec_machine_look(&machine);
	assert_false(machine.mixed);
	assert_int_equal(machine.usable, UINT32_MAX);

	fake_file("/proc/cpuinfo", "system type\t\t: SGI Origin\n"
		  PROCESSOR(0, R10000_V34) PROCESSOR(1, R10000_V26));
	ec_machine_look(&machine);
	assert_true(machine.mixed);
	assert_int_equal(machine.usable, ~(EC_BIT(6) | EC_BIT(14)));

	fake_file("/proc/cpuinfo", "system type\t\t: SGI Origin\n"
		  PROCESSOR(0, R10000_V34) PROCESSOR(1, R12000_V35));
	ec_machine_look(&machine);
	assert_true(machine.mixed);
	assert_int_equal(machine.usable & (EC_BIT(16) | EC_BIT(17) | EC_BIT(4)),
			 0);
	assert_true(machine.usable & EC_BIT(0));
	assert_true(machine.usable & EC_BIT(21));

	fake_file("/proc/cpuinfo", "system type\t\t: SGI Origin\n"
		  PROCESSOR(0, R12000_V35) PROCESSOR(1, "R14000 V1.4  FPU V0.0"));
	ec_machine_look(&machine);
	assert_false(machine.mixed);
	assert_int_equal(machine.usable, UINT32_MAX);
}

static void no_counters_no_machine(void **state)
{
	struct ec_machine machine;

	(void)state;
	fake_install_other();
	ec_machine_look(&machine);
	tool_name = "ecadmin";
	catch_messages();
	assert_int_equal(ec_machine_check(&machine), EC_FAILED);
	release_messages();
	assert_non_null(strstr(messages, "run it on the emulated machine: r10kvm"));
}

/* Two seconds in which event 0 counted all the time, 21 a quarter of it, 26 never */
static void make_samples(struct stats_sample *from, struct stats_sample *to)
{
	static const unsigned int events[] = { 0, 21, 26 };
	size_t i;

	memset(from, 0, sizeof(*from));
	from->system.on = 1;
	from->system.generation = 7;
	for (i = 0; i < ARRAY_SIZE(events); i++)
		from->system.mode[events[i]] = HWPERF_CNTEN_A;
	from->system.count[0] = (struct irixperf_count){ 1000, 500, 500 };
	from->system.count[21] = (struct irixperf_count){ 10, 500, 125 };
	from->clock = 100;
	from->time = 1795305600;
	*to = *from;
	to->clock += 2;
	to->time += 2;
	to->system.count[0] = (struct irixperf_count){ 390001000, 2500, 2500 };
	to->system.count[21] = (struct irixperf_count){ 510, 2500, 625 };
	to->system.count[26] = (struct irixperf_count){ 0, 2000, 0 };
}

static char printed[8192];

static void print_report(const char *line)
{
	struct stats_sample from, to;
	struct stats_options opt;
	struct stats_report report;
	FILE *out;

	assert_int_equal(parse_stats(&opt, line), EC_OK);
	setenv("TZ", "UTC0", 1);
	make_samples(&from, &to);
	stats_report_make(&report, IRIXPERF_R10000_V3, &from, &to, &opt);
	memset(printed, 0, sizeof(printed));
	out = fmemopen(printed, sizeof(printed) - 1, "w");
	stats_print_begin(out, opt.format);
	stats_print(out, opt.format, &report);
	fclose(out);
}

static void rates_of_enabled_events(void **state)
{
	(void)state;
	print_report("ecstats");
	assert_string_equal(printed,
		"00:00:02  interval 2.00 s  generation 7\n"
		" # event                                        per second\n"
		" 0 cycles                                        195000000\n"
		"21 graduated_fp_instructions                          1000 * 25.0 %\n"
		"26 l2_data_misses                              not counted\n"
		"\n");
}

static void counts_of_all_events(void **state)
{
	char *line = printed;
	int lines = 0;

	(void)state;
	print_report("ecstats -a -f");
	assert_non_null(strstr(printed,
		" # event                                             count\n"
		" 0 cycles                                        390001000\n"
		" 1 issued_instructions                         not enabled\n"));
	assert_non_null(strstr(printed,
		"21 graduated_fp_instructions                          2040 * 25.0 %\n"
		"22 l1d_writeback_quadwords                     not enabled\n"));
	while ((line = strchr(line, '\n'))) {
		line++;
		lines++;
	}
	assert_int_equal(lines, 2 + IRIXPERF_EVENTS + 1);
}

static void lines_for_programs(void **state)
{
	(void)state;
	print_report("ecstats --csv");
	assert_string_equal(printed,
		"schema,time,seconds,generation,event,name,enabled,unit,value,raw,share\n"
		"1,1795305602.000,2.000,7,0,cycles,1,per_second,195000000.000,390000000,1.000000\n"
		"1,1795305602.000,2.000,7,21,graduated_fp_instructions,1,per_second,1000.000,500,0.250000\n"
		"1,1795305602.000,2.000,7,26,l2_data_misses,1,per_second,,0,0.000000\n");
}

static void objects_for_programs(void **state)
{
	(void)state;
	print_report("ecstats -a --json");
	assert_string_equal(printed,
		"{\"schema\":1,\"time\":1795305602.000,\"seconds\":2.000,\"generation\":7,\"unit\":\"count\",\"events\":["
		"{\"event\":0,\"name\":\"cycles\",\"enabled\":true,\"value\":390001000.000,\"raw\":390001000,\"share\":1.000000},"
		"{\"event\":21,\"name\":\"graduated_fp_instructions\",\"enabled\":true,\"value\":2040.000,\"raw\":510,\"share\":0.250000},"
		"{\"event\":26,\"name\":\"l2_data_misses\",\"enabled\":true,\"value\":null,\"raw\":0,\"share\":0.000000}],\"note\":null}\n");
}

/* What two seconds are worth depends on the machine */
static void counts_in_place_of_rates_on_an_emulated_cpu(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	fake_file("/proc/cmdline", "r10kperf.cycles=unmodelled\n");
	print_report("ecstats");
	assert_string_equal(printed,
		"00:00:02  interval 2.00 s  generation 7\n"
		" # event                                      per interval\n"
		" 0 cycles                                        390000000\n"
		"21 graduated_fp_instructions                          2000 * 25.0 %\n"
		"26 l2_data_misses                              not counted\n"
		"NOTE: cycles and seconds are the emulator's, not a CPU's: no times or rates.\n"
		"\n");
	print_report("ecstats --csv");
	assert_non_null(strstr(printed, ",0,cycles,1,per_interval,390000000.000,390000000,1.000000\n"));
	assert_non_null(strstr(printed, ",1,per_interval,2000.000,500,0.250000\n"));
	assert_non_null(strstr(printed, ",1,per_interval,,0,0.000000\n"));
	fake_file("/proc/cmdline", "\n");
	print_report("ecstats");
	assert_non_null(strstr(printed, " 0 cycles                                        195000000\n"));
}

static void no_rate_without_an_interval(void **state)
{
	struct stats_sample from, to;
	struct stats_options opt;
	struct stats_report report;
	char line[128];

	(void)state;
	assert_int_equal(parse_stats(&opt, "ecstats"), EC_OK);
	make_samples(&from, &to);
	stats_report_make(&report, IRIXPERF_R10000_V3, &to, &to, &opt);
	stats_row_text(line, sizeof(line), &report.row[0]);
	assert_string_equal(line,
		" 0 cycles                                              ...");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_lines_of_ecadmin),
		cmocka_unit_test(bad_lines_of_ecstats),
		cmocka_unit_test(changes_keep_their_order),
		cmocka_unit_test(one_word_may_have_many_letters),
		cmocka_unit_test(unknown_meaning_is_ignored_aloud),
		cmocka_unit_test(defaults_of_ecstats),
		cmocka_unit_test(lists_of_events),
		cmocka_unit_test(mixed_machines),
		cmocka_unit_test(no_counters_no_machine),
		cmocka_unit_test(rates_of_enabled_events),
		cmocka_unit_test(counts_of_all_events),
		cmocka_unit_test(lines_for_programs),
		cmocka_unit_test(objects_for_programs),
		cmocka_unit_test(counts_in_place_of_rates_on_an_emulated_cpu),
		cmocka_unit_test(no_rate_without_an_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
