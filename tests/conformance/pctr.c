// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pctr by its requests, as pctr(4) of OpenBSD describes them: rows of pctr4.tsv.
 * Prints TAP.
 *
 * usage: pctr [without]
 *
 * With an argument it is on a machine without counters.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <irixperf.h>
#include <machine/cpu.h>
#include <machine/pctr.h>
#include "conf.h"

#define MODES		(PCTR_U | PCTR_K)
#define WORD(event)	((unsigned int)(PCTR_EN | (event)))
#define LIMIT		(1ULL << 40)

static int rw, ro;
static unsigned int counters;

static int set(unsigned int ctr, unsigned int fn)
{
	return ioctl(rw, PCIOCS0 + ctr, &fn);
}

static void set_good(unsigned int ctr, unsigned int fn)
{
	if (set(ctr, fn) < 0)
		bail_out("a function");
}

static void clear(void)
{
	unsigned int ctr;

	for (ctr = counters; ctr-- > 0;)
		set_good(ctr, 0);
}

static struct pctrst state(void)
{
	struct pctrst st;

	if (ioctl(ro, PCIOCRD, &st) < 0)
		bail_out("PCIOCRD");

	return st;
}

static count_t count_now(unsigned int ctr)
{
	return state().pctr_hwc[ctr];
}

static void check_number(long got, long expected, const char *what)
{
	check(got == expected, what, "expected: %lx, got: %lx", expected, got);
}

/* The size of a request's argument; some kernels have a bit more for it */
static long size_of(unsigned long request)
{
	return request >> 16 & 0x1fff;
}

static void layout(void)
{
	check_number(size_of(PCIOCRD), 56,
		    "pctr4.2.01 pctr4.2.03: PCIOCRD has a structure of 56 bytes");
	check_number((long)(offsetof(struct pctrst, pctr_fn) << 16 |
			    offsetof(struct pctrst, pctr_tsc) << 8 |
			    offsetof(struct pctrst, pctr_hwc)), 16 << 8 | 24,
		    "pctr4.2.03: functions, time stamp and counts are in this order");
	check_number(PCTR_NUM, 4, "pctr4.2.02: it has four counters");
	check_number(size_of(PCIOCS0), (long)sizeof(unsigned int),
		    "pctr4.3.03: PCIOCS0 takes an unsigned int");
	check_number((long)(PCIOCS3 - PCIOCS0), 3,
		    "pctr4.1.09: each counter has a request of its own");
	check_number((long)sizeof(pctrval), 8, "pctr4.1.10: the headers have pctrval");
	check_number(PCTR_U | PCTR_K | PCTR_E | PCTR_EN | PCTR_I, 0xc70000,
		    "pctr4.6.04: the flags are in the second byte");
	check_number(PCTR_UM_M | PCTR_UM_E | PCTR_UM_S | PCTR_UM_I, 0x0f00,
		    "pctr4.6.17: the four states have four bits");
	check_number(PCTR_UM_MESI, 0x0f00, "pctr4.6.18: PCTR_UM_MESI is all of them");
}

static void opens(void)
{
	struct pctrst st;
	int copy = dup(ro), status = -1;
	pid_t pid;

	check_done(ro, "pctr4.7.01: /dev/pctr can be opened for reading");
	check_done(rw, "pctr4.7.01: root opens it for writing");
	check_refused(open("/dev/pctr1", O_RDONLY), ENOENT,
		      "pctr4.1.01: there is no second one");
	check_done(ioctl(ro, PCIOCRD, &st), "pctr4.1.08: one request reads all");
	check_done(ioctl(copy, PCIOCRD, &st), "pctr4.7.01: a copy of a descriptor works");
	close(copy);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(ioctl(ro, PCIOCRD, &st) < 0);
	waitpid(pid, &status, 0);
	check_number(status, 0, "pctr4.7.01: a child has the descriptor, too");
	check_refused(ioctl(copy, PCIOCRD, &st), EBADF, "pctr4.7.01: a closed one is closed");
}

