// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmc_control(2), pmc_get_info(2) and libpmc(3), by the rows of pmc9.tsv: pmc(9) is
 * the same for the kernel's callers. Prints TAP.
 */
#include <pmc.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include "conf.h"

#define SLACK	(UNITS * 9 / 10)	/* what the library and the C library add to a count */

/* The counters of FIRST and SECOND; any event would do for an R12000's */
#define ON_FIRST	0
#define ON_SECOND	1

static int configure(int ctr, pmc_evid_t event)
{
	struct pmc_counter_cfg cfg = { .event_id = event };

	return pmc_control(ctr, PMC_OP_CONFIGURE, &cfg);
}

static count_t value(int ctr)
{
	uint64_t got;

	if (pmc_get_counter_value(ctr, &got))
		bail_out("pmc_get_counter_value");

	return got;
}

static count_t children(int ctr)
{
	uint64_t got;

	if (pmc_get_accumulated_counter_value(ctr, &got))
		bail_out("pmc_get_accumulated_counter_value");

	return got;
}

static void run(int ctr, pmc_evid_t event)
{
	if (configure(ctr, event) || pmc_start_counter(ctr))
		bail_out("a counter does not start");
}

#include "told.h"

static void layout(void)
{
	check(sizeof(pmc_evid_t) == 4 && (pmc_evid_t)-1 > 0,
	      "pmc9.4.01: pmc_evid_t is an unsigned integer", "%zu bytes",
	      sizeof(pmc_evid_t));
	check(sizeof(pmc_ctr_t) == 8 && (pmc_ctr_t)-1 > 0,
	      "pmc9.4.02: pmc_ctr_t has 64 bits", "%zu bytes", sizeof(pmc_ctr_t));
	check(offsetof(struct pmc_counter_cfg, event_id) == 0 &&
	      offsetof(struct pmc_counter_cfg, reset_value) == 8 &&
	      offsetof(struct pmc_counter_cfg, flags) == 16 &&
	      sizeof(((struct pmc_counter_cfg *)0)->flags) == 4,
	      "pmc9.4.03: struct pmc_counter_cfg has its members in order", "it has not");
}

/* What sysfs says; 2 where it says nothing */
static int sysfs_counters(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/cpu/caps/counters", "r");
	int nr = 2;

	if (file && fscanf(file, "%d", &nr) != 1)
		nr = -1;
	if (file)
		fclose(file);

	return nr;
}

static void machine(void)
{
	int class = pmc_get_counter_class(), type[2] = { -1, -1 }, none = 77;

	check_count((count_t)pmc_get_num_counters(), (count_t)(ON_R10K ? sysfs_counters() : 2),
		    "pmc9.2.01 pmc9.5.01: the number of counters");
	check(pmc_get_counter_class_name(class) && !pmc_get_counter_class_name(99),
	      "pmc9.5.04: the CPU has a class with a name", "class %d", class);
	check(pmc_get_counter_type(0, &type[0]) == 0 && pmc_get_counter_type(1, &type[1]) == 0 &&
	      (type[0] != type[1]) ==
	      (class == PMC_CLASS_R10000_V2 || class == PMC_CLASS_R10000),
	      "pmc9.5.03: an R10000's counters differ in type, other CPUs' do not",
	      "types %d and %d of class %d", type[0], type[1], class);
	check_refused(pmc_get_counter_type(2, &none), EINVAL,
		      "pmc9.5.02: there is no counter 2 to have a type");
	check_refused(pmc_get_counter_type(-2, &none), EINVAL, "pmc9.5.02: nor -2");
	check_count((count_t)none, 77, "pmc9.5.02: and nothing is written");
}

static void no_such_counter(void)
{
	static const int wrong[] = { -1, 2, INT_MAX, INT_MIN };
	struct pmc_counter_cfg cfg = { .event_id = FIRST };
	unsigned int i, refused = 0, asked = 0;
	uint64_t got;
	int op;

	for (i = 0; i < COUNT(wrong); i++) {
		for (op = PMC_OP_START; op <= PMC_OP_PROFSTOP; op++, asked++)
			refused += pmc_control(wrong[i], op, &cfg) < 0 && errno == EINVAL;
		for (op = PMC_INFO_COUNTER_VALUE; op <= PMC_INFO_ACCUMULATED_COUNTER_VALUE;
		     op++, asked++)
			refused += pmc_get_info(wrong[i], op, &got) < 0 && errno == EINVAL;
	}
	check_count(refused, asked, "pmc9.3.03 pmc9.5.02: a counter that is not 0 or 1 is EINVAL");
	check_refused(pmc_control(0, 99, NULL), EINVAL, "an unknown operation is EINVAL");
	check_refused(pmc_get_info(0, 99, NULL), EINVAL, "as is an unknown question");
	check_refused(pmc_control(0, PMC_OP_PROFSTART, &cfg), EOPNOTSUPP,
		      "a profile of the kernel is left to pmc(9)");
}

