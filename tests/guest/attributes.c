// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bits of perf_event_attr work as on any other PMU: pinned, exclusive, all
 * kinds of inherit, exec, exl, freq, and the bits that the driver refuses.
 *
 * tests/run boots this with virtual time bound to the instruction count.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "tap.h"
#include "child.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define N	1000000ul
#define CALLS	20000ul

static int error_of(struct perf_event_attr *attr, int cpu, int group)
{
	int fd = pmu_open_attr(attr, 0, cpu, group);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void check_errno(const char *what, int got, int expected)
{
	if (got != expected)
		tap_note("expected: %s\n", strerror(expected));
	check_true(what, got == expected, "%s",
		   got ? strerror(got) : "it opens");
}

static void run_mix(void *n)
{
	loop_run(&loops[LOOP_MIX], *(unsigned long *)n);
}

static int open_pinned(unsigned int event)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, event, PMU_U);
	attr.pinned = 1;
	return pmu_must_open_attr(&attr, 0, -1, -1, "an event");
}

/*
 * Three pinned events that all need the same counter on the R10000, and need three
 * counters on the R12000: at least the last one gets none, and its read must show it.
 */
static void check_pinned(void)
{
	const unsigned int want[] = { EV_LOADS, EV_STORES, EV_FP };
	unsigned int nr = pmu_chip() == PMU_CHIP_R12000 ? 3 : 2, i;
	struct pmu_count c;
	int fd[3];
	ssize_t len;

	for (i = 0; i < nr; i++) {
		fd[i] = open_pinned(want[i]);
		pmu_enable(fd[i]);
	}
	loop_run(&loops[LOOP_MIX], N);
	c = pmu_read(fd[0]);
	check_true("a pinned event has its counter all the time",
		   c.running == c.enabled && c.value >= 2 * N, "%llu loads",
		   (unsigned long long)c.value);
	len = read(fd[nr - 1], &c, sizeof(c));
	check_true("one pinned too many: its read gives 0 bytes", len == 0,
		   "%zd bytes", len);
	for (i = 0; i < nr - 1; i++)
		pmu_close(fd[i]);
	pmu_enable(fd[nr - 1]);
	loop_run(&loops[LOOP_MIX], N);
	c = pmu_read(fd[nr - 1]);
	check_true("enabled again with the others gone, it counts",
		   c.value >= N && c.value < 2 * N, "%llu",
		   (unsigned long long)c.value);
	pmu_close(fd[nr - 1]);
}

/* The two events would fit: only the bit keeps them from running together */
static void check_exclusive(void)
{
	struct perf_event_attr attr;
	struct pmu_count c[2];
	int fd[2], i;

	for (i = 0; i < 2; i++) {
		pmu_attr(&attr, i ? EV_INSNS : EV_LOADS, PMU_U);
		attr.exclusive = !i;
		fd[i] = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
		pmu_enable(fd[i]);
	}
	loop_run(&loops[LOOP_MIX], 20 * N);
	for (i = 0; i < 2; i++)
		pmu_disable(fd[i]);
	for (i = 0; i < 2; i++) {
		c[i] = pmu_read(fd[i]);
		pmu_close(fd[i]);
	}
	check_true("an exclusive event has the CPU to itself, in its turns",
		   c[0].running && c[1].running &&
		   c[0].running + c[1].running < 1.05 * c[0].enabled,
		   "%llu and %llu of %llu ns",
		   (unsigned long long)c[0].running,
		   (unsigned long long)c[1].running,
		   (unsigned long long)c[0].enabled);
}

static void fork_mix(unsigned long n)
{
	pid_t child = child_hold(run_mix, &n);

	child_let_go(child);
	child_await(child);
}

struct reads {
	unsigned int nr;
	uint64_t sum;
};

static void add_read(const struct perf_event_header *header, void *arg)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t value;
	} *record = (const void *)header;
	struct reads *reads = arg;

	if (header->type != PERF_RECORD_READ)
		return;
	reads->nr++;
	reads->sum += record->value;
}

/* Counts two children, which run n and 2 n iterations */
static uint64_t count_with_stat(unsigned long n, struct reads *reads)
{
	struct perf_event_attr attr;
	struct ring ring;
	uint64_t value;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.inherit = 1;
	attr.inherit_stat = 1;
	fd = pmu_must_open_attr(&attr, 0, 0, -1, "an event");
	ring_map(&ring, fd, 4);
	pmu_enable(fd);
	fork_mix(n);
	fork_mix(2 * n);
	pmu_disable(fd);
	memset(reads, 0, sizeof(*reads));
	ring_drain(&ring, add_read, reads);
	value = pmu_read(fd).value;
	ring_unmap(&ring);
	pmu_close(fd);
	return value;
}

/* Linux 6.18 writes a record when a child ends, Linux 6.12 and older do not */
static unsigned int expected_reads(void)
{
	unsigned int major, minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		tap_bail("the kernel's version cannot be told\n");
	return major > 6 || (major == 6 && minor > 12) ? 2 : 0;
}

