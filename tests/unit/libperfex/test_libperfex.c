// SPDX-License-Identifier: GPL-2.0-only
/*
 * libperfex on a machine with fake counters: errors and messages, the variables
 * of the environment, layouts, and what Fortran calls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syssgi.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "../../../compat/libperfex/include/perfex.h"
#include "fake.h"
#include "messages.h"
#include "unit.h"

/* As gfortran declares them */
int start_counters_(const int *e0, const int *e1);
int read_counters_(const int *e0, int64_t *c0, const int *e1, int64_t *c1);
int print_counters_(const int *e0, const int64_t *c0, const int *e1,
		    const int64_t *c1);
int print_costs_(const int *e0, const int64_t *c0, const int *e1,
		 const int64_t *c1);
int load_costs_(const char *file, size_t length);
int start_counters__(const int *e0, const int *e1);
int read_counters__(const int *e0, int64_t *c0, const int *e1, int64_t *c1);

static long long c0, c1;

#define QUIETLY(call)							\
	({								\
		int ret_;						\
									\
		catch_messages();					\
		errno = 0;						\
		ret_ = call;						\
		release_messages();					\
		ret_;							\
	})

#define assert_refused(call, err)	assert_fails(QUIETLY(call), err)

static void clear_environment(void)
{
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
	unsetenv("T5EVENT0");
	unsetenv("T5EVENT1");
}

static int setup(void **state)
{
	(void)state;
	clear_environment();
	fake_install(R10000_V34);
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	fake_share();
	c0 = -1;
	c1 = -1;

	return 0;
}

/* The fake's counters have 100 and the number of the event, at any time */
static void start_and_read(void **state)
{
	int generation;

	(void)state;
	generation = QUIETLY(start_counters(0, 21));
	assert_true(generation > 0);
	assert_int_equal(fake_nr_enabled(), 2);
	assert_int_equal(QUIETLY(read_counters(0, &c0, 21, &c1)), generation);
	assert_string_equal(messages, "");
	assert_int_equal(c0, 100);
	assert_int_equal(c1, 121);
	assert_int_equal(fake_nr_enabled(), 0);
}

/* What never starts is refused; if others come later, the two numbers differ */
static void others_have_the_counters(void **state)
{
	int generation;

	(void)state;
	fake.time_enabled = 1000000000;
	fake.time_running = 0;
	assert_refused(start_counters(0, 21), EBUSY);
	assert_non_null(strstr(messages, "another user of perf has them for itself"));
	fake.time_running = fake.time_enabled;
	generation = QUIETLY(start_counters(0, 21));
	assert_true(generation > 0);
	fake.time_enabled++;
	assert_true(QUIETLY(read_counters(0, &c0, 21, &c1)) > generation);
	assert_int_equal(c1, 121);
}

static void in_any_order(void **state)
{
	(void)state;
	assert_true(QUIETLY(start_counters(21, 0)) > 0);
	assert_true(QUIETLY(read_counters(21, &c0, 0, &c1)) > 0);
	assert_int_equal(c0, 121);
	assert_int_equal(c1, 100);
}

static void again_and_again(void **state)
{
	int i, before = 0;

	(void)state;
	for (i = 0; i < 100; i++) {
		int generation = QUIETLY(start_counters(15, 21));

		assert_true(generation > before);
		assert_int_equal(QUIETLY(read_counters(15, &c0, 21, &c1)),
				 generation);
		before = generation;
	}
	assert_int_equal(fake_nr_open(), 0);
}

static void start_twice_counts_anew(void **state)
{
	int first, second;

	(void)state;
	first = QUIETLY(start_counters(0, 21));
	second = QUIETLY(start_counters(9, 25));
	assert_true(first > 0);
	assert_true(second > first);
	assert_int_equal(QUIETLY(read_counters(9, &c0, 25, &c1)), second);
	assert_int_equal(c0, 109);
	assert_int_equal(fake_nr_enabled(), 0);
}

