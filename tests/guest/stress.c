// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exactness under stress: tasks keep giving the CPU away and get signals, each with
 * an event on each counter and its own periods. Where there are several CPUs, tasks
 * move between two of them all the time. Every count of user mode is what the code
 * executes, no sample is missing, and the counts of all tasks together are that of the
 * CPU.
 *
 *   stress         a few seconds
 *   stress --long  at least 100000 switches and 100000 overflows in one run, and with
 *                  several CPUs as many moves
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "tap.h"
#include "pmu.h"
#include "ring.h"
#include "rounds.h"

#define MAX_TASKS	64
#define SAMPLE_BYTES	16
#define PAGE		4096
#define SIGNAL_US	300	/* between two signals, to any of the tasks */
#define PATIENCE	500

struct size {
	unsigned int tasks;
	unsigned long rounds;
	unsigned long inner;
	unsigned int first_period;
	unsigned long switches;		/* at least so many must happen */
	unsigned long overflows;
	unsigned long signals;
	unsigned int movers;		/* tasks that change the CPU in each round */
};

static const struct size short_sizes[] = {
	{ 2,  2000, 400, 0, 4000, 10000, 20, 0 },
	{ 8,  500,  400, 0, 4000, 4000,	 20, 0 },
	{ 64, 100,  400, 0, 6400, 6400,	 20, 8 },
};

/* The first exceeds the longest period: each task executes 2.24e9 instructions */
static const struct size long_sizes[] = {
	{ 2,  2000, 140000, 6, 4000,   100000, 1000, 0 },
	{ 8,  15000, 1000,  0, 120000, 100000, 1000, 0 },
	{ 64, 2000, 600,    0, 128000, 100000, 1000, 64 },
};

/*
 * In the middle of a task switch, the kernel's instructions count for no task. They
 * are few enough to be ignored only if there are many instructions between switches.
 */
static const struct size short_even = {
	.tasks = 8, .rounds = 20, .inner = 60000
};
static const struct size long_even = {
	.tasks = 8, .rounds = 100, .inner = 500000
};

static const uint64_t periods[] = {
	1000, 1009, 4999, 10007, 100003, 1000003, 50000017, 0x7fffffff
};

/* One of counter 0 and one of counter 1: they run together on every chip */
static const unsigned int pairs[][2] = {
	{ EV_INSNS, EV_LOADS }, { EV_BRANCHES, EV_STORES },
	{ EV_INSNS, EV_STORES }, { EV_BRANCHES, EV_INSNS_CTR1 },
};

struct counted {
	unsigned int event;
	uint64_t period;
	int fd;
	struct ring ring;
	struct pmu_count count;
	unsigned long samples;
	unsigned long lost;
	unsigned long throttled;
};

/* In shared memory: its task writes it, the parent reads it */
struct task {
	pid_t pid;
	struct rounds rounds;
	struct counted counted[2];
	uint64_t signals;
	unsigned long switches;
	unsigned long moves;		/* to another CPU */
	unsigned long failed_calls;
};

static struct task *tasks;
static int pipes[MAX_TASKS][2];
static int ready[2];		/* a byte from each task that is ready */
static int start[2];		/* closed when all may start */
static int leave[2];		/* closed when all may exit */

static unsigned int event_here(unsigned int event)
{
	if (event == EV_INSNS_CTR1 && pmu_chip() == PMU_CHIP_R12000)
		return EV_INSNS;
	return event;
}

static void add_record(const struct perf_event_header *header, void *arg)
{
	const uint64_t *words = (const void *)header;
	struct counted *c = arg;

	c->samples += header->type == PERF_RECORD_SAMPLE;
	c->throttled += header->type == PERF_RECORD_THROTTLE;
	if (header->type == PERF_RECORD_LOST)
		c->lost += words[2];
}