static void not_configured(void)
{
	uint64_t got;

	check_refused(pmc_start_counter(0), ENXIO,
		      "pmc9.5.13: a counter without an event does not start");
	check_refused(pmc_stop_counter(0), ENXIO, "pmc9.5.13: nor stop");
	check_refused(pmc_get_counter_value(0, &got), ENXIO, "pmc9.5.13: nor have a value");
}

/* All 32 numbers on both counters; each CPU has all of them on one at least */
static void events(void)
{
	const bool r10000 = pmc_get_counter_class() <= PMC_CLASS_R10000;
	unsigned int wrong = 0;
	pmc_evid_t event;
	int ctr, ret;

	for (event = 0; event < 32; event++) {
		for (ctr = 0; ctr < 2; ctr++) {
			ret = configure(ctr, event);
			if (r10000 && (event >= 16) != ctr)
				wrong += ret == 0 || errno != ENODEV;
			else
				wrong += ret != 0 || pmc_start_counter(ctr) ||
					 pmc_stop_counter(ctr);
		}
	}
	check_count(wrong, 0, "pmc9.2.02 pmc9.3.03 pmc9.5.22: each event counts on its counters, "
		    "and is ENODEV on others");
	check_refused(configure(0, 32), ENODEV, "pmc9.2.02 pmc9.5.22: there is no event 32");
	check_refused(configure(1, UINT32_MAX), ENODEV, "pmc9.2.02 pmc9.5.22: nor the last number");
}

static void addresses(void)
{
	void *none = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t got = 77;

	configure(0, FIRST);
	check_refused(pmc_control(0, PMC_OP_CONFIGURE, NULL), EFAULT, "a null pointer is EFAULT");
	check_refused(pmc_control(0, PMC_OP_CONFIGURE, none), EFAULT, "as is no memory");
	check_refused(pmc_get_counter_value(0, none), EFAULT, "or none for the value");
	check_done(pmc_get_counter_value(0, &got), "and the counter still has a value");
	check_count(got, 0, "pmc9.5.22: which is 0");
	munmap(none, 1);
}

/* flags are not used, and without an overflow neither is reset_value */
static void ignored(void)
{
	struct pmc_counter_cfg cfg = { .event_id = FIRST, .reset_value = 1000,
				       .flags = UINT32_MAX };

	check_done(pmc_control(ON_FIRST, PMC_OP_CONFIGURE, &cfg),
		   "pmc9.4.04: flags may be anything");
	if (pmc_start_counter(ON_FIRST))
		bail_out("start");
	work(UNITS);
	pmc_stop_counter(ON_FIRST);
	check_between(value(ON_FIRST), UNITS * FIRST_COST,
		      "pmc9.4.04: and change nothing");
	check_between(value(ON_FIRST), UNITS * FIRST_COST,
		      "reset_value is ignored in a program");
}

