// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmc(9), by the rows of pmc9.tsv: the functions of pmc.ko, which the module pmc9_test
 * calls for this program. Prints TAP.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/pmc.h>
#include "../fixtures/kernel/pmc9_test.h"
#include "conf.h"

#define MODULES		"/tmp/modules/"
#define DRIVER		"/sys/bus/event_source/devices/cpu/caps/counters"
#define OVERFLOWS	"/sys/module/pmc/parameters/overflows"

#define STORES		19	/* of counter 1 */
#define LOOP		10000ULL	/* shorter than a tick of the clock */
#define SLACK		(UNITS * 9 / 10)
#define PERIOD		10007
#define CHILDREN	PMC_VALUE_FLAGS_CHILDREN

#define A		0	/* FIRST: graduated instructions */
#define B		1	/* SECOND: floating-point, of which the kernel does none */

static int device;

/* What processes of this program tell each other */
static volatile struct {
	int nr, failed;
	bool worked, seen;
} *shared;

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

static void must(int ret, const char *what)
{
	if (ret)
		bail_out(what);
}

static void start_of(int pid, int ctr, unsigned int event, unsigned int reset_value)
{
	CALL(DISABLE_COUNTER, .pid = pid, .ctr = ctr);
	must(CALL(CONFIGURE_COUNTER, .pid = pid, .ctr = ctr, .event_id = event,
		  .reset_value = reset_value), "a counter takes no event");
	must(CALL(ENABLE_COUNTER, .pid = pid, .ctr = ctr), "a counter does not start");
}

static void start_counter(int ctr, unsigned int event)
{
	start_of(0, ctr, event, 0);
}

static void refused(int ret, int err, const char *what)
{
	check(ret == -err, what, "expected: %d (%s), got: %d", -err, strerror(err), ret);
}

static void zero(int ret, const char *what)
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

/* What Linux calls the CPU: "R10000 V2.6", for one */
static int class_of_cpuinfo(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[128], model[16];
	int major = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "cpu model : %15s V%d", model, &major) == 2)
			break;
	if (!file || !major)
		bail_out("/proc/cpuinfo");
	fclose(file);
	if (strcmp(model, "R10000"))
		return PMC_CLASS_R12000;

	return major < 3 ? PMC_CLASS_R10000_V2 : PMC_CLASS_R10000;
}

static bool is_r10000(void)
{
	return class_of_cpuinfo() != PMC_CLASS_R12000;
}

/* Where processes take turns, and what overflows is on one CPU. False: there is none */
static bool only_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);

	return !sched_setaffinity(0, sizeof(one), &one);
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
	check_count((count_t)class(), (count_t)class_of_cpuinfo(),
		    "pmc9.5.04 pmc9.5.05: -1 is the class of the CPU");
	check((CALL(GET_COUNTER_TYPE, .ctr = 0) != CALL(GET_COUNTER_TYPE, .ctr = 1)) == is_r10000(),
	      "pmc9.5.03: the two counters of an R10000 differ in type", "class %d", class());
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
	refused(CALL(CONFIGURE_COUNTER, .pid = PMC9_KERNEL, .ctr = A, .event_id = FIRST), EINVAL,
		"pmc9.5.22: pmc_alloc_kernel_counter() configures the kernel's");
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

	zero(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND, .cfg_flags = UINT_MAX),
	     "pmc9.5.22 pmc9.4.04: a counter takes an event, whatever the flags");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = B), true, "pmc9.5.20: then it is configured");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), false, "pmc9.5.18: but does not run");
	is(CALL(ENABLED), true, "pmc9.5.31: the process uses counters");
	zero(CALL(ENABLE_COUNTER, .ctr = B), "pmc9.5.12: it starts");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), true, "pmc9.5.18: and runs");
	work(UNITS);
	zero(CALL(ENABLE_COUNTER, .ctr = B), "pmc9.5.14: to start it again is no error");
	work(UNITS);
	check_count(value(B), 2 * UNITS, "pmc9.5.12 pmc9.5.14 pmc9.2.06 pmc9.5.23: the value goes on");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.22: it keeps its event while it runs");
	zero(CALL(DISABLE_COUNTER, .ctr = B), "pmc9.5.16: it stops");
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
	zero(CALL(CONTEXT), "pmc9.5.07 pmc9.5.10: save, restore and accumulate do nothing");
	check_count(value(B), before, "pmc9.5.07 pmc9.5.10: and change nothing");
}

