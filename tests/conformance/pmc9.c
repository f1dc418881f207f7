// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmc(9), by the rows of pmc9.tsv: the functions of pmc.ko, which the module pmc9_test
 * calls for this program. Prints TAP.
 */
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/pmc.h>
#include "../fixtures/kernel/pmc9_test.h"
#include "conf.h"

#define MODULES		"/tmp/modules/"
#define DRIVER		"/sys/bus/event_source/devices/cpu/caps/counters"
#define OVERFLOWS	"/sys/module/pmc/parameters/overflows"

#define STORES		19	/* of counter 1 */
#define LOOP		100000ULL
#define SLACK		(UNITS * 9 / 10)
#define CHILDREN	PMC_VALUE_FLAGS_CHILDREN

#define A		0	/* FIRST: graduated instructions */
#define B		1	/* SECOND: floating-point, of which the kernel does none */

static int device;

static int run(struct pmc9_call call)
{
	if (ioctl(device, 0, &call) < 0)
		bail_out("/dev/pmc9");

	return call.result;
}

#define CALL(what, ...)	run((struct pmc9_call){ .function = PMC9_##what, __VA_ARGS__ })

static count_t value_of(int pid, int ctr, int flags)
{
	struct pmc9_call call = { .function = PMC9_GET_COUNTER_VALUE, .pid = pid, .ctr = ctr,
				  .flags = flags };

	if (ioctl(device, 0, &call) < 0 || call.result)
		bail_out("pmc_get_counter_value()");

	return call.value;
}

static count_t value(int ctr)
{
	return value_of(0, ctr, 0);
}

static void start_counter(int ctr, unsigned int event)
{
	CALL(DISABLE_COUNTER, .ctr = ctr);
	if (CALL(CONFIGURE_COUNTER, .ctr = ctr, .event_id = event) ||
	    CALL(ENABLE_COUNTER, .ctr = ctr))
		bail_out("a counter does not start");
}

static void refused(int ret, int err, const char *what)
{
	check(ret == -err, what, "expected: %d (%s), got: %d", -err, strerror(err), ret);
}

static void done(int ret, const char *what)
{
	check(ret == 0, what, "got: %d (%s)", ret, strerror(-ret));
}

static void is(int ret, bool expected, const char *what)
{
	check(!ret == !expected, what, "got: %d", ret);
}

static int load(const char *name)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), MODULES "%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -1 : (int)syscall(SYS_finit_module, fd, "", 0);
	if (fd >= 0)
		close(fd);

	return ret;
}

static int unload(const char *name)
{
	return (int)syscall(SYS_delete_module, name, O_NONBLOCK);
}

static unsigned long number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long number = 0;

	if (!file || fscanf(file, "%lu", &number) != 1)
		bail_out(path);
	fclose(file);

	return number;
}

static int class(void)
{
	return CALL(GET_COUNTER_TYPE, .ctr = -1);
}

static bool is_r10000(void)
{
	return class() == PMC_CLASS_R10000_V2 || class() == PMC_CLASS_R10000;
}

/* The test module has been compiled with checks of all prototypes */
static void layout(void)
{
	check(1, "pmc9.1.01 pmc9.3.02: one header brings the interface, with the machine's",
	      "-");
	check(1, "pmc9.1.02 pmc9.1.03 pmc9.1.06 pmc9.1.07 pmc9.1.08 pmc9.1.09 pmc9.1.10 "
	      "pmc9.1.11 pmc9.1.13 pmc9.1.14 pmc9.1.15 pmc9.1.16: functions have their types",
	      "-");
	check(1, "pmc9.1.04 pmc9.1.05 pmc9.1.12 pmc9.1.17 pmc9.3.01: macros are expressions of "
	      "theirs", "-");
}

static void machine(void)
{
	check_count((count_t)CALL(GET_NUM_COUNTERS), number_in(DRIVER),
		    "pmc9.5.01 pmc9.2.01: as many counters as the driver says");
	check(class() >= PMC_CLASS_R10000_V2 && class() <= PMC_CLASS_R12000,
	      "pmc9.5.04 pmc9.5.05: -1 is the class of the CPU", "%d", class());
	check((CALL(GET_COUNTER_TYPE, .ctr = 0) != CALL(GET_COUNTER_TYPE, .ctr = 1)) == is_r10000(),
	      "pmc9.5.03: the two counters of an R10000 differ in type", "class %d", class());
}

