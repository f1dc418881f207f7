// SPDX-License-Identifier: GPL-2.0-only
/* Processes that do one thing without a break: sample, and fork. */
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "loops.h"
#include "pmu.h"

#define MAP_SIZE	(9 * 4096)

static int open_sampling(unsigned int event, pid_t pid, int cpu)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, event, random_once_in(2) ? PMU_U : PMU_ALL);
	attr.sample_period = 20000 + random_size(20);
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CALLCHAIN;
	attr.disabled = 0;
	attr.inherit = pid >= 0 && cpu < 0 && random_once_in(2);
	return pmu_open_attr(&attr, pid, cpu, -1);
}

/* Both counters sample, one for the task and one for a CPU */
static void sample_once(void)
{
	int own = open_sampling(random_below(32), 0, -1);
	int all = open_sampling(random_below(32), -1, random_below(fuzz_nr_cpus));
	void *map = MAP_FAILED;

	if (own >= 0)
		map = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			   own, 0);
	loop_run(&loops[LOOP_MIX], 20000 + random_size(17));
	if (map != MAP_FAILED)
		munmap(map, MAP_SIZE);
	if (all >= 0)
		close(all);
	if (own >= 0) {
		close(own);
		fuzz_did(COUNT_SAMPLINGS);
	}
}

void role_sampler(void)
{
	for (;;)
		sample_once();
}

static void leaf(void)
{
	alarm(2);
	loop_run(&loops[LOOP_INT], 1 + random_size(13));
	if (random_once_in(4)) {
		fuzz_did(COUNT_EXECS);
		execl(fuzz_self, fuzz_self, "--nothing", NULL);
	}
	_exit(0);
}

/* Some of the children end by themselves, the others are killed */
static void fork_some(void)
{
	pid_t pid[12];
	unsigned int i, n = 1 + random_below(12);

	for (i = 0; i < n; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			random_seed(random_bits() + getpid());
			leaf();
		}
		fuzz_did(COUNT_FORKS);
	}
	for (i = 0; i < n; i++) {
		if (pid[i] > 0 && random_once_in(3) && !kill(pid[i], SIGKILL))
			fuzz_did(COUNT_KILLS);
		if (pid[i] > 0)
			waitpid(pid[i], NULL, 0);
	}
}

/* Events that each child inherits, so that contexts are cloned and folded */
void role_forker(void)
{
	struct perf_event_attr attr;
	int fd[2];

	for (;;) {
		pmu_attr(&attr, random_below(32), PMU_U);
		attr.inherit = 1;
		attr.disabled = 0;
		fd[0] = pmu_open_attr(&attr, 0, -1, -1);
		fd[1] = open_sampling(random_below(32), 0, -1);
		fork_some();
		if (fd[0] >= 0)
			close(fd[0]);
		if (fd[1] >= 0)
			close(fd[1]);
	}
}
