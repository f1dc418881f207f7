// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The change from user mode to system mode. If a step fails, the holder ends, and the
 * kernel undoes the steps before it. Other processes see nothing of it until the file
 * "system" has its name. From then on no program can start to count in user mode, so
 * the walk that follows finds all programs that count.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include "holder.h"
#include "sysfile.h"
#include "view.h"

/*
 * The process that has started this holder has locked "control" and found system mode
 * off. So if another holder still listens, it is about to end: -EBUSY.
 */
static int listen_for_clients(struct holder *h)
{
	int place = ixp_place_system(), ret;

	if (place < 0)
		return place;
	ret = holder_clients_listen(&h->clients, place, 0, -1, -1);

	return ret == -EADDRINUSE ? -EBUSY : ret;
}

/* -EBUSY if a process that is counted runs, unless the request is to stop it */
static int check_users(const struct ixp_system_request *request)
{
	int ret;

	if (request->force)
		return holder_users_reach();
	ret = holder_users_running(request->caller);

	return ret > 0 ? -EBUSY : ret;
}

static int prepare(struct holder *h, const struct ixp_system_request *request)
{
	int ret;

	ret = holder_counters_open(&h->counters, &request->arg, &request->words);
	if (ret == 0)
		ret = check_users(request);
	if (ret == 0)
		ret = ixp_counters_start(h->counters);
	if (ret == 0)
		ret = holder_page_create(&h->page,
					 ixp_counters_cpus(h->counters));
	if (ret == 0)
		ret = listen_for_clients(h);

	return ret;
}

/**
 * holder_begin() - start system mode
 * @h: gets all that holder_serve() needs
 * @request: what the caller asks for
 *
 * Return: the generation number; -EBUSY if a process that is counted runs, and
 * @request does not force it, or if others have the counters for themselves; or another
 * negative errno value.
 */
int holder_begin(struct holder *h, const struct ixp_system_request *request)
{
	struct ixp_system_view before;
	int generation = request->after, ret;

	/* The numbers go on from those of the last system mode */
	if (ixp_system_look(&before, IXP_ALL_CPUS, IXP_LOOK) == 0 &&
	    ixp_view_generation(&before) > generation)
		generation = ixp_view_generation(&before);
	generation = holder_generation_after(generation);

	ret = prepare(h, request);
	if (ret < 0) {
		holder_page_remove();
		return ret;
	}
	h->page.page->session = generation;
	h->page.page->generation = generation;
	h->page.page->holder = getpid();
	holder_page_events(&h->page, &request->arg, &request->words);
	h->page.page->error = holder_page_counts(&h->page, h->counters);
	holder_page_show(&h->page);

	/*
	 * A program that starts to count after this finds system mode on, and fails.
	 * One that has started before has its entry in a page, and the walk finds it.
	 */
	ret = holder_page_publish(&h->page);
	if (ret == 0)
		ret = holder_users_revoke();

	return ret < 0 ? ret : generation;
}
