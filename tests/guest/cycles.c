// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cycles of all modes are twice the difference of two values of CP0 Count.
 *
 * User code cannot read Count on these CPUs (RDHWR came later). The kernel's
 * clock source is Count, though, and CLOCK_MONOTONIC_RAW is Count times a
 * constant, so its difference is Count's, to the constant's 1 in 10^8. Its
 * frequency is in the kernel log ("CPU frequency", which is twice that of Count).
 * The long run (tap_long()) is busy for twenty times as long.
 *
 * The clock source of an Octane is HEART, which has an oscillator of its own. The
 * kernel measures Count against HEART for only a tenth of a second at its start. So
 * the first measurement here must agree with the kernel's, and all others with the
 * first.
 */
#include <sys/klog.h>
#include <time.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define KLOG_READ_ALL	3

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

/*
 * Where the kernel says the CPU's clock in MHz, and how exactly (0: to the digit). An
 * Octane's kernel prints whole MHz.
 */
static const struct clock {
	const char *source;
	const char *log;
	double tolerance;
} clocks[] = {
	{ "MIPS", "CPU frequency ", 0 },
	{ "HEART", "IP30: CPU0: ", 0.005 },
};

static const struct clock *clock_source(void)
{
	char buf[64];
	size_t i;

	if (!pmu_file("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		      buf, sizeof(buf)))
		tap_bail_errno("current_clocksource");
	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcmp(buf, clocks[i].source))
			return &clocks[i];
	tap_bail("the clock source is %s, not CP0 Count\n", buf);
}

/* In Hz */
static double logged_frequency(const struct clock *clock)
{
	static char log[1 << 17];
	int len = klogctl(KLOG_READ_ALL, log, sizeof(log) - 1);
	char *at;

	if (len < 0)
		tap_bail_errno("klogctl");
	log[len] = '\0';
	at = strstr(log, clock->log);
	if (!at)
		tap_bail("no CPU frequency in the kernel log\n");
	return atof(at + strlen(clock->log)) * 1e6;
}

static int open_on_cpu0(unsigned int event)
{
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, event, PMU_ALL);
	fd = pmu_must_open_attr(&attr, -1, 0, -1, "cycles of CPU 0");
	return fd;
}

/* The count, and the time in the middle of its reading */
static struct interval now(int fd)
{
	double start = raw_ns(), cycles = pmu_read(fd).value;

	return (struct interval){ (start + raw_ns()) / 2, cycles };
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
	loop_run(&loops[LOOP_INT], tap_long() ? 400000000 : 20000000);
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

static struct interval measure_event(unsigned int event, void (*pass_time)(void))
{
	int fd = open_on_cpu0(event);
	struct interval i;

	pmu_enable(fd);
	i = measure(fd, pass_time);
	pmu_disable(fd);
	pmu_close(fd);
	return i;
}

static double cpu_hz;

static void find_frequency(const struct clock *clock)
{
	struct interval i;

	cpu_hz = logged_frequency(clock);
	if (!clock->tolerance)
		return;
	i = measure_event(EV_CYCLES, busy);
	check_near("the kernel has measured the same frequency",
		   i.cycles / i.ns * 1e9, cpu_hz, clock->tolerance);
	cpu_hz = i.cycles / i.ns * 1e9;
}

static void check(unsigned int event, const char *how, void (*pass_time)(void))
{
	struct interval i = measure_event(event, pass_time);
	char what[80];

	snprintf(what, sizeof(what), "event %u, %s: cycles are twice Count",
		 event, how);
	check_near(what, i.cycles, i.ns / 1e9 * cpu_hz, 0.001);
}

int main(void)
{
	/* R10000: cycles of the other counter; R12000: it has one number only */
	unsigned int second = pmu_chip() == PMU_CHIP_R12000 ? EV_CYCLES :
							      EV_CYCLES_CTR1;

	const struct clock *clock = clock_source();

	tap_start(clock->tolerance ? 7 : 6);
	pmu_stay_on_cpu0(true);
	find_frequency(clock);
	check(EV_CYCLES, "busy in user mode", busy);
	check(EV_CYCLES, "system calls", system_calls);
	check(EV_CYCLES, "idle", idle);
	check(second, "busy in user mode", busy);
	check(second, "system calls", system_calls);
	check(second, "idle", idle);
	return tap_end();
}
