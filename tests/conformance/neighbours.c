// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that other users of perf have for themselves: events of CPUs take precedence
 * over those of threads, and pinned ones over all others. Such a neighbour is to Linux
 * what system mode is to IRIX, so this shows the same rows of pages 9 to 16 of
 * r10k_evcntrs(5): what cannot be counted is refused, and a loss is told. Prints TAP.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/syscall.h>
#include "party.h"

#define CPUS	8	/* as many as there may be */

/**
 * struct kind - who has the counters
 * @name: what has such events
 * @event: their codes, one for each counter
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

/* @format begins with rows and names the neighbour */
static const char *named(const struct kind *kind, const char *format)
{
	snprintf(name_of_check, sizeof(name_of_check), format, kind->name);

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
		 named(kind, "9.10: %s has the counters, which nobody else gets"));
	check(read_self(self) > 0 && counts.hwp_evctr[FIRST] == before,
	      named(kind, "9.32: %s has them, and nothing has been acquired"), "the counts change");
	leave();
	check_generation(proc_does(self, PIOCENEVCTRS, &both),
			 named(kind, "9.13: %s has left, and the counters are there"));

	/* Counters that are already acquired go on as they are */
	proc_does(self, PIOCSETEVCTRL, &one);
	arrive(kind, 1);
	check_is(proc_does(self, PIOCSETEVCTRL, &both), -EBUSY,
		 named(kind, "9.10: %s has what a change needs"));
	leave();
	check(proc_does(self, PIOCGETEVCTRL, &ctrl) > 0 &&
	      memcmp(&ctrl, &one.hwp_evctrargs, sizeof(ctrl)) == 0,
	      named(kind, "9.28: %s has it, and nothing has changed"), "other events count");
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
	      named(kind, "10.20: %s is not there yet, and nothing is lost"),
	      "got: %llu", (count_t)counts.hwp_evctr[SECOND]);

	arrive(kind, 2);
	work(UNITS);
	during = read_self(self);
	check(during > before, named(kind, "7.27 10.21: %s takes the counters, and a read tells"),
	      "generations %ld, %ld", before, during);
	check_count(counts.hwp_evctr[SECOND], UNITS,
		    named(kind, "7.27: %s has them, and the counts are those until then"));
	work(UNITS);
	check(read_self(self) > during, named(kind, "10.21: %s keeps them, and each later loss is told"),
	      "generation %ld", during);

	leave();
	read_self(self);
	start = counts.hwp_evctr[SECOND];
	after = read_self(self);
	work(UNITS);
	check(read_self(self) == after && counts.hwp_evctr[SECOND] - start == UNITS,
	      named(kind, "10.20: %s has left: from then on nothing is lost"), "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND] - start);

	arrive(kind, 2);
	work(UNITS);
	leave();
	work(UNITS);
	check(read_self(self) > after, named(kind, "10.21: %s came and left between two reads"),
	      "generation %ld", after);
	check_is(proc_does(self, PIOCRELEVCTRS, NULL), 0,
		 named(kind, "9.31: %s has left, and the counters are released as ever"));
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
		 named(kind, "9.10: %s has one of two counters that are asked for"));
	generation = proc_does(self, PIOCENEVCTRS, &user_arg);
	work(UNITS);
	check(read_self(self) == generation && counts.hwp_evctr[SECOND] == UNITS,
	      named(kind, "6.28: %s has a counter that nobody else wants"), "got: %ld, %llu",
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
	      named(kind, "6.34: %s is not there, and a child loses nothing"), "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND]);
	arrive(kind, 2);
	pid = start(just_work);
	await_exit(pid);
	leave();
	generation = read_self(self);
	waitpid(pid, NULL, 0);
	check(read_self(self) > generation,
	      named(kind, "6.34 10.21: %s makes a child's loss its parent's"),
	      "generation %ld", generation);
	arrive(kind, 2);
	if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ))
		bail_out("posix_spawn");
	await_exit(pid);
	leave();
	generation = read_self(self);
	waitpid(pid, NULL, 0);
	check(read_self(self) > generation,
	      named(kind, "10.21: %s makes the loss of a program its parent's"),
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
	      named(kind, "6.20: %s is not there, and another process counts"), "got: %ld", generation);
	arrive(kind, 2);
	ask(WORK);
	leave();
	check(proc_does(fd, PIOCGETEVCTRS, &counts) > generation,
	      named(kind, itself ? "6.20 10.21: %s takes counters, which those that look see" :
		    "6.20 10.21: %s takes counters, which those that have asked see"),
	      "generation %ld", generation);
	if (itself) {
		generation = proc_does(fd, PIOCGETEVCTRS, &counts);
		arrive(kind, 2);
		ask(WORK);
		leave();
		ask(RELEASE);
		check(proc_does(fd, PIOCGETEVCTRS, &counts) > generation,
		      named(kind, "6.20 10.21: %s came and left, as those see that look later"),
		      "generation %ld", generation);
	}
	close(fd);
	end_party();
}