static count_t children(int ctr)
{
	return value_of(0, ctr, CHILDREN);
}

#include "told.h"

#define TURNS	500

static void take_turns(long units)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		work(units);
		sched_yield();
	}
}

static bool has_switched(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);

	return usage.ru_nvcsw + usage.ru_nivcsw > TURNS / 2;
}

static void grandchild_in_turns(void)
{
	take_turns(3);
	_exit(value(B) != 3 * TURNS || !has_switched());
}

static void child_in_turns(void)
{
	pid_t pid = start(grandchild_in_turns);
	int status;

	take_turns(2);
	waitpid(pid, &status, 0);
	_exit(value(B) != 2 * TURNS || !has_switched() || status);
}

/*
 * Three processes on a CPU, each in its turn. perf would exchange the events of the last
 * two, as both have inherited all of theirs.
 */
static void switches(void)
{
	int status;
	pid_t pid;

	only_on(0);
	start_counter(B, SECOND);
	pid = start(child_in_turns);
	take_turns(1);
	waitpid(pid, &status, 0);
	check_count(value(B), TURNS,
		    "pmc9.5.06 pmc9.5.09: a process has its own counts after 250 switches");
	check(status == 0, "pmc9.5.06 pmc9.5.09: and so have its child and grandchild",
	      "status %x", status);
	check_count(children(B), 5 * TURNS, "pmc9.5.25 pmc9.5.26: which add theirs to its own");
}

/* On the second CPU, if there is one */
static void computes(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	only_on(1);
	work(UNITS);
	shared->worked = true;
	while (!shared->seen)
		;
}

static void while_it_runs(void)
{
	pid_t pid;

	start_counter(B, SECOND);
	pid = start(computes);
	while (!shared->worked)
		sched_yield();
	check_count(value_of(pid, B, 0), UNITS, "pmc9.5.23: the value of one that computes on");
	refused(CALL(GET_COUNTER_VALUE, .pid = pid, .ctr = B, .flags = CHILDREN), EOPNOTSUPP,
		"pmc9.5.25: what it has inherited keeps no sum of its children");
	CALL(DISABLE_COUNTER, .ctr = B);
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.22: the counter keeps its event while it runs in a child");
	shared->seen = true;
	waitpid(pid, NULL, 0);
}

/* Its status: bits of what is wrong */
static void as_child(void)
{
	int wrong = value(B) ? 1 : 0;

	work(UNITS);
	wrong |= value(B) == UNITS && CALL(COUNTER_ISRUNNING, .ctr = B) ? 0 : 2;
	wrong |= CALL(DISABLE_COUNTER, .ctr = B) || CALL(COUNTER_ISRUNNING, .ctr = B) ? 4 : 0;
	work(UNITS);
	wrong |= value(B) == UNITS ? 0 : 8;
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

#define SET_USER_ID	"/tmp/pmc9-set-user-id"

static void executes(void)
{
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", done[1]);
	tell(done[1]);
	await(go[0]);
	execl(SET_USER_ID, "pmc9", "executed", fd, NULL);
	bail_out(SET_USER_ID);
}

/* Such a program ends all events of perf */
static void set_user_id(void)
{
	char self[128] = "", command[512];
	pid_t pid;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		bail_out("/proc/self/exe");
	snprintf(command, sizeof(command), "cp %s %s && chown %d %s && chmod 4755 %s", self,
		 SET_USER_ID, USER_ID, SET_USER_ID, SET_USER_ID);
	if (system(command))
		bail_out(command);
	CALL(DISABLE_COUNTER, .ctr = B);	/* for it, too */
	pid = start_told(executes);
	start_of(pid, B, SECOND, 0);
	value_of(pid, B, 0);
	tell(go[1]);
	await(done[0]);
	refused(CALL(GET_COUNTER_VALUE, .pid = pid, .ctr = B), ESRCH,
		"pmc9.5.23: no value when a set-user-ID program has ended the counter");
	refused(CALL(ENABLE_COUNTER, .pid = pid, .ctr = B), ESRCH,
		"pmc9.5.12: which does not start again");
	start_of(pid, B, SECOND, 0);
	zero(CALL(GET_COUNTER_VALUE, .pid = pid, .ctr = B), "pmc9.5.22: a new event counts again");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(SET_USER_ID);
}

static unsigned long expected_overflows(count_t count, unsigned int period)
{
	return (unsigned long)(count / period);
}

static void check_overflows(int pid, const char *what, const char *after)
{
	unsigned long before = number_in(OVERFLOWS), seen;

	must(CALL(ENABLE_COUNTER, .pid = pid, .ctr = B), "enable");
	work(20 * UNITS);
	CALL(DISABLE_COUNTER, .pid = pid, .ctr = B);
	seen = number_in(OVERFLOWS) - before;
	check_count(seen, expected_overflows(value_of(pid, B, 0), PERIOD), what);
	work(2 * UNITS);
	check_count(number_in(OVERFLOWS) - before, seen, after);
}

/* Others of perf may have what a counter needs, or it may overflow too often */

static int start_and_read(unsigned int reset_value)
{
	start_of(0, B, SECOND, reset_value);
	work(20 * UNITS);

	return CALL(GET_COUNTER_VALUE, .ctr = B);
}

/* Events that take all counters of CPU 0 */
static void take_counters(int fd[2])
{
	static const unsigned int event[2] = { FIRST, SECOND };
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .size = sizeof(attr), .pinned = 1 };
	int i;

	for (i = 0; i < 2; i++) {
		attr.config = event[i];
		fd[i] = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
		if (fd[i] < 0)
			bail_out("perf_event_open");
	}
}