static void refusals(void)
{
	static const unsigned int bits[] = {
		PCTR_E, PCTR_I, 1U << PCTR_CM_SHIFT, 0x80000000, 1U << PCTR_UM_SHIFT,
		PCTR_UM_MESI, PCTR_UM_A, 0x080000, 0x100000, 0x200000,
	};
	unsigned int fn = WORD(0) | PCTR_U, i, accepted = 0;

	check_refused(ioctl(ro, PCIOCS0, &fn), EPERM,
		      "pctr4.3.02 pctr4.8.03: a descriptor for reading sets nothing");
	for (i = 0; i < COUNT(bits); i++)
		accepted += set(0, fn | bits[i]) == 0 || errno != EINVAL;
	check_count(accepted, 0, "pctr4.6.01 pctr4.6.08 pctr4.6.11 pctr4.6.12 pctr4.8.02: "
		    "what only x86 CPUs have is refused");
	for (accepted = 0, i = IRIXPERF_EVENTS; i < 256; i++)
		accepted += set(0, fn | i) == 0 || errno != EINVAL;
	check_count(accepted, 0, "pctr4.6.22 pctr4.8.02: event numbers end at 31");
	for (i = counters; i < PCTR_NUM; i++)
		check_refused(set(i, fn), EINVAL,
			      "pctr4.1.04 pctr4.1.06: there is no third counter");
	check(state().pctr_fn[0] == 0, "pctr4.8.02: after that no function is set", "%x",
	      state().pctr_fn[0]);
}

/* Which of the first two counters can count an event */
static unsigned int counters_of(unsigned int event)
{
	unsigned int ctr, found = 0;

	for (ctr = 0; ctr < 2; ctr++)
		if (set(ctr, WORD(event) | PCTR_U) == 0)
			found |= 1U << ctr;
	clear();

	return found;
}

static void events(int halves)
{
	unsigned int event, wrong = 0;

	for (event = 0; event < IRIXPERF_EVENTS; event++)
		wrong += counters_of(event) != (halves ? event < 16 ? 1 : 2 : 3);
	check_count(wrong, 0, "pctr4.1.02 pctr4.1.05 pctr4.3.04 pctr4.6.22: each event is a "
		    "function of its counter");
}

static count_t count_units(unsigned int ctr, long n)
{
	count_t before = count_now(ctr);

	work(n);

	return count_now(ctr) - before;
}

/*
 * All that this CPU does in user mode is counted. Of additions of doubles, nothing else
 * does any; of instructions and page faults, others do fewer than this work has on the
 * emulated machine, and elsewhere any number.
 */
static void check_work(unsigned int ctr, const char *what)
{
	const count_t least = UNITS * (ctr == 0 ? FIRST_COST : 1);
	count_t got = count_units(ctr, UNITS);

	if (ON_R10K && ctr == 1)
		check_count(got, least, what);
	else
		check(got >= least && (!ON_R10K || got < 2 * least), what,
		      "expected: %llu, and of others fewer, got: %llu", least, got);
}

static void counts(void)
{
	count_t before;

	set_good(0, WORD(FIRST) | PCTR_U);
	check_work(0, "pctr4.2.05 pctr4.6.05: the count is that of the work in user mode");
	work(100 * UNITS);
	before = count_now(0);
	set_good(0, WORD(FIRST) | PCTR_U);
	if (ON_R10K)
		check_at_most(count_now(0), before / 2,
			      "pctr4.3.01: a new function counts from zero");
	check_number(state().pctr_fn[0], WORD(FIRST) | PCTR_U,
		    "pctr4.2.04 pctr4.3.01: PCIOCRD tells the function");
	set_good(1, WORD(SECOND) | PCTR_U);
	check_work(1, "pctr4.2.05 pctr4.6.05: ... to the last one, where nobody else does any");
	clear();
	check_count(state().pctr_hwc[0], 0, "pctr4.2.05: without a function there is no count");
}

/* Both counters, one event: only where each has all events */
static void two_modes(int halves)
{
	struct pctrst st;

	if (ON_R10K && halves) {
		check_refused(set(0, WORD(SECOND) | PCTR_U), EINVAL,
			      "pctr4.1.05: counter 0 has no event of counter 1");
		return;
	}
	set_good(0, WORD(SECOND) | PCTR_U);
	set_good(1, WORD(SECOND) | PCTR_K);
	work(UNITS);
	st = state();
	check_at_least(st.pctr_hwc[0], UNITS,
		       "pctr4.6.05 pctr4.6.06: one event in user mode, and ...");
	check_number(st.pctr_fn[1], WORD(SECOND) | PCTR_K,
		     "pctr4.6.05 pctr4.6.06: ... in kernel mode at once");
	if (ON_R10K)
		check_count(st.pctr_hwc[1], 0, "pctr4.6.06: ... in which nobody does any");
	clear();
}