static void *work_in_thread(void *unused)
{
	work(UNITS);

	return unused;
}

static void two_threads_work(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work_in_thread, NULL))
		bail_out("pthread_create");
	work(UNITS);
	pthread_join(thread, NULL);
}

static void threads(int self, const struct kind *kind)
{
	long generation;

	want_only(&user_arg, SECOND);
	generation = proc_does(self, PIOCENEVCTRS, &user_arg);
	two_threads_work();
	check(read_self(self) == generation && counts.hwp_evctr[SECOND] == 2 * UNITS,
	      named(kind, "10.20: %s is not there, and threads lose nothing"), "got: %llu",
	      (count_t)counts.hwp_evctr[SECOND]);
	arrive(kind, 2);
	two_threads_work();
	leave();
	check(read_self(self) > generation,
	      named(kind, "10.21: %s came and left, and threads have lost"), "generation %ld",
	      generation);
	proc_does(self, PIOCRELEVCTRS, NULL);
}

/* What a handler of pthread_atfork(3) reads while its thread is in fork(2) */
static int read_in_fork = -1;
static long read_there;

static void fork_handler(void)
{
	if (read_in_fork >= 0)
		read_there = read_self(read_in_fork);
}

static void fork_with_handlers(int self, const struct kind *kind)
{
	long generation;
	pid_t pid;

	want_only(&user_arg, SECOND);
	generation = proc_does(self, PIOCENEVCTRS, &user_arg);
	arrive(kind, 2);
	work(UNITS);
	read_in_fork = self;
	pid = start(just_work);
	read_in_fork = -1;
	leave();
	check(read_there > generation, named(kind, "10.21: %s has them, and a handler of fork sees"),
	      "generations %ld, %ld", generation, read_there);
	waitpid(pid, NULL, 0);
	proc_does(self, PIOCRELEVCTRS, NULL);
}

/* System mode comes to a program that has lost its counters already: that is one loss */
static void system_mode_too(void)
{
	long generation;

	start_party(0);
	generation = ask(ACQUIRE);
	arrive(&kinds[0], 2);
	ask(WORK);
	check_generation(system_does(HWPERF_ENSYSCNTRS, &kernel_arg),
			 "7.01: root gets system mode beside perf stat -a");
	check_is(ask(READ), generation + 1,
		 "7.25 7.26: a program whose counters were gone loses them once");
	system_does(HWPERF_RELSYSCNTRS, NULL);
	leave();
	end_party();

	arrive(&kinds[2], 2);
	check_is(system_does(HWPERF_ENSYSCNTRS, &kernel_arg), -EBUSY,
		 "11.16: a pinned pair keeps the counters from system mode");
	leave();
	check_generation(system_does(HWPERF_ENSYSCNTRS, &kernel_arg),
			 "11.16: it has left, and system mode gets them");
	system_does(HWPERF_RELSYSCNTRS, NULL);
}

/* More events than counters are not pinned, and may lose the counters meanwhile */
static void system_mode_in_turns(void)
{
	static const unsigned int events[] = { 2, 3, FIRST, SECOND, 26 };
	hwperf_profevctrarg_t many;
	long generation, lost = 0;
	unsigned int i;

	want_none(&many);
	for (i = 0; i < COUNT(events); i++)
		want(&many, events[i], KERNEL);
	generation = system_does(HWPERF_ENSYSCNTRS, &many);
	work(100 * UNITS);
	check_is(system_does(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "7.24: system mode that takes turns loses nothing");
	arrive(&kinds[0], 2);
	work(100 * UNITS);
	check(system_does(HWPERF_GET_SYSCNTRS, &counts) > generation,
	      "7.24: unless others take turns with it", "generation %ld", generation);
	leave();
	/* Events of CPUs get a counter that is free when the next turn begins */
	usleep(50000);
	generation = system_does(HWPERF_GET_SYSCNTRS, &counts);
	for (i = 0; i < 8; i++) {
		work(UNITS);
		lost += system_does(HWPERF_GET_SYSCNTRS, &counts) != generation;
	}
	check_is(lost, 0, "7.24: they have left, and nothing is lost any more");
	system_does(HWPERF_RELSYSCNTRS, NULL);
}

/*
 * Before the library's constructor: what is added first runs last before fork(2), and first
 * after it. So these run while the library is in fork(2).
 */
__attribute__((constructor(101)))
static void add_fork_handlers(void)
{
	pthread_atfork(fork_handler, fork_handler, NULL);
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
		threads(self, &kinds[i]);
		a_childs_loss(self, &kinds[i]);
		fork_with_handlers(self, &kinds[i]);
		anothers_loss(&kinds[i], true);
		anothers_loss(&kinds[i], false);
	}
	turns(self);
	system_mode_too();
	system_mode_in_turns();

	return finish();
}