static void set_rate(const char *rate)
{
	int fd = open("/proc/sys/kernel/perf_event_max_sample_rate", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, rate, strlen(rate)) < 0)
		bail_out("perf_event_max_sample_rate");
	close(fd);
}

static void work_much(void)
{
	work(20 * UNITS);
}

static void not_counted(void)
{
	int fd[2], ret, sum;

	take_counters(fd);
	ret = start_and_read(0);
	close(fd[0]);
	close(fd[1]);
	refused(ret, EBUSY, "pmc9.5.23: no value if others of perf have had the counter");
	zero(start_and_read(0), "pmc9.5.23: the next event has one again");

	set_rate("250");
	ret = start_and_read(PERIOD);
	refused(ret, EBUSY, "pmc9.2.03 pmc9.5.23: no value if it overflows too often for perf");
	start_of(0, B, SECOND, PERIOD);
	waitpid(start(work_much), NULL, 0);
	ret = CALL(GET_COUNTER_VALUE, .ctr = B);
	sum = CALL(GET_COUNTER_VALUE, .ctr = B, .flags = CHILDREN);
	set_rate("100000");
	zero(ret, "pmc9.5.23: but one if it does in a child");
	refused(sum, EBUSY, "pmc9.5.25: whose sum there is not");
}

static void overflows(void)
{
	CALL(DISABLE_COUNTER, .ctr = B);
	zero(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND, .reset_value = PERIOD),
	     "pmc9.2.03: a counter may overflow");
	check_overflows(0, "pmc9.2.03 pmc9.5.15: each reset_value events, in a process",
			"pmc9.5.17: not after it has stopped");
}

/* A child goes on when its parent has ended and others ask for counters */

static void orphan(void)
{
	tell(done[1]);
	await(go[0]);
	work(UNITS);
	_exit(value(B) != UNITS);
}

static void parent_of_an_orphan(void)
{
	start_counter(B, SECOND);
	start(orphan);
	await(done[0]);
	_exit(0);
}

static void orphans(void)
{
	int status;

	if (pipe(go) || pipe(done) || prctl(PR_SET_CHILD_SUBREAPER, 1))
		bail_out("a child's child");
	waitpid(start(parent_of_an_orphan), NULL, 0);
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.27: the kernel does not take what a child has inherited");
	tell(go[1]);
	wait(&status);
	check(status == 0, "pmc9.3.05: a child counts on when its parent has ended", "status %x",
	      status);
	zero(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND),
	     "pmc9.5.27: it does when both have ended");
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
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
	while_it_runs();
	start_counter(B, SECOND);
	check_children();
	forks();
	by_a_process();
	overflows();
	not_counted();
	set_user_id();
}

static count_t work_of_kernel(unsigned long long n)
{
	count_t before = value_of(PMC9_KERNEL, B, 0);

	CALL(WORK, .value = n);

	return value_of(PMC9_KERNEL, B, 0) - before;
}

