// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each CPU counts: an event of a CPU has what ran there and nothing else, those of
 * all CPUs together have what all tasks executed, and a task's events for each CPU add
 * up to its event for any. Samples name the CPU and the task that they are of.
 *
 * Events of a CPU count everybody, so they count floating point: only this test has any.
 */
#include <sched.h>
#include <sys/prctl.h>

#include "tap.h"
#include "child.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define MAX_CPUS	64
#define ITERATIONS	100000ul
#define PERIOD		1000u
#define ROUNDS		50		/* of a task that goes from CPU to CPU */

/* A child that stays on one CPU and has floating point there, as has no other */
struct worker {
	int cpu;
	unsigned long iterations;
	pid_t pid;
};

/* What perf writes for PERF_SAMPLE_TID | PERF_SAMPLE_CPU */
struct sample {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint32_t cpu, reserved;
};

struct seen {
	const struct worker *worker;
	unsigned long own;		/* of this CPU and its worker */
	unsigned long others;
};

static int nr_cpus;

static int open_on(int cpu, uint64_t period)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, EV_FP, PMU_U);
	attr.disabled = 0;
	attr.sample_period = period;
	attr.sample_type = period ? PERF_SAMPLE_TID | PERF_SAMPLE_CPU : 0;
	return pmu_must_open_attr(&attr, -1, cpu, -1, "an event of a CPU");
}

/* Of one call of the loop, which first converts two operands */
static uint64_t fp_of(unsigned long iterations)
{
	return 2 + iterations * loop_expect(&loops[LOOP_FP], EV_FP);
}

/* The loop runs on each CPU in turn, and the events of all CPUs are looked at */
static void check_own_cpu(const int fds[])
{
	uint64_t before[MAX_CPUS], own, others;
	char what[96];
	int cpu, i;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		pmu_stay_on_cpu(cpu);
		for (i = 0; i < nr_cpus; i++)
			before[i] = pmu_read(fds[i]).value;
		loop_run(&loops[LOOP_FP], ITERATIONS);
		own = pmu_read(fds[cpu]).value - before[cpu];
		others = 0;
		for (i = 0; i < nr_cpus; i++)
			if (i != cpu)
				others += pmu_read(fds[i]).value - before[i];
		snprintf(what, sizeof(what), "a loop on CPU %d: the event of CPU %d",
			 cpu, cpu);
		check_equal(what, own, fp_of(ITERATIONS));
		snprintf(what, sizeof(what), "a loop on CPU %d: the events of other CPUs",
			 cpu);
		check_equal(what, others, 0);
	}
	pmu_stay_on_cpu(PMU_ANY_CPU);
}

/* A task's count is exact on each of the CPUs */
static void check_task_on_cpu(int cpu)
{
	const struct loop *loop = &loops[LOOP_MIX];
	uint64_t counts[2][2], start[2];
	struct pmu_pair pair;
	char what[96];
	int i, longer;

	pmu_stay_on_cpu(cpu);
	for (longer = 0; longer < 2; longer++) {
		pmu_pair_open(&pair, EV_INSNS, EV_LOADS, PMU_U);
		pmu_pair_read(&pair, start);
		loop_count(loop, ITERATIONS << longer, pair.fd[0]);
		pmu_pair_read(&pair, counts[longer]);
		pmu_pair_close(&pair);
		for (i = 0; i < 2; i++)
			counts[longer][i] -= start[i];
	}
	for (i = 0; i < 2; i++) {
		snprintf(what, sizeof(what), "a task on CPU %d: event %d", cpu,
			 i ? EV_LOADS : EV_INSNS);
		check_equal(what, counts[1][i] - counts[0][i], ITERATIONS *
			    loop_expect(loop, i ? EV_LOADS : EV_INSNS));
	}
	pmu_stay_on_cpu(PMU_ANY_CPU);
}

static void work(void *arg)
{
	const struct worker *worker = arg;

	pmu_stay_on_cpu(worker->cpu);
	loop_run(&loops[LOOP_FP], worker->iterations);
}

/* A worker on each CPU, all at the same time */
static void run_workers(struct worker workers[])
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		workers[cpu].cpu = cpu;
		workers[cpu].iterations = ITERATIONS * (cpu + 1);
		workers[cpu].pid = child_hold(work, &workers[cpu]);
	}
	for (cpu = 0; cpu < nr_cpus; cpu++)
		child_let_go(workers[cpu].pid);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		child_await(workers[cpu].pid);
}

