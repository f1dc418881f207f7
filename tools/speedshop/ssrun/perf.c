// SPDX-License-Identifier: GPL-2.0-or-later
/* Run perf(1), which records the samples and prints them. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ssrun.h"

#define PATIENCE	3	/* this signal kills what still runs */
#define LAST_WAIT	2	/* seconds that remaining processes have to end */

/* The signals that ssrun takes while perf records; the mask before that */
static sigset_t taken, before;

/* Signals that the caller ignores, as nohup(1) does, stay ignored */
static void take_signals(void)
{
	static const int ending[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigaction(ending[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&taken, ending[i]);
	sigprocmask(SIG_BLOCK, &taken, &before);
}

/*
 * ssrun passes a signal that was sent to it on to the command and its children.
 * (A signal from the keyboard reaches them anyway.) perf does not get the signal: it
 * ends when the command does. On SIGINT it would send the command a SIGTERM, and
 * on SIGHUP and SIGQUIT it would lose its records. perf gets the signal only if it
 * has not started the command yet.
 */
static void pass_on(int sig, pid_t perf, unsigned int times)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (times >= PATIENCE)
		sig = SIGKILL;
	else if (sig != SIGINT)
		sig = SIGTERM;
	if (!tool_tree_signal(sig, perf) && sig != SIGKILL)
		kill(perf, sig);
}

/* Kill what is left: SIGINT does not end a shell's background processes */
static void leave_nothing(void)
{
	const struct timespec limit = { .tv_sec = LAST_WAIT };

	while (waitpid(-1, NULL, WNOHANG) >= 0)
		if (sigtimedwait(&taken, NULL, &limit) < 0 && errno == EAGAIN)
			tool_tree_signal(SIGKILL, 0);
}

/*
 * The kernel does not tell how long a sampling event was without a counter. ssrun looks
 * every second, and at the end, whether there is a counter for itself.
 */
static int wait_for_record(pid_t pid, const struct irixperf_attr *attr, bool *starved)
{
	const struct timespec second = { .tv_sec = 1 };
	unsigned int times = 0;
	siginfo_t info;
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		int sig = sigtimedwait(&taken, &info, &second);

		if (sig < 0 && errno == EAGAIN && !*starved)
			*starved = tool_counters_taken(attr);
		if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
			pass_on(sig, pid, ++times);
	}

	if (times > 0)
		leave_nothing();
	if (!*starved)
		*starved = tool_counters_taken(attr);

	return ended < 0 ? TOOL_FAILED : tool_exit_status(status);
}

static char **record_argv(const struct ssrun_choice *choice, const char *data,
			  const char *interval, char **command)
{
	/* -B, -N: no build IDs and no cache of programs, which nobody would use */
	const char *const first[] = {
		"perf", "record", "-q", "-B", "-N", "-o", data,
		"-e", choice->perf_event, "-c", interval, "--",
	};
	size_t nr = sizeof(first) / sizeof(first[0]), more = 0;
	char **argv;

	while (command[more])
		more++;
	argv = calloc(nr + more + 1, sizeof(*argv));
	if (!argv)
		return NULL;
	memcpy(argv, first, sizeof(first));
	memcpy(argv + nr, command, more * sizeof(*argv));

	return argv;
}

void ssrun_attr(struct irixperf_attr *attr, const struct ssrun_choice *choice)
{
	*attr = (struct irixperf_attr){ .size = sizeof(*attr) };
	attr->mode[choice->event] = HWPERF_CNTEN_U;
}

int ssrun_perf_record(const struct ssrun_choice *choice, const char *data,
		      char **command, bool *starved)
{
	struct irixperf_attr attr;
	char interval[24];
	char **argv;
	pid_t pid;

	snprintf(interval, sizeof(interval), "%" PRIu64, choice->interval);
	argv = record_argv(choice, data, interval, command);
	take_signals();
	pid = argv ? fork() : -1;
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(argv[0], argv);
		_exit(TOOL_NOT_FOUND);
	}
	free(argv);
	if (pid < 0) {
		tool_error("cannot start perf: %s", strerror(errno));
		return TOOL_FAILED;
	}

	ssrun_attr(&attr, choice);

	return wait_for_record(pid, &attr, starved);
}