/* On the second CPU, if there is one, without a store */
static void spins(void)
{
	bool second = only_on(1);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	shared->worked = true;
	while (second && !shared->seen)
		;
}

/*
 * A reading interrupts the other CPU, whose stores count as well: as many each time if it
 * is never idle.
 */
static void counts_the_kernel(void)
{
	count_t least[2] = { -1ULL, -1ULL }, got;
	pid_t pid;
	int i;

	shared->worked = shared->seen = false;
	pid = start(spins);
	while (!shared->worked)
		sched_yield();
	for (i = 0; i < 2 * ROUNDS; i++) {
		got = work_of_kernel(i % 2 ? 3 * LOOP : LOOP);
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	shared->seen = true;
	waitpid(pid, NULL, 0);
	check_count(least[1] - least[0], 2 * LOOP,
		    "pmc9.2.05 pmc9.5.27: a loop of the kernel is counted exactly");
}

static void reserved(void)
{
	zero(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = STORES),
	     "pmc9.5.27: the kernel takes a counter");
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = STORES), EBUSY,
		"pmc9.5.27: once");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.22 pmc9.5.27: no process has it meanwhile");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = B), true, "pmc9.5.21: it is configured for all");
	is(CALL(COUNTER_ISCONFIGURED, .ctr = A), false, "pmc9.5.21: the other one is not");
	is(CALL(ENABLED), true, "pmc9.5.31: the kernel uses counters");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), false, "pmc9.5.19: it does not run yet");
	zero(CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B), "pmc9.5.27: it starts");
	is(CALL(COUNTER_ISRUNNING, .ctr = B), true, "pmc9.5.19: and runs for all");
	counts_the_kernel();
	zero(CALL(FREE_KERNEL_COUNTER, .ctr = B), "pmc9.5.28: the kernel gives it back");
	refused(CALL(FREE_KERNEL_COUNTER, .ctr = B), ENXIO, "pmc9.5.28: once");
	is(CALL(ENABLED), false, "pmc9.5.31: nothing is in use then");
	refused(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = 32), ENODEV,
		"pmc9.5.27: no counter has event 32");
}

static void take_for_kernel(unsigned int reset_value)
{
	must(CALL(ALLOC_KERNEL_COUNTER, .ctr = B, .event_id = SECOND,
		  .reset_value = reset_value), "the kernel's counter");
}

static void work_in_turns(void)
{
	take_turns(1);
}

static void over_switches(void)
{
	count_t before;
	pid_t pid;

	take_for_kernel(0);
	must(CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B), "enable");
	before = value_of(PMC9_KERNEL, B, 0);
	pid = start(work_in_turns);
	take_turns(1);
	waitpid(pid, NULL, 0);
	check_count(value_of(PMC9_KERNEL, B, 0) - before, 2 * TURNS,
		    "pmc9.5.08 pmc9.5.11: it counts over 250 switches");
	check(has_switched(), "pmc9.5.08 pmc9.5.11: which there were", "fewer than %d", TURNS / 2);
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
}

static void overflows_of_the_kernel(void)
{
	take_for_kernel(PERIOD);
	check_overflows(PMC9_KERNEL, "pmc9.2.03: each reset_value events, in the kernel",
			"pmc9.5.17: not after it has stopped");
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
}

/* It is pinned, but so are others that came before it and are enabled later */
static void taken_from_the_kernel(void)
{
	int fd[2];

	take_counters(fd);
	take_for_kernel(0);
	refused(CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B), EBUSY,
		"pmc9.5.27: it does not start while others of perf have it");
	refused(CALL(GET_COUNTER_VALUE, .pid = PMC9_KERNEL, .ctr = B), EBUSY,
		"pmc9.5.23: and has no value");
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
	take_for_kernel(0);
	ioctl(fd[0], PERF_EVENT_IOC_DISABLE, 0);
	ioctl(fd[1], PERF_EVENT_IOC_DISABLE, 0);
	zero(CALL(ENABLE_COUNTER, .pid = PMC9_KERNEL, .ctr = B), "pmc9.5.27: taken again, it does");
	zero(CALL(GET_COUNTER_VALUE, .pid = PMC9_KERNEL, .ctr = B), "pmc9.5.23: with a value");
	ioctl(fd[0], PERF_EVENT_IOC_ENABLE, 0);
	ioctl(fd[1], PERF_EVENT_IOC_ENABLE, 0);
	refused(CALL(GET_COUNTER_VALUE, .pid = PMC9_KERNEL, .ctr = B), EBUSY,
		"pmc9.5.23: which it has no more when it has lost its counter");
	close(fd[0]);
	close(fd[1]);
	CALL(FREE_KERNEL_COUNTER, .ctr = B);
}