/* The least of some rounds with either amount, as in check_exact() of conf.h */
static void counts(void)
{
	count_t least[2] = { -1ULL, -1ULL }, got;
	int i;

	run(ON_FIRST, FIRST);
	for (i = 0; i < 2 * ROUNDS; i++) {
		got = value(ON_FIRST);
		work(i % 2 ? 3 * UNITS : UNITS);
		got = value(ON_FIRST) - got;
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	check_count(least[1] - least[0], 2 * UNITS * FIRST_COST,
		    "pmc9.2.06 pmc9.5.12 pmc9.5.23: a loop is counted exactly");
}

static void starts_and_stops(void)
{
	const count_t before = value(ON_FIRST);
	count_t stopped;

	check_refused(configure(ON_FIRST, FIRST), EBUSY,
		      "pmc9.5.22: a counter that runs keeps its event");
	check_refused(pmc_start_counter(ON_FIRST), EINPROGRESS,
		      "pmc9.5.14: and does not start again");
	work(UNITS);
	check_between(value(ON_FIRST) - before, UNITS * FIRST_COST,
		      "pmc9.5.14: its value goes on");
	check_done(pmc_stop_counter(ON_FIRST), "pmc9.5.16: it stops");
	stopped = value(ON_FIRST);
	work(UNITS);
	check_count(value(ON_FIRST), stopped, "pmc9.5.16: its value stands");
	check_done(pmc_stop_counter(ON_FIRST), "pmc9.5.16: to stop it again is no error");
	check_done(pmc_start_counter(ON_FIRST), "pmc9.5.12: it starts again");
	work(UNITS);
	check_between(value(ON_FIRST), stopped + UNITS * FIRST_COST,
		      "pmc9.5.12: and goes on from there");
	pmc_stop_counter(ON_FIRST);
	check_done(configure(ON_FIRST, FIRST), "pmc9.5.22: it can be configured anew");
	check_count(value(ON_FIRST), 0, "pmc9.5.22: and is zero");
}

/* One starts and stops while the other runs */
static void two_at_once(void)
{
	count_t second;

	run(ON_FIRST, FIRST);
	work(UNITS);
	run(ON_SECOND, SECOND);
	work(UNITS);
	pmc_stop_counter(ON_SECOND);
	second = value(ON_SECOND);
	work(UNITS);
	pmc_stop_counter(ON_FIRST);
	check_between(value(ON_FIRST), 3 * UNITS * FIRST_COST,
		      "pmc9.3.03: one counter runs while the other starts and stops");
	check_between(second, UNITS, "pmc9.3.03: which counts only meanwhile");
	check_count(value(ON_SECOND), second, "pmc9.5.16: and stands then");
}

/* Both counters of an R12000 may have the same event */
static void the_same_event(void)
{
	if (configure(ON_FIRST, SECOND)) {
		check(errno == ENODEV, "pmc9.5.22: an R10000's counter 0 has other events",
		      "%s", strerror(errno));
		return;
	}
	pmc_start_counter(ON_FIRST);
	work(UNITS);
	run(ON_SECOND, SECOND);
	work(UNITS);
	pmc_stop_counter(ON_FIRST);
	pmc_stop_counter(ON_SECOND);
	check_between(value(ON_FIRST), 2 * UNITS,
		      "pmc9.5.22: both count the same event, one from the first start");
	check_between(value(ON_SECOND), UNITS, "pmc9.5.22: and one from the second");
}

/* Its status: bits of what is wrong */
static void as_child(void)
{
	int wrong = 0;
	count_t first = value(ON_SECOND);

	if (first >= SLACK || children(ON_SECOND))
		wrong |= 1;
	work(UNITS);
	if (value(ON_SECOND) < first + UNITS || value(ON_SECOND) >= first + UNITS + SLACK)
		wrong |= 2;
	if (pmc_start_counter(ON_SECOND) == 0 || errno != EINPROGRESS)
		wrong |= 4;
	_exit(wrong);
}

static void work_a_unit(void)
{
	work(UNITS);
}

/* A process between two others passes on what it has got: exit(3), no wait */
static void with_child(void)
{
	pid_t pid = start(work_a_unit);

	await_exit(pid);
	exit(0);
}

static void forks(void)
{
	count_t before = children(ON_SECOND);
	int status;
	pid_t pid;

	work(5 * UNITS);
	pid = start(as_child);
	waitpid(pid, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	check(!(status & 1), "pmc9.3.04: a child's counters begin at zero", "status %d", status);
	check(!(status & 2), "pmc9.3.05: and count what it does", "status %d", status);
	check(!(status & 4), "pmc9.3.05: they run without a start", "status %d", status);

	before = children(ON_SECOND);
	pid = start(with_child);
	await_exit(pid);
	check_between(children(ON_SECOND), before + UNITS,
		      "pmc9.5.26: a grandchild's counts come by way of the child");
	waitpid(pid, NULL, 0);
	pmc_stop_counter(ON_SECOND);
}

/* Its counts so far are its parent's all the same */
static void stop_and_start(void)
{
	work(UNITS);
	pmc_stop_counter(ON_SECOND);
	work(UNITS);
	pmc_start_counter(ON_SECOND);
	work(UNITS);
}

static void changes_in_a_child(void)
{
	count_t before;

	run(ON_SECOND, SECOND);
	before = children(ON_SECOND);
	waitpid(start(stop_and_start), NULL, 0);
	check_between(children(ON_SECOND), before + 2 * UNITS,
		      "pmc9.5.25: a child's stop and start lose nothing");
	pmc_stop_counter(ON_SECOND);
}

static void *thread(void *arg)
{
	work(UNITS);
	tell(done[1]);
	await(go[0]);
	work(UNITS);

	return arg;
}

/* The other thread waits meanwhile: what it does then may not be counted */
static void threads(void)
{
	pthread_t other;

	run(ON_SECOND, SECOND);
	if (pipe(go) || pipe(done) || pthread_create(&other, NULL, thread, NULL))
		bail_out("pthread_create");
	await(done[0]);
	run(ON_FIRST, FIRST);
	pmc_stop_counter(ON_FIRST);
	tell(go[1]);
	pthread_join(other, NULL);
	check_between(value(ON_SECOND), 2 * UNITS,
		      "pmc9.2.06: another thread keeps its counts while counters start and stop");
	pmc_stop_counter(ON_SECOND);
}

static const char *program;

static void execute(const char *what)
{
	char ends[2][12];

	snprintf(ends[0], sizeof(ends[0]), "%d", done[1]);
	snprintf(ends[1], sizeof(ends[1]), "%d", go[0]);
	execl(program, program, what, ends[0], ends[1], (char *)NULL);
}

static void execute_a_worker(void)
{
	execute("work");
}

/* Counters that the process itself has started are its own in its next program, too */
static void execute_with_own(void)
{
	pmc_stop_counter(ON_SECOND);
	pmc_start_counter(ON_SECOND);
	execute("start");
}

/* The program that a child executes: main() with these arguments */
static int executed(char **argv)
{
	if (strcmp(argv[1], "start") == 0) {
		if (configure(ON_SECOND, SECOND) == 0 && pmc_start_counter(ON_SECOND) == 0)
			return 1;
		return errno == EBUSY ? 0 : 2;
	}
	work(UNITS);
	tell(atoi(argv[2]));
	await(atoi(argv[3]));

	return 0;
}

static void another_program(const char *self)
{
	count_t before;
	int status;
	pid_t pid;

	program = self;
	run(ON_SECOND, SECOND);
	before = children(ON_SECOND);
	pid = start_told(execute_a_worker);
	check_count(children(ON_SECOND), before,
		    "pmc9.5.25: a child that has executed a program is left out while it lives");
	finish_child(pid, false);
	check_between(children(ON_SECOND), before + UNITS,
		      "pmc9.5.25: and all that the program has done is added then");
	waitpid(pid, NULL, 0);
	waitpid(start(execute_with_own), &status, 0);
	check_count((count_t)status, 0,
		    "counters that a process has started are in use in its next program");
	pmc_stop_counter(ON_SECOND);
}

static void names(void)
{
	const struct pmc_event *event = pmc_get_counter_event_list();
	const char *name = pmc_get_counter_event_name(SECOND);
	int nr = 0;

	for (; event && event->name; event++)
		nr++;
	check(nr >= 32, "the list has all events", "%d", nr);
	check(name && pmc_configure_counter(ON_SECOND, name, 0, 0) == 0,
	      "an event has a name, by which it can be chosen", "%s", name ? name : "none");
	check_done(pmc_configure_counter(ON_SECOND, "dcache-miss", 0, 0),
		   "and some have NetBSD's as well");
	check_done(pmc_configure_counter(ON_SECOND, "Graduated-Stores", 0, 0),
		   "their case and dashes do not matter");
	check_refused(pmc_configure_counter(ON_SECOND, "graduated", 0, 0), ENODEV,
		      "the start of a name is none");
	check(!pmc_get_counter_event_name(32) && errno == ESRCH, "event 32 has no name", "it has");
	check(pmc_get_counter_type_name(PMC_TYPE_GENERIC) && !pmc_get_counter_type_name(0),
	      "types have names", "they have not");
}

/* In a process of its own: the tests begin with counters that have no event */
static bool can_count(void)
{
	int status, err;
	pid_t pid = fork();

	if (pid == 0)
		_exit(configure(ON_FIRST, FIRST) || pmc_start_counter(ON_FIRST) ? errno : 0);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		bail_out("fork");
	err = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
	errno = err;

	return err == 0;
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return executed(argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (!can_count()) {
		if (ON_R10K)
			bail_out("an R10000 without counters");
		printf("1..0 # SKIP no counters: %s\n", strerror(errno));
		return 0;
	}
	layout();
	machine();
	no_such_counter();
	not_configured();
	addresses();
	events();
	ignored();
	counts();
	starts_and_stops();
	two_at_once();
	the_same_event();
	run(TOLD, SECOND);
	check_children();
	forks();
	changes_in_a_child();
	threads();
	another_program(argv[0]);
	names();

	return finish();
}