#define SEQUENCE_KERNEL	1
#define SEQUENCE_AGAIN	0
#define SEQUENCE_WRONG	EINVAL
#include "sequence.h"

static int sequence_call(enum sequence_op op, bool kernel, int ctr, unsigned int event,
			 count_t *value)
{
	static const int function[] = {
		[TAKE] = PMC9_CONFIGURE_COUNTER, [START] = PMC9_ENABLE_COUNTER,
		[STOP] = PMC9_DISABLE_COUNTER, [VALUE] = PMC9_GET_COUNTER_VALUE,
		[WRONG] = PMC9_GET_COUNTER_VALUE, [GIVE] = PMC9_FREE_KERNEL_COUNTER,
	};
	struct pmc9_call call = {
		.function = kernel && op == TAKE ? PMC9_ALLOC_KERNEL_COUNTER : function[op],
		.pid = kernel ? PMC9_KERNEL : 0,
		.ctr = ctr,
		.event_id = event,
		.flags = op == WRONG ? 2 : 0,
	};

	if (ioctl(device, 0, &call) < 0)
		bail_out("/dev/pmc9");
	*value = call.value;

	return -call.result;
}

static void wrong_counters(void)
{
	static const int calls[] = {
		PMC9_GET_COUNTER_TYPE, PMC9_ENABLE_COUNTER, PMC9_DISABLE_COUNTER,
		PMC9_CONFIGURE_COUNTER, PMC9_GET_COUNTER_VALUE, PMC9_ALLOC_KERNEL_COUNTER,
		PMC9_FREE_KERNEL_COUNTER, PMC9_START_PROFILING, PMC9_STOP_PROFILING,
	};
	static const int wrong[] = { -2, 2, INT_MAX, INT_MIN };
	unsigned int i, j, good = 0;

	for (i = 0; i < COUNT(calls); i++)
		for (j = 0; j < COUNT(wrong); j++)
			good += run((struct pmc9_call){ .function = calls[i], .ctr = wrong[j],
							.event_id = FIRST }) == -EINVAL;
	for (j = 0; j < COUNT(wrong); j++)
		good += !CALL(COUNTER_ISRUNNING, .ctr = wrong[j]) +
			!CALL(COUNTER_ISCONFIGURED, .ctr = wrong[j]);
	check_count(good, COUNT(wrong) * (COUNT(calls) + 2),
		    "pmc9.3.03 pmc9.5.02: there are counters 0 and 1 only");
}

static void before(void)
{
	refused(CALL(ENABLE_COUNTER, .ctr = A), ENXIO, "pmc9.5.13: without an event none starts");
	refused(CALL(DISABLE_COUNTER, .ctr = A), ENXIO, "pmc9.5.13: nor stops");
	refused(CALL(GET_COUNTER_VALUE, .ctr = A), ENXIO, "pmc9.5.13: nor has a value");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = A), false, "pmc9.5.20: none is configured");
	is(CALL(COUNTER_ISRUNNING, .ctr = A), false, "pmc9.5.18: nor runs");
	is(CALL(ENABLED), false, "pmc9.5.31: and so the process uses none");
}

static void events(void)
{
	unsigned int wrong = 0, event;
	int ctr, ret;

	for (event = 0; event < 32; event++) {
		for (ctr = 0; ctr < 2; ctr++) {
			ret = CALL(CONFIGURE_COUNTER, .ctr = ctr, .event_id = event);
			wrong += ret != (is_r10000() && (event >= 16) != ctr ? -ENODEV : 0);
		}
	}
	check_count(wrong, 0, "pmc9.5.22 pmc9.2.02 pmc9.3.03: each event on its counters");
	refused(CALL(CONFIGURE_COUNTER, .ctr = A, .event_id = 32), ENODEV,
		"pmc9.2.02 pmc9.5.22: an id of another CPU is refused");
}