static void check_inherit_stat(void)
{
	struct reads few, many;
	unsigned int reads = expected_reads();
	uint64_t less, more;

	pmu_stay_on_cpu0(true);
	less = count_with_stat(N, &few);
	more = count_with_stat(2 * N, &many);
	pmu_stay_on_cpu0(false);
	check_equal("inherit_stat: two children's loads are added exactly",
		    more - less, 2 * 3 * N);
	check_equal("inherit_stat: as many records as this kernel writes",
		    many.nr, reads);
	check_equal("inherit_stat: the records have the children's counts",
		    many.sum - few.sum, reads ? 2 * 3 * N : 0);
}

struct group_read {
	uint64_t nr, enabled, running, value[2];
};

struct work {
	unsigned long n;
	int fd;
};

static void count_mix(void *arg)
{
	struct work *work = arg;

	usleep(10000);		/* the parent's own event counts, too: let it wait */
	loop_count(&loops[LOOP_MIX], work->n, work->fd);
}

/*
 * What a child counts while it runs n iterations. It enables the events itself: libc
 * has loads in delay slots, and a branch counts twice if the TLB does not have the
 * page of such a load.
 */
static struct group_read count_group(unsigned long n)
{
	struct perf_event_attr attr;
	struct group_read got;
	struct work work;
	pid_t child;
	int sibling;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.inherit = 1;
	attr.read_format |= PERF_FORMAT_GROUP;
	work.n = n;
	work.fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
	attr.config = EV_LOADS;
	attr.disabled = 0;
	sibling = pmu_must_open_attr(&attr, 0, -1, work.fd, "an event");
	child = child_hold(count_mix, &work);
	child_let_go(child);
	child_await(child);
	if (read(work.fd, &got, sizeof(got)) != sizeof(got) || got.nr != 2)
		tap_bail("an inherited group does not read\n");
	pmu_close(sibling);
	pmu_close(work.fd);
	return got;
}

static void check_group_inherit(void)
{
	struct group_read few = count_group(N), many = count_group(3 * N);
	unsigned int i;

	for (i = 0; i < 2; i++)
		check_equal("a group with inherit, read at once: exact",
			    many.value[i] - few.value[i], 2 * N *
			    loop_expect(&loops[LOOP_MIX],
					i ? EV_LOADS : EV_INSNS));
}

static void *thread_mix(void *n)
{
	run_mix(n);
	return NULL;
}

static void start_thread(unsigned long n)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_mix, &n) ||
	    pthread_join(thread, NULL))
		tap_bail("a thread does not run\n");
}

static uint64_t count_inherit_thread(void (*start)(unsigned long), unsigned long n)
{
	struct perf_event_attr attr;
	uint64_t value;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.inherit = 1;
	attr.inherit_thread = 1;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
	pmu_enable(fd);
	start(n);
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	return value;
}

/* libc does more when it starts the first thread */
static uint64_t difference_of(void (*start)(unsigned long))
{
	uint64_t few;

	count_inherit_thread(start, N);
	few = count_inherit_thread(start, N);
	return count_inherit_thread(start, 2 * N) - few;
}

static void check_inherit_thread(void)
{
	/* libc's way of starting and ending a thread varies */
	check_near("inherit_thread: a thread counts",
		   difference_of(start_thread), 2 * N, 1e-3);
	check_equal("inherit_thread: a forked child does not",
		    difference_of(fork_mix), 0);
}

static void check_inherit_refused(void)
{
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.inherit = 1;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
	check_true("the buffer of an inherited event of any CPU: EINVAL",
		   mmap(NULL, 2 * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0) == MAP_FAILED && errno == EINVAL,
		   "%s", strerror(errno));
	attr.inherit = 0;
	check_errno("a group in which not all inherit: EINVAL",
		    error_of(&attr, -1, fd), EINVAL);
	pmu_close(fd);
}

struct program {
	unsigned long before;
	char **argv;
};

static void run_then_exec(void *arg)
{
	struct program *p = arg;

	loop_run(&loops[LOOP_MIX], p->before);
	execv(p->argv[0], p->argv);
}

/* The child does three times as much work after its exec as before */
static uint64_t count_until_exec(char *self, unsigned long n)
{
	char *argv[] = { self, "--loop", "3000000", NULL };
	struct program p = { n, argv };
	pid_t child = child_hold(run_then_exec, &p);
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.disabled = 0;
	attr.remove_on_exec = 1;
	fd = pmu_must_open_attr(&attr, child, -1, -1, "an event");
	return child_count(child, fd);
}

static void check_remove_on_exec(char *self)
{
	uint64_t few = count_until_exec(self, N);
	struct perf_event_attr attr;

	check_equal("remove_on_exec: exact up to there",
		    count_until_exec(self, 2 * N) - few, 2 * N);
	check_true("remove_on_exec: nothing from there on",
		   few < 2 * N + 1000, "%llu loads", (unsigned long long)few);
	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.remove_on_exec = 1;
	attr.enable_on_exec = 1;
	check_errno("remove_on_exec and enable_on_exec: EINVAL",
		    error_of(&attr, -1, -1), EINVAL);
}

