// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of this process, over the user mode of libirixperf. libirixperf counts
 * a set of events, and starts all counts from zero when the set changes; here each
 * counter starts and stops by itself. So the counts of the old set are kept whenever
 * the set changes.
 *
 * libirixperf lets a forked child count the same events from zero, and adds the counts
 * of children that have exited.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <irixperf.h>
#include <sys/procfs.h>
#include "internal.h"

/**
 * struct counter - one of the counters
 * @configured: it has an event
 * @running: it counts
 * @event: the event
 * @own: what it has counted of this process up to the last change of the set
 * @children: the same of children that have exited
 */
static struct counter {
	bool configured;
	bool running;
	pmc_evid_t event;
	uint64_t own;
	uint64_t children;
} counters[LIBPMC_COUNTERS];

/* libirixperf's counts at that moment: 0 unless it has kept them */
static struct irixperf_process base;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fork_before(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* What runs goes on in the child, from zero */
static void fork_in_child(void)
{
	int i;

	for (i = 0; i < LIBPMC_COUNTERS; i++)
		counters[i].own = counters[i].children = 0;
	memset(&base, 0, sizeof(base));
	pthread_mutex_unlock(&lock);
}

/* Before the first counter; after libirixperf, whose handlers then run inside ours */
static void prepare(void)
{
	pthread_atfork(fork_before, fork_in_parent, fork_in_child);
	irixperf_children_save();
}

static void lock_take(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
}

static int process_read(struct irixperf_process *now)
{
	int ret;

	now->size = sizeof(*now);
	ret = irixperf_process_read(now);
	if (ret == -EINVAL) {
		/* Nothing has been counted yet */
		memset(now, 0, sizeof(*now));
		ret = 0;
	}

	return ret < 0 ? ret : 0;
}

static uint64_t own_of(const struct counter *c, const struct irixperf_process *now)
{
	return c->own + (c->running ? now->own[c->event] - base.own[c->event] : 0);
}

/* Children that a counter has left running add to it even after it has stopped */
static uint64_t children_of(const struct counter *c, const struct irixperf_process *now)
{
	return c->children + now->children[c->event] - base.children[c->event];
}

/* Let libirixperf count the events of the counters that run */
static int set_change(void)
{
	hwperf_profevctrarg_t arg;
	bool any = false;
	char path[32];
	int fd, i, ret;

	memset(&arg, 0, sizeof(arg));
	for (i = 0; i < LIBPMC_COUNTERS; i++) {
		struct hwperf_ctrlreg *reg =
			&arg.hwp_evctrargs.hwp_evctrl[counters[i].event].hwperf_creg;

		if (!counters[i].running)
			continue;
		reg->hwp_mode = HWPERF_CNTEN_U;
		reg->hwp_ie = 1;
		reg->hwp_ev = counters[i].event % HWPERF_CNTEVENTMAX;
		any = true;
	}

	snprintf(path, sizeof(path), "/proc/%d", getpid());
	fd = irixperf_proc_open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fd;
	ret = irixperf_proc_ioctl(fd, any ? PIOCENEVCTRS : PIOCRELEVCTRS, &arg);
	close(fd);
	if (ret < 0)
		return ret;

	/* After a release the counts stay as they are */
	if (any)
		memset(&base, 0, sizeof(base));

	return 0;
}

/* Keep what the set has counted, and start or stop a counter */
static int counter_switch(struct counter *c, bool on)
{
	struct irixperf_process now;
	int i, ret = process_read(&now);

	if (ret < 0)
		return ret;
	for (i = 0; i < LIBPMC_COUNTERS; i++) {
		counters[i].own = own_of(&counters[i], &now);
		counters[i].children = children_of(&counters[i], &now);
	}
	base = now;

	c->running = on;
	ret = set_change();
	if (ret < 0)
		c->running = !on;

	return ret;
}

int libpmc_run(int ctr, bool on)
{
	struct counter *c = &counters[ctr];
	int ret;

	lock_take();
	if (!c->configured)
		ret = -ENXIO;
	else if (c->running == on)
		ret = on ? -EINPROGRESS : 0;
	else
		ret = counter_switch(c, on);
	pthread_mutex_unlock(&lock);

	return ret;
}

int libpmc_configure(int ctr, pmc_evid_t event)
{
	struct counter *c = &counters[ctr];
	struct irixperf_process now;
	int ret;

	lock_take();
	ret = c->running ? -EBUSY : process_read(&now);
	if (ret == 0) {
		c->configured = true;
		c->event = event;
		c->own = 0;
		/* Children of the same event that have exited before do not count */
		c->children = base.children[event] - now.children[event];
	}
	pthread_mutex_unlock(&lock);

	return ret;
}

int libpmc_value(int ctr, bool children, uint64_t *value)
{
	const struct counter *c = &counters[ctr];
	struct irixperf_process now;
	int ret;

	lock_take();
	ret = c->configured ? process_read(&now) : -ENXIO;
	if (ret == 0)
		*value = children ? children_of(c, &now) : own_of(c, &now);
	pthread_mutex_unlock(&lock);

	return ret;
}