static void conflicts(void **state)
{
	(void)state;
	assert_refused(start_counters(0, 9), EINVAL);
	assert_string_equal(messages,
		"libperfex: conflicting counters: events 0 (cycles) and 9 (l1i_misses) both need counter 0\n"
		"libperfex: choose one event from 0 to 15 and one from 16 to 31\n");
	assert_int_equal(fake.nr, 0);

	fake_install(R12000_V35);
	assert_true(QUIETLY(start_counters(0, 9)) > 0);
	assert_true(QUIETLY(read_counters(0, &c0, 9, &c1)) > 0);
	assert_int_equal(c1, 109);
}

/* As TAU calls it: the event is counted once, and both counts are its */
static void an_event_twice(void **state)
{
	static const int events[] = { 0, 15, 21 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		int generation = QUIETLY(start_counters(events[i], events[i]));

		assert_true(generation > 0);
		assert_int_equal(fake_nr_enabled(), 1);
		assert_int_equal(QUIETLY(read_counters(events[i], &c0, events[i], &c1)),
				 generation);
		assert_string_equal(messages, "");
		assert_int_equal(c0, 100 + events[i]);
		assert_int_equal(c1, c0);
	}
	fake_install(R12000_V35);
	assert_true(QUIETLY(start_counters(15, 15)) > 0);
	assert_int_equal(fake_nr_enabled(), 1);
	assert_true(QUIETLY(read_counters(15, &c0, 15, &c1)) > 0);
	assert_int_equal(c0, 115);
	assert_int_equal(c1, 115);
}

/* Costs in clocks on an emulated CPU, in seconds on one with a clock */
static void costs_without_a_clock(void **state)
{
	(void)state;
	fake_file("/proc/cmdline", "r10kperf.cycles=unmodelled\n");
	assert_int_equal(QUIETLY(load_costs("/dev/null")), 0);
	assert_int_equal(QUIETLY(print_costs(0, 5000, 25, 1000)), 0);
	assert_non_null(strstr(messages, "Clocks"));
	assert_null(strstr(messages, "Time (sec)"));
	assert_non_null(strstr(messages, "\nNOTE: cycles and seconds are the emulator's, "
			       "not a CPU's: no times or rates.\n"));
	assert_int_equal(QUIETLY(print_costs(2, 5000, 25, 1000)), 0);
	assert_non_null(strstr(messages, "\nNOTE: "));

	fake_remove_file("/proc/cmdline");
	assert_int_equal(QUIETLY(load_costs("/dev/null")), 0);
	assert_int_equal(QUIETLY(print_costs(0, 5000, 25, 1000)), 0);
	assert_non_null(strstr(messages, "Time (sec)"));
	assert_null(strstr(messages, "NOTE"));
}

static void unknown_events(void **state)
{
	(void)state;
	assert_refused(start_counters(-1, 21), EINVAL);
	assert_string_equal(messages,
		"libperfex: unknown event -1: events are numbered 0 to 31\n");
	assert_refused(start_counters(0, 32), EINVAL);
	assert_refused(read_counters(0, &c0, 32, &c1), EINVAL);
	assert_refused(print_counters(0, 1, 32, 2), EINVAL);
	assert_refused(print_costs(0, 1, 32, 2), EINVAL);
	setenv("T5_EVENT0", "cylces", 1);
	assert_refused(start_counters(0, 21), EINVAL);
	assert_string_equal(messages,
		"libperfex: unknown event 'cylces' in T5_EVENT0: events are numbered 0 to 31\n");
	assert_int_equal(c0, -1);
}

static const struct {
	const char *name;
	const char *value;
	int counts[2];
} overrides[] = {
	{ "T5_EVENT0", "9", { 109, 121 } },
	{ "T5_EVENT1", "25", { 100, 125 } },
	{ "T5EVENT0", "9", { 109, 121 } },
	{ "T5_EVENT1", "TLB-Misses", { 100, 123 } },
};

static void the_environment_puts_others_in_their_place(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(overrides); i++) {
		clear_environment();
		setenv(overrides[i].name, overrides[i].value, 1);
		assert_true(QUIETLY(start_counters(0, 21)) > 0);
		assert_true(QUIETLY(read_counters(0, &c0, 21, &c1)) > 0);
		assert_int_equal(c0, overrides[i].counts[0]);
		assert_int_equal(c1, overrides[i].counts[1]);
	}
}

