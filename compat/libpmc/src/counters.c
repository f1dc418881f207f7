// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of this process, over libirixperf, which keeps a count for each event. A
 * counter is a view of such a count: it subtracts what there was when it started.
 *
 * libirixperf lets a forked child count the same events from zero, and adds the counts
 * of children that have exited.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <irixperf.h>
#include <sys/hwperfmacros.h>
#include "internal.h"

/**
 * struct counter - one of the counters
 * @configured: it has an event
 * @running: it counts
 * @lost: counts of it, or of children, are missing
 * @event: the event
 * @own: what it had counted of this process when it was last stopped
 * @since: what libirixperf had counted of the event when it was last started
 * @before: what libirixperf had counted of it in children when it was configured
 */
static struct counter {
	bool configured;
	bool running;
	bool lost;
	pmc_evid_t event;
	uint64_t own;
	uint64_t since;
	uint64_t before;
} counters[LIBPMC_COUNTERS];

/* libirixperf's; it grows by more than each change if counts are missing */
static int generation;

/*
 * Under the lock signals are blocked, as a handler that reads a counter would wait for
 * the thread that it interrupts; and cancellation is disabled, as a cancelled thread would
 * keep the lock.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals;
static int cancel;

static void signals_block(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static void lock_hold(void)
{
	sigset_t before;
	int state;

	signals_block(&before);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	signals = before;
	cancel = state;
}

static void lock_give(void)
{
	const sigset_t before = signals;
	const int state = cancel;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* @current is libirixperf's generation number, which is this one if nothing is lost */
static void generation_check(int current, int expected)
{
	int i;

	for (i = 0; i < LIBPMC_COUNTERS; i++)
		counters[i].lost |= current != expected;
	generation = current;
}

/* Read libirixperf's counts, and see whether some are missing */
static int process_read(struct irixperf_process *now)
{
	int i, ret;

	now->size = sizeof(*now);
	ret = irixperf_process_read(now);
	/* Another process has acquired the counters */
	if (ret == -EINVAL)
		return -EBUSY;
	if (ret < 0)
		return ret;
	generation_check(ret, generation);
	for (i = 0; i < LIBPMC_COUNTERS; i++)
		counters[i].lost |= counters[i].running && !now->mode[counters[i].event];

	return 0;
}

/* What is lost up to now is the parent's loss alone */
static void fork_before(void)
{
	struct irixperf_process now;

	lock_hold();
	process_read(&now);
}

/* What runs goes on in the child, from zero */
static void fork_in_child(void)
{
	int i;

	for (i = 0; i < LIBPMC_COUNTERS; i++) {
		counters[i].own = counters[i].since = counters[i].before = 0;
		counters[i].lost = false;
	}
	lock_give();
}

/* After libirixperf's, so that its handlers run inside ours */
static void prepare(void)
{
	irixperf_children_save();
	pthread_atfork(fork_before, lock_give, fork_in_child);
}

static void lock_take(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t before;

	signals_block(&before);
	pthread_once(&once, prepare);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	lock_hold();
}

static uint64_t own_of(const struct counter *c, const struct irixperf_process *now)
{
	return c->own + (c->running ? now->own[c->event] - c->since : 0);
}

/* Let libirixperf count the events of the counters that run */
static int events_change(void)
{
	unsigned char mode[IRIXPERF_EVENTS] = { 0 };
	int i, ret;

	for (i = 0; i < LIBPMC_COUNTERS; i++)
		if (counters[i].running)
			mode[counters[i].event] = HWPERF_CNTEN_U;
	ret = irixperf_process_count(mode);
	if (ret < 0)
		return ret;
	generation_check(ret, generation + 1);

	return 0;
}

static int counter_start(struct counter *c)
{
	struct irixperf_process now;
	int ret = process_read(&now);

	if (ret < 0)
		return ret;
	c->running = true;
	c->since = now.own[c->event];
	ret = events_change();
	if (ret < 0)
		c->running = false;

	return ret;
}

/*
 * A counter stops in any case: if its count cannot be read, it is lost; and if libirixperf
 * goes on with its event, nobody sees that.
 */
static void counter_stop(struct counter *c)
{
	struct irixperf_process now;

	if (process_read(&now) == 0)
		c->own = own_of(c, &now);
	else
		c->lost = true;
	c->running = false;
	events_change();
}

int libpmc_run(int ctr, bool on)
{
	struct counter *c = &counters[ctr];
	int ret = 0;

	lock_take();
	if (!c->configured)
		ret = -ENXIO;
	else if (on)
		ret = c->running ? -EINPROGRESS : counter_start(c);
	else if (c->running)
		counter_stop(c);
	lock_give();

	return ret;
}

int libpmc_configure(int ctr, pmc_evid_t event)
{
	struct counter *c = &counters[ctr];
	struct irixperf_process now;
	int ret;

	lock_take();
	ret = c->running ? -EBUSY : irixperf_children_save();
	if (ret == 0)
		ret = process_read(&now);
	/* Children of the same event that have exited before do not count */
	if (ret == 0)
		*c = (struct counter){ .configured = true, .event = event,
				       .before = now.children[event] };
	lock_give();

	return ret;
}

int libpmc_value(int ctr, bool children, uint64_t *value)
{
	const struct counter *c = &counters[ctr];
	struct irixperf_process now;
	int ret;

	lock_take();
	ret = c->configured ? process_read(&now) : -ENXIO;
	if (ret == 0 && c->lost)
		ret = -EIO;
	if (ret == 0)
		*value = children ? now.children[c->event] - c->before : own_of(c, &now);
	lock_give();

	return ret;
}
