// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that other users of perf have for themselves: events of CPUs take precedence
 * over those of threads, and pinned ones over all others. Such a neighbour is to Linux
 * what system mode is to IRIX, so this shows the same rows of pages 10 to 15 of
 * r10k_evcntrs(5): what cannot be counted is refused, and a loss is told. Prints TAP.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <spawn.h>
#include <sys/syscall.h>
#include "party.h"

#define CPUS	8	/* as many as there may be */

extern char **environ;

/**
 * struct kind - who has the counters
 * @name: what has such events
 * @event: their codes: one of each counter that the other cannot count
 * @nr: how many
 * @pinned: they are
 * @period: they take samples
 */
static const struct kind {
	const char *name;
	unsigned int event[2];
	unsigned int nr;
	bool pinned;
	unsigned long long period;
} kinds[] = {
	{ "perf stat -a", { 9, 18 }, 2, false, 0 },
	{ "perf record -a", { 9, 18 }, 2, false, 1000003 },
	{ "a pinned pair", { 9, 18 }, 2, true, 0 },
};

static int neighbours[2 * CPUS];
static unsigned int nr_neighbours;
static char name_of_check[200];

static unsigned int pmu_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/type", "r");
	unsigned int type;

	if (!f || fscanf(f, "%u", &type) != 1)
		bail_out("the type of the PMU");
	fclose(f);

	return type;
}

static int open_event(const struct kind *kind, unsigned int which, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.type = pmu_type(),
		.size = sizeof(attr),
		.config = kind->event[which],
		.pinned = kind->pinned && leader < 0,
		.sample_period = kind->period,
		.sample_type = kind->period ? PERF_SAMPLE_IP : 0,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, leader, 0);
}

/* On all CPUs, as groups; @which: 2 for all its events, or one of them */
static void arrive(const struct kind *kind, unsigned int which)
{
	unsigned int i;
	int cpu, leader;

	for (cpu = 0; cpu < CPUS; cpu++) {
		leader = -1;
		for (i = 0; i < kind->nr; i++) {
			int fd = which == 2 || which == i ?
				 open_event(kind, i, cpu, leader) : -1;

			if (fd < 0)
				continue;
			leader = leader < 0 ? fd : leader;
			neighbours[nr_neighbours++] = fd;
		}
		if (cpu == 0 && leader < 0)
			bail_out("the events of a neighbour");
	}
}

/* The kernel gives the counters to others when these next begin a turn */
static void leave(void)
{
	while (nr_neighbours)
		close(neighbours[--nr_neighbours]);
	usleep(1);
}

static const char *named(const char *rows, const struct kind *kind, const char *what)
{
	snprintf(name_of_check, sizeof(name_of_check), "%s: %s: %s", rows, kind->name, what);

	return name_of_check;
}

static long read_self(int self)
{
	return proc_does(self, PIOCGETEVCTRS, &counts);
}

/* The neighbour is there first */
static void from_the_start(int self, const struct kind *kind)
{
	hwperf_profevctrarg_t both, one;
	count_t before;

	want_only(&one, FIRST);
	want_only(&both, FIRST);
	want(&both, SECOND, HWPERF_CNTEN_U);
	read_self(self);
	before = counts.hwp_evctr[FIRST];
	arrive(kind, 2);
	check_is(proc_does(self, PIOCENEVCTRS, &both), -EBUSY,
		 named("9.10", kind, "has the counters, which nobody else gets"));
	check(read_self(self) > 0 && counts.hwp_evctr[FIRST] == before,
	      named("9.32", kind, "nothing has been acquired then"), "the counts change");
	leave();
	check_generation(proc_does(self, PIOCENEVCTRS, &both),
			 named("9.13", kind, "has left, and the counters are there"));

	/* Counters that are already acquired go on as they are */
	proc_does(self, PIOCSETEVCTRL, &one);
	arrive(kind, 1);
	check_is(proc_does(self, PIOCSETEVCTRL, &both), -EBUSY,
		 named("9.10", kind, "has what a change needs"));
	leave();
	check(proc_does(self, PIOCGETEVCTRL, &ctrl) > 0 &&
	      memcmp(&ctrl, &one.hwp_evctrargs, sizeof(ctrl)) == 0,
	      named("9.28", kind, "nothing has changed then"), "other events count");
	proc_does(self, PIOCRELEVCTRS, NULL);
}

/* It comes while the program counts, and goes again */
static void in_the_middle(int self, const struct kind *kind)
{
	long before, during, after;
	count_t start;

	want_only(&user_arg, SECOND);
	before = proc_does(self, PIOCENEVCTRS, &user_arg);
	work(UNITS);
	check(read_self(self) == before && counts.hwp_evctr[SECOND] == UNITS,
	      named("10.20", kind, "is not there yet, and nothing is lost"),
	      "got: %llu", (count_t)counts.hwp_evctr[SECOND]);

	arrive(kind, 2);
	work(UNITS);
	during = read_self(self);
	check(during > before, named("7.27 10.21", kind, "takes the counters, and a read tells"),
	      "generations %ld, %ld", before, during);
	check_count(counts.hwp_evctr[SECOND], UNITS,
		    named("7.27", kind, "the counts are those until then"));
	work(UNITS);
	check(read_self(self) > during, named("10.21", kind, "and each later loss is told"),
	      "generation %ld", during);

	leave();
	read_self(self);
	start = counts.hwp_evctr[SECOND];
	after = read_self(self);
	work(UNITS);
	check(read_self(self) == after && counts.hwp_evctr[SECOND] - start == UNITS,
	      named("10.20", kind, "has left: from then on nothing is lost"), "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND] - start);

	arrive(kind, 2);
	work(UNITS);
	leave();
	work(UNITS);
	check(read_self(self) > after, named("10.21", kind, "came and left between two reads"),
	      "generation %ld", after);
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), 0,
		 named("9.31", kind, "the counters are released as ever"));
}