/* Work that the kernel does for this process; its amount does not matter */
static void kernel_work(void)
{
	size_t size = 100 * (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int zero = open("/dev/zero", O_RDONLY);

	if (memory == MAP_FAILED || zero < 0 || read(zero, memory, size) < 0)
		bail_out("work of the kernel");
	close(zero);
	munmap(memory, size);
}

static void modes(void)
{
	count_t before, kernel;

	set_good(0, WORD(FIRST) | PCTR_K);
	before = count_now(0);
	kernel_work();
	kernel = count_now(0) - before;
	check_at_least(kernel, 90, "pctr4.6.06: PCTR_K counts the kernel's work");
	set_good(0, WORD(FIRST));
	work(UNITS);
	check_count(count_now(0), 0, "pctr4.6.07: without PCTR_U and PCTR_K nothing is counted");
	set_good(0, FIRST | PCTR_U);
	work(UNITS);
	check_count(count_now(0), 0, "pctr4.6.09: without PCTR_EN in counter 0 it counts nothing");
	set_good(1, WORD(SECOND) | PCTR_U);
	work(UNITS);
	check_count(count_now(1), 0, "pctr4.6.09: ... and counter 1 neither");
	set_good(0, WORD(FIRST) | PCTR_U);
	check_work(1, "pctr4.6.09 pctr4.1.09: with it both count");
	set_good(1, SECOND | PCTR_U);
	check_work(1, "pctr4.6.10: PCTR_EN in counter 1 has no effect");
	clear();
}

/* Two functions that count the same */
static void snapshot(int halves)
{
	struct pctrst st;

	set_good(0, WORD(15) | PCTR_U);
	set_good(1, WORD(halves ? 17 : ON_R10K ? 15 : SECOND) | PCTR_U);
	work(UNITS);
	st = state();
	/* Elsewhere the kernel counts these in software, one after the other */
	check(st.pctr_hwc[0] > 0 && (!ON_R10K || st.pctr_hwc[0] == st.pctr_hwc[1]),
	      "pctr4.1.08: all counts are of one moment", "%llu and %llu",
	      (count_t)st.pctr_hwc[0], (count_t)st.pctr_hwc[1]);
	check(st.pctr_hwc[0] < LIMIT && st.pctr_hwc[1] < LIMIT,
	      "pctr4.1.07: a count has no more than 40 bits", "%llu",
	      (count_t)st.pctr_hwc[0]);
	clear();
}

static void program_sets(void)
{
	set_good(0, WORD(FIRST) | PCTR_U);
	set_good(1, WORD(SECOND) | MODES);
	close(rw);
	_exit(0);
}

static void outlives(void)
{
	struct pctrst st;
	int status;
	pid_t pid = start(program_sets);

	waitpid(pid, &status, 0);
	check_number(status, 0, "pctr4.2.04: a program sets functions, and ends");
	st = state();
	check(st.pctr_fn[0] == (WORD(FIRST) | PCTR_U) && st.pctr_fn[1] == (WORD(SECOND) | MODES),
	      "pctr4.2.04: another one reads the functions", "%x %x", st.pctr_fn[0],
	      st.pctr_fn[1]);
	check_work(1, "pctr4.2.04: ... and its counts go on");
	clear();
}

static void direct(void)
{
	count_t before, after;
	pctrval now;

	set_good(0, WORD(FIRST) | PCTR_U);
	before = count_now(0);
	now = rdpmc(0);
	after = count_now(0);
	check(before <= now && now <= after, "pctr4.5.02: rdpmc(0) has the count of counter 0",
	      "%llu, %llu, %llu", before, (count_t)now, after);
	check(now < LIMIT, "pctr4.5.03: it has no more than 40 bits", "%llu", (count_t)now);
	check_count(rdpmc(1), 0, "pctr4.5.02: rdpmc(1) has that of counter 1");
	check_count(rdpmc(PCTR_NUM), -1ULL, "pctr4.5.02: there is no rdpmc(4)");
	clear();
}

/* Nanoseconds since the start of the machine */
static count_t uptime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);

	return now.tv_sec * 1000000000ULL + (count_t)now.tv_nsec;
}

