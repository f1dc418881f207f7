// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The requests to the system-mode holder: for any client it writes the current counts
 * to the file "system"; for root it changes the events, or ends system mode.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/procfs.h>
#include "holder.h"
#include "overflow.h"
#include "spec.h"

/**
 * holder_generation_after() - return the next generation number
 * @generation: a number of 0 or more
 *
 * Return: a positive number.
 */
int holder_generation_after(int generation)
{
	return generation == INT32_MAX ? 1 : generation + 1;
}

/**
 * holder_counters_open() - open the events of a request on all CPUs
 * @counters: gets them, stopped
 * @arg: which events
 * @words: what some of them stand for
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_open(struct ixp_counters **counters,
			 const hwperf_profevctrarg_t *arg,
			 const struct ixp_system_words *words)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	int ret = ixp_spec_decode(&attr, arg);

	if (ret >= 0)
		ret = ixp_overflow_wanted(arg) ? -ENOTSUP :
		      ixp_counters_open(counters, &attr, words->code,
					IXP_PIN_IF_ALL_FIT);

	return ret;
}

static void show_counts(struct holder *h, int error)
{
	if (error == 0)
		error = holder_page_counts(&h->page, h->counters);
	h->page.page->error = error;
	holder_page_show(&h->page);
	h->fresh = true;
}

/* Write the current counts to the file; once for all requests that are served now */
static void show(struct holder *h)
{
	if (!h->fresh)
		show_counts(h, ixp_counters_follow(h->counters));
}

static int modify(struct holder *h, const hwperf_profevctrarg_t *arg,
		  const struct ixp_system_words *words)
{
	struct ixp_counters *new;
	int ret;

	ret = holder_counters_open(&new, arg, words);
	if (ret < 0)
		return ret;
	ret = ixp_counters_replace(&h->counters, new);
	/* The old events counted nothing while the new ones waited for counters */
	if (ret == -EBUSY)
		holder_page_lose(&h->page);
	h->fresh = h->fresh && ret != -EBUSY;
	if (ret < 0)
		return ret;
	h->page.page->generation = holder_generation_after(h->page.page->generation +
							   h->page.page->losses);
	holder_page_events(&h->page, arg, words);
	h->fresh = false;
	show(h);

	return h->page.page->generation;
}

/* End system mode. The counters are free before the client gets its answer */
static int release(struct holder *h)
{
	int error = ixp_counters_follow(h->counters);

	ixp_counters_stop(h->counters);
	show_counts(h, error);
	ixp_counters_close(h->counters);
	holder_clients_leave(&h->clients);
	holder_page_close(&h->page);
	h->over = true;

	return 0;
}

static int carry_out(struct holder *h, int fd, const struct ixp_remote_request *ask)
{
	if (h->over)
		return -ENOENT;
	if (ask->request == PIOCGETEVCTRS) {
		show(h);
		return 0;
	}
	if (holder_rights(&h->clients, fd) != HOLDER_ALL)
		return -EPERM;
	if (ask->session && ask->session != h->page.page->session)
		return -EINVAL;
	if (ask->words.generation && ask->words.generation != h->page.page->generation)
		return -ESTALE;

	switch (ask->request) {
	case PIOCSETEVCTRL:
		return modify(h, &ask->arg, &ask->words);
	case PIOCRELEVCTRS:
		return release(h);
	default:
		return -ENOTTY;
	}
}

static void serve(struct holder_clients *clients, int fd,
		  struct ixp_remote_request *ask, struct ixp_remote_reply *reply)
{
	reply->ret = carry_out((struct holder *)clients, fd, ask);
}

/**
 * holder_serve() - serve clients until the counters are released
 * @h: the holder
 *
 * Return: 0, or a negative errno value if it cannot go on.
 */
int holder_serve(struct holder *h)
{
	int ret = 0;

	h->clients.serve = serve;
	while (!h->over && ret >= 0) {
		h->fresh = false;
		ret = holder_clients_serve(&h->clients, -1);
	}

	return ret < 0 ? ret : 0;
}