static void states(void)
{
	count_t stopped;

	done(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND, .cfg_flags = UINT_MAX),
	     "pmc9.5.22 pmc9.4.04: a counter takes an event, whatever the flags");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = B), true, "pmc9.5.20: then it is configured");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), false, "pmc9.5.18: but does not run");
	is(CALL(ENABLED), true, "pmc9.5.31: the process uses counters");
	done(CALL(ENABLE_COUNTER, .ctr = B), "pmc9.5.12: it starts");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), true, "pmc9.5.18: and runs");
	work(UNITS);
	done(CALL(ENABLE_COUNTER, .ctr = B), "pmc9.5.14: to start it again is no error");
	work(UNITS);
	check_count(value(B), 2 * UNITS, "pmc9.5.12 pmc9.5.14 pmc9.2.06 pmc9.5.23: the value goes on");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.22: it keeps its event while it runs");
	done(CALL(DISABLE_COUNTER, .ctr = B), "pmc9.5.16: it stops");
	stopped = value(B);
	work(UNITS);
	check_count(value(B), stopped, "pmc9.5.16: and its value stands");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), false, "pmc9.5.18: it does not run any more");
}

static void flags(void)
{
	unsigned int bit, good = 0;

	for (bit = 0; bit < 32; bit++)
		good += CALL(GET_COUNTER_VALUE, .ctr = B, .flags = (int)(1u << bit)) ==
			(bit == 0 ? 0 : -EINVAL);
	check_count(good, 32, "pmc9.5.24: PMC_VALUE_FLAGS_CHILDREN is the only flag");
	check_count(CHILDREN, 1, "pmc9.5.24: with its value");
}

static void nothing_to_do(void)
{
	count_t before;

	start_counter(B, SECOND);
	work(UNITS);
	before = value(B);
	done(CALL(CONTEXT), "pmc9.5.07 pmc9.5.10: save, restore and accumulate do nothing");
	check_count(value(B), before, "pmc9.5.07 pmc9.5.10: and change nothing");
}

static count_t children(int ctr)
{
	return value_of(0, ctr, CHILDREN);
}

#include "told.h"

#define TURNS	500

static void take_turns(void)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		work(UNITS / 100);
		sched_yield();
	}
}

static void child_that_takes_turns(void)
{
	take_turns();
	_exit(value(B) != TURNS * (UNITS / 100));
}

/*
 * Two processes on a CPU, each in its turn. perf would exchange their events if one had
 * inherited all of its events from the other.
 */
static void switches(void)
{
	count_t before;
	int status;
	pid_t pid;

	start_counter(B, SECOND);
	before = value(B);
	pid = start(child_that_takes_turns);
	take_turns();
	waitpid(pid, &status, 0);
	check_count(value(B) - before, TURNS * (UNITS / 100),
		    "pmc9.5.06 pmc9.5.09: a process has its own counts after 1000 switches");
	check(status == 0, "pmc9.5.06 pmc9.5.09: and so has its child", "status %x", status);
}

/* The same of two that have inherited all of their events */
static void child_whose_child_takes_turns(void)
{
	pid_t pid = start(child_that_takes_turns);
	int status;

	take_turns();
	waitpid(pid, &status, 0);
	_exit((value(B) != TURNS * (UNITS / 100)) | (status ? 2 : 0));
}

static void switches_of_heirs(void)
{
	int status;
	pid_t pid;

	start_counter(B, SECOND);
	pid = start(child_whose_child_takes_turns);
	waitpid(pid, &status, 0);
	check(status == 0, "pmc9.3.05 pmc9.5.06: a child and its own have their own counts, too",
	      "status %x", status);
}

/* A process that outlives the one that it has inherited its counter from */
static void orphans(void)
{
	int ask[2], answer[2], status;
	count_t count = 0;
	pid_t pid;

	if (pipe(ask) < 0 || pipe(answer) < 0)
		bail_out("pipes");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		start_counter(B, SECOND);
		close(ask[1]);
		if (fork() == 0 && read(ask[0], &status, sizeof(status)) > 0) {
			work(UNITS);
			count = value(B);
			_exit(write(answer[1], &count, sizeof(count)) < 0);
		}
		_exit(0);
	}
	waitpid(pid, &status, 0);
	close(answer[1]);

	/* pmc.ko forgets processes that are gone when another one is configured */
	start_counter(B, SECOND);
	if (write(ask[1], &status, sizeof(status)) < 0 ||
	    read(answer[0], &count, sizeof(count)) < 0)
		bail_out("pipes");
	check_count(count, UNITS, "pmc9.3.05: a child counts on when its parent is gone");
	close(ask[0]);
	close(ask[1]);
	close(answer[0]);
}

