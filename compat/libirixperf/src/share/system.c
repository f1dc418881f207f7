// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Root's requests on system mode: r10k_evcntrs(5), pages 10, 11 and 16 to 18. Choices
 * that the pages leave open:
 *
 * - HWPERF_SET_SYSEVCTRL needs an event in kernel mode, too, because this defines
 *   system mode. It starts all counts from zero, as PIOCSETEVCTRL does.
 * - Generation numbers go on from one system mode to the next.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>
#include <irixperf.h>
#include "system.h"
#include "arbiter.h"
#include "kernel.h"
#include "lock.h"
#include "overflow.h"
#include "remote.h"
#include "spec.h"
#include "start.h"
#include "sysfile.h"
#include "view.h"

static bool wants_kernel(const hwperf_profevctrarg_t *arg)
{
	/* hwp_mode is the lowest bits of hwperf_spec */
	return ixp_spec_bits(arg) & HWPERF_CNTEN_K;
}

/**
 * ixp_system_wanted() - tell whether a /proc request means system mode
 * @arg: its events
 *
 * Return: whether root asks for an event in kernel mode.
 */
bool ixp_system_wanted(const hwperf_profevctrarg_t *arg)
{
	return wants_kernel(arg) && ixp_kernel.euid() == 0;
}

/**
 * ixp_system_check() - check what system mode is to count
 * @arg: the events
 *
 * Return: 0, -EINVAL if an event, mode, threshold or signal is improper, -ENOTSUP for
 * a threshold with a signal, or another error of ixp_spec_decode().
 */
int ixp_system_check(const hwperf_profevctrarg_t *arg)
{
	struct irixperf_attr attr;
	int modes = ixp_spec_decode(&attr, arg);

	if (modes < 0)
		return modes;

	/* An overflow interrupts whatever runs: no program is meant to get a signal */
	return ixp_overflow_wanted(arg) ? -ENOTSUP : 0;
}

/**
 * ixp_system_check_irix() - check what a request of IRIX's system mode is to count
 * @arg: the events
 *
 * Return: as ixp_system_check(); also -EINVAL if no event counts in kernel mode.
 */
int ixp_system_check_irix(const hwperf_profevctrarg_t *arg)
{
	int ret = ixp_system_check(arg);

	return ret == 0 && !wants_kernel(arg) ? -EINVAL : ret;
}

/**
 * ixp_system_folder() - make root's directory, if there is none
 *
 * Only root may write to it: a user that can rename files there could replace them.
 * Root of a user namespace is not root here.
 *
 * Return: 0, -EPERM if it is not root's own, or another negative errno value.
 */
int ixp_system_folder(void)
{
	struct stat st;
	int ret;

	ret = ixp_file_mkdir(IXP_RUN, 0755);
	if (ret == -EACCES)
		return -EPERM;
	if (ret < 0 && ret != -EEXIST)
		return ret;
	ret = ixp_file_stat(IXP_RUN, &st);
	if (ret < 0)
		return ret;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 0022))
		return -EPERM;

	/* Set the bits that the first caller's umask has removed */
	return ixp_file_chmod(IXP_RUN, 0755);
}

static int busy(void)
{
	struct ixp_system_view view;

	return ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK) == -EPROTO ?
	       -EPROTO : -EBUSY;
}

/*
 * Check here whether the caller itself counts: the holder would not find the caller's
 * counters if the caller died meanwhile.
 */
static int acquire_locked(const struct ixp_system_request *request, int lock)
{
	int ret = ixp_system_on();

	if (ret != 0)
		return ret < 0 ? ret : busy();
	if (!request->force && ixp_arbiter_user_has(request->caller))
		return -EBUSY;

	return ixp_holder_start(IXP_HOLDER_SYSTEM, request, sizeof(*request),
				lock, NULL);
}

/* Check the request, and carry it out with the file "control" locked */
static int start_locked(struct ixp_system_request *request,
			int (*start)(const struct ixp_system_request *request,
				     int lock))
{
	int lock, ret;

	prctl(PR_GET_NAME, request->command);
	ret = ixp_system_check(&request->arg);
	if (ret == 0 && ixp_kernel.euid() != 0)
		ret = -EPERM;
	if (ret == 0)
		ret = ixp_system_folder();
	if (ret < 0)
		return ret;

	lock = ixp_file_open(IXP_RUN_CONTROL, O_RDWR | O_CREAT);
	if (lock < 0)
		return lock;

	ret = ixp_lock_wait(lock);
	if (ret == 0)
		ret = start(request, lock);
	close(lock);

	return ret;
}