static void of_the_kernel(void)
{
	only_on(0);
	reserved();
	over_switches();
	overflows_of_the_kernel();
	taken_from_the_kernel();
	zero(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND),
	     "pmc9.5.28: then a process can have it");
}

/*
 * /proc/profile: the size of a slot, and a number for each. A 64-bit kernel gives the
 * size as half a long, on a big-endian CPU the upper half, which is 0.
 */
#define SLOT	4	/* "profile=kvm,2" */
#define LOADS	18
#define PASSES	200

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
	unsigned int size, slot;

	*all = *there = 0;
	if (!file || fread(&size, sizeof(size), 1, file) != 1 || (size && size != SLOT))
		bail_out("/proc/profile");
	for (; fread(&slot, sizeof(slot), 1, file) == 1; at += SLOT) {
		*all += slot;
		if (at + SLOT > from && at < to)
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
	zero(CALL(START_PROFILING, .ctr = B, .event_id = LOADS, .reset_value = PERIOD),
	     "pmc9.5.29: a profile starts");
	refused(CALL(CONFIGURE_COUNTER, .ctr = B, .event_id = SECOND), EBUSY,
		"pmc9.5.29: the kernel has the counter");
	CALL(WORK, .ctr = 1, .value = PASSES);
	zero(CALL(STOP_PROFILING, .ctr = B), "pmc9.5.30: it stops");
	hits(&all[1], &there[1]);
	check(there[1] - there[0] >= PASSES * 65536 / PERIOD * 9 / 10,
	      "pmc9.5.29: /proc/profile has the hits of the function that loads most",
	      "%lu of %lu", there[1] - there[0], all[1] - all[0]);
	check(there[1] - there[0] > (all[1] - all[0]) * 8 / 10,
	      "pmc9.5.29: most are there", "%lu of %lu", there[1] - there[0], all[1] - all[0]);
	CALL(WORK, .ctr = 1, .value = PASSES);
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
}

static void work_a_unit(void)
{
	work(UNITS);
}

/* A process cannot give back its counters: so each part has a process of its own */
static void part(void (*run_part)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		run_part();
		fflush(stdout);
		shared->nr = nr;
		shared->failed = nr_failed;
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (status)
		bail_out("a part has ended");
	nr = shared->nr;
	nr_failed = shared->failed;
}

static void work_and_overflow(void)
{
	work(UNITS / 10);
	_exit(0);
}

/*
 * For a test of unloading: a process with a counter, which ends, or which stays, says so
 * and begins one child after the other
 */
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
	if (!strcmp(what, "leave"))
		return 0;
	wait(NULL);
	start_of(0, B, SECOND, 1000);
	close(device);
	puts("stays");
	fflush(stdout);
	for (;;) {
		start(work_and_overflow);
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		tell(atoi(argv[2]));
		pause();
	}
	if (argc > 1)
		return count_and(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (!ON_R10K) {
		printf("1..0 # SKIP pmc.ko is for the guest\n");
		return 0;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		bail_out("mmap");
	if (load("pmc") || load("pmc9_test"))
		bail_out("modules");
	device = open("/dev/pmc9", O_RDWR | O_CLOEXEC);
	if (device < 0)
		bail_out("/dev/pmc9");
	if (access(DRIVER, F_OK)) {
		part(generic);
	} else {
		part(orphans);
		part(of_a_process);
		part(of_the_kernel);
		part(access("/proc/profile", F_OK) ? no_profiles : profiles);
	}
	check(unload("pmc") < 0 && errno == EWOULDBLOCK, "pmc.ko stays while a module uses it",
	      "%s", strerror(errno));
	close(device);
	check(unload("pmc9_test") == 0 && unload("pmc") == 0, "both modules unload", "%s",
	      strerror(errno));

	return finish();
}