/* A tool asks for (0, 0), and lets its users choose */
static void the_environment_replaces_one_of_two_equal_events(void **state)
{
	(void)state;
	setenv("T5_EVENT0", "21", 1);
	assert_true(QUIETLY(start_counters(0, 0)) > 0);
	assert_true(QUIETLY(read_counters(0, &c0, 0, &c1)) > 0);
	assert_int_equal(c0, 121);
	assert_int_equal(c1, 100);
	setenv("T5_EVENT0", "9", 1);
	assert_refused(start_counters(0, 0), EINVAL);
}

static void read_again(void **state)
{
	int generation;

	(void)state;
	generation = QUIETLY(start_counters(0, 21));
	assert_int_equal(QUIETLY(read_counters(0, &c0, 21, &c1)), generation);
	c0 = -1;
	assert_true(QUIETLY(read_counters(0, &c0, 21, &c1)) > 0);
	assert_int_equal(c0, 100);
}

/* The first test: nothing has been counted yet */
static void read_without_start(void **state)
{
	(void)state;
	assert_refused(read_counters(0, &c0, 21, &c1), EINVAL);
	assert_int_equal(strncmp(messages,
		"prioctl PIOCGETEVCTRS returns error: Invalid argument\n", 54), 0);
	assert_int_equal(c0, -1);
}

static void read_other_events(void **state)
{
	(void)state;
	assert_true(QUIETLY(start_counters(0, 21)) > 0);
	assert_refused(read_counters(0, &c0, 25, &c1), EINVAL);
	assert_string_equal(messages,
		"libperfex: read_counters: event 25 (l1d_misses) was not started\n");
	assert_int_equal(fake_nr_enabled(), 2);
	assert_true(QUIETLY(read_counters(0, &c0, 21, &c1)) > 0);
}

static long eventctr(int command, const void *arg)
{
	return irixperf_syssgi(SGI_EVENTCTR, (uintptr_t)command, (uintptr_t)arg,
			       0, 0);
}

/* Somebody else lets the counters of all CPUs count for all programs */
static void lost_counters(void **state)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	int generation;

	(void)state;
	arg.hwp_evctrargs.hwp_evctrl[0].hwperf_creg.hwp_mode = HWPERF_CNTEN_A;
	generation = QUIETLY(start_counters(0, 21));
	assert_true(generation > 0);
	assert_true(eventctr(HWPERF_ENSYSCNTRS, &arg) > 0);
	assert_int_not_equal(QUIETLY(read_counters(0, &c0, 21, &c1)),
			     generation);
	assert_refused(start_counters(0, 21), EBUSY);
	assert_int_equal(strncmp(messages,
		"prioctl PIOCENEVCTRS returns error: Device or resource busy\n",
		60), 0);
	assert_non_null(strstr(messages, "ecadmin -r"));

	assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), 0);
	generation = QUIETLY(start_counters(0, 21));
	assert_true(generation > 0);
	assert_int_equal(QUIETLY(read_counters(0, &c0, 21, &c1)), generation);
}

static void no_counters(void **state)
{
	(void)state;
	fake_install_other();
	assert_refused(start_counters(0, 21), ENODEV);
	assert_int_equal(strncmp(messages,
		"prioctl PIOCENEVCTRS returns error: No such device\n", 51), 0);
	assert_non_null(strstr(messages, "libperfex: run it on the emulated "
				"machine: r10kvm -- command\n"));
	assert_int_equal(QUIETLY(print_counters(0, 1, 21, 2)), 0);
}

static void permission_denied(void **state)
{
	(void)state;
	fake.open_fail_at = 0;
	fake.open_err = -EACCES;
	assert_int_equal(QUIETLY(start_counters(0, 21)), -1);
	assert_non_null(strstr(messages, "perf_event_paranoid"));
}

static void two_lines(void **state)
{
	(void)state;
	assert_int_equal(QUIETLY(print_counters(2, 13847619, 25, 2310349)), 0);
	assert_string_equal(messages,
		" 2 Issued loads...............................................         13847619\n"
		"25 Primary (L1) data cache misses.............................          2310349\n");
	setenv("T5_EVENT1", "26", 1);
	QUIETLY(print_counters(2, 1, 25, -2));
	assert_string_equal(messages,
		" 2 Issued loads...............................................                1\n"
		"26 Secondary (L2) data cache misses...........................               -2\n");
}

