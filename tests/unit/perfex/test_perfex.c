// SPDX-License-Identifier: GPL-2.0-only
/* perfex's command line, choice of events and report, as golden texts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/hwperfmacros.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "children.h"
#include "messages.h"
#include "perfex.h"
#include "unit.h"

static int parse_and_choose(struct perfex_options *opt,
			    struct perfex_choice *choice,
			    enum irixperf_chip chip, char **argv)
{
	int status = perfex_options_parse(opt, argv);

	return status ? status : perfex_choose(choice, chip, opt);
}

/* Run a command line up to the choice of events; stderr goes to messages */
static int choose(struct perfex_choice *choice, enum irixperf_chip chip,
		  const char *line)
{
	char *copy = strdup(line);
	char *argv[MAX_ARGS + 1];
	struct perfex_options opt;
	int status;

	split(copy, argv);
	catch_messages();
	status = parse_and_choose(&opt, choice, chip, argv);
	release_messages();
	free(copy);

	return status;
}

/* Cycles that nobody has asked for are no reason not to count */
static void cycles_can_be_dropped(void **state)
{
	struct perfex_choice choice;

	(void)state;
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex -e 5 ls"), 0);
	assert_true(perfex_choice_drop_cycles(&choice));
	assert_true(choice.nr == 1 && choice.event[0] == 5);
	assert_false(perfex_choice_drop_cycles(&choice));
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex -e 25 ls"), 0);
	assert_true(perfex_choice_drop_cycles(&choice));
	assert_true(choice.nr == 1 && choice.event[0] == 25);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3,
				"perfex -e 0 -e 25 ls"), 0);
	assert_false(perfex_choice_drop_cycles(&choice));
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex ls"), 0);
	assert_false(perfex_choice_drop_cycles(&choice));
}