/* Enough for all samples of a run: they are read only at its end */
static unsigned int ring_pages(const struct task *t, const struct counted *c)
{
	uint64_t samples = rounds_expect(&t->rounds, c->event, 0) / c->period;
	uint64_t pages = samples * SAMPLE_BYTES * 9 / 8 / PAGE + 1;
	unsigned int power = 1;

	while (power < pages)
		power *= 2;
	return power;
}

static void open_counted(struct task *t, struct counted *c, int group)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, c->event, PMU_U);
	attr.disabled = group < 0;
	attr.sample_period = c->period;
	attr.sample_type = PERF_SAMPLE_IP;
	c->fd = pmu_must_open_attr(&attr, 0, -1, group, "an event of a task");
	ring_map(&c->ring, c->fd, ring_pages(t, c));
}

/* Half of the tasks have a group, the others two events of their own */
static void open_events(struct task *t, unsigned int i, const struct size *size)
{
	const unsigned int nr = ARRAY_SIZE(periods);
	const unsigned int *pair = pairs[i / 2 % ARRAY_SIZE(pairs)];
	unsigned int j;

	for (j = 0; j < 2; j++) {
		t->counted[j].event = event_here(pair[j]);
		t->counted[j].period = periods[(i + 3 * j + size->first_period) % nr];
	}
	open_counted(t, &t->counted[0], -1);
	open_counted(t, &t->counted[1], i % 2 ? t->counted[0].fd : -1);
}

static bool several_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

/* Where the task runs after each of its rounds */
static void choose_cpus(struct task *t, bool moves)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		tap_bail_errno("sched_getaffinity");
	memcpy(t->rounds.cpus, &set, sizeof(t->rounds.cpus[0]));
	t->rounds.cpus[1] = t->rounds.cpus[0];
	if (moves) {
		t->rounds.cpus[0] = 1 << 0;
		t->rounds.cpus[1] = 1 << 1;
	}
}

static int open_moves(void)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, 0, PMU_ALL);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_MIGRATIONS;
	attr.disabled = 0;
	return pmu_must_open_attr(&attr, 0, -1, -1, "an event of a task's moves");
}

static void set_timer(unsigned int every_us)
{
	struct itimerval timer = {
		.it_interval.tv_sec = every_us / 1000000,
		.it_interval.tv_usec = every_us % 1000000,
	};

	timer.it_value = timer.it_interval;
	if (setitimer(ITIMER_REAL, &timer, NULL))
		tap_bail_errno("setitimer");
}

static void prepare_signals(struct rounds *r)
{
	struct sigaction act = {
		.sa_handler = rounds_handler, .sa_flags = SA_RESTART
	};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (sigprocmask(SIG_BLOCK, &set, NULL) ||
	    sigaction(SIGALRM, &act, NULL))
		tap_bail_errno("preparing signals");
	rounds_allow(r, SIGALRM);
}

/* Wait until all tasks are ready and the parent closes the pipe */
static void meet(int gate[2])
{
	char byte;

	close(gate[1]);
	if (write(ready[1], "", 1) != 1 || read(gate[0], &byte, 1) != 0)
		tap_bail_errno("waiting for the other tasks");
}

static void run_rounds(struct task *t, unsigned int nr_tasks)
{
	unsigned long before;

	prepare_signals(&t->rounds);
	meet(start);
	set_timer(SIGNAL_US * nr_tasks);
	before = pmu_switches();
	t->failed_calls = rounds_run(&t->rounds);
	t->switches = pmu_switches() - before;
	set_timer(0);
	t->signals = rounds_signals;
}

static void count_own(struct task *t, unsigned int i, const struct size *size)
{
	int moves = open_moves();
	unsigned int j;

	open_events(t, i, size);
	choose_cpus(t, i < size->movers && several_cpus());
	run_rounds(t, size->tasks);
	t->moves = pmu_read(moves).value;
	for (j = 0; j < 2; j++) {
		struct counted *c = &t->counted[j];

		c->count = pmu_read(c->fd);
		ring_drain(&c->ring, add_record, c);
	}
}

