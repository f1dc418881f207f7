// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From user mode to system mode. Each step can fail, and then the end of the
 * process undoes those before it: nobody has seen anything until the file
 * "system" has its name. From then on no program gets the counters in user mode,
 * so that those found after it are all.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "holder.h"

static int watch(int notify, const char *name, uint32_t mask)
{
	char path[PATH_MAX];
	int ret = ixp_file_path(path, sizeof(path), name);

	if (ret == 0 && inotify_add_watch(notify, path, mask) < 0)
		ret = -errno;

	return ret;
}

/* Reads of "system" ask for counts, and writes to "control" are commands */
static int listen_to_files(struct holder *h)
{
	int ret;

	h->control = ixp_file_open(IXP_RUN_CONTROL, O_RDWR);
	if (h->control < 0)
		return h->control;
	h->notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (h->notify < 0)
		return -errno;

	ret = watch(h->notify, IXP_RUN_SYSTEM_NEW, IN_ACCESS);
	if (ret == 0)
		ret = watch(h->notify, IXP_RUN_CONTROL, IN_MODIFY);

	return ret;
}

/* What was asked of the holder before is not for us: it counts as done */
static void skip_command(const struct holder *h)
{
	struct ixp_system_control control;
	ssize_t n = pread(h->control, &control, sizeof(control), 0);

	if (n == (ssize_t)sizeof(control))
		h->page.page->token = control.command.token;
}

/* Is somebody in the way, whom we do not push aside? */
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

	ret = ixp_system_check(&request->arg);
	if (ret == 0)
		ret = holder_counters_open(&h->counters, &request->arg);
	if (ret == 0)
		ret = check_users(request);
	if (ret == 0)
		ret = holder_counters_start(h->counters);
	if (ret == 0)
		ret = holder_page_create(&h->page,
					 holder_counters_cpus(h->counters));
	if (ret == 0)
		ret = listen_to_files(h);

	return ret;
}

/**
 * holder_begin() - begin system mode
 * @h: gets all that holder_serve() needs
 * @request: what was asked for
 *
 * Return: the generation number; -EBUSY if programs run and count, and are not
 * to be disturbed; or another negative errno value.
 */
int holder_begin(struct holder *h, const struct ixp_system_request *request)
{
	int generation, ret;

	ret = prepare(h, request);
	generation = ret < 0 ? ret : holder_generation_next(request->after);
	if (generation < 0) {
		holder_page_remove();
		return generation;
	}
	skip_command(h);
	h->page.page->session = generation;
	h->page.page->generation = generation;
	h->page.page->holder = getpid();
	h->page.page->ctrl = request->arg.hwp_evctrargs;
	holder_page_show(&h->page);

	/*
	 * Who begins after this sees it and does not; whoever has begun before
	 * can be seen by us from the first moment of our walk on.
	 */
	ret = holder_page_publish(&h->page);
	if (ret == 0)
		ret = holder_users_revoke();

	return ret < 0 ? ret : generation;
}