static const struct {
	const char *line;
	int status;
	const char *message;
} refusals[] = {
	{ "perfex", TOOL_FAILED,
	  "perfex: no command given; see perfex --help\n" },
	{ "perfex -e 5", TOOL_FAILED,
	  "perfex: no command given; see perfex --help\n" },
	{ "perfex -e", TOOL_FAILED,
	  "perfex: option -e needs an argument; see perfex --help\n" },
	{ "perfex -o", TOOL_FAILED,
	  "perfex: option -o needs an argument; see perfex --help\n" },
	{ "perfex -z ls", TOOL_FAILED,
	  "perfex: unknown option -z; see perfex --help\n" },
	{ "perfex -ax ls", TOOL_FAILED,
	  "perfex: unknown option -ax; see perfex --help\n" },
	{ "perfex --all ls", TOOL_FAILED,
	  "perfex: unknown option --all; see perfex --help\n" },
	{ "perfex -mp -s ls", TOOL_FAILED,
	  "perfex: -mp and -s exclude each other\n" },
	{ "perfex -p 5 -mp ls", TOOL_FAILED,
	  "perfex: -mp and -p exclude each other\n" },
	{ "perfex -s --interval 5 ls", TOOL_FAILED,
	  "perfex: -s and -p exclude each other\n" },
	{ "perfex -pp -mp ls", TOOL_FAILED,
	  "perfex: -mp and -pp exclude each other: -mp reports all threads\n" },
	{ "perfex --json --csv ls", TOOL_FAILED,
	  "perfex: --json and --csv exclude each other\n" },
	{ "perfex --pid 5 -mp", TOOL_FAILED,
	  "perfex: --pid and -mp or -pp exclude each other: perfex follows threads from their start\n" },
	{ "perfex --repeat 2 -s ls", TOOL_FAILED,
	  "perfex: --repeat needs runs that are all alike: use it without --pid, -p, -s, -mp and -pp\n" },
	{ "perfex --repeat 0 ls", TOOL_FAILED,
	  "perfex: option --repeat needs a number from 1 to 10000, not '0'\n" },
	{ "perfex --repeat=x ls", TOOL_FAILED,
	  "perfex: option --repeat needs a number from 1 to 10000, not 'x'\n" },
	{ "perfex --repeat5 ls", TOOL_FAILED,
	  "perfex: unknown option --repeat5; see perfex --help\n" },
	{ "perfex --interval 99999999 ls", TOOL_FAILED,
	  "perfex: option --interval needs a number from 1 to 86400000, not '99999999'\n" },
	{ "perfex -p 0 ls", TOOL_FAILED,
	  "perfex: option -p needs a number from 1 to 86400000, not '0'\n" },
	{ "perfex -p 100000000", TOOL_FAILED,
	  "perfex: option -p needs a number from 1 to 86400000, not '100000000'\n" },
	{ "perfex -pp 99999999999999999999 ls", TOOL_FAILED,
	  "perfex: option -pp needs a number from 1 to 2147483647, not '99999999999999999999'\n" },
	{ "perfex --pid -1", TOOL_FAILED,
	  "perfex: option --pid needs a number from 1 to 2147483647, not '-1'\n" },
	{ "perfex --plot", TOOL_FAILED,
	  "perfex: option --plot needs an argument; see perfex --help\n" },
	{ "perfex --cpu R12000 ls", TOOL_FAILED,
	  "perfex: use --cpu with --list only: perfex counts this CPU's events\n" },
	{ "perfex -l 12", TOOL_FAILED,
	  "perfex: no command given; see perfex --help\n" },
	{ "perfex -a -e 1 ls", TOOL_FAILED,
	  "perfex: -a and -e exclude each other: -a counts all events\n" },
	{ "perfex -e 1 -e 17 -e 18 ls", TOOL_FAILED,
	  "perfex: more than two events: -e may be given twice; -a counts all events\n" },
	{ "perfex -e 1 -e 2 ls", TOOL_FAILED,
	  "perfex: conflicting events: 1 (issued_instructions) and 2 (issued_loads) both need counter 0\n"
	  "perfex: choose one event from 0 to 15 and one from 16 to 31, or count all with -a\n" },
	{ "perfex -e 18 -e 19 ls", TOOL_FAILED,
	  "perfex: conflicting events: 18 (graduated_loads) and 19 (graduated_stores) both need counter 1\n"
	  "perfex: choose one event from 0 to 15 and one from 16 to 31, or count all with -a\n" },
	{ "perfex -e 3 -e 3 ls", TOOL_FAILED,
	  "perfex: conflicting events: 3 is given twice\n" },
	{ "perfex -e 32 ls", TOOL_FAILED,
	  "perfex: unknown event '32' after -e: events are numbered 0 to 31\n"
	  "perfex: their names: perfex --list\n" },
	{ "perfex -e -1 ls", TOOL_FAILED,
	  "perfex: unknown event '-1' after -e: events are numbered 0 to 31\n"
	  "perfex: their names: perfex --list\n" },
	{ "perfex -e '' ls", TOOL_FAILED,
	  "perfex: unknown event '' after -e: events are numbered 0 to 31\n"
	  "perfex: their names: perfex --list\n" },
	{ "perfex -e tbl_misses ls", TOOL_FAILED,
	  "perfex: unknown event 'tbl_misses' after -e: did you mean tlb_misses (23)?\n" },
	{ "perfex -e quux ls", TOOL_FAILED,
	  "perfex: unknown event 'quux' after -e: events are numbered 0 to 31\n"
	  "perfex: their names: perfex --list\n" },
};

static void clear_environment(void)
{
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
	unsetenv("T5EVENT0");
	unsetenv("T5EVENT1");
}

static void bad_command_lines(void **state)
{
	struct perfex_choice choice;
	size_t i;

	(void)state;
	clear_environment();
	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		int status = choose(&choice, IRIXPERF_R10000_V3,
				    refusals[i].line);

		assert_string_equal(messages, refusals[i].message);
		assert_int_equal(status, refusals[i].status);
	}
}