static void prepare_tasks(const struct size *size)
{
	unsigned int i;

	memset(tasks, 0, MAX_TASKS * sizeof(*tasks));
	if (pipe(ready) || pipe(start) || pipe(leave))
		tap_bail_errno("pipe");
	for (i = 0; i < size->tasks; i++)
		if (pipe(pipes[i]))
			tap_bail_errno("pipe");
	for (i = 0; i < size->tasks; i++) {
		struct rounds *r = &tasks[i].rounds;

		r->rounds = size->rounds;
		r->inner = size->inner;
		r->to_peer = pipes[i ^ 1][1];
		r->from_peer = pipes[i][0];
	}
}

typedef void (*task_fn)(struct task *t, unsigned int i, const struct size *size);

static void await_all(const struct size *size)
{
	unsigned int i;
	char byte;

	for (i = 0; i < size->tasks; i++)
		if (read(ready[0], &byte, 1) != 1)
			tap_bail_errno("waiting for the tasks");
}

/* Start the tasks, and wait until each of them is ready for run_rounds() */
static void fork_tasks(const struct size *size, task_fn fn)
{
	unsigned int i;

	for (i = 0; i < size->tasks; i++) {
		tasks[i].pid = fork();
		if (tasks[i].pid < 0)
			tap_bail_errno("fork");
		if (tasks[i].pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fn(&tasks[i], i, size);
		meet(leave);
		_exit(0);
	}
	await_all(size);
}

/* The peer of a task that fails would wait for ever: kill it */
static void run_tasks(const struct size *size)
{
	alarm(PATIENCE);
	close(start[1]);
	await_all(size);
	alarm(0);
}

static void close_pipe(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static void end_tasks(const struct size *size)
{
	unsigned int i;
	int status;

	close(leave[1]);
	for (i = 0; i < size->tasks; i++)
		if (wait(&status) < 0 || status)
			tap_bail("a task ended with status %x\n", status);
	close(start[0]);
	close(leave[0]);
	close_pipe(ready);
	for (i = 0; i < size->tasks; i++)
		close_pipe(pipes[i]);
}

static bool count_exact(const struct task *t, const struct counted *c)
{
	uint64_t expected = rounds_expect(&t->rounds, c->event, t->signals);

	if (c->count.value == expected)
		return true;
	tap_note("event %u, period %llu, %llu signals: expected %llu, got %llu\n",
		 c->event, (unsigned long long)c->period,
		 (unsigned long long)t->signals, (unsigned long long)expected,
		 (unsigned long long)c->count.value);
	return false;
}

static bool all_samples(const struct task *t, const struct counted *c)
{
	uint64_t expected = c->count.value / c->period;

	(void)t;
	if (c->samples == expected)
		return true;
	tap_note("event %u, period %llu: expected %llu samples, got %lu\n",
		 c->event, (unsigned long long)c->period,
		 (unsigned long long)expected, c->samples);
	return false;
}

static bool undisturbed(const struct task *t, const struct counted *c)
{
	return !c->lost && !c->throttled && !t->failed_calls &&
	       c->count.running == c->count.enabled;
}

typedef bool (*counted_fn)(const struct task *t, const struct counted *c);

static void check_each(const struct size *size, const char *text, counted_fn good)
{
	unsigned int i, bad = 0;
	char what[96];

	for (i = 0; i < 2 * size->tasks; i++)
		bad += !good(&tasks[i / 2], &tasks[i / 2].counted[i % 2]);
	snprintf(what, sizeof(what), "%u tasks: %s", size->tasks, text);
	check_true(what, !bad, "not so for %u of %u events", bad,
		   2 * size->tasks);
}

static unsigned long all_switches(const struct size *size)
{
	unsigned long switches = 0;
	unsigned int i;

	for (i = 0; i < size->tasks; i++)
		switches += tasks[i].switches;
	return switches;
}

/* Tasks that have a CPU each leave it only to wait for another task. */
static unsigned long least_switches(const struct size *size)
{
	return sysconf(_SC_NPROCESSORS_ONLN) < size->tasks ? size->switches :
							     size->switches / 4;
}

static void check_enough(const struct size *size)
{
	unsigned long switches = all_switches(size), overflows = 0, signals = 0;
	unsigned long least = least_switches(size), moves = 0;
	unsigned long least_moves = several_cpus() ? size->movers * (size->rounds - 1) : 0;
	unsigned int i;
	char what[120];

	for (i = 0; i < size->tasks; i++) {
		signals += tasks[i].signals;
		moves += tasks[i].moves;
		overflows += tasks[i].counted[0].samples +
			     tasks[i].counted[1].samples;
	}
	snprintf(what, sizeof(what),
		 "%u tasks: at least %lu switches, %lu overflows, %lu signals, %lu moves",
		 size->tasks, least, size->overflows, size->signals,
		 least_moves);
	tap_note("%lu switches, %lu overflows, %lu signals, %lu moves to another CPU\n",
		 switches, overflows, signals, moves);
	check_true(what, switches >= least && overflows >= size->overflows &&
		   signals >= size->signals && moves >= least_moves,
		   "%lu, %lu, %lu, %lu", switches, overflows, signals, moves);
}

#define CHECKS_OF_OWN	4

static void check_own(const struct size *size)
{
	prepare_tasks(size);
	fork_tasks(size, count_own);
	run_tasks(size);
	end_tasks(size);
	check_each(size, "every count is what the code says", count_exact);
	check_each(size, "a sample for each period", all_samples);
	check_each(size, "nothing throttled, lost or multiplexed", undisturbed);
	check_enough(size);
}

/*
 * The counts of all tasks on CPU 0, to be compared with that of the CPU. Our tasks
 * inherit one event; each task that existed before gets an event, which its children
 * inherit.
 */
struct whole {
	int cpu;
	int own;
	int task[256];
	unsigned int nr_tasks;
	uint64_t on_cpu;
	uint64_t in_tasks;
};

/*
 * In all modes, each interrupt makes a difference of an instruction: the two counters
 * do not stop and start at the same one.
 */
static uint64_t whole_period(unsigned int modes)
{
	return modes == PMU_U ? 10007 : 1000003;
}

static int open_whole(unsigned int modes, pid_t pid)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, EV_INSNS, modes);
	attr.sample_period = whole_period(modes);
	attr.inherit = pid >= 0;
	return pmu_open_attr(&attr, pid, 0, -1);
}

