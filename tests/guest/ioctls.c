// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctl()s of an event work as on any other PMU. PERIOD is in overflow.c, the
 * others are here, with the signals that overflows send.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define PERIOD	1000000ul
#define LOADS	2		/* in one iteration of LOOP_MIX */
#define NOISE	10000		/* loads around a loop: printf() is one of them */

static struct ring ring;

static int open_sampling(uint64_t period)
{
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.wakeup_events = 1;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "a sampling event");
	ring_map(&ring, fd, 4);
	return fd;
}

static void close_sampling(int fd)
{
	ring_unmap(&ring);
	pmu_close(fd);
}

static void count_sample(const struct perf_event_header *header, void *arg)
{
	*(unsigned long *)arg += header->type == PERF_RECORD_SAMPLE;
}

static unsigned long new_samples(void)
{
	unsigned long samples = 0;

	ring_drain(&ring, count_sample, &samples);
	return samples;
}

static void run_loads(unsigned long loads)
{
	loop_run(&loops[LOOP_MIX], loads / LOADS);
}

static bool about(uint64_t got, uint64_t expected)
{
	return got >= expected && got < expected + NOISE;
}

/* RESET sets the sum to zero, but does not start a new period */
static void check_reset(void)
{
	int fd = open_sampling(PERIOD);
	uint64_t value;

	pmu_enable(fd);
	run_loads(PERIOD * 8 / 10);
	if (ioctl(fd, PERF_EVENT_IOC_RESET, 0))
		tap_bail_errno("PERF_EVENT_IOC_RESET");
	value = pmu_read(fd).value;
	check_true("RESET: the count is 0", value < NOISE, "%llu",
		   (unsigned long long)value);
	run_loads(PERIOD * 1 / 10);
	check_true("RESET: no overflow too early", !new_samples(), "one came");
	run_loads(PERIOD * 2 / 10);
	check_true("RESET: the overflow comes when it would have come",
		   new_samples() == 1, "none came");
	value = pmu_read(fd).value;
	check_true("RESET: the count has what came after it",
		   about(value, PERIOD * 3 / 10), "%llu",
		   (unsigned long long)value);
	close_sampling(fd);
}

/* Stopping and starting an event neither causes an overflow nor delays one */
static void check_disable(void)
{
	int fd = open_sampling(PERIOD), i;
	uint64_t value;

	for (i = 0; i < 25; i++) {
		pmu_enable(fd);
		run_loads(PERIOD / 10);
		pmu_disable(fd);
		run_loads(PERIOD / 10);
	}
	value = pmu_read(fd).value;
	check_true("DISABLE, ENABLE: only what is between counts",
		   value >= PERIOD * 5 / 2 && value < PERIOD * 5 / 2 + 25 * NOISE,
		   "%llu", (unsigned long long)value);
	check_equal("DISABLE, ENABLE: the period goes on where it was",
		    new_samples(), 2);
	close_sampling(fd);
}

static volatile sig_atomic_t signals_in, signals_hup;

static void on_overflow(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	if (info->si_code == POLL_HUP)
		signals_hup++;
	else
		signals_in++;
}

static void signal_me(int fd)
{
	struct sigaction act = {
		.sa_sigaction = on_overflow, .sa_flags = SA_SIGINFO
	};
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };

	if (sigaction(SIGRTMIN, &act, NULL) ||
	    fcntl(fd, F_SETFL, O_ASYNC) < 0 ||
	    fcntl(fd, F_SETSIG, SIGRTMIN) < 0 ||
	    fcntl(fd, F_SETOWN_EX, &owner) < 0)
		tap_bail_errno("signals of an event");
	signals_in = 0;
	signals_hup = 0;
}

static void refresh(int fd, unsigned int overflows)
{
	if (ioctl(fd, PERF_EVENT_IOC_REFRESH, overflows))
		tap_bail_errno("PERF_EVENT_IOC_REFRESH");
}

/* REFRESH allows a number of overflows: the last one has its own code, and stops it */
static void check_refresh(void)
{
	int fd = open_sampling(PERIOD);
	uint64_t value;

	signal_me(fd);
	refresh(fd, 3);
	run_loads(10 * PERIOD);
	value = pmu_read(fd).value;
	check_equal("REFRESH 3: three samples", new_samples(), 3);
	check_true("REFRESH 3: it has stopped at the third",
		   about(value, 3 * PERIOD), "%llu", (unsigned long long)value);
	check_true("REFRESH 3: two signals with POLL_IN, one with POLL_HUP",
		   signals_in == 2 && signals_hup == 1, "%d and %d",
		   signals_in, signals_hup);
	refresh(fd, 1);
	run_loads(10 * PERIOD);
	value = pmu_read(fd).value;
	check_equal("REFRESH 1 on top of it: one sample more", new_samples(), 1);
	check_true("REFRESH 1 on top of it: one period more",
		   about(value, 4 * PERIOD), "%llu", (unsigned long long)value);
	close_sampling(fd);
}

static void check_signals(void)
{
	int fd = open_sampling(PERIOD / 10);

	signal_me(fd);
	pmu_enable(fd);
	run_loads(5 * PERIOD);
	pmu_disable(fd);
	check_true("each overflow sends a signal", signals_in >= 50 &&
		   (unsigned long)signals_in == new_samples() && !signals_hup,
		   "%d signals", signals_in);
	close_sampling(fd);
}

static void check_refused(void)
{
	uint64_t period = 0;
	int fd = pmu_must_open(EV_LOADS, PMU_U);

	check_true("REFRESH of an event without samples: EINVAL",
		   ioctl(fd, PERF_EVENT_IOC_REFRESH, 1) && errno == EINVAL,
		   "%s", strerror(errno));
	period = PERIOD;
	check_true("PERIOD of an event without samples: EINVAL",
		   ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) && errno == EINVAL,
		   "%s", strerror(errno));
	pmu_close(fd);
	fd = open_sampling(PERIOD);
	period = 0;
	check_true("PERIOD of 0: EINVAL",
		   ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) && errno == EINVAL,
		   "%s", strerror(errno));
	close_sampling(fd);
}

/* The kernel must not offer reads from user mode, which these CPUs cannot do */
static void check_user_page(void)
{
	int fd = open_sampling(PERIOD);

	check_true("the mapped page offers no reading from user mode",
		   !ring.page->cap_user_rdpmc && !ring.page->cap_user_time &&
		   !ring.page->index, "capabilities %llx, index %u",
		   (unsigned long long)ring.page->capabilities,
		   ring.page->index);
	close_sampling(fd);
}

int main(void)
{
	tap_start(4 + 2 + 5 + 1 + 3 + 1);
	check_reset();
	check_disable();
	check_refresh();
	check_signals();
	check_refused();
	check_user_page();
	return tap_end();
}