/* It has one counter, and the program needs the other, or both */
static void one_of_two(int self, const struct kind *kind)
{
	hwperf_profevctrarg_t both;
	long generation;

	want_only(&both, FIRST);
	want(&both, SECOND, HWPERF_CNTEN_U);
	want_only(&user_arg, SECOND);
	arrive(kind, 0);
	check_is(proc_does(self, PIOCENEVCTRS, &both), -EBUSY,
		 named("9.10", kind, "has one of two counters that are asked for"));
	generation = proc_does(self, PIOCENEVCTRS, &user_arg);
	work(UNITS);
	check(read_self(self) == generation && counts.hwp_evctr[SECOND] == UNITS,
	      named("6.28", kind, "has a counter that nobody else wants"), "got: %ld, %llu",
	      generation, (count_t)counts.hwp_evctr[SECOND]);
	leave();
	proc_does(self, PIOCRELEVCTRS, NULL);
}

/* More events than counters take turns among themselves: that is no loss */
static void turns(int self)
{
	hwperf_profevctrarg_t many;
	long generation;

	want_none(&many);
	want(&many, 2, HWPERF_CNTEN_U);
	want(&many, 3, HWPERF_CNTEN_U);
	want(&many, FIRST, HWPERF_CNTEN_U);
	want(&many, SECOND, HWPERF_CNTEN_U);
	want(&many, 26, HWPERF_CNTEN_U);
	generation = proc_does(self, PIOCENEVCTRS, &many);
	work(100 * UNITS);
	check(read_self(self) == generation, "10.20: events that take turns lose nothing",
	      "not the same generation as %ld", generation);
	arrive(&kinds[0], 2);
	work(100 * UNITS);
	check(read_self(self) > generation, "10.21: unless others have the counters",
	      "generation %ld", generation);
	leave();
	proc_does(self, PIOCRELEVCTRS, NULL);
}

static void just_work(void)
{
	work(UNITS);
}

/* What a child has lost is missing in its parent's counts */
static void a_childs_loss(int self, const struct kind *kind)
{
	char *argv[] = { "/proc/self/exe", "work", NULL };
	long generation;
	pid_t pid;

	want_only(&user_arg, SECOND);
	generation = proc_does(self, PIOCENEVCTRS, &user_arg);
	waitpid(start(just_work), NULL, 0);
	check(read_self(self) == generation && counts.hwp_evctr[SECOND] == UNITS,
	      named("6.34", kind, "is not there, and a child loses nothing"), "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND]);
	arrive(kind, 2);
	pid = start(just_work);
	await_exit(pid);
	leave();
	generation = read_self(self);
	waitpid(pid, NULL, 0);
	check(read_self(self) > generation, named("6.34 10.21", kind, "a child's loss is its parent's"),
	      "generation %ld", generation);
	arrive(kind, 2);
	if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ))
		bail_out("posix_spawn");
	await_exit(pid);
	leave();
	generation = read_self(self);
	waitpid(pid, NULL, 0);
	check(read_self(self) > generation,
	      named("10.21", kind, "and so is that of a program that it has started"),
	      "generation %ld", generation);
	proc_does(self, PIOCRELEVCTRS, NULL);
}

/*
 * Others see the loss of a process that has acquired its counters itself, and of one
 * whose counters they have acquired
 */
static void anothers_loss(const struct kind *kind, bool itself)
{
	int fd;
	long generation;

	start_party(0);
	fd = open_process(party.pid);
	if (itself)
		ask(ACQUIRE);
	else
		proc_does(fd, PIOCENEVCTRS, &user_arg);
	ask(WORK);
	generation = proc_does(fd, PIOCGETEVCTRS, &counts);
	check(generation > 0 && counts.hwp_evctr[SECOND] >= UNITS,
	      named("6.20", kind, "is not there, and another process counts"), "got: %ld", generation);
	arrive(kind, 2);
	ask(WORK);
	leave();
	check(proc_does(fd, PIOCGETEVCTRS, &counts) > generation,
	      named("6.20 10.21", kind, itself ? "its loss is told to those that look" :
		    "its loss is told to those that have asked"), "generation %ld", generation);
	close(fd);
	end_party();
}

int main(int argc, char **argv)
{
	unsigned int i;
	int self;

	party_begins(argc, argv);
	if (argc == 2) {
		work(UNITS);
		return 0;
	}
	if (!begin_as_root(&self))
		bail_out("not root");
	for (i = 0; i < COUNT(kinds); i++) {
		from_the_start(self, &kinds[i]);
		in_the_middle(self, &kinds[i]);
		one_of_two(self, &kinds[i]);
		a_childs_loss(self, &kinds[i]);
		anothers_loss(&kinds[i], true);
		anothers_loss(&kinds[i], false);
	}
	turns(self);

	return finish();
}
