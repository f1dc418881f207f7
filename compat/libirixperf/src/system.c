// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What root does with system mode: r10k_evcntrs(5), pages 10, 11 and 16 to 18.
 * Where the pages are silent:
 *
 * - HWPERF_SET_SYSEVCTRL needs an event in kernel mode as well, as this is what
 *   system mode is, and starts all counts from zero, as PIOCSETEVCTRL does.
 * - Generation numbers count on from one system mode to the next.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "overflow.h"
#include "system.h"

static bool wants_kernel(const hwperf_profevctrarg_t *arg)
{
	/* hwp_mode is its lowest bits */
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
 * Return: 0, -EINVAL if an event, mode, threshold or signal is improper or no
 * event counts in kernel mode, -ENOTSUP for a threshold with a signal, or
 * another error of ixp_spec_decode().
 */
int ixp_system_check(const hwperf_profevctrarg_t *arg)
{
	struct irixperf_attr attr;
	int modes = ixp_spec_decode(&attr, arg);

	if (modes < 0)
		return modes;
	if (!(modes & HWPERF_CNTEN_K))
		return -EINVAL;

	/* What runs at an overflow is any program, and none has asked for it */
	return ixp_overflow_wanted(arg) ? -ENOTSUP : 0;
}

/**
 * ixp_system_folder() - make root's directory, if there is none
 *
 * It has to be root's own: who can rename there can pretend anything. Root of a
 * user namespace alone is not root here.
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

	/* The mask of the first caller was for his own files */
	return ixp_file_chmod(IXP_RUN, 0755);
}

/* The holder sees who counts, but ourselves only as long as we live */
static int acquire_locked(const struct ixp_system_request *request, int lock)
{
	int ret = ixp_system_on();

	if (ret < 0)
		return ret;
	if (ret > 0 || (!request->force && ixp_arbiter_user_has(request->caller)))
		return -EBUSY;

	return ixp_holder_start(IXP_HOLDER_SYSTEM, request, sizeof(*request),
				lock, NULL);
}

/* Open and lock the file "control" */
static int control_lock(int flags)
{
	int fd, ret;

	fd = ixp_file_open(IXP_RUN_CONTROL, O_RDWR | flags);
	if (fd < 0)
		return fd;

	ret = ixp_lock_wait(fd, F_WRLCK, 0, 0);
	if (ret < 0) {
		close(fd);
		return ret;
	}

	return fd;
}

/**
 * ixp_system_acquire() - begin system mode
 * @arg: what to count on all CPUs
 * @force: take the counters from programs that run and use them
 * @after: last generation number that the caller has seen, or 0
 *
 * Return: a positive generation number;
 * -EINVAL: improper events, or none in kernel mode;
 * -EPERM: the caller is not root;
 * -EBUSY: there is system mode, or without @force somebody runs and counts;
 * -ENOSYS: irixperf-holder is not installed;
 * or another negative errno value.
 */
int ixp_system_acquire(const hwperf_profevctrarg_t *arg, bool force, int after)
{
	struct ixp_system_request request = {
		.arg = *arg,
		.caller = getpid(),
		.force = force,
		.after = after,
	};
	int lock, ret;

	ret = ixp_system_check(arg);
	if (ret == 0 && ixp_kernel.euid() != 0)
		ret = -EPERM;
	if (ret == 0)
		ret = ixp_system_folder();
	if (ret < 0)
		return ret;

	lock = control_lock(O_CREAT);
	if (lock < 0)
		return lock;

	ret = acquire_locked(&request, lock);
	close(lock);

	return ret;
}

/* Not that of the command before, whoever gave it */
static uint64_t new_token(void)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);

	return ((uint64_t)getpid() << 42) ^
	       ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

/* The holder sees a command in the round after the one seen, or in the next */
static int command_wait(struct ixp_system_view *view, int system,
			uint64_t token)
{
	uint64_t round = view->begun;
	int ret;

	do {
		round++;
		ret = ixp_lock_wait(system, F_RDLCK, (off_t)round, 1);
		if (ret == 0)
			ret = ixp_system_look(view, IXP_ALL_CPUS, IXP_LOOK);
		if (ret < 0)
			return ret;
	} while (view->token != token && view->alive);

	return view->token == token ? view->reply : -EINVAL;
}

static int command_write(int control, const struct ixp_system_command *command)
{
	ssize_t n = pwrite(control, command, sizeof(*command),
			   offsetof(struct ixp_system_control, command));

	if (n < 0)
		return -errno;
	return n == (ssize_t)sizeof(*command) ? 0 : -EIO;
}

static int command_run(int control, const struct ixp_system_command *command,
		       struct ixp_system_view *view)
{
	int system, ret;

	system = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
	if (system < 0)
		return system == -ENOENT ? -EINVAL : system;

	ret = ixp_system_look(view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == 0 && !view->alive)
		ret = -EINVAL;
	if (ret == 0)
		ret = command_write(control, command);
	if (ret == 0)
		ret = command_wait(view, system, command->token);
	close(system);

	return ret;
}

/* @view gets the state after it */
static int command_send(struct ixp_system_command *command,
			struct ixp_system_view *view)
{
	int control, ret;

	if (ixp_kernel.euid() != 0)
		return -EPERM;
	control = control_lock(0);
	if (control < 0)
		return control == -ENOENT ? -EINVAL : control;

	command->token = new_token();
	command->token_again = command->token;
	ret = command_run(control, command, view);
	close(control);

	return ret;
}

/**
 * ixp_system_modify() - change what system mode counts
 * @arg: the new events
 * @session: which system mode is meant, as ixp_system_acquire() has named it; 0
 *	for the one there is
 *
 * Return: the new generation number; -EPERM for others than root; -EINVAL if
 * there is no such system mode, or for improper events.
 */
int ixp_system_modify(const hwperf_profevctrarg_t *arg, int session)
{
	struct ixp_system_command command = {
		.code = IXP_SYSTEM_SET,
		.session = session,
		.arg = *arg,
	};
	struct ixp_system_view view;
	int ret = ixp_system_check(arg);

	return ret < 0 ? ret : command_send(&command, &view);
}

/**
 * ixp_system_release() - end system mode
 * @session: which; 0 for the one there is
 * @last: gets the state at the end, with the counts of all CPUs
 *
 * Return: 0; -EPERM for others than root; -EINVAL if there is no such system
 * mode.
 */
int ixp_system_release(int session, struct ixp_system_view *last)
{
	struct ixp_system_command command = {
		.code = IXP_SYSTEM_RELEASE,
		.session = session,
	};

	return command_send(&command, last);
}
