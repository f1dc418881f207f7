// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that are open while the machine is put to sleep and woken. The kernel
 * goes all the way down to its last step before the image (pm_test=core) and
 * comes back; r10k_state.ko then fills the counters' registers with rubbish, as
 * power that comes back would.
 *
 * Each sequence runs twice, with and without the sleep: in user mode it
 * executes the same, so the counts must be the same to the last digit. Not those
 * of instructions and branches: after the sleep the TLB is empty, and a branch
 * whose delay slot faults is executed twice.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define N	1000000ul
#define PERIOD	10007

/* Where the order to sleep goes: /dev/null or /sys/power/state */
static int door[2];

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		tap_bail("%s: %s\n", path, strerror(errno));
	close(fd);
}

static void rest(bool asleep)
{
	if (write(door[asleep], "disk", 4) != 4)
		tap_bail("no sleep: %s\n", strerror(errno));
}

static void both_loops(bool asleep)
{
	loop_run(&loops[LOOP_MIX], N);
	rest(asleep);
	loop_run(&loops[LOOP_MIX], N);
}

static void count_pair(bool asleep, uint64_t count[2])
{
	struct pmu_pair pair;

	pmu_pair_open(&pair, EV_STORES_CTR0, EV_LOADS, PMU_U);
	pmu_enable(pair.fd[0]);
	both_loops(asleep);
	pmu_disable(pair.fd[0]);
	pmu_pair_read(&pair, count);
	pmu_pair_close(&pair);
}

static void check_counting(void)
{
	uint64_t awake[2], asleep[2];

	count_pair(false, awake);
	count_pair(true, asleep);
	check_equal("stores across the sleep", asleep[0], awake[0]);
	check_equal("loads across the sleep", asleep[1], awake[1]);
	check_true("both loops were counted", awake[1] >= 4 * N && awake[1] < 4 * N + 1000,
		   "%llu loads", (unsigned long long)awake[1]);
}

static void count_sample(const struct perf_event_header *header, void *arg)
{
	*(uint64_t *)arg += header->type == PERF_RECORD_SAMPLE;
}

/* Count and samples */
static void sample(bool asleep, int cpu, uint64_t got[2])
{
	struct perf_event_attr attr;
	struct ring ring;
	int fd;

	pmu_attr(&attr, EV_STORES, PMU_U);
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = pmu_open_attr(&attr, cpu < 0 ? 0 : -1, cpu, -1);
	if (fd < 0)
		tap_bail_errno("a sampling event");
	ring_map(&ring, fd, 16);
	pmu_enable(fd);
	both_loops(asleep);
	pmu_disable(fd);
	got[0] = pmu_read(fd).value;
	got[1] = 0;
	ring_drain(&ring, count_sample, &got[1]);
	ring_unmap(&ring);
	pmu_close(fd);
}

static void check_sampling(void)
{
	uint64_t awake[2], asleep[2];

	sample(false, -1, awake);
	sample(true, -1, asleep);
	check_equal("count of a sampling event across the sleep", asleep[0], awake[0]);
	check_equal("its samples", asleep[1], asleep[0] / PERIOD);
	sample(true, 0, asleep);
	check_true("the CPU's event sees both loops", asleep[0] >= 2 * N &&
		   asleep[0] < 3 * N, "%llu stores", (unsigned long long)asleep[0]);
	check_equal("and its samples come", asleep[1], asleep[0] / PERIOD);
}

/* Stopped before, started after; and one that was opened before and never ran */
static void check_stopped(void)
{
	int idle = pmu_must_open(EV_FP, PMU_U), fd = pmu_must_open(EV_STORES, PMU_U);
	uint64_t before;

	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(fd);
	before = pmu_read(fd).value;
	rest(true);
	check_equal("a stopped event keeps its count", pmu_read(fd).value, before);
	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(fd);
	check_equal("and goes on from there", pmu_read(fd).value, 2 * before);
	check_equal("one that never ran has nothing", pmu_read(idle).value, 0);
	pmu_close(idle);
	pmu_close(fd);
}

/* Kernel mode: the sleep itself is counted, and time stands still in it */
static void check_kernel(void)
{
	int fd = pmu_must_open(EV_INSNS, PMU_ALL);
	struct pmu_count count;

	pmu_enable(fd);
	rest(true);
	pmu_disable(fd);
	count = pmu_read(fd);
	check_true("the kernel's way down and up is counted",
		   count.value > 100000 && count.running == count.enabled,
		   "%llu instructions, ran %llu of %llu ns",
		   (unsigned long long)count.value,
		   (unsigned long long)count.running,
		   (unsigned long long)count.enabled);
	pmu_close(fd);
}

static void check_again(void)
{
	uint64_t first[2], count[2];
	bool same = true;
	int i;

	count_pair(false, first);
	for (i = 0; i < 2; i++) {
		count_pair(true, count);
		same = same && count[0] == first[0] && count[1] == first[1];
	}
	check_true("two more sleeps, each exact", same, "last: %llu and %llu",
		   (unsigned long long)count[0], (unsigned long long)count[1]);
}

int main(void)
{
	put("/sys/power/disk", "shutdown");
	put("/sys/power/pm_test", "core");
	door[0] = open("/dev/null", O_WRONLY);
	door[1] = open("/sys/power/state", O_WRONLY);
	if (door[0] < 0 || door[1] < 0)
		tap_bail_errno("/sys/power/state");
	tap_start(12);
	check_counting();
	check_sampling();
	check_stopped();
	check_kernel();
	check_again();
	return tap_end();
}