static void check_system_wide(const int fds[])
{
	uint64_t before[MAX_CPUS], count, sum = 0, tasks = 0;
	struct worker workers[MAX_CPUS];
	char what[96];
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		before[cpu] = pmu_read(fds[cpu]).value;
	run_workers(workers);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		count = pmu_read(fds[cpu]).value - before[cpu];
		sum += count;
		tasks += fp_of(workers[cpu].iterations);
		snprintf(what, sizeof(what), "a task on each CPU: the event of CPU %d",
			 cpu);
		check_equal(what, count, fp_of(workers[cpu].iterations));
	}
	check_equal("a task on each CPU: the sum of the CPUs", sum, tasks);
}

/*
 * prctl() starts and stops all events in one call, so all see the same instructions of
 * user mode. Counter 0 has the event for any CPU, counter 1 those for one CPU each.
 */
static void check_task_by_cpu(void)
{
	const unsigned int again = pmu_chip() == PMU_CHIP_R12000 ? EV_INSNS :
								   EV_INSNS_CTR1;
	uint64_t sum = 0, least = UINT64_MAX, count;
	struct perf_event_attr attr;
	int any, fds[MAX_CPUS], i;

	any = pmu_must_open(EV_INSNS, PMU_U);
	pmu_attr(&attr, again, PMU_U);
	for (i = 0; i < nr_cpus; i++)
		fds[i] = pmu_must_open_attr(&attr, 0, i, -1, "a task's event of a CPU");
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
	for (i = 0; i < ROUNDS; i++) {
		pmu_stay_on_cpu(i % nr_cpus);
		loop_run(&loops[LOOP_INT], ITERATIONS / ROUNDS);
	}
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
	pmu_stay_on_cpu(PMU_ANY_CPU);
	for (i = 0; i < nr_cpus; i++) {
		count = pmu_read(fds[i]).value;
		sum += count;
		least = count < least ? count : least;
		pmu_close(fds[i]);
	}
	count = pmu_read(any).value;
	pmu_close(any);
	check_equal("a task that moves: the sum of its events for each CPU", sum, count);
	check_true("a task that moves: each CPU has its part",
		   least >= ROUNDS / nr_cpus * (ITERATIONS / ROUNDS) *
			    loop_expect(&loops[LOOP_INT], EV_INSNS),
		   "the least has %llu of %llu", (unsigned long long)least,
		   (unsigned long long)count);
}

static void add_sample(const struct perf_event_header *header, void *arg)
{
	const struct sample *sample = (const void *)header;
	struct seen *seen = arg;

	if (header->type == PERF_RECORD_SAMPLE &&
	    sample->cpu == (uint32_t)seen->worker->cpu &&
	    sample->pid == (uint32_t)seen->worker->pid)
		seen->own++;
	else
		seen->others++;
}

static void check_samples(void)
{
	struct worker workers[MAX_CPUS];
	struct ring rings[MAX_CPUS];
	int cpu, fds[MAX_CPUS];
	char what[96];

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		fds[cpu] = open_on(cpu, PERIOD);
		ring_map(&rings[cpu], fds[cpu], 64);
	}
	run_workers(workers);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		struct seen seen = { .worker = &workers[cpu] };

		pmu_disable(fds[cpu]);
		ring_drain(&rings[cpu], add_sample, &seen);
		snprintf(what, sizeof(what), "samples of CPU %d: of its task", cpu);
		check_equal(what, seen.own, fp_of(workers[cpu].iterations) / PERIOD);
		snprintf(what, sizeof(what), "samples of CPU %d: other records", cpu);
		check_equal(what, seen.others, 0);
		ring_unmap(&rings[cpu]);
		pmu_close(fds[cpu]);
	}
}

int main(void)
{
	struct perf_event_attr attr;
	int cpu, fds[MAX_CPUS], fd;

	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_cpus < 1 || nr_cpus > MAX_CPUS)
		tap_bail("%d CPUs are online\n", nr_cpus);
	tap_start(2 * nr_cpus + 2 * nr_cpus + nr_cpus + 1 + 2 + 2 * nr_cpus + 1);
	pmu_set_sample_rate(PMU_NO_THROTTLING);

	for (cpu = 0; cpu < nr_cpus; cpu++)
		fds[cpu] = open_on(cpu, 0);
	check_own_cpu(fds);
	check_system_wide(fds);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		pmu_close(fds[cpu]);

	for (cpu = 0; cpu < nr_cpus; cpu++)
		check_task_on_cpu(cpu);
	check_task_by_cpu();
	check_samples();

	pmu_attr(&attr, EV_FP, PMU_U);
	fd = pmu_open_attr(&attr, -1, nr_cpus, -1);
	check_true("a CPU that is not there is refused",
		   fd < 0 && (errno == EINVAL || errno == ENODEV), "%s",
		   fd < 0 ? strerror(errno) : "it is opened");
	return tap_end();
}