/* The costs are those of tests/unit/test_perfex_costs.c */
static void times_by_costs(void **state)
{
	const char *first, *second;

	(void)state;
	assert_int_equal(QUIETLY(print_costs(0, 1000000, 26, 1000000)), 0);
	first = strstr(messages, "\n26 Secondary (L2) data cache misses..");
	second = strstr(messages, "\n 0 Cycles..");
	assert_non_null(first);
	assert_non_null(second);
	assert_true(first < second);
	assert_non_null(strstr(first, " 1000000 "));
	assert_non_null(strstr(first, " 0.377510 "));

	/* Nothing tells the fake's clock */
	assert_non_null(strstr(messages, "Based on unknown MHz, costs of IP27\n"));
	assert_null(strstr(second, "0.000000"));
	assert_non_null(strstr(second, "            -            -            -\n"));
}

static void costs_of_a_file(void **state)
{
	char name[] = "/tmp/libperfex-costs-XXXXXX";
	FILE *file;

	(void)state;
	assert_refused(load_costs("/no/such/file"), ENOENT);
	assert_string_equal(messages,
		"libperfex: /no/such/file: No such file or directory\n");

	file = fdopen(mkstemp(name), "w");
	fprintf(file, "26 L2 misses 1000 nsec 1 nsec 2000 nsec\n");
	fclose(file);
	assert_int_equal(QUIETLY(load_costs(name)), 0);
	QUIETLY(print_costs(0, 1, 26, 1000000));
	assert_non_null(strstr(messages, " 1.000000 "));

	file = fopen(name, "w");
	fprintf(file, "26 L2 misses many nsec\n");
	fclose(file);
	assert_refused(load_costs(name), EINVAL);
	assert_non_null(strstr(messages, name));
	assert_non_null(strstr(messages, ":1:"));
	QUIETLY(print_costs(0, 1, 26, 1000000));
	assert_non_null(strstr(messages, " 1.000000 "));
	unlink(name);
}

static void what_fortran_calls(void **state)
{
	const int cycles = 0, misses = 9, fp = 21;
	char name[40] = "/no/such/file          ";
	int64_t count[2] = { -1, -1 };
	int generation;

	(void)state;
	generation = QUIETLY(start_counters_(&cycles, &fp));
	assert_true(generation > 0);
	assert_int_equal(QUIETLY(read_counters_(&cycles, &count[0], &fp,
						&count[1])), generation);
	assert_int_equal(count[0], 100);
	assert_int_equal(count[1], 121);
	assert_true(QUIETLY(start_counters__(&cycles, &fp)) > generation);
	assert_true(QUIETLY(read_counters__(&cycles, &count[0], &fp,
					    &count[1])) > generation);
	assert_int_equal(QUIETLY(print_counters_(&cycles, &count[0], &fp,
						 &count[1])), 0);
	assert_non_null(strstr(messages, "21 Graduated floating point"));
	assert_int_equal(QUIETLY(print_costs_(&cycles, &count[0], &fp,
					      &count[1])), 0);
	assert_int_equal(QUIETLY(start_counters_(&cycles, &misses)), -1);
	assert_int_equal(QUIETLY(load_costs_(name, strlen(name))), -1);
	assert_string_equal(messages,
		"libperfex: /no/such/file: No such file or directory\n");
}

#define TEST(f)	cmocka_unit_test_setup(f, setup)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(read_without_start),
		TEST(start_and_read),
		TEST(others_have_the_counters),
		TEST(in_any_order),
		TEST(again_and_again),
		TEST(start_twice_counts_anew),
		TEST(conflicts),
		TEST(an_event_twice),
		TEST(costs_without_a_clock),
		TEST(unknown_events),
		TEST(the_environment_puts_others_in_their_place),
		TEST(the_environment_replaces_one_of_two_equal_events),
		TEST(read_again),
		TEST(read_other_events),
		TEST(lost_counters),
		TEST(no_counters),
		TEST(permission_denied),
		TEST(two_lines),
		TEST(times_by_costs),
		TEST(costs_of_a_file),
		TEST(what_fortran_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