/* Its status: bits of what is wrong */
static void as_child(void)
{
	int wrong = 0;

	if (value(B) || children(B))
		wrong |= 1;
	work(UNITS);
	if (value(B) != UNITS || !CALL(COUNTER_ISRUNNING, .ctr = B))
		wrong |= 2;
	if (CALL(DISABLE_COUNTER, .ctr = B) || CALL(COUNTER_ISRUNNING, .ctr = B))
		wrong |= 4;
	work(UNITS);
	if (value(B) != UNITS)
		wrong |= 8;
	_exit(wrong);
}

static void forks(void)
{
	int status;
	pid_t pid;

	start_counter(B, SECOND);
	work(UNITS);
	pid = start(as_child);
	waitpid(pid, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	check(!(status & 1), "pmc9.3.04: a child's counters begin at zero", "status %d", status);
	check(!(status & 2), "pmc9.3.05: and count what it does", "status %d", status);
	check(!(status & 12), "pmc9.3.05 pmc9.5.16: the child can stop them", "status %d", status);
	check_count(value(B), UNITS, "pmc9.5.23: which are not its parent's");
}

/* The kernel's counters are refused while a process has them */
static void by_a_process(void)
{
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.27: the kernel does not take what a process has");
}

static unsigned long expected_overflows(count_t count, unsigned int period)
{
	return (unsigned long)(count / period);
}

#define PERIOD	10007

static void check_overflows(int pid, const char *what, const char *after)
{
	/* Each CPU has its own period for the kernel: all but one may be part of the way */
	long others = pid == PMC9_KERNEL ? sysconf(_SC_NPROCESSORS_ONLN) - 1 : 0;
	unsigned long before = number_in(OVERFLOWS), seen, most;

	if (CALL(ENABLE_COUNTER, .pid = pid, .ctr = B))
		bail_out("enable");
	work(20 * UNITS);
	CALL(DISABLE_COUNTER, .pid = pid, .ctr = B);
	seen = number_in(OVERFLOWS) - before;
	most = expected_overflows(value_of(pid, B, 0), PERIOD);
	check(seen <= most && seen + others >= most, what, "%lu of %lu", seen, most);
	work(2 * UNITS);
	check_count(number_in(OVERFLOWS) - before, seen, after);
}

static void overflows(void)
{
	CALL(DISABLE_COUNTER, .ctr = B);
	done(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND, .reset_value = PERIOD),
	     "pmc9.2.03: a counter may overflow");
	check_overflows(0, "pmc9.2.03 pmc9.5.15: each reset_value events, in a process",
			"pmc9.5.17: not after it has stopped");
}

static void of_a_process(void)
{
	layout();
	machine();
	wrong_counters();
	before();
	events();
	states();
	flags();
	nothing_to_do();
	switches();
	switches_of_heirs();
	orphans();
	start_counter(B, SECOND);
	check_children();
	forks();
	by_a_process();
	overflows();
}

static count_t work_of_kernel(unsigned long long n)
{
	count_t before = value_of(PMC9_KERNEL, B, 0);

	CALL(WORK, .value = n);

	return value_of(PMC9_KERNEL, B, 0) - before;
}

