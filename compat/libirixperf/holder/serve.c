// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The rounds of a holder: something has asked for one; the counters are read,
 * a command is carried out if there is a new one, and all see the result.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "holder.h"

static int wait_for_call(int notify)
{
	struct pollfd pfd = { .fd = notify, .events = POLLIN };

	while (poll(&pfd, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;

	return 0;
}

/* Who calls and why does not matter; what is left over makes another round */
static void forget_calls(int notify)
{
	char events[16384] __attribute__((aligned(8)));
	ssize_t n = read(notify, events, sizeof(events));

	(void)n;
}

/* Calls that come from now on are for the next round */
static void round_begin(const struct holder_page *p, uint64_t round)
{
	p->page->begun = round;
	holder_page_show(p);
}

/* The new events are started when the old ones have let go of the counters */
static int exchange(struct holder *h, struct holder_counters *new)
{
	int ret;

	holder_counters_stop(h->counters);
	ret = holder_counters_start(new);
	if (ret < 0)
		holder_counters_start(h->counters);

	return ret;
}

static int run_set(struct holder *h, const struct ixp_system_command *command)
{
	struct holder_counters *new;
	int generation, ret;

	ret = ixp_system_check(&command->arg);
	if (ret == 0)
		ret = holder_counters_open(&new, &command->arg);
	if (ret < 0)
		return ret;

	generation = holder_generation_next(h->page.page->generation);
	ret = generation < 0 ? generation : exchange(h, new);
	if (ret < 0) {
		holder_counters_close(new);
		return ret;
	}
	holder_counters_close(h->counters);
	h->counters = new;
	h->page.page->generation = generation;
	h->page.page->ctrl = command->arg.hwp_evctrargs;

	return generation;
}

static int run(struct holder *h, const struct ixp_system_command *command)
{
	if (command->session && command->session != h->page.page->session)
		return -EINVAL;

	switch (command->code) {
	case IXP_SYSTEM_SET:
		return run_set(h, command);
	case IXP_SYSTEM_RELEASE:
		holder_counters_stop(h->counters);
		return 0;
	default:
		return -EINVAL;
	}
}

/* A command that has not come whole is followed by another call */
static bool command_read(const struct holder *h,
			 struct ixp_system_command *command)
{
	ssize_t n = pread(h->control, command, sizeof(*command),
			  offsetof(struct ixp_system_control, command));

	return n == (ssize_t)sizeof(*command) &&
	       command->token == command->token_again &&
	       command->token != h->page.page->token;
}

/* True if this was the last round */
static bool command_run(struct holder *h)
{
	struct ixp_system_command command;
	int reply;

	if (!command_read(h, &command))
		return false;

	reply = run(h, &command);
	h->page.page->reply = reply;
	h->page.page->token = command.token;

	return command.code == IXP_SYSTEM_RELEASE && reply == 0;
}

static bool round_work(struct holder *h)
{
	struct ixp_system_page *page = h->page.page;
	int ret = holder_counters_follow(h->counters);
	bool last = command_run(h);

	if (ret == 0)
		ret = holder_counters_read(h->counters, page);
	page->error = ret;
	holder_page_show(&h->page);

	return last;
}

/* The counters are free before anybody hears of it */
static void end(struct holder *h)
{
	holder_counters_close(h->counters);
	holder_page_close(&h->page);
}

/**
 * holder_serve() - serve until the counters are to be released
 * @h: the holder
 *
 * Return: 0, or a negative errno value if it cannot go on.
 */
int holder_serve(struct holder *h)
{
	uint64_t round = 0;
	bool last;
	int ret;

	do {
		ret = wait_for_call(h->notify);
		if (ret < 0)
			return ret;
		forget_calls(h->notify);
		round_begin(&h->page, ++round);
		last = round_work(h);
		if (!last)
			ret = holder_page_round(&h->page, round);
	} while (!last && ret == 0);
	end(h);

	return ret;
}