static const struct {
	enum irixperf_chip chip;
	const char *line;
	unsigned int nr;
	unsigned int event[2];
	unsigned int mode;
} choices[] = {
	{ IRIXPERF_R10000_V3, "perfex ls", 1, { 0, 0 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 5 ls", 2, { 5, 16 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e5 ls", 2, { 5, 16 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 26 ls", 2, { 0, 26 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 0 ls", 2, { 0, 16 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 16 ls", 2, { 0, 16 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 25 -e 2 ls", 2, { 2, 25 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e 2 -e 25 ls -e 9", 2, { 2, 25 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -e TLB-misses ls", 2, { 0, 23 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -x -e 2 -- -e", 2, { 2, 16 }, 9 },
	{ IRIXPERF_R10000_V3, "perfex -k -e 2 ls", 2, { 2, 16 }, 10 },
	{ IRIXPERF_R10000_V3, "perfex -p -- 5", 1, { 0, 0 }, 8 },
	{ IRIXPERF_R10000_V3, "perfex -k -x ls", 1, { 0, 0 }, 11 },
	{ IRIXPERF_R10000_V2, "perfex -e decoded_branches ls", 2, { 6, 16 }, 8 },
	{ IRIXPERF_R12000, "perfex -e 5 ls", 2, { 0, 5 }, 8 },
	{ IRIXPERF_R12000, "perfex -e 16 ls", 2, { 0, 16 }, 8 },
	{ IRIXPERF_R12000, "perfex -e 0 ls", 1, { 0, 0 }, 8 },
	{ IRIXPERF_R12000, "perfex -e 2 -e 1 ls", 2, { 1, 2 }, 8 },
};

static void good_command_lines(void **state)
{
	struct perfex_choice choice;
	size_t i;

	(void)state;
	clear_environment();
	for (i = 0; i < ARRAY_SIZE(choices); i++) {
		assert_int_equal(choose(&choice, choices[i].chip,
					choices[i].line), 0);
		assert_string_equal(messages, "");
		assert_int_equal(choice.nr, choices[i].nr);
		assert_int_equal(choice.event[0], choices[i].event[0]);
		if (choice.nr == 2)
			assert_int_equal(choice.event[1], choices[i].event[1]);
		assert_int_equal(choice.mode, choices[i].mode);
		assert_false(choice.project);
	}
}

static void all_events(void **state)
{
	struct perfex_choice choice;
	unsigned int i;

	(void)state;
	setenv("T5_EVENT0", "nonsense", 1);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex -a ls"), 0);
	assert_true(choice.project);
	assert_int_equal(choice.nr, 32);
	for (i = 0; i < 32; i++)
		assert_int_equal(choice.event[i], i);
	clear_environment();
}

static void environment(void **state)
{
	struct perfex_choice choice;

	(void)state;
	clear_environment();
	setenv("T5_EVENT1", "26", 1);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex ls"), 0);
	assert_int_equal(choice.event[0], 0);
	assert_int_equal(choice.event[1], 26);
	setenv("T5EVENT0", "9", 1);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex ls"), 0);
	assert_int_equal(choice.event[0], 9);
	setenv("T5_EVENT0", "27", 1);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex ls"),
			 TOOL_FAILED);
	assert_non_null(strstr(messages, "conflicting"));
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex -e 5 ls"),
			 0);
	assert_int_equal(choice.event[0], 5);
	assert_int_equal(choice.event[1], 16);
	setenv("T5_EVENT0", "99", 1);
	assert_int_equal(choose(&choice, IRIXPERF_R10000_V3, "perfex ls"),
			 TOOL_FAILED);
	assert_non_null(strstr(messages, "event '99' in T5_EVENT0: "));
	clear_environment();
}

/* The command's words are its own, options or not */
static void the_command_keeps_its_words(void **state)
{
	char line[] = "perfex -e 1 cmd -a --help -o x";
	char *argv[MAX_ARGS + 1];
	struct perfex_options opt;

	(void)state;
	split(line, argv);
	assert_int_equal(perfex_options_parse(&opt, argv), 0);
	assert_string_equal(opt.command[0], "cmd");
	assert_string_equal(opt.command[1], "-a");
	assert_string_equal(opt.command[4], "x");
	assert_null(opt.command[5]);
	assert_false(opt.all || opt.help);
	assert_null(opt.output);
}

static void help_and_version_need_no_command(void **state)
{
	char help[] = "perfex --help", version[] = "perfex --version";
	char *argv[MAX_ARGS + 1];
	struct perfex_options opt;

	(void)state;
	split(help, argv);
	assert_int_equal(perfex_options_parse(&opt, argv), 0);
	assert_true(opt.help);
	split(version, argv);
	assert_int_equal(perfex_options_parse(&opt, argv), 0);
	assert_true(opt.version);
}

/* Return the status, with messages, of -T or without it on a mixed machine */
static int on_mixed(struct perfex_choice *choice, const char *line, bool mixed)
{
	const struct perfex_options opt = { .mixed = mixed };
	int status;

	assert_int_equal(choose(choice, IRIXPERF_R10000_V3, line), 0);
	catch_messages();
	status = perfex_mixed_apply(choice, &opt,
				    IRIXPERF_R10000_V3 | IRIXPERF_R12000);
	release_messages();

	return status;
}

static void what_mixed_machines_have_in_common(void **state)
{
	struct perfex_choice choice;
	unsigned int i;

	(void)state;
	assert_int_equal(on_mixed(&choice, "perfex -e 25 ls", false),
			 TOOL_FAILED);
	assert_non_null(strstr(messages, "use -T to count"));
	assert_int_equal(on_mixed(&choice, "perfex -e 25 ls", true), 0);
	assert_int_equal(choice.nr, 2);
	assert_int_equal(on_mixed(&choice, "perfex -e 0 -e 17 ls", true),
			 TOOL_FAILED);
	assert_non_null(strstr(messages, "event 17"));
	assert_int_equal(on_mixed(&choice, "perfex -a ls", true), 0);
	assert_true(choice.nr > 16 && choice.nr < 32);
	for (i = 0; i < choice.nr; i++)
		assert_true(choice.event[i] != 1 && choice.event[i] != 17);
}

static void check_report(const struct perfex_choice *choice,
			 const struct irixperf_count *count, const double *bound,
			 const char *expected)
{
	const struct perfex_options opt = { .all = false };
	struct perfex_result result = { .ran = true };
	const struct perfex_report report = {
		.opt = &opt, .choice = choice, .runs = 1, .result = &result,
	};
	char text[8192] = "";
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");
	unsigned int i;

	for (i = 0; i < choice->nr; i++) {
		result.count[i] = count[i];
		result.bound[i] = bound ? bound[i] : PERFEX_NO_BOUND;
	}
	perfex_report(out, &report);
	fclose(out);
	assert_string_equal(text, expected);
}

static void report_of_two_events(void **state)
{
	const struct perfex_choice choice = {
		.chip = IRIXPERF_R10000_V3, .nr = 2, .event = { 2, 25 },
	};
	const struct irixperf_count count[] = {
		{ 13847619, 500, 500 }, { 2310349, 500, 500 },
	};

	(void)state;
	check_report(&choice, count, NULL,
" 2 Issued loads...............................................         13847619\n"
"25 Primary (L1) data cache misses.............................          2310349\n");
}

static void report_of_projected_events(void **state)
{
	const struct perfex_choice choice = {
		.chip = IRIXPERF_R10000_V3, .nr = 4,
		.event = { 0, 11, 16, 23 }, .project = true,
	};
	const struct irixperf_count count[] = {
		{ 102487630, 160, 10 }, { 7, 160, 10 },
		{ UINT64_MAX, 160, 160 }, { 0, 160, 0 },
	};
	const double bound[] = { 16398020, 28, 0, PERFEX_NO_BOUND };

	(void)state;
	check_report(&choice, count, bound,
"WARNING: Multiplexing events to project totals--inaccuracy possible.\n"
" 0 Cycles.....................................................       1639802080\n"
"11 Instruction misprediction from secondary cache way prediction table..    112\n"
"16 Cycles..................................................... 18446744073709551615\n"
"23 TLB misses.................................................      not counted\n"
"WARNING: 1 of 4 events had no turn: the command was too short.\n"
"NOTE: each event was counted for 6.2 to 100.0 % of the time.\n"
"NOTE: in 95 of 100 runs a projection is off by no more than 0.0 % (16 cycles_ctr1)\n"
"      to 25.0 % (11 l2_instruction_way_mispredictions); --csv has all bounds.\n");
}

static void a_share_of_the_time_is_never_silent(void **state)
{
	const struct perfex_choice choice = {
		.chip = IRIXPERF_R10000_V3, .nr = 1, .event = { 0 },
	};
	const struct irixperf_count count[] = { { 10, 100, 50 } };

	(void)state;
	check_report(&choice, count, NULL,
"WARNING: Multiplexing events to project totals--inaccuracy possible.\n"
" 0 Cycles.....................................................               20\n"
"NOTE: each event was counted for 50.0 to 50.0 % of the time.\n"
"NOTE: the run was too short to estimate the error of projections.\n");
}

/* Whoever has events of perf is named; a descriptor of them is enough */
static void neighbours_are_named(void **state)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1, .exclude_hv = 1,
	};
	char text[65536], name[32];
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	pid_t pid;

	(void)state;
	if (fd < 0)
		skip();
	/* A name that would clear the screen; the child inherits it */
	prctl(PR_SET_NAME, "\033c");
	pid = start_child(sleep_for_ever);
	prctl(PR_SET_NAME, "test_perfex");
	close(fd);
	snprintf(name, sizeof(name), "?c (%d)", (int)pid);
	assert_non_null(strstr(tool_neighbours(text, sizeof(text), ""), name));
	end_child(pid);
	assert_null(strstr(tool_neighbours(text, sizeof(text), ""), name));
}

/* A holder of one's own keeps what others have asked it for; a name that does not fit is "..." */
static void not_all_neighbours_are_named(void **state)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	char text[65536], name[32];
	pid_t pid;

	(void)state;
	if (fd < 0)
		skip();
	prctl(PR_SET_NAME, "irixperf-holder");
	pid = start_child(sleep_for_ever);
	snprintf(name, sizeof(name), "(%d)", (int)pid);
	assert_null(strstr(tool_neighbours(text, sizeof(text), ""), name));
	end_child(pid);
	prctl(PR_SET_NAME, "test_perfex");
	pid = start_child(sleep_for_ever);
	close(fd);
	assert_string_equal(tool_neighbours(text, sizeof("by these have events of perf open: ..."), "by "),
			    "by these have events of perf open: ...");
	end_child(pid);
}

static void words_nearby(void **state)
{
	(void)state;
	assert_int_equal(tool_word_distance("", ""), 0);
	assert_int_equal(tool_word_distance("", "abc"), 3);
	assert_int_equal(tool_word_distance("abc", ""), 3);
	assert_int_equal(tool_word_distance("CYCLES", "cycles"), 0);
	assert_int_equal(tool_word_distance("kitten", "sitting"), 3);
	assert_int_equal(tool_word_distance("tbl", "tlb"), 2);
	assert_true(tool_word_is_near("tbl_misses", 2));
	assert_false(tool_word_is_near("a", 1));
	assert_false(tool_word_is_near("", 0));
	assert_false(tool_word_is_near("cycles", 4));
}

static void long_words_are_far_away(void **state)
{
	char word[200];

	(void)state;
	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	assert_true(tool_word_distance(word, "cycles") == SIZE_MAX);
	assert_true(tool_word_distance("cycles", word) == SIZE_MAX);
	word[TOOL_WORD_MAX] = '\0';
	assert_int_equal(tool_word_distance(word, word), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cycles_can_be_dropped),
	cmocka_unit_test(bad_command_lines),
	cmocka_unit_test(good_command_lines),
	cmocka_unit_test(all_events),
	cmocka_unit_test(environment),
	cmocka_unit_test(the_command_keeps_its_words),
	cmocka_unit_test(help_and_version_need_no_command),
	cmocka_unit_test(what_mixed_machines_have_in_common),
	cmocka_unit_test(report_of_two_events),
	cmocka_unit_test(report_of_projected_events),
	cmocka_unit_test(a_share_of_the_time_is_never_silent),
	cmocka_unit_test(neighbours_are_named),
	cmocka_unit_test(not_all_neighbours_are_named),
	cmocka_unit_test(words_nearby),
	cmocka_unit_test(long_words_are_far_away),
};

int main(void)
{
	tool_name = "perfex";

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
