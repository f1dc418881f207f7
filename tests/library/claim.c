// SPDX-License-Identifier: GPL-2.0-only
/*
 * Claims on the real counters of all CPUs: what they count, what they leave to others,
 * and when they end. Prints TAP; needs root. With a command as arguments, it runs that
 * while it counts by a claim.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "../unit/process.h"
#include "additions.h"
#include "check.h"

#define CYCLES		0	/* counter 0 on the R10000 */
#define TLB		23	/* the same counter as ADDITION on the R10000 */
#define STEPS		100000L
#define TIMES		20

static struct irixperf_claim *claim;

static int count(unsigned int event)
{
	unsigned char mode[IRIXPERF_EVENTS] = { 0 };

	mode[event] = HWPERF_CNTEN_U;

	return irixperf_claim_count(claim, mode, NULL);
}

static int begin(unsigned int flags, unsigned int event)
{
	int ret = irixperf_claim(&claim, flags);

	return ret < 0 ? ret : count(event);
}

static void end(void)
{
	irixperf_claim_close(claim);
	claim = NULL;
}

static unsigned long long additions_on(int cpu)
{
	struct irixperf_count counts[IRIXPERF_EVENTS];
	int ret = irixperf_claim_read(claim, cpu, counts);

	return ret < 0 ? (unsigned long long)ret : counts[ADDITION].value;
}

static bool go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);

	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

static void each_cpu_exactly(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), good = 0;
	int ret = begin(0, ADDITION), cpu;

	check(ret == 0, "a claim counts", "got: %d", ret);
	for (cpu = 0; cpu < cpus; cpu++) {
		if (go_to(cpu))
			run_steps(STEPS - 1);
		good += additions_on(cpu) == STEPS;
	}
	for (cpu = 0; cpu < cpus; cpu++)
		good += additions_on(cpu) == STEPS;
	check_count(good, 2 * cpus, "each CPU has its own additions, and no others");
	count(ADDITION);
	run_steps(STEPS - 1);
	check_count(additions_on((int)cpus - 1), STEPS, "a new choice starts from zero");
	ret = irixperf_claim_read(claim, (int)cpus, NULL);
	check(ret == -ENOENT, "there is no CPU behind the last", "got: %d", ret);
	end();
}

/* A program with a claim that counts @event; it has died when the function returns */
static bool one_that_is_killed(unsigned int event)
{
	int ready[2], ret = -1;
	pid_t pid;

	if (pipe(ready) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		ret = begin(0, event);
		if (write(ready[1], &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -1;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);

	return ret == 0;
}

/* Not a moment later */
static void free_when_it_has_ended(void)
{
	int i, good = 0;

	for (i = 0; i < TIMES; i++) {
		if (!one_that_is_killed(ADDITION) || begin(0, ADDITION) < 0)
			break;
		run_steps(STEPS - 1);
		good += additions_on(sched_getcpu()) == STEPS;
		end();
	}
	check_count(good, TIMES, "after kill -9 and wait(2) the counters are free");
}

static void free_for_the_next_command(void)
{
	int i, good = 0;

	for (i = 0; i < TIMES; i++)
		good += system("cpustat -n -c 15 0.01 1 > /dev/null") == 0;
	check_count(good, TIMES, "... and one cpustat runs after the other");
}

static void free_for_user_mode(void)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	hwperf_cntr_t counts;
	int i, good = 0, fd = open_process(getpid());

	arg.hwp_evctrargs.hwp_evctrl[ADDITION].hwperf_creg.hwp_ev = ADDITION - 16;
	arg.hwp_evctrargs.hwp_evctrl[ADDITION].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	for (i = 0; i < TIMES; i++) {
		if (!one_that_is_killed(ADDITION) || ioctl(fd, PIOCENEVCTRS, &arg) <= 0)
			break;
		run_steps(STEPS - 1);
		good += ioctl(fd, PIOCGETEVCTRS, &counts) > 0 &&
			counts.hwp_evctr[ADDITION] == STEPS;
		ioctl(fd, PIOCRELEVCTRS);
	}
	check_count(good, TIMES, "... and a program counts in user mode at once");

	ioctl(fd, PIOCENEVCTRS, &arg);
	begin(0, CYCLES);
	check(ioctl(fd, PIOCSETEVCTRL, &arg) < 0 && errno == EBUSY,
	      "while there is a claim, it cannot", "got: %s", strerror(errno));
	end();
	ioctl(fd, PIOCRELEVCTRS);
	close(fd);
}

/* What a second program gets that shares the counters */
static int beside(unsigned int event)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(-begin(IRIXPERF_CLAIM_SHARED, event));
	waitpid(pid, &status, 0);

	return -WEXITSTATUS(status);
}

static bool is_r12000(void)
{
	struct irixperf_cpu cpu;

	return irixperf_cpu_detect(&cpu) == 0 && cpu.chip == IRIXPERF_R12000;
}

/* On the R10000 additions and TLB misses need the same counter */
static void first_come_first_served(void)
{
	int first = begin(IRIXPERF_CLAIM_SHARED, ADDITION);
	int same = beside(TLB), another = beside(CYCLES);

	check(first == 0 && another == 0, "two programs share the two counters",
	      "got: %d and %d", first, another);
	check(same == (is_r12000() ? 0 : -ENOSPC), "one counter cannot be shared",
	      "got: %d", same);
	end();
	same = beside(TLB);
	check(same == 0, "it is free after the first program", "got: %d", same);
}

static int run(char **command)
{
	int status = 0;
	pid_t pid;

	if (begin(0, ADDITION) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	waitpid(pid, &status, 0);

	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run(argv + 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	each_cpu_exactly();
	free_when_it_has_ended();
	free_for_the_next_command();
	free_for_user_mode();
	first_come_first_served();
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