/* Time stamps a nanosecond */
static double rate(void)
{
	count_t time = uptime();
	pctrval stamp = pctr_rdtsc();

	usleep(50000);
	stamp = pctr_rdtsc() - stamp;

	return (double)stamp / (double)(uptime() - time);
}

/* Time stamps a cycle of this CPU, which is never idle meanwhile */
static double cycles_of_counter(void)
{
	struct pctrst before, after;

	set_good(0, WORD(CYCLES) | MODES);
	before = state();
	work(100 * UNITS);
	after = state();
	clear();

	return (double)(after.pctr_tsc - before.pctr_tsc) /
	       (double)(after.pctr_hwc[0] - before.pctr_hwc[0]);
}

static void stamps(void)
{
	pctrval before = pctr_rdtsc(), stamp = state().pctr_tsc, after = pctr_rdtsc();
	double cycles = rate();

	check(before < stamp && stamp < after,
	      "pctr4.2.06 pctr4.4.04: the time stamp is taken during the request",
	      "%llu, %llu, %llu", (count_t)before, (count_t)stamp, (count_t)after);
	if (ON_R10K) {
		double of_cpu = cycles_of_counter();

		check(of_cpu > 0.99 && of_cpu < 1.01,
		      "pctr4.2.06 pctr4.4.02: it grows with each cycle of the CPU",
		      "%f times a cycle", of_cpu);
	} else {
		check(cycles > 0.1 && cycles < 10, "pctr4.4.02: it grows with each cycle of "
		      "a clock", "%f a nanosecond", cycles);
	}
	check((double)(UINT64_MAX - stamp) / cycles > 1e9 * 86400 * 365 * 50,
	      "pctr4.4.03: it will not overflow in fifty years", "%llu", (count_t)stamp);
	if (ON_R10K) {
		double since = (double)pctr_rdtsc() / cycles / (double)uptime();

		check(since > 0.8 && since < 1.25,
		      "pctr4.4.01: it was zero when the machine started", "%f", since);
	}
}

/* Another program, for whom there is no event map */
static int without(void)
{
	unsigned int fn = WORD(FIRST) | PCTR_U;
	struct pctrst st;

	rw = open(_PATH_PCTR, O_RDWR);
	if (rw < 0 || ioctl(rw, PCIOCS0, &fn) == 0 || errno != ENODEV)
		return 1;

	return ioctl(rw, PCIOCRD, &st) == 0 && st.pctr_tsc > 0 && st.pctr_fn[0] == 0 ? 0 : 2;
}

static void no_counters(const char *self)
{
	int status = -1;
	pid_t pid;

	if (ON_R10K)
		return;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setenv("IRIXPERF_EVENTMAP", "/no/such/map", 1);
		execl(self, self, "without", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	check_number(status, 0, "pctr4.8.01 pctr4.1.03: without counters there is ENODEV, and "
		    "the time stamp");
}

static int user_writes(void)
{
	return open(_PATH_PCTR, O_RDWR) < 0 ? errno : 0;
}

static int user_reads(void)
{
	struct pctrst st;
	int fd = open(_PATH_PCTR, O_RDONLY);

	return fd < 0 || ioctl(fd, PCIOCRD, &st) < 0 ? errno : 0;
}

static int user_sets(void)
{
	return set(0, WORD(FIRST) | PCTR_U) < 0 ? errno : 0;
}

static void users(void)
{
	check_number(as_user(user_writes), EACCES, "pctr4.7.01: only root opens it for writing");
	check_number(as_user(user_reads), 0, "pctr4.7.01: every user reads");
	check_number(as_user(user_sets), EPERM, "pctr4.3.02: a descriptor of root's is not "
		    "enough for a user");
}

static void stay_here(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

int main(int argc, char **argv)
{
	struct irixperf_cpu cpu;
	int halves;

	if (argc > 1)
		return without();
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (irixperf_cpu_detect(&cpu) < 0)
		bail_out("no counters");
	halves = cpu.chip == IRIXPERF_R10000_V2 || cpu.chip == IRIXPERF_R10000_V3;
	counters = ON_R10K ? 2 : PCTR_NUM;
	stay_here();
	rw = open(_PATH_PCTR, O_RDWR);
	ro = open(_PATH_PCTR, O_RDONLY);

	layout();
	opens();
	refusals();
	events(halves);
	counts();
	modes();
	two_modes(halves);
	snapshot(halves);
	outlives();
	direct();
	stamps();
	no_counters(argv[0]);
	users();

	return finish();
}
