// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start one command: parse its request, open its streams, fork its process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "channel.h"
#include "command.h"
#include "protocol.h"

#define RUN_WORDS	6
#define RUN_STRINGS	(RUN_WORDS * 4)

/* The child's ends of the three streams; a terminal is all three. */
struct child_ends {
	int fd[3];
};

static uint32_t count_strings(const char *p, const char *end)
{
	uint32_t n = 0;

	for (; p < end; p++)
		n += !*p;
	return n;
}

static void fill_strings(char **where, uint32_t n, char **text)
{
	while (n--) {
		*where++ = *text;
		*text += strlen(*text) + 1;
	}
	*where = NULL;
}

/* Return NULL and set errno if the frame is not a valid request. */
struct request *request_parse(const char *data, uint32_t len)
{
	uint32_t argc, envc;
	struct request *r;
	char **list, *text;
	size_t lists;

	errno = EPROTO;
	if (len <= RUN_STRINGS || data[len - 1])
		return NULL;
	argc = get_be32(data + 16);
	envc = get_be32(data + 20);
	if (!argc || argc > len || envc > len ||
	    count_strings(data + RUN_STRINGS, data + len) != argc + envc + 2)
		return NULL;
	lists = (argc + envc + 2) * sizeof(char *);
	r = calloc(1, sizeof(*r) + lists + len);
	if (!r)
		return NULL;
	r->flags = get_be32(data);
	r->uid = get_be32(data + 4);
	r->rows = get_be32(data + 8);
	r->columns = get_be32(data + 12);
	list = (char **)(r + 1);
	text = (char *)list + lists;
	memcpy(text, data + RUN_STRINGS, len - RUN_STRINGS);
	r->cwd = text;
	text += strlen(text) + 1;
	r->input = text;
	text += strlen(text) + 1;
	r->argv = list;
	fill_strings(r->argv, argc, &text);
	r->envp = list + argc + 1;
	fill_strings(r->envp, envc, &text);
	return r;
}

void command_winsize(const struct command *c, uint32_t rows, uint32_t columns)
{
	struct winsize w = { .ws_row = rows, .ws_col = columns };

	if (c->tty && rows && columns)
		ioctl(c->fd[STREAM_OUT], TIOCSWINSZ, &w);
}

static int set_nonblock(int fd)
{
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) ? -errno : 0;
}

static int open_pipe(int *ours, int *theirs, bool to_child)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC))
		return -errno;
	*ours = p[to_child];
	*theirs = p[!to_child];
	return set_nonblock(*ours);
}

/* Open a file as stdin. A file of the script is needed once, so remove it. */
static int open_input(const char *path, int *theirs)
{
	*theirs = open(path, O_RDONLY | O_CLOEXEC);
	if (*theirs < 0)
		return -errno;
	if (!strncmp(path, SCRIPT_DIR, strlen(SCRIPT_DIR))) {
		unlink(path);
		rmdir(SCRIPT_DIR);	/* fails until the last file is removed */
	}
	return 0;
}

static int open_terminal(struct command *c, const struct request *r,
			 struct child_ends *ends)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	const char *name;

	c->fd[STREAM_OUT] = master;
	if (master < 0 || grantpt(master) || unlockpt(master))
		return -errno;
	name = ptsname(master);
	c->fd[STREAM_IN] = fcntl(master, F_DUPFD_CLOEXEC, 3);
	ends->fd[0] = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (ends->fd[0] < 0 || c->fd[STREAM_IN] < 0)
		return -errno;
	ends->fd[1] = ends->fd[0];
	ends->fd[2] = ends->fd[0];
	c->tty = true;
	command_winsize(c, r->rows, r->columns);
	return set_nonblock(master);
}

static int open_streams(struct command *c, const struct request *r,
			struct child_ends *ends)
{
	int err;

	if (r->flags & RUN_TTY)
		return open_terminal(c, r, ends);
	if (*r->input)
		err = open_input(r->input, &ends->fd[0]);
	else
		err = open_pipe(&c->fd[STREAM_IN], &ends->fd[0], true);
	if (!err)
		err = open_pipe(&c->fd[STREAM_OUT], &ends->fd[1], false);
	if (err)
		return err;
	ends->fd[2] = ends->fd[1];
	if (r->flags & RUN_MERGE)
		return 0;
	return open_pipe(&c->fd[STREAM_ERR], &ends->fd[2], false);
}

static int become_user(uint32_t uid)
{
	if (!uid)
		return 0;
	return setgroups(0, NULL) || setgid(uid) || setuid(uid);
}

static void child_fails(const char *what, int err)
{
	dprintf(2, "r10kvm: %s: %s\n", what,
		err == ENOENT ? "not found in the guest" : strerror(err));
	_exit(err == ENOENT ? 127 : 126);
}

/* Runs in the child, in a session of its own. It never returns. */
static void child_run(const struct request *r, const struct child_ends *ends)
{
	sigset_t none;
	int i;

	setsid();
	for (i = 0; i < 3; i++)
		if (dup2(ends->fd[i], i) < 0)
			_exit(126);
	if (r->flags & RUN_TTY)
		ioctl(0, TIOCSCTTY, 0);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (chdir(r->cwd))
		child_fails(r->cwd, errno);
	if (become_user(r->uid))
		child_fails("cannot change the user", errno);
	environ = r->envp;
	execvp(r->argv[0], r->argv);
	child_fails(r->argv[0], errno);
}

static void close_all(int *fd, int n)
{
	while (n--)
		if (fd[n] >= 0)
			close(fd[n]);
}

static void close_ends(struct child_ends *ends)
{
	if (ends->fd[2] == ends->fd[1])
		ends->fd[2] = -1;
	if (ends->fd[1] == ends->fd[0])
		ends->fd[1] = -1;
	close_all(ends->fd, 3);
}

/* Return 0, or a negative errno if no process was started. */
int command_start(struct command *c, const struct request *r)
{
	struct child_ends ends = { .fd = { -1, -1, -1 } };
	int err;

	*c = (struct command){ .fd = { -1, -1, -1 } };
	err = open_streams(c, r, &ends);
	if (!err) {
		c->pid = fork();
		if (!c->pid)
			child_run(r, &ends);
		err = c->pid < 0 ? -errno : 0;
	}
	close_ends(&ends);
	if (err)
		close_all(c->fd, 3);
	return err;
}
