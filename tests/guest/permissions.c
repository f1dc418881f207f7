// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user without privileges may count the same as with any other PMU, at each level
 * of perf_event_paranoid; exception level counts as part of the kernel. No sample of
 * such a user contains an address of the kernel.
 */
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define USER		1000
#define CAPABILITY_PERFMON	38
#define NR_LEVELS	5		/* -1 to 3 */

enum whom { SELF, PARENT, EVERYBODY };
enum privilege { ROOT, PERFMON, NONE };

struct request {
	const char *what;
	unsigned int modes;
	unsigned int exl;
	enum whom whom;
	uint64_t period;
	int first_refused;	/* the lowest level that refuses it */
	bool ours_alone;	/* other PMUs do not have it */
};

static const struct request requests[] = {
	{ "user mode", PMU_U, .first_refused = 3 },
	{ "user mode, sampled", PMU_U, .period = 10000, .first_refused = 3 },
	{ "kernel mode", PMU_K | PMU_EXL, .first_refused = 2 },
	{ "kernel mode, sampled", PMU_K | PMU_EXL, .period = 10000,
	  .first_refused = 2 },
	{ "all modes", PMU_ALL, .first_refused = 2 },
	{ "all modes, sampled", PMU_ALL, .period = 10000, .first_refused = 2 },
	{ "user mode on a CPU", PMU_U, .whom = EVERYBODY, .first_refused = 1 },
	{ "all modes on a CPU", PMU_ALL, .whom = EVERYBODY,
	  .first_refused = 1 },
	{ "a task of root", PMU_U, .whom = PARENT, .first_refused = -1 },
	{ "user mode with exl=1", PMU_U, PMU_EXL_ALWAYS, .first_refused = 2,
	  .ours_alone = true },
	{ "exl=1 alone", 0, PMU_EXL_ALWAYS, .first_refused = 2,
	  .ours_alone = true },
	{ "exl=1 alone, sampled", 0, PMU_EXL_ALWAYS, .period = 10000,
	  .first_refused = 2, .ours_alone = true },
	{ "user mode with exl=2", PMU_U, PMU_EXL_NEVER, .first_refused = 3,
	  .ours_alone = true },
	{ "kernel mode with exl=2", PMU_K, PMU_EXL_NEVER, .first_refused = 2,
	  .ours_alone = true },
};

static bool has_level_3;
static pid_t root_pid;

static void set_level(int level)
{
	FILE *file = fopen(PARANOID, "w");

	if (!file || fprintf(file, "%d", level) < 0 || fclose(file))
		tap_bail_errno(PARANOID);
}

/* Changing the UID drops all of root's privileges except this one */
static void keep_perfmon(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	data[1].permitted = 1u << (CAPABILITY_PERFMON - 32);
	data[1].effective = data[1].permitted;
	if (syscall(SYS_capset, &header, data))
		_exit(ENOSYS);
}

static void become(enum privilege privilege)
{
	if (privilege == ROOT)
		return;
	if (prctl(PR_SET_KEEPCAPS, privilege == PERFMON) || setgid(USER) ||
	    setuid(USER))
		_exit(ENOSYS);
	if (privilege == PERFMON)
		keep_perfmon();
}

static int open_request(const struct request *r, bool software)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, EV_INSNS | r->exl, r->modes);
	attr.sample_period = r->period;
	attr.sample_type = r->period ? PERF_SAMPLE_IP : 0;
	if (software) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
	}
	return pmu_open_attr(&attr, r->whom == SELF ? 0 :
			     r->whom == PARENT ? root_pid : -1,
			     r->whom == EVERYBODY ? 0 : -1, -1);
}

static int in_child(enum privilege privilege, int (*fn)(const void *arg),
		    const void *arg)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		tap_bail_errno("fork");
	if (!pid) {
		become(privilege);
		_exit(fn(arg));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == ENOSYS)
		tap_bail("the child ended with status %x\n", status);
	return WEXITSTATUS(status);
}

static int errno_of_ours(const void *request)
{
	return open_request(request, false) < 0 ? errno : 0;
}

static int errno_of_software(const void *request)
{
	return open_request(request, true) < 0 ? errno : 0;
}