static void counts_the_kernel(void)
{
	count_t least[2] = { -1ULL, -1ULL }, got;
	int i;

	/* In most rounds a tick of the clock comes, which stores as well */
	for (i = 0; i < 16 * ROUNDS; i++) {
		got = work_of_kernel(i % 2 ? 3 * LOOP : LOOP);
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	got = least[1] - least[0];
	if (sysconf(_SC_NPROCESSORS_ONLN) == 1)
		check_count(got, 2 * LOOP,
			    "pmc9.2.05 pmc9.5.27: a loop of the kernel is counted exactly");
	else
		/* Reading interrupts other CPUs, whose kernels then go back to sleep */
		check(got > 198 * LOOP / 100 && got < 202 * LOOP / 100,
		      "pmc9.2.05 pmc9.5.27: a loop of the kernel is counted on one of several CPUs",
		      "%llu of %llu", (unsigned long long)got, 2 * LOOP);
}

static void reserved(void)
{
	done(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = STORES),
	     "pmc9.5.27: the kernel takes a counter");
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = STORES), EBUSY,
		"pmc9.5.27: once");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.22 pmc9.5.27: no process has it meanwhile");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = B), true, "pmc9.5.21: it is configured for all");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = A), false, "pmc9.5.21: the other one is not");
	is(CALL(ENABLED), true, "pmc9.5.31: the kernel uses counters");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), false, "pmc9.5.19: it does not run yet");
	done(CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B), "pmc9.5.27: it starts");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), true, "pmc9.5.19: and runs for all");
	counts_the_kernel();
	done(CALL(FREE_KERNEL_COUNTER, .ctr = B), "pmc9.5.28: the kernel gives it back");
	refused(CALL(FREE_KERNEL_COUNTER, .ctr = B), ENXIO, "pmc9.5.28: once");
	is(CALL(ENABLED), false, "pmc9.5.31: nothing is in use then");
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = 32), ENODEV,
		"pmc9.5.27: no counter has event 32");
}

static void over_switches(void)
{
	count_t before;
	pid_t pid;

	if (CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND) ||
	    CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B))
		bail_out("the kernel's counter");
	before = value_of(PMC9_KERNEL, B, 0);
	pid = start(take_turns);
	take_turns();
	waitpid(pid, NULL, 0);
	check_count(value_of(PMC9_KERNEL, B, 0) - before, 2 * TURNS * (UNITS / 100),
		    "pmc9.5.08 pmc9.5.11: it counts over 1000 switches");
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
}

static void overflows_of_the_kernel(void)
{
	if (CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND, .reset_value = PERIOD))
		bail_out("the kernel's counter");
	check_overflows(PMC9_KERNEL, "pmc9.2.03: each reset_value events, in the kernel",
			"pmc9.5.17: not after it has stopped");
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
}

static void of_the_kernel(void)
{
	reserved();
	over_switches();
	overflows_of_the_kernel();
	done(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND),
	     "pmc9.5.28: then a process can have it");
}

/* /proc/profile: the size of a slot, and a number for each */

#define LOADS	18
#define TIMES	200

static unsigned long symbol(const char *name, const char *next)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long at, found = 0;
	char line[256], word[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx %*c %127s", &at, word) != 2)
			continue;
		if (found && next && at > found) {
			found = at;
			break;
		}
		if (!strcmp(word, name)) {
			found = at;
			if (!next)
				break;
		}
	}
	if (file)
		fclose(file);

	return found;
}

/* Hits in all, and those in memchr() */
static void hits(unsigned long *all, unsigned long *there)
{
	unsigned long text = symbol("_stext", NULL), from = symbol("memchr", NULL);
	unsigned long to = symbol("memchr", ""), at = text;
	FILE *file = fopen("/proc/profile", "r");
	unsigned int step, slot;

	*all = *there = 0;
	if (!file || fread(&step, sizeof(step), 1, file) != 1)
		bail_out("/proc/profile");
	for (; fread(&slot, sizeof(slot), 1, file) == 1; at += step) {
		*all += slot;
		if (at + step > from && at < to)
			*there += slot;
	}
	fclose(file);
}

static void profiles(void)
{
	unsigned long all[3], there[3];

	refused(CALL(START_PROFILING, .ctr = B, .event_id = LOADS), EINVAL,
		"pmc9.5.29: a profile needs a reset_value");
	hits(&all[0], &there[0]);
	done(CALL(START_PROFILING, .ctr = B, .event_id = LOADS, .reset_value = PERIOD),
	     "pmc9.5.29: a profile starts");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.29: the kernel has the counter");
	CALL(WORK, .ctr = 1, .value = TIMES);
	done(CALL(STOP_PROFILING, .ctr = B), "pmc9.5.30: it stops");
	hits(&all[1], &there[1]);
	check(there[1] - there[0] >= TIMES * 65536 / PERIOD * 9 / 10,
	      "pmc9.5.29: /proc/profile has the hits of the function that loads most",
	      "%lu of %lu", there[1] - there[0], all[1] - all[0]);
	check(there[1] - there[0] > (all[1] - all[0]) * 8 / 10,
	      "pmc9.5.29: most are there", "%lu of %lu", there[1] - there[0], all[1] - all[0]);
	CALL(WORK, .ctr = 1, .value = TIMES);
	hits(&all[2], &there[2]);
	check(there[2] - there[1] <= 2, "pmc9.5.30: no more hits after that", "%lu",
	      there[2] - there[1]);
	refused(CALL(STOP_PROFILING, .ctr = B), ENXIO, "pmc9.5.30: it has stopped");
}