static void open_task(struct whole *w, unsigned int modes, pid_t pid)
{
	int fd;

	if (pid == getpid())
		return;
	fd = open_whole(modes, pid);
	if (fd < 0 && errno == ESRCH)
		return;
	if (fd < 0 || w->nr_tasks == ARRAY_SIZE(w->task))
		tap_bail("an event of task %d: %s\n", pid, strerror(errno));
	w->task[w->nr_tasks++] = fd;
}

/* Kernel threads as well */
static void open_all(struct whole *w, unsigned int modes)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	if (!dir)
		tap_bail_errno("/proc");
	while ((entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			open_task(w, modes, atoi(entry->d_name));
	closedir(dir);
	w->own = open_whole(modes, 0);
	w->cpu = open_whole(modes, -1);
	if (w->own < 0 || w->cpu < 0)
		tap_bail_errno("an event of this task or of CPU 0");
}

static uint64_t close_whole(int fd)
{
	struct pmu_count c = pmu_read(fd);

	if (c.running != c.enabled)
		tap_bail("an event ran %llu of %llu ns\n",
			 (unsigned long long)c.running,
			 (unsigned long long)c.enabled);
	pmu_close(fd);
	return c.value;
}

static void run_only(struct task *t, unsigned int i, const struct size *size)
{
	(void)i;
	choose_cpus(t, false);
	run_rounds(t, size->tasks);
}

/*
 * While events are enabled or disabled one after the other, no other task may get this
 * CPU: it would count for itself and not for the CPU. A system call, because musl's
 * sched_setscheduler() only fails.
 */
static void keep_cpu(bool keep)
{
	const struct sched_param param = { .sched_priority = keep };

	if (syscall(SYS_sched_setscheduler, 0, keep ? SCHED_FIFO : SCHED_OTHER, &param))
		tap_bail_errno("sched_setscheduler");
}

/* Count while all tasks exist: a task that starts or exits has no events for a while */
static struct whole count_whole(const struct size *size, unsigned int modes)
{
	struct whole w = { 0 };
	unsigned int i;

	pmu_stay_on_cpu(0);
	prepare_tasks(size);
	open_all(&w, modes);
	fork_tasks(size, run_only);
	keep_cpu(true);
	for (i = 0; i < w.nr_tasks; i++)
		pmu_enable(w.task[i]);
	/* in this order at both ends, so that what is between them cancels out */
	pmu_enable(w.cpu);
	pmu_enable(w.own);
	keep_cpu(false);
	run_tasks(size);
	keep_cpu(true);
	pmu_disable(w.cpu);
	pmu_disable(w.own);
	for (i = 0; i < w.nr_tasks; i++)
		pmu_disable(w.task[i]);
	keep_cpu(false);
	end_tasks(size);
	for (i = 0; i < w.nr_tasks; i++) {
		/* not close_whole(): on another CPU it was enabled, but did not run */
		w.in_tasks += pmu_read(w.task[i]).value;
		pmu_close(w.task[i]);
	}
	w.in_tasks += close_whole(w.own);
	w.on_cpu = close_whole(w.cpu);
	pmu_stay_on_cpu(PMU_ANY_CPU);
	return w;
}

/* The count of the rounds alone, as two counts that agree may both be too small */
static uint64_t least_of_all(const struct size *size)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < size->tasks; i++)
		sum += rounds_expect(&tasks[i].rounds, EV_INSNS,
				     tasks[i].signals);
	return sum;
}