/* Instructions of CALLS system calls: the difference of twice as many and these */
static uint64_t count_calls(bool no_user, bool no_kernel, unsigned int exl)
{
	struct perf_event_attr attr;
	uint64_t value[2];
	int fd, i;

	for (i = 0; i < 2; i++) {
		pmu_attr(&attr, EV_INSNS, PMU_ALL);
		attr.config |= exl;
		attr.exclude_user = no_user;
		attr.exclude_kernel = no_kernel;
		fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
		pmu_enable(fd);
		loop_run(&loops[LOOP_SC_SYSCALL], (i + 1) * CALLS);
		pmu_disable(fd);
		value[i] = pmu_read(fd).value;
		pmu_close(fd);
	}
	return value[1] - value[0];
}

/* What each value of exl adds, and takes away */
static void check_exl(void)
{
	uint64_t user = CALLS * loop_expect(&loops[LOOP_SC_SYSCALL], EV_INSNS);
	uint64_t exl = count_calls(true, true, PMU_EXL_ALWAYS);
	uint64_t kernel = count_calls(true, false, PMU_EXL_NEVER);

	check_true("exl=1 alone counts some instructions of each call",
		   exl >= 2 * CALLS && exl < kernel, "%llu",
		   (unsigned long long)exl);
	check_equal("user mode, exl=0: nothing of exception level",
		    count_calls(false, true, PMU_EXL_WITH_KERNEL), user);
	check_near("user mode, exl=1: exception level as well",
		   count_calls(false, true, PMU_EXL_ALWAYS), user + exl, 0.01);
	check_equal("user mode, exl=2: nothing of exception level",
		    count_calls(false, true, PMU_EXL_NEVER), user);
	check_near("kernel mode, exl=0: exception level as well",
		   count_calls(true, false, PMU_EXL_WITH_KERNEL), kernel + exl,
		   0.01);
	check_near("kernel mode, exl=1: exception level as well",
		   count_calls(true, false, PMU_EXL_ALWAYS), kernel + exl, 0.01);
	check_near("both modes, exl=2: all but exception level",
		   count_calls(false, false, PMU_EXL_NEVER), kernel + user, 0.01);
	check_equal("no mode, exl=0: nothing",
		    count_calls(true, true, PMU_EXL_WITH_KERNEL), 0);
	check_equal("no mode, exl=2: nothing",
		    count_calls(true, true, PMU_EXL_NEVER), 0);
}

static void count_sample(const struct perf_event_header *header, void *arg)
{
	*(unsigned long *)arg += header->type == PERF_RECORD_SAMPLE;
}

/* The core needs some time to adapt the period: only what comes after it counts */
static void check_frequency(void)
{
	const unsigned long frequency = 2000;
	struct perf_event_attr attr;
	unsigned long samples = 0, settled = 0;
	struct ring ring;
	struct pmu_count c[2];
	int fd;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.freq = 1;
	attr.sample_freq = frequency;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event");
	ring_map(&ring, fd, 64);
	pmu_enable(fd);
	loop_run(&loops[LOOP_INT], 4 * N);
	ring_drain(&ring, count_sample, &settled);
	c[0] = pmu_read(fd);
	loop_run(&loops[LOOP_INT], 16 * N);
	pmu_disable(fd);
	ring_drain(&ring, count_sample, &samples);
	c[1] = pmu_read(fd);
	ring_unmap(&ring);
	pmu_close(fd);
	check_near("2000 samples a second, by a period that perf adapts",
		   samples, frequency * 1e-9 * (c[1].running - c[0].running),
		   0.05);
}

static void check_refused(void)
{
	struct perf_event_attr attr;
	unsigned int precise;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.exclude_idle = 1;
	check_errno("exclude_idle: EOPNOTSUPP", error_of(&attr, -1, -1),
		    EOPNOTSUPP);
	check_errno("exclude_idle on a CPU: EOPNOTSUPP", error_of(&attr, 0, -1),
		    EOPNOTSUPP);
	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.exclude_host = 1;
	check_errno("exclude_host: EOPNOTSUPP", error_of(&attr, -1, -1),
		    EOPNOTSUPP);
	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.sample_period = 100000;
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	check_errno("branch stacks: EOPNOTSUPP", error_of(&attr, -1, -1),
		    EOPNOTSUPP);
	for (precise = 1; precise <= 3; precise++) {
		pmu_attr(&attr, EV_INSNS, PMU_U);
		attr.sample_period = 100000;
		attr.precise_ip = precise;
		check_errno("precise_ip: EOPNOTSUPP", error_of(&attr, -1, -1),
			    EOPNOTSUPP);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--loop")) {
		loop_run(&loops[LOOP_MIX], strtoul(argv[2], NULL, 10));
		return 0;
	}
	tap_start(3 + 1 + 3 + 2 + 2 + 2 + 3 + 9 + 1 + 7);
	check_pinned();
	check_exclusive();
	check_inherit_stat();
	check_group_inherit();
	check_inherit_thread();
	check_inherit_refused();
	check_remove_on_exec(argv[0]);
	check_exl();
	check_frequency();
	check_refused();
	return tap_end();
}