static void no_profiles(void)
{
	refused(CALL(START_PROFILING, .ctr = B, .event_id = LOADS, .reset_value = PERIOD), ENXIO,
		"pmc9.5.29: without profile= at boot there is no profile");
	refused(CALL(STOP_PROFILING, .ctr = B), ENXIO, "pmc9.5.30: nor one to stop");
}

/* Without the driver of a PMU: events are perf's, type and configuration */

#define PAGE_FAULTS	(1u << 24 | 2)
#define PAGES		500

static void generic(void)
{
	char *memory = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	count_t got;
	int i;

	check_count((count_t)CALL(GET_NUM_COUNTERS), 2, "pmc9.2.01 pmc9.5.01: two counters");
	check_count((count_t)class(), PMC_CLASS_GENERIC,
		    "pmc9.5.04 pmc9.5.05: a CPU without a driver is of the class of any CPU");
	check_count((count_t)CALL(GET_COUNTER_TYPE, .ctr = 1), PMC_TYPE_GENERIC,
		    "pmc9.5.03: as are its counters");
	refused(CALL(CONFIGURE_COUNTER, .ctr = A, .event_id = FIRST), ENODEV,
		"pmc9.2.02 pmc9.5.22: the R10000's events are not there");
	start_counter(A, PAGE_FAULTS);
	got = value(A);
	for (i = 0; i < PAGES; i++)
		memory[i * 4096] = 1;
	check_between(value(A) - got, PAGES,
		      "pmc9.2.01 pmc9.3.03: but those that perf has are counted");
	done(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = PAGE_FAULTS),
	     "pmc9.5.27: and for the kernel");
	done(CALL(FREE_KERNEL_COUNTER, .ctr = B), "pmc9.5.28: until it gives the counter back");
}

static void work_a_unit(void)
{
	work(UNITS);
}

/* A process cannot give back its counters: so each part has a process of its own */
static void part(void (*run_part)(void))
{
	static int *numbers;
	int status;
	pid_t pid;

	if (!numbers)
		numbers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			       -1, 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		run_part();
		fflush(stdout);
		numbers[0] = nr;
		numbers[1] = nr_failed;
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (status)
		bail_out("a part has ended");
	nr = numbers[0];
	nr_failed = numbers[1];
}

/* For a test of unloading: a process with a counter, which ends or stays */
static int count_and(const char *what)
{
	device = open("/dev/pmc9", O_RDWR | O_CLOEXEC);
	if (device < 0)
		bail_out("/dev/pmc9");
	start_counter(B, SECOND);
	start(work_a_unit);
	work(UNITS);
	if (value(B) != UNITS)
		return 1;
	close(device);
	if (!strcmp(what, "stay"))
		pause();

	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return count_and(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (!ON_R10K) {
		printf("1..0 # SKIP pmc.ko is for the guest\n");
		return 0;
	}
	if (load("pmc") || load("pmc9_test"))
		bail_out("modules");
	device = open("/dev/pmc9", O_RDWR | O_CLOEXEC);
	if (device < 0)
		bail_out("/dev/pmc9");
	if (argc > 2) {
		sequences((unsigned int)strtoul(argv[2], NULL, 10));
	} else if (access(DRIVER, F_OK)) {
		part(generic);
	} else {
		sequences(SEQUENCE_ROUNDS);
		part(of_a_process);
		part(of_the_kernel);
		part(access("/proc/profile", F_OK) ? no_profiles : profiles);
	}
	check(unload("pmc") < 0, "pmc.ko stays while a module uses it", "it went");
	close(device);
	check(unload("pmc9_test") == 0 && unload("pmc") == 0, "both modules unload", "%s",
	      strerror(errno));

	return finish();
}