static void check_whole(const struct size *size, const char *where,
			unsigned int modes, double tolerance)
{
	struct whole w = count_whole(size, modes);
	long long missing = w.on_cpu - w.in_tasks;
	uint64_t least = least_of_all(size);
	char what[96];

	tap_note("%llu on the CPU, %lld of them in none of %u tasks\n",
		 (unsigned long long)w.on_cpu, missing,
		 size->tasks + w.nr_tasks + 1);
	tap_note("%lu switches, %.1f for each\n", all_switches(size),
		 (double)missing / all_switches(size));
	snprintf(what, sizeof(what), "%u tasks: %s of all is the CPU's +- %g",
		 size->tasks, where, tolerance);
	check_near(what, w.in_tasks, w.on_cpu, tolerance);
	snprintf(what, sizeof(what), "%u tasks: all rounds are in it",
		 size->tasks);
	check_true(what, w.in_tasks >= least && w.on_cpu >= least,
		   "%llu and %llu of %llu", (unsigned long long)w.in_tasks,
		   (unsigned long long)w.on_cpu, (unsigned long long)least);
}

int main(int argc, char **argv)
{
	bool is_long = argc == 2 && !strcmp(argv[1], "--long");
	const struct size *sizes = is_long ? long_sizes : short_sizes;
	unsigned int i;

	tap_start(ARRAY_SIZE(short_sizes) * (CHECKS_OF_OWN + 2) + 2);
	/* An event that is throttled does not count for the rest of a tick */
	pmu_set_sample_rate(PMU_NO_THROTTLING);
	tasks = mmap(NULL, MAX_TASKS * sizeof(*tasks), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tasks == MAP_FAILED)
		tap_bail_errno("mmap");
	for (i = 0; i < ARRAY_SIZE(short_sizes); i++) {
		check_own(&sizes[i]);
		check_whole(&sizes[i], "user mode", PMU_U, 1e-5);
	}
	check_whole(is_long ? &long_even : &short_even, "all modes", PMU_ALL,
		    is_long ? 1e-5 : 1e-3);
	return tap_end();
}
