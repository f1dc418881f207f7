// SPDX-License-Identifier: GPL-2.0-or-later
/* perf(1), which takes the samples and reads them again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ssrun.h"

/*
 * The command is perf's child: perf ends it on these, and writes what it has. One
 * that comes before perf does waits.
 */
static volatile sig_atomic_t record_pid, waiting;

static void pass_on(int signal)
{
	if (record_pid)
		kill(record_pid, signal);
	else
		waiting = signal;
}

/* perf does not inherit them: handlers end with execve(2) */
static void pass_signals_on(void)
{
	struct sigaction passing = { .sa_handler = pass_on };

	sigaction(SIGTERM, &passing, NULL);
	sigaction(SIGHUP, &passing, NULL);
}

/* Keys that interrupt are for the command and perf, which get them as well */
static void leave_keys(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return TOOL_FAILED;
	if (WIFSIGNALED(status))
		return TOOL_SIGNAL + WTERMSIG(status);

	return WEXITSTATUS(status);
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
	pass_signals_on();
	pid = argv ? fork() : -1;
	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(TOOL_NOT_FOUND);
	}
	free(argv);
	if (pid < 0) {
		tool_error("cannot start perf: %s", strerror(errno));
		return TOOL_FAILED;
	}
	record_pid = pid;
	leave_keys();
	if (waiting)
		kill(pid, waiting);

	return wait_for(pid);
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
