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
 * @kernel: an event has to count in kernel mode, as in a request of IRIX
 *
 * Return: 0, -EINVAL if an event, mode, threshold or signal is improper, -ENOTSUP for
 * a threshold with a signal, or another error of ixp_spec_decode().
 */
int ixp_system_check(const hwperf_profevctrarg_t *arg, bool kernel)
{
	struct irixperf_attr attr;
	int modes = ixp_spec_decode(&attr, arg);

	if (modes < 0)
		return modes;
	if (kernel && !(modes & HWPERF_CNTEN_K))
		return -EINVAL;

	/* An overflow interrupts whatever runs: no program is meant to get a signal */
	return ixp_overflow_wanted(arg) ? -ENOTSUP : 0;
}

/**
 * ixp_system_folder() - make a directory of root, if there is none
 * @path: its name
 *
 * Only root may write to it: a user that can rename files there could replace them.
 * Root of a user namespace is not root here.
 *
 * Return: 0, -EPERM if it is not root's own, or another negative errno value.
 */
int ixp_system_folder(const char *path)
{
	struct stat st;
	int ret;

	ret = ixp_file_mkdir(path, 0755);
	if (ret == -EACCES)
		return -EPERM;
	if (ret < 0 && ret != -EEXIST)
		return ret;
	ret = ixp_file_stat(path, &st);
	if (ret < 0)
		return ret;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 0022))
		return -EPERM;

	/* Set the bits that the first caller's umask has removed */
	return ixp_file_chmod(path, 0755);
}

/**
 * ixp_system_control() - wait until no other process starts system mode or claims it
 *
 * Return: the locked file "control"; until it is closed, others wait. Or -EPERM if the
 * caller is not root, or another negative errno value.
 */
int ixp_system_control(void)
{
	int fd, ret = ixp_kernel.euid() == 0 ? ixp_system_folder(IXP_RUN) : -EPERM;

	if (ret < 0)
		return ret;
	fd = ixp_file_open(IXP_RUN_CONTROL, O_RDWR | O_CREAT);
	if (fd < 0)
		return fd;
	ret = ixp_lock_wait(fd);
	if (ret == 0)
		return fd;
	close(fd);

	return ret;
}

/*
 * Check here whether the caller itself counts: the holder would not find the caller's
 * counters if the caller died meanwhile.
 */
static int acquire_locked(const struct ixp_system_request *request, int control)
{
	struct ixp_system_view view;
	int ret = ixp_system_on();

	if (ret < 0)
		return ret;
	if (ret > 0)
		return ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK) == -EPROTO ?
		       -EPROTO : -EBUSY;
	if (!request->force && ixp_arbiter_user_has(request->caller))
		return -EBUSY;

	return ixp_holder_start(IXP_HOLDER_SYSTEM, request, sizeof(*request), control,
				NULL);
}

/**
 * ixp_system_acquire() - start system mode
 * @arg: what to count on all CPUs
 * @words: labels and codes; NULL for a request of IRIX, which has none
 * @force: take the counters from programs that run and use them
 * @after: last generation number that the caller has seen, or 0
 *
 * Return: a positive generation number;
 * -EINVAL: invalid events; or a request of IRIX without one in kernel mode;
 * -EPERM: the caller is not root;
 * -EBUSY: system mode is on, or a program has a claim, or, without @force, a process
 * that is counted runs;
 * -EPROTO: system mode is on, and its holder is one of another version;
 * -ENOSYS: irixperf-holder is not installed;
 * or another negative errno value.
 */
int ixp_system_acquire(const hwperf_profevctrarg_t *arg,
		       const struct ixp_system_words *words, bool force, int after)
{
	struct ixp_system_request request = {
		.arg = *arg,
		.caller = getpid(),
		.force = force,
		.after = after,
	};
	int control, ret;

	if (words)
		request.words = *words;
	ret = ixp_system_check(arg, !words);
	if (ret < 0)
		return ret;
	control = ixp_system_control();
	if (control < 0)
		return control;
	ret = acquire_locked(&request, control);
	ixp_lock_close(control);

	return ret;
}

/**
 * ixp_system_modify() - change what system mode counts
 * @arg: the new events
 * @words: labels, codes, and the generation number that is to be changed; NULL for a
 *	request of IRIX
 * @session: which system mode is meant: what ixp_system_acquire() returned; 0 for
 *	the current one
 *
 * Return: the new generation number; -EPERM if the caller is not root; -EINVAL for
 * invalid events, or a request of IRIX without one in kernel mode; -EBUSY if another
 * user of perf has the counters for itself; -ESTALE if the
 * generation number is another one; -ENOENT if system mode is off.
 */
int ixp_system_modify(const hwperf_profevctrarg_t *arg,
		      const struct ixp_system_words *words, int session)
{
	struct ixp_system_view view;
	int ret = ixp_system_check(arg, !words);

	if (ret < 0)
		return ret;
	if (ixp_kernel.euid() != 0)
		return -EPERM;
	/* A holder of another version would not understand the request */
	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == -EINVAL)
		return -ENOENT;

	return ret < 0 ? ret : ixp_remote_system(PIOCSETEVCTRL, session, arg, words);
}

/**
 * ixp_system_release() - end system mode
 * @session: which system mode is meant; 0 for the current one
 * @generation: its last generation number; 0 for whatever it is
 * @last: gets the state at the end, with the counts of all CPUs
 *
 * Return: 0; -EPERM if the caller is not root; -ENOENT if system mode is off; -EINVAL if
 * it is another one than @session; -ESTALE if its generation number is another one.
 */
int ixp_system_release(int session, int generation, struct ixp_system_view *last)
{
	return ixp_kernel.euid() == 0 ?
	       ixp_system_look_last(last, session, generation) : -EPERM;
}
