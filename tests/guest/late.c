// SPDX-License-Identifier: GPL-2.0-only
/*
 * No sample is early and none is missing, in all modes, while tasks keep giving the
 * CPU away. A period can then end anywhere: where interrupts are off, or just when
 * the event stops for a task switch. Its sample is late then, and the events counted
 * meanwhile belong to the next period. Each sample has the count, so the test follows
 * the periods from sample to sample.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "pmu.h"
#include "ring.h"

#define PAGES		512
#define YIELDS		20000
#define LAST_STOP	2000	/* instructions: more than the kernel takes for it */

struct followed {
	uint64_t period;
	uint64_t due;		/* the count at which the period is over */
	uint64_t latest;	/* the longest delay of a sample after that */
	unsigned long samples;
	unsigned long early;
	unsigned long stretched;
	unsigned long others;	/* records other than samples: lost, throttled */
	struct pmu_count count;
};

/*
 * If a sample is late by a whole period or more, the next one comes after twice the
 * delay (Documentation/driver.rst, "Sampling").
 */
static void follow(struct followed *f, uint64_t count)
{
	uint64_t late = count - f->due;

	f->samples++;
	if (count < f->due) {
		f->early++;
		return;
	}
	if (late > f->latest)
		f->latest = late;
	if (late < f->period) {
		f->due += f->period;
	} else {
		f->stretched++;
		f->due = count + 2 * late;
	}
}

static void add_record(const struct perf_event_header *header, void *arg)
{
	const uint64_t *words = (const void *)header;
	struct followed *f = arg;

	if (header->type == PERF_RECORD_SAMPLE)
		follow(f, words[1]);
	else
		f->others++;
}

static pid_t start_yielding(void)
{
	pid_t pid = fork();

	if (pid < 0)
		tap_bail_errno("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		sched_yield();
}

static void sample_yields(struct followed *f)
{
	struct perf_event_attr attr;
	struct ring ring;
	int fd, i;

	pmu_attr(&attr, EV_INSNS, PMU_ALL);
	attr.read_format = 0;
	attr.sample_period = f->period;
	attr.sample_type = PERF_SAMPLE_READ;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event of all modes");
	ring_map(&ring, fd, PAGES);
	pmu_enable(fd);
	for (i = 0; i < YIELDS; i++)
		sched_yield();
	pmu_disable(fd);
	if (read(fd, &f->count.value, sizeof(f->count.value)) !=
	    sizeof(f->count.value))
		tap_bail_errno("read");
	ring_drain(&ring, add_record, f);
	ring_unmap(&ring);
	pmu_close(fd);
}

/* A period that ends in the last LAST_STOP instructions may have no sample */
static void check_period(uint64_t period)
{
	struct followed f = { .period = period, .due = period };
	unsigned long long periods;
	char what[96];

	sample_yields(&f);
	periods = f.count.value / period;
	tap_note("%lu samples of %llu periods, late by up to %llu, %lu stretched\n",
		 f.samples, periods, (unsigned long long)f.latest, f.stretched);
	snprintf(what, sizeof(what), "period %llu: no sample is early",
		 (unsigned long long)period);
	check_true(what, !f.early && !f.others && f.samples > periods / 2,
		   "%lu early, %lu other records, %lu samples of %llu periods",
		   f.early, f.others, f.samples, periods);
	snprintf(what, sizeof(what), "period %llu: no sample is missing",
		 (unsigned long long)period);
	check_true(what, f.count.value < f.due + LAST_STOP,
		   "a sample was due at %llu, the count is %llu",
		   (unsigned long long)f.due, (unsigned long long)f.count.value);
}

int main(void)
{
	static const uint64_t periods[] = { 1009, 3001, 5003, 10007, 20011 };
	unsigned int i;
	pid_t other;

	tap_start(2 * ARRAY_SIZE(periods));
	/* An event that is throttled does not count for the rest of a tick */
	pmu_set_sample_rate(PMU_NO_THROTTLING);
	other = start_yielding();
	for (i = 0; i < ARRAY_SIZE(periods); i++)
		check_period(periods[i]);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return tap_end();
}