/* Debian's kernel has this level; other kernels treat it as 2 */
static bool find_level_3(void)
{
	set_level(3);
	return in_child(NONE, errno_of_software, &requests[0]) == EACCES;
}

static int expected_errno(const struct request *r, int level)
{
	if (level == 3 && !has_level_3)
		level = 2;
	return level >= r->first_refused ? EACCES : 0;
}

static void check_request(const struct request *r)
{
	int level, got, bad = 0;
	char what[96];

	for (level = -1; level < NR_LEVELS - 1; level++) {
		set_level(level);
		got = in_child(NONE, errno_of_ours, r);
		if (got == expected_errno(r, level))
			continue;
		bad++;
		tap_note("at %d expected: %s, got: %s\n", level,
			 strerror(expected_errno(r, level)), strerror(got));
	}
	snprintf(what, sizeof(what), "a user and %s: refused from level %d on",
		 r->what, r->first_refused);
	check_true(what, !bad, "not so at %d levels", bad);
}

static void check_as_others(const struct request *r)
{
	int level, ours, other, bad = 0;
	char what[96];

	for (level = -1; level < NR_LEVELS - 1; level++) {
		set_level(level);
		ours = in_child(NONE, errno_of_ours, r);
		other = in_child(NONE, errno_of_software, r);
		if (ours == other)
			continue;
		bad++;
		tap_note("at %d the other PMU says: %s, ours: %s\n", level,
			 strerror(other), strerror(ours));
	}
	snprintf(what, sizeof(what), "a user and %s: as another PMU has it",
		 r->what);
	check_true(what, !bad, "not so at %d levels", bad);
}

static void check_privileged(enum privilege privilege, const char *who,
			     int level, int expected)
{
	size_t i, bad = 0;
	char what[96];
	int got;

	set_level(level);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		/* another user's task needs another capability */
		if (requests[i].whom == PARENT)
			continue;
		got = in_child(privilege, errno_of_ours, &requests[i]);
		if (got == expected)
			continue;
		bad++;
		tap_note("%s: %s\n", requests[i].what, strerror(got));
	}
	snprintf(what, sizeof(what), "%s at level %d: %s", who, level,
		 expected ? strerror(expected) : "may count everything");
	check_true(what, !bad, "not %zu of it", bad);
}

struct addresses {
	unsigned long samples;
	unsigned long kernel;
};

struct sampling {
	unsigned int modes;
	uint64_t period;
	struct addresses *found;	/* in shared memory */
};

/*
 * Check every word after the header: program counter, call chain, register. Words
 * from -4095 on are marks in the call chain.
 */
static void look_at_record(const struct perf_event_header *header, void *arg)
{
	const uint64_t *word = (const void *)(header + 1);
	struct addresses *found = arg;
	size_t i;

	if (header->type != PERF_RECORD_SAMPLE)
		return;
	found->samples++;
	for (i = 0; i < (header->size - sizeof(*header)) / sizeof(*word); i++)
		if (word[i] == PERF_CONTEXT_KERNEL ||
		    ((int64_t)word[i] < 0 && word[i] < (uint64_t)-4095))
			found->kernel++;
}

static int take_samples(const void *arg)
{
	const struct sampling *s = arg;
	struct perf_event_attr attr;
	struct ring ring;
	int fd, i;

	pmu_attr(&attr, EV_INSNS, s->modes);
	attr.sample_period = s->period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
			   PERF_SAMPLE_REGS_INTR;
	attr.sample_regs_intr = 1;	/* the program counter */
	/* Newer kernels refuse a user who does not exclude the kernel's part */
	attr.exclude_callchain_kernel = !(s->modes & PMU_K);
	fd = pmu_open_attr(&attr, 0, -1, -1);
	if (fd < 0)
		return errno;
	ring_map(&ring, fd, 64);
	pmu_enable(fd);
	/* For a short period, a tenth of the work gives enough samples */
	for (i = 0; i < (s->period < 100 ? 10 : 100); i++) {
		loop_run(&loops[LOOP_SC_SYSCALL], 2000);
		ring_drain(&ring, look_at_record, s->found);
	}
	pmu_disable(fd);
	return 0;
}

