// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles in all modes are twice the CP0 Count register's difference.
 *
 * User code cannot read Count on these CPUs (RDHWR came later). The kernel's
 * clock source is Count, though, and CLOCK_MONOTONIC_RAW is Count times a
 * constant, so its difference is Count's, to the constant's 1 in 10^8. Its
 * frequency stands in the kernel log ("CPU frequency", which is twice that of
 * Count). The short run (tap_short()) is busy for a twentieth of the time.
 */
#include <math.h>
#include <sys/klog.h>
#include <time.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define KLOG_READ_ALL	3
#define READINGS	20

struct interval {
	double ns;
	double cycles;
};

static double raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static void clock_source_must_be_count(void)
{
	char buf[64];

	if (!pmu_file("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		      buf, sizeof(buf)))
		tap_bail_errno("current_clocksource");
	if (strcmp(buf, "MIPS"))
		tap_bail("the clock source is %s, not CP0 Count\n", buf);
}

/* In Hz: "CPU frequency 320.00 MHz" */
static double count_frequency(void)
{
	static char log[1 << 17];
	int len = klogctl(KLOG_READ_ALL, log, sizeof(log) - 1);
	char *at;

	if (len < 0)
		tap_bail_errno("klogctl");
	log[len] = '\0';
	at = strstr(log, "CPU frequency ");
	if (!at)
		tap_bail("no CPU frequency in the kernel log\n");
	return atof(at + strlen("CPU frequency ")) * 1e6 / 2;
}

static int open_on_cpu0(unsigned int event)
{
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, event, PMU_ALL);
	fd = pmu_open_attr(&attr, -1, 0, -1);
	if (fd < 0)
		tap_bail_errno("cycles of CPU 0");
	return fd;
}

/*
 * The count, and the time in the middle of its reading. Of several readings
 * the quickest: on a busy host the emulator may be stopped at any place.
 */
static struct interval now(int fd)
{
	struct interval best = { 0 };
	double shortest = INFINITY;
	int i;

	for (i = 0; i < READINGS; i++) {
		double start = raw_ns(), value = pmu_read(fd).value;
		double took = raw_ns() - start;

		if (took < shortest) {
			shortest = took;
			best.ns = start + took / 2;
			best.cycles = value;
		}
	}
	return best;
}

static struct interval measure(int fd, void (*pass_time)(void))
{
	struct interval from, to;

	from = now(fd);
	pass_time();
	to = now(fd);
	to.ns -= from.ns;
	to.cycles -= from.cycles;
	return to;
}

static void busy(void)
{
	loop_run(&loops[LOOP_INT], tap_short() ? 20000000 : 400000000);
}

static void system_calls(void)
{
	loop_run(&loops[LOOP_SC_SYSCALL], 1000000);
}

static void idle(void)
{
	const struct timespec second = { .tv_sec = 1 };

	nanosleep(&second, NULL);
}

static void check(unsigned int event, const char *how, void (*pass_time)(void))
{
	int fd = open_on_cpu0(event);
	struct interval i;
	char what[80];

	pmu_enable(fd);
	i = measure(fd, pass_time);
	pmu_disable(fd);
	pmu_close(fd);
	snprintf(what, sizeof(what), "event %u, %s: cycles are twice Count",
		 event, how);
	check_near(what, i.cycles, 2 * i.ns / 1e9 * count_frequency(), 0.001);
}

int main(void)
{
	/* R10000: cycles of the other counter; R12000: it has one number only */
	unsigned int second = pmu_chip() == PMU_CHIP_R12000 ? EV_CYCLES :
							      EV_CYCLES_CTR1;

	tap_start(6);
	clock_source_must_be_count();
	check(EV_CYCLES, "busy in user mode", busy);
	check(EV_CYCLES, "system calls", system_calls);
	check(EV_CYCLES, "idle", idle);
	check(second, "busy in user mode", busy);
	check(second, "system calls", system_calls);
	check(second, "idle", idle);
	return tap_end();
}
