// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command that a tool runs. A child waits at a gate until the tool has opened its
 * events, then becomes the command; counting starts with its execve(2), so that nothing
 * of the tool is counted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tool.h"

static ssize_t read_again(int fd, void *buf, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, buf, size);
	} while (n < 0 && errno == EINTR);

	return n;
}

/* A byte opens the gate; if the tool gives up or dies, the child reads end of file */
static void child(char **argv, void (*ready)(void), int gate, int news)
{
	char byte;
	int err;

	if (read_again(gate, &byte, 1) != 1)
		_exit(TOOL_FAILED);
	if (ready)
		ready();
	execvp(argv[0], argv);
	err = errno;
	if (write(news, &err, sizeof(err)) < 0)
		_exit(TOOL_FAILED);
	_exit(TOOL_CANNOT_RUN);
}

int tool_command_prepare(struct tool_command *cmd, char **argv, void (*ready)(void))
{
	int gate[2], news[2];
	int err;

	/* Unlike a pipe, it lets the tool live when it writes to a child that has ended */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0)
		return -errno;
	if (pipe2(news, O_CLOEXEC) < 0) {
		err = errno;
		goto close_gate;
	}
	cmd->pid = fork();
	if (cmd->pid < 0) {
		err = errno;
		goto close_news;
	}
	if (cmd->pid == 0) {
		close(gate[1]);
		child(argv, ready, gate[0], news[1]);
	}
	close(gate[0]);
	close(news[1]);
	cmd->gate = gate[1];
	cmd->news = news[0];
	cmd->traced = false;

	return 0;

close_news:
	close(news[0]);
	close(news[1]);
close_gate:
	close(gate[0]);
	close(gate[1]);

	return -err;
}

/* End a child that has not become the command */
void tool_command_cancel(struct tool_command *cmd)
{
	close(cmd->gate);
	close(cmd->news);
	tool_wait(cmd->pid);
}

static int not_run(const char *name, int err)
{
	if (err == ENOENT) {
		tool_error("%s: command not found", name);
		return TOOL_NOT_FOUND;
	}
	tool_error("%s: cannot run: %s", name, strerror(err));

	return TOOL_CANNOT_RUN;
}

/*
 * Let the child become the command, or end if a signal has reached it before. Return 0, or
 * an exit status after a message.
 */
int tool_command_start(struct tool_command *cmd, const char *name)
{
	char byte = 0;
	bool ran;
	int err;

	if (send(cmd->gate, &byte, 1, MSG_NOSIGNAL) < 0 && errno != EPIPE) {
		err = errno;
		tool_command_cancel(cmd);
		return not_run(name, err);
	}
	close(cmd->gate);
	if (cmd->traced)
		tool_trace_until_exec(cmd->pid);
	ran = read_again(cmd->news, &err, sizeof(err)) != sizeof(err);
	close(cmd->news);
	if (ran)
		return 0;
	tool_wait(cmd->pid);

	return not_run(name, err);
}