/**
 * ixp_system_start() - start system mode
 * @arg: what to count on all CPUs
 * @words: labels and codes
 * @force: take the counters from programs that run and use them
 * @after: last generation number that the caller has seen, or 0
 *
 * Return: a positive generation number;
 * -EINVAL: invalid events;
 * -EPERM: the caller is not root;
 * -EBUSY: system mode is on, or, without @force, a process that is counted runs;
 * -EPROTO: system mode is on, and its holder is one of another version;
 * -ENOSYS: irixperf-holder is not installed;
 * or another negative errno value.
 */
int ixp_system_start(const hwperf_profevctrarg_t *arg,
		     const struct ixp_system_words *words, bool force, int after)
{
	struct ixp_system_request request = {
		.arg = *arg,
		.words = *words,
		.caller = getpid(),
		.force = force,
		.after = after,
	};

	return start_locked(&request, acquire_locked);
}

/* If the last claim has just ended, its holder is about to end: try again */
static int claim_locked(const struct ixp_system_request *request, int lock)
{
	const uint64_t end = ixp_now_ms() + IXP_REMOTE_SEARCH;
	int ret, socket;

	while ((ret = ixp_system_on()) > 0) {
		ret = busy();
		if (ret == -EBUSY && request->claim == IXP_CLAIM_ROOM)
			ret = ixp_remote_claim(&request->arg);
		if ((ret != -ENOENT && ret != -EPIPE) || ixp_now_ms() > end)
			return ret;
		usleep(1000);
	}
	if (ret == 0)
		ret = ixp_holder_start(IXP_HOLDER_SYSTEM, request,
				       sizeof(*request), lock, &socket);

	return ret < 0 ? ret : socket;
}

/**
 * ixp_system_claim() - start system mode that ends with the caller, or join it
 * @arg: the events
 * @claim: IXP_CLAIM_COUNT or IXP_CLAIM_ROOM
 *
 * Return: a connection to the holder, which keeps the claim; -ENOSPC if the counters
 * have no room for the events; or an error of ixp_system_acquire().
 */
int ixp_system_claim(const hwperf_profevctrarg_t *arg, enum ixp_claim claim)
{
	struct ixp_system_request request = {
		.arg = *arg,
		.caller = getpid(),
		.force = true,
		.claim = claim,
	};

	return start_locked(&request, claim_locked);
}

/**
 * ixp_system_acquire() - start system mode as IRIX's requests do
 * @arg: what to count on all CPUs
 * @force: take the counters from programs that run and use them
 * @after: last generation number that the caller has seen, or 0
 *
 * Return: as ixp_system_start(); also -EINVAL if no event counts in kernel mode.
 */
int ixp_system_acquire(const hwperf_profevctrarg_t *arg, bool force, int after)
{
	static const struct ixp_system_words none;
	int ret = ixp_system_check_irix(arg);

	return ret < 0 ? ret : ixp_system_start(arg, &none, force, after);
}

/**
 * ixp_system_change() - change what system mode counts
 * @arg: the new events
 * @words: labels and codes
 * @session: which system mode is meant: what ixp_system_start() returned; 0 for
 *	the current one
 *
 * Return: the new generation number; -EPERM if the caller is not root; -EINVAL if
 * that system mode is not on, or for invalid events; -EBUSY if it is a claim.
 */
int ixp_system_change(const hwperf_profevctrarg_t *arg,
		      const struct ixp_system_words *words, int session)
{
	struct ixp_system_view view;
	int ret = ixp_system_check(arg);

	if (ret < 0)
		return ret;
	if (ixp_kernel.euid() != 0)
		return -EPERM;
	/* A holder of another version would not understand the request */
	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == 0)
		ret = ixp_remote_system(PIOCSETEVCTRL, session, arg, words);

	return ret == -ENOENT ? -EINVAL : ret;
}

/* The same by the rule of IRIX's requests: an event has to count in kernel mode */
int ixp_system_modify(const hwperf_profevctrarg_t *arg, int session)
{
	static const struct ixp_system_words none;
	int ret = ixp_system_check_irix(arg);

	return ret < 0 ? ret : ixp_system_change(arg, &none, session);
}

/**
 * ixp_system_release() - end system mode
 * @session: which system mode is meant; 0 for the current one
 * @last: gets the state at the end, with the counts of all CPUs
 *
 * Return: 0; -EPERM if the caller is not root; -EINVAL if that system mode is not on.
 */
int ixp_system_release(int session, struct ixp_system_view *last)
{
	return ixp_kernel.euid() == 0 ? ixp_system_look_last(last, session) : -EPERM;
}
