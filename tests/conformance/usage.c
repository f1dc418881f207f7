// SPDX-License-Identifier: GPL-2.0-only
/*
 * PIOCGETPREVCTRS: pages 12 to 14 of r10k_evcntrs(5). The program does a known
 * amount of each thing, and the member has to grow by it. Prints TAP.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>
#include "conf.h"

#define SECOND_NS	1000000000LL
#define GIGABYTE	(1ULL << 30)
#define PAGES		2000
#define TICK		20000000	/* ns: the kernel tells hundredths */

static hwperf_prusage_t before, after;
static hwperf_cntr_t counts;
static int self;

static int look(hwperf_prusage_t *usage)
{
	return ioctl(self, PIOCGETPREVCTRS, usage);
}

static long long ns(timespec_t time)
{
	return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);

	return ns(time);
}

/* Kernels can be built without this file: its numbers are 0 then */
static bool no_io(const char *what)
{
	if (access("/proc/self/io", R_OK) == 0)
		return false;
	skip(what, "the kernel keeps no account of input and output");

	return true;
}

/* @old gets the CPUs that were allowed before */
static void stay_on_this_cpu(cpu_set_t *old)
{
	cpu_set_t one;

	sched_getaffinity(0, sizeof(*old), old);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void check_between(count_t got, count_t low, count_t high,
			  const char *what)
{
	check(got >= low && got <= high, what,
	      "expected: %llu to %llu, got: %llu", low, high, got);
}

static void times(void)
{
	long long start, end;

	start = now(CLOCK_REALTIME);
	look(&after);
	end = now(CLOCK_REALTIME);
	check_between(ns(after.pu_tstamp), start, end, "8.29: pu_tstamp");
}

static hwperf_prusage_t *by_itself;

static void look_and_stop(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	self = open_process(getpid());
	if (look(by_itself) < 0)
		_exit(1);
	raise(SIGSTOP);
}

/* The start of a child, as it and as others tell it: between two looks at the clock */
static void start_of_a_child(void)
{
	hwperf_profevctrarg_t arg;
	long long low, high;
	pid_t pid;
	int fd;

	by_itself = mmap(NULL, sizeof(*by_itself), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (by_itself == MAP_FAILED)
		bail_out("mmap");
	want_only(&arg, FIRST);
	low = now(CLOCK_REALTIME) - TICK;
	pid = start(look_and_stop);
	high = now(CLOCK_REALTIME) + TICK;
	await_stop(pid);
	check_between(ns(by_itself->pu_starttime), low, high, "8.30: pu_starttime");
	fd = open_process(pid);
	if (ioctl(fd, PIOCENEVCTRS, &arg) < 0 || ioctl(fd, PIOCGETPREVCTRS, &after) < 0)
		bail_out("a child's usage");
	check_between(ns(after.pu_starttime), low, high, "8.30: another's start");
	end(pid);
	close(fd);
	munmap(by_itself, sizeof(*by_itself));
}

static count_t us(struct timeval time)
{
	return (count_t)(time.tv_sec * SECOND_NS + time.tv_usec * 1000LL);
}

static void compute(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
}

static void call(void)
{
	for (int i = 0; i < 1000; i++)
		access("/no/such/file", F_OK);
}

/* Do it until the kernel says that it has taken a tenth of a second of this time */
static void check_time(void (*run)(void), const timespec_t *time, const char *what)
{
	time_t since = 0;
	long long start;

	look(&after);
	start = ns(*time);
	do {
		run();
		look(&after);
	} while (ns(*time) - start < SECOND_NS / 10 && !hangs(&since));
	check_at_least((count_t)(ns(*time) - start), SECOND_NS / 10, what);
}

static void cpu_times(void)
{
	struct rusage low, high;
	long long start, end;

	check_time(compute, &after.pu_utime, "8.31: pu_utime");
	check_time(call, &after.pu_stime, "8.32: pu_stime");
	start = now(CLOCK_PROCESS_CPUTIME_ID);
	look(&after);
	end = now(CLOCK_PROCESS_CPUTIME_ID);
	check_between((count_t)(ns(after.pu_utime) + ns(after.pu_stime)),
		      (count_t)(start - TICK), (count_t)(end + TICK),
		      "8.31 8.32: with pu_stime it is the CPU's time");
	getrusage(RUSAGE_SELF, &low);
	look(&after);
	getrusage(RUSAGE_SELF, &high);
	check_between((count_t)ns(after.pu_utime), us(low.ru_utime),
		      us(high.ru_utime), "8.31: pu_utime is the kernel's");
	check_between((count_t)ns(after.pu_stime), us(low.ru_stime),
		      us(high.ru_stime), "8.32: pu_stime is the kernel's");
}

/* Memory that is gone at the end; and what it was like when it was there */
static void memory(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	count_t size, resident;
	cpu_set_t old;
	char *area;

	stay_on_this_cpu(&old);
	look(&after);
	look(&before);
	area = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(area, PAGES * page, MADV_NOHUGEPAGE);
	look(&after);
	size = after.pu_size - before.pu_size;
	check_count(size, PAGES, "8.50: pu_size in pages");
	look(&before);
	for (i = 0; i < PAGES; i++)
		((volatile char *)area)[i * page] = 1;
	look(&after);
	sched_setaffinity(0, sizeof(old), &old);
	/* Kernels count resident pages for each CPU and add up later */
	resident = after.pu_rss - before.pu_rss;
	check_between(resident, PAGES - 300, PAGES + 300, "8.51: pu_rss in pages");
	check_between(after.pu_minf - before.pu_minf, PAGES, PAGES + 20,
		      "8.33: pu_minf");
	check_count(after.pu_vfault, after.pu_minf + after.pu_majf,
		    "8.54: pu_vfault is all of them");
	munmap(area, PAGES * page);
}

static void switches(void)
{
	struct rusage low, high;
	time_t since = 0;

	/* Who is late finds that his time has come, and does not sleep */
	look(&before);
	do {
		usleep(1000);
		getrusage(RUSAGE_SELF, &low);
	} while ((count_t)low.ru_nvcsw < before.pu_vctx + 20 && !hangs(&since));
	look(&after);
	getrusage(RUSAGE_SELF, &high);
	check_at_least(after.pu_vctx - before.pu_vctx, 20, "8.40: pu_vctx grows");
	check_between(after.pu_vctx, (count_t)low.ru_nvcsw,
		      (count_t)high.ru_nvcsw, "8.40: pu_vctx is the kernel's");
	check_between(after.pu_ictx, (count_t)low.ru_nivcsw,
		      (count_t)high.ru_nivcsw, "8.41: pu_ictx is the kernel's");
}

static void spin(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		__asm__ volatile("" : : : "memory");
}

/* Two that want the same CPU: who yields it could have gone on */
static void involuntary_switches(void)
{
	struct rusage ru;
	time_t since = 0;
	cpu_set_t old;
	pid_t pid;

	stay_on_this_cpu(&old);
	pid = start(spin);
	look(&before);
	do {
		sched_yield();
		getrusage(RUSAGE_SELF, &ru);
	} while ((count_t)ru.ru_nivcsw <= before.pu_ictx && !hangs(&since));
	look(&after);
	end(pid);
	sched_setaffinity(0, sizeof(old), &old);
	check(after.pu_ictx > before.pu_ictx, "8.41: pu_ictx grows",
	      "%llu, then %llu", (count_t)before.pu_ictx,
	      (count_t)after.pu_ictx);
	check_at_least(after.pu_ictx, (count_t)ru.ru_nivcsw,
		       "8.41: it has all that there were");
}

static count_t bytes(__uint64_t gigabytes, __uint64_t rest)
{
	return gigabytes * GIGABYTE + rest;
}

#define MANY		130	/* times 8 megabytes */

/* Many small calls, and bytes beyond the gigabyte */
static void reads_and_writes(void)
{
	static char area[8 << 20];
	int zero, null, i;

	if (no_io("8.37 8.38 8.43 8.44: bytes and calls"))
		return;
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	look(&before);
	for (i = 0; i < 100; i++)
		if (read(zero, area, 1000) != 1000 ||
		    write(null, area, 100) != 100)
			bail_out("/dev/zero");
	look(&after);
	check_between(after.pu_syscr - before.pu_syscr, 100, 130, "8.43: pu_syscr");
	check_between(after.pu_syscw - before.pu_syscw, 100, 110, "8.44: pu_syscw");
	check_between(bytes(after.pu_gbread, after.pu_bread) -
		      bytes(before.pu_gbread, before.pu_bread),
		      100000, 120000, "8.37: pu_bread");
	check_between(bytes(after.pu_gbwrit, after.pu_bwrit) -
		      bytes(before.pu_gbwrit, before.pu_bwrit),
		      10000, 11000, "8.38: pu_bwrit");
	for (i = 0; i < MANY; i++)
		if (read(zero, area, sizeof(area)) != sizeof(area) ||
		    write(null, area, sizeof(area)) != sizeof(area))
			bail_out("/dev/zero");
	look(&before);
	check(before.pu_gbread == 1 && before.pu_bread < GIGABYTE,
	      "8.37: pu_gbread has the gigabytes", "%llu and %llu",
	      (count_t)before.pu_gbread, (count_t)before.pu_bread);
	check(before.pu_gbwrit == 1 && before.pu_bwrit < GIGABYTE,
	      "8.38: pu_gbwrit has the gigabytes", "%llu and %llu",
	      (count_t)before.pu_gbwrit, (count_t)before.pu_bwrit);
	check_between(bytes(before.pu_gbread, before.pu_bread) -
		      bytes(after.pu_gbread, after.pu_bread),
		      MANY * sizeof(area), MANY * sizeof(area) + 20000,
		      "8.37: both together are all bytes");
	check_between(bytes(before.pu_gbwrit, before.pu_bwrit) -
		      bytes(after.pu_gbwrit, after.pu_bwrit),
		      MANY * sizeof(area), MANY * sizeof(area) + 1000,
		      "8.38: both together are all bytes");
	close(zero);
	close(null);
}

#define FILE_SIZE	(1 << 20)

/* Until nothing of the file is in memory: a page that the kernel is busy with stays */
static void drop_from_memory(int fd)
{
	static unsigned char resident[FILE_SIZE / 4096];
	void *map = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	time_t since = 0;

	if (map == MAP_FAILED)
		bail_out("mmap");
	do {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (mincore(map, FILE_SIZE, resident))
			bail_out("mincore");
		if (hangs(&since)) {
			errno = ETIMEDOUT;
			bail_out("a file that stays in memory");
		}
	} while (memchr(resident, 1, sizeof(resident)));
	munmap(map, FILE_SIZE);
}

/* A file on a disk, or -1: one in memory has neither blocks nor major faults */
static int disk_file(void)
{
	static char text[FILE_SIZE];
	char name[] = "conformance.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		return -1;
	unlink(name);
	memset(text, 1, sizeof(text));
	look(&before);
	if (write(fd, text, sizeof(text)) != sizeof(text) || fsync(fd) < 0) {
		close(fd);
		return -1;
	}
	look(&after);
	if (after.pu_oublock == before.pu_oublock) {
		close(fd);
		return -1;
	}

	return fd;
}

static void major_faults(int fd)
{
	volatile char *map, sum = 0;
	size_t i;

	drop_from_memory(fd);
	map = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	madvise((void *)map, FILE_SIZE, MADV_RANDOM);
	look(&before);
	for (i = 0; i < FILE_SIZE; i += 65536)
		sum += map[i];
	look(&after);
	munmap((void *)map, FILE_SIZE);
	check_between(after.pu_majf - before.pu_majf, 1, FILE_SIZE / 4096,
		      "8.34: pu_majf grows");
	check_count(after.pu_vfault, after.pu_minf + after.pu_majf,
		    "8.34 8.54: pu_vfault has them");
}

static void disk(void)
{
	static char text[FILE_SIZE];
	const char *reason = "no file on a disk can be written here";
	struct rusage low, high;
	int fd = disk_file();

	getrusage(RUSAGE_SELF, &low);
	look(&after);
	getrusage(RUSAGE_SELF, &high);
	check_between(after.pu_majf, (count_t)low.ru_majflt, (count_t)high.ru_majflt,
		      "8.34: pu_majf is the kernel's");
	check_between(after.pu_inblock, (count_t)low.ru_inblock, (count_t)high.ru_inblock,
		      "8.52: pu_inblock is the kernel's");
	check_between(after.pu_oublock, (count_t)low.ru_oublock, (count_t)high.ru_oublock,
		      "8.53: pu_oublock is the kernel's");
	if (fd < 0) {
		skip("8.34 8.52 8.53: with a disk", reason);
		return;
	}
	check_between(after.pu_oublock - before.pu_oublock, FILE_SIZE / 512,
		      FILE_SIZE / 512 + 100, "8.53: pu_oublock");
	drop_from_memory(fd);
	look(&before);
	if (pread(fd, text, sizeof(text), 0) != sizeof(text))
		bail_out("the file");
	look(&after);
	check_between(after.pu_inblock - before.pu_inblock, FILE_SIZE / 512,
		      FILE_SIZE / 512 + 1000, "8.52: pu_inblock");
	major_faults(fd);
	close(fd);
}

#define ZERO(row, member)						\
	check_count(usage->member, 0, row #member " is not available: 0")

static void zeros(const hwperf_prusage_t *usage)
{
	static const __uint64_t none[8];

	ZERO("8.35: ", pu_utlb);
	ZERO("8.36: ", pu_nswap);
	ZERO("8.39: ", pu_sigs);
	ZERO("8.42: ", pu_sysc);
	ZERO("8.45: ", pu_syscps);
	ZERO("8.46: ", pu_sysci);
	ZERO("8.47: ", pu_graphfifo);
	ZERO("8.55: ", pu_ktlb);
	check(memcmp(usage->pu_graph_req, none, sizeof(none)) == 0,
	      "8.48: pu_graph_req is not available: 0", "it is not");
	check(memcmp(usage->pu_graph_wait, none, sizeof(none)) == 0,
	      "8.49: pu_graph_wait is not available: 0", "it is not");
}

static void the_request(void)
{
	hwperf_profevctrarg_t arg;
	int generation;

	want_none(&arg);
	want(&arg, FIRST, HWPERF_CNTEN_U);
	want(&arg, SECOND, HWPERF_CNTEN_U);
	generation = ioctl(self, PIOCENEVCTRS, &arg);
	memset(&after, 0xff, sizeof(after));
	work(UNITS);
	check_count((count_t)look(&after), (count_t)generation,
		    "9.19: PIOCGETPREVCTRS gives the generation");
	zeros(&after);
	check(after.pu_cpu_mon.cm_cntrs.hwp_evctr[FIRST] >= UNITS * FIRST_COST &&
	      after.pu_cpu_mon.cm_cntrs.hwp_evctr[SECOND] >= UNITS,
	      "8.26 8.56 9.17: it brings the counters beside the usage",
	      "it does not");
	check_refused(look((void *)8), EFAULT,
		      "9.18: to a bad address: EFAULT");
	ioctl(self, PIOCRELEVCTRS);
	ioctl(self, PIOCGETEVCTRS, &counts);
	look(&after);
	check(memcmp(&counts, &after.pu_cpu_mon.cm_cntrs, sizeof(counts)) == 0,
	      "8.56: the same as PIOCGETEVCTRS gives", "others");
}

static void stop_and_work(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	raise(SIGSTOP);
	work(UNITS);
	raise(SIGSTOP);
}

static void another_process(void)
{
	hwperf_profevctrarg_t arg;
	pid_t pid = start(stop_and_work);
	int fd, generation;
	time_t since = 0;

	await_stop(pid);
	fd = open_process(pid);
	want_only(&arg, SECOND);
	ioctl(fd, PIOCENEVCTRS, &arg);
	kill(pid, SIGCONT);
	await_stop(pid);
	/* It has stopped, but need not have left its CPU yet */
	do
		generation = ioctl(fd, PIOCGETPREVCTRS, &after);
	while (generation > 0 && after.pu_vctx == 0 && !hangs(&since));
	check_generation(generation, "9.17 9.18: another's usage");
	check_between(after.pu_cpu_mon.cm_cntrs.hwp_evctr[SECOND], UNITS,
		      2 * UNITS, "8.26 9.17: with its counts");
	check(after.pu_minf > 0 && after.pu_size > 0 && after.pu_vctx > 0 &&
	      ns(after.pu_tstamp) + TICK > ns(after.pu_starttime),
	      "9.17: and what it has used", "zeros");
	end(pid);
	close(fd);
}

int main(void)
{
	begin(&self);
	the_request();
	another_process();
	times();
	start_of_a_child();
	cpu_times();
	memory();
	switches();
	involuntary_switches();
	reads_and_writes();
	disk();

	return finish();
}
