// SPDX-License-Identifier: GPL-2.0-or-later
/* perf(1), which takes the samples and reads them again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ssrun.h"

#define PATIENCE	3	/* signals until what still runs is killed */
#define LAST_WAIT	2	/* seconds for those left behind */

/* What ssrun takes while perf records, and what it was started with */
static sigset_t taken, before;

/* Those that the caller wants to be ignored (nohup) stay so */
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
 * A key's signal is for perf and the command, which get it as well. One that is
 * sent to ssrun goes on to the command and all that it has started. perf ends
 * when the command does: on SIGINT it would end that by SIGTERM, and on SIGHUP
 * and SIGQUIT be gone without its records. Unless it has not begun yet.
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

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? TOOL_SIGNAL + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

/* As SIGINT does not end what a shell has put into the background */
static void leave_nothing(void)
{
	const struct timespec limit = { .tv_sec = LAST_WAIT };

	while (waitpid(-1, NULL, WNOHANG) >= 0)
		if (sigtimedwait(&taken, NULL, &limit) < 0 && errno == EAGAIN)
			tool_tree_signal(SIGKILL, 0);
}

static int wait_for_record(pid_t pid)
{
	unsigned int times = 0;
	siginfo_t info;
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		int sig = sigwaitinfo(&taken, &info);

		if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
			pass_on(sig, pid, ++times);
	}

	if (times > 0)
		leave_nothing();

	return ended < 0 ? TOOL_FAILED : exit_status(status);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return TOOL_FAILED;

	return exit_status(status);
}

static char **record_argv(const struct ssrun_choice *choice, const char *data,
			  const char *interval, char **command)
{
	/* Neither build IDs nor a cache of programs: nobody would use them */
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

int ssrun_perf_record(const struct ssrun_choice *choice, const char *data,
		      char **command)
{
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

	return wait_for_record(pid);
}

/* What perf has to say about symbols it does not find is of no use here */
static void be_perf(char *const argv[], int out)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(out, STDOUT_FILENO);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(TOOL_NOT_FOUND);
}

/**
 * ssrun_perf_open() - run perf and read its output
 * @perf: where to put what ssrun_perf_close() ends
 * @argv: its command line
 *
 * Return: 0 or a negative errno value.
 */
int ssrun_perf_open(struct ssrun_perf *perf, char *const argv[])
{
	int pipes[2], err;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	perf->out = fdopen(pipes[0], "r");
	perf->pid = perf->out ? fork() : -1;
	if (perf->pid == 0)
		be_perf(argv, pipes[1]);
	err = errno;
	close(pipes[1]);
	if (perf->pid > 0)
		return 0;
	if (perf->out)
		fclose(perf->out);
	else
		close(pipes[0]);

	return -err;
}

/* Did it do what it was asked for? */
bool ssrun_perf_close(struct ssrun_perf *perf)
{
	fclose(perf->out);

	return wait_for(perf->pid) == 0;
}