static void sample_as(enum privilege privilege, unsigned int modes,
		      uint64_t period, struct addresses *found)
{
	const struct sampling s = { modes, period, found };
	int err;

	memset(found, 0, sizeof(*found));
	err = in_child(privilege, take_samples, &s);
	if (err)
		tap_bail("sampling: %s\n", strerror(err));
	tap_note("period %llu: %lu samples, %lu addresses of the kernel\n",
		 (unsigned long long)period, found->samples, found->kernel);
}

/*
 * A system call every 10 instructions: with periods near this number, the kernel
 * handles many of the overflows while it runs a system call.
 */
static void check_addresses(void)
{
	static const uint64_t periods[] = { 10, 97, 997, 9973 };
	struct addresses *found = mmap(NULL, sizeof(*found),
				       PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char what[96];
	size_t i;

	if (found == MAP_FAILED)
		tap_bail_errno("mmap");
	set_level(2);
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		sample_as(NONE, PMU_U, periods[i], found);
		snprintf(what, sizeof(what),
			 "no address of the kernel for a user, period %llu",
			 (unsigned long long)periods[i]);
		check_true(what, found->samples > 100 && !found->kernel,
			   "%lu samples, %lu addresses", found->samples,
			   found->kernel);
	}
	sample_as(ROOT, PMU_ALL, 9973, found);
	check_true("root does see addresses of the kernel",
		   found->kernel > found->samples / 10, "%lu of %lu",
		   found->kernel, found->samples);
}

/*
 * Root counts a task that gives up its privileges and then forks: the fork must
 * succeed, no matter what root counts, and the child is counted as well.
 */
static int fork_as_user(const void *arg)
{
	unsigned long n = *(const unsigned long *)arg;
	pid_t pid;
	int status;

	raise(SIGSTOP);
	become(NONE);
	pid = fork();
	if (pid < 0)
		return errno;
	if (!pid) {
		loop_run(&loops[LOOP_MIX], n);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : ECHILD;
}

/* How the task ends */
static int count_forking(const struct request *r, unsigned long n,
			 uint64_t *value)
{
	struct perf_event_attr attr;
	int fd, status;
	pid_t pid = fork();

	if (pid < 0)
		tap_bail_errno("fork");
	if (!pid)
		_exit(fork_as_user(&n));
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		tap_bail("the task does not stop\n");
	pmu_attr(&attr, EV_STORES | r->exl, r->modes);
	attr.sample_period = r->period;
	attr.disabled = 0;
	attr.inherit = 1;
	fd = pmu_must_open_attr(&attr, pid, -1, -1,
				"an inherited event of root");
	kill(pid, SIGCONT);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		tap_bail("the task ended with status %x\n", status);
	*value = pmu_read(fd).value;
	pmu_close(fd);
	return WEXITSTATUS(status);
}

static void check_fork(const struct request *r)
{
	const unsigned long n = 1000000;
	uint64_t value;
	int err = count_forking(r, n, &value);
	char what[96];

	snprintf(what, sizeof(what), "root counts %s of a user, who forks",
		 r->what);
	check_true(what, !err && (!(r->modes & PMU_U) || value >= n),
		   "%s, count %llu", strerror(err), (unsigned long long)value);
}

static void check_forks(void)
{
	size_t i;

	set_level(has_level_3 ? 3 : 2);
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		if (requests[i].whom == SELF)
			check_fork(&requests[i]);
}

int main(void)
{
	size_t i, common = 0, forks = 0;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		common += !requests[i].ours_alone;
		forks += requests[i].whom == SELF;
	}
	tap_start(ARRAY_SIZE(requests) + common + 3 + forks + 5);
	root_pid = getpid();
	has_level_3 = find_level_3();
	tap_note("this kernel has %s level 3\n", has_level_3 ? "a" : "no");
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		check_request(&requests[i]);
		if (!requests[i].ours_alone)
			check_as_others(&requests[i]);
	}
	check_privileged(ROOT, "root", 3, 0);
	check_privileged(PERFMON, "a user with CAP_PERFMON", 2, 0);
	/* Debian's patch asks for CAP_SYS_ADMIN there */
	check_privileged(PERFMON, "a user with CAP_PERFMON", 3,
			 has_level_3 ? EACCES : 0);
	check_forks();
	check_addresses();
	set_level(2);
	return tap_end();
}
