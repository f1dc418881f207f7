// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's half of r10kvm: PID 1 of the emulated machine. It runs the
 * commands that the host asks for, one after the other, carries their streams,
 * reaps orphans, and switches the machine off when the host says so or is gone.
 *
 * For tests, "agent FD" serves the same protocol on an inherited descriptor of
 * an ordinary machine. There it mounts nothing and does not switch off.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot.h"
#include "channel.h"
#include "command.h"
#include "protocol.h"

/*
 * After a command has ended, the agent still sends what is left in its pipes. A
 * background process may keep writing, so the agent stops after DRAIN_MAX bytes.
 */
#define DRAIN_MAX	(1 << 20)

static struct {
	struct command cmd;
	bool running;
	bool ended;
	int status;
	uint32_t credit[3];	/* bytes of output that the host will take */
	uint32_t drain[3];
	char in[STREAM_WINDOW];	/* input that the command has not taken */
	uint32_t in_start;
	uint32_t in_len;
	uint32_t in_unacked;
	bool in_eof;
	int terminal;		/* held until the command has ended, or -1 */
	struct request *queue;
} agent;

static bool is_machine;		/* PID 1 of a machine of our own */

static void finish(const char *what, int err)
{
	if (!is_machine)
		_exit(err ? 1 : 0);
	if (err)
		boot_log(what, err);
	boot_end();
}

static void must(int err)
{
	if (err < 0)
		finish("channel to the host", -err);
}

static void stream_close(int s)
{
	if (agent.cmd.fd[s] >= 0)
		close(agent.cmd.fd[s]);
	agent.cmd.fd[s] = -1;
}

static void start_next(void)
{
	struct request *r = agent.queue;
	int err;

	agent.queue = r->next;
	err = command_start(&agent.cmd, r);
	if (err)
		must(channel_send_text(FRAME_ERROR, r->argv[0], -err));
	agent.running = !err;
	agent.ended = false;
	agent.in_start = 0;
	agent.in_len = 0;
	agent.in_unacked = 0;
	agent.in_eof = false;
	agent.terminal = -1;
	agent.credit[STREAM_OUT] = STREAM_WINDOW;
	agent.credit[STREAM_ERR] = STREAM_WINDOW;
	agent.drain[STREAM_OUT] = DRAIN_MAX;
	agent.drain[STREAM_ERR] = DRAIN_MAX;
	free(r);
}

static void queue_request(const struct frame *f)
{
	struct request **tail = &agent.queue;
	struct request *r = request_parse(f->data, f->len);

	if (!r) {
		must(channel_send_text(FRAME_ERROR, "request", errno));
		return;
	}
	while (*tail)
		tail = &(*tail)->next;
	*tail = r;
	if (!agent.running)	/* not later: the next frame may be its input */
		start_next();
}

/* Tell the host, which may have more input, that the command takes no more. */
static void input_refused(void)
{
	stream_close(STREAM_IN);
	agent.in_len = 0;
	must(channel_send(FRAME_CLOSE, STREAM_IN, 0));
}

static void input_ack(uint32_t n)
{
	agent.in_unacked += n;
	if (agent.in_unacked < STREAM_WINDOW / 2)
		return;
	must(channel_send_word(FRAME_ACK, STREAM_IN, agent.in_unacked));
	agent.in_unacked = 0;
}

static void input_end(void)
{
	static const char eof = 4;	/* ^D ends the input of a terminal */

	if (agent.cmd.tty)
		(void)!write(agent.cmd.fd[STREAM_IN], &eof, 1);
	else
		stream_close(STREAM_IN);
	agent.in_eof = false;
}

/* Write as much input as the command's pipe takes. */
static void input_pump(void)
{
	uint32_t n = STREAM_WINDOW - agent.in_start;
	ssize_t done;

	if (n > agent.in_len)
		n = agent.in_len;
	if (n) {
		done = write(agent.cmd.fd[STREAM_IN], agent.in + agent.in_start, n);
		if (done < 0) {
			if (errno != EAGAIN && errno != EINTR)
				input_refused();
			return;
		}
		agent.in_start = (agent.in_start + done) % STREAM_WINDOW;
		agent.in_len -= done;
		input_ack(done);
	}
	if (!agent.in_len && agent.in_eof)
		input_end();
}

static void input_add(const struct frame *f)
{
	uint32_t at = (agent.in_start + agent.in_len) % STREAM_WINDOW;
	uint32_t first = STREAM_WINDOW - at;

	if (f->len > STREAM_WINDOW - agent.in_len)
		finish("more input than the window allows", EPROTO);
	if (first > f->len)
		first = f->len;
	memcpy(agent.in + at, f->data, first);
	memcpy(agent.in, f->data + first, f->len - first);
	agent.in_len += f->len;
	input_pump();
}

static void close_wanted(int s)
{
	if (s != STREAM_IN) {
		stream_close(s);
		return;
	}
	agent.in_eof = true;
	if (agent.cmd.fd[STREAM_IN] >= 0)
		input_pump();
}

/* Frames for a command. Those that arrive after its end are ignored. */
static void command_frame(const struct frame *f)
{
	if (!agent.running)
		return;
	if (f->type == FRAME_DATA && agent.cmd.fd[STREAM_IN] >= 0)
		input_add(f);
	else if (f->type == FRAME_ACK && f->len == 4)
		agent.credit[f->stream] += get_be32(f->data);
	else if (f->type == FRAME_CLOSE)
		close_wanted(f->stream);
	else if (f->type == FRAME_WINSIZE && f->len == 8)
		command_winsize(&agent.cmd, get_be32(f->data),
				get_be32(f->data + 4));
}

static void handle_frames(void)
{
	struct frame f;
	int got;

	while ((got = channel_next(&f)) > 0) {
		if (f.type == FRAME_RUN)
			queue_request(&f);
		else if (f.type == FRAME_POWEROFF)
			finish("", 0);
		else
			command_frame(&f);
	}
	must(got);
}

/*
 * No more output will come. The agent keeps a terminal open until the command
 * has ended: an exiting program closes its streams first, and SIGHUP would kill
 * it if the agent closed its last end at that moment.
 */
static void output_end(int s)
{
	if (agent.cmd.tty && !agent.ended) {
		agent.terminal = agent.cmd.fd[s];
		agent.cmd.fd[s] = -1;
	}
	stream_close(s);
}

/* Send output of the command. After its end: drain the stream, then close it. */
static void output_pump(int s)
{
	uint32_t n = FRAME_DATA_MAX;
	ssize_t got;

	if (n > agent.credit[s])
		n = agent.credit[s];
	if (agent.ended && n > agent.drain[s])
		n = agent.drain[s];
	got = n ? read(agent.cmd.fd[s], channel_payload(), n) : 0;
	if (got > 0) {
		agent.credit[s] -= got;
		agent.drain[s] -= agent.ended ? got : 0;
		must(channel_send(FRAME_DATA, s, got));
	} else if (!got || (errno != EINTR && (errno != EAGAIN || agent.ended))) {
		output_end(s);
	}
}

static void end_command(void)
{
	int s;

	for (s = STREAM_OUT; s <= STREAM_ERR; s++)
		while (agent.cmd.fd[s] >= 0 && agent.credit[s])
			output_pump(s);
	if (agent.cmd.fd[STREAM_OUT] >= 0 || agent.cmd.fd[STREAM_ERR] >= 0)
		return;
	stream_close(STREAM_IN);
	if (agent.terminal >= 0)
		close(agent.terminal);
	agent.terminal = -1;
	agent.running = false;
	must(channel_send_word(FRAME_EXIT, 0, agent.status));
}

static void reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (!agent.running || pid != agent.cmd.pid)
			continue;
		agent.ended = true;
		agent.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
						     WEXITSTATUS(status);
	}
}

static void on_sigchld(int sig)
{
	(void)sig;
}

/* SIGCHLD is blocked except inside ppoll(). */
static void setup_signals(void)
{
	struct sigaction sa = { .sa_handler = on_sigchld };
	sigset_t chld;

	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_SETMASK, &chld, NULL);
}

static void poll_set(struct pollfd *p)
{
	int s;

	p[3] = (struct pollfd){ .fd = channel_fd(), .events = POLLIN };
	for (s = 0; s < 3; s++)
		p[s].fd = agent.running ? agent.cmd.fd[s] : -1;
	p[STREAM_IN].events = agent.in_len ? POLLOUT : 0;
	for (s = STREAM_OUT; s <= STREAM_ERR; s++) {
		p[s].events = POLLIN;
		if (!agent.credit[s])
			p[s].fd = -1;
	}
}

static void wait_and_serve(void)
{
	struct pollfd p[4];
	sigset_t none;
	int s;

	sigemptyset(&none);
	poll_set(p);
	if (ppoll(p, 4, NULL, &none) > 0) {
		if (p[STREAM_IN].revents & (POLLERR | POLLHUP))
			input_refused();
		else if (p[STREAM_IN].revents)
			input_pump();
		for (s = STREAM_OUT; s <= STREAM_ERR; s++)
			if (p[s].revents)
				output_pump(s);
		if (p[3].revents)
			must(channel_fill(channel_fd()));
		handle_frames();
	}
	reap();
}

/*
 * Read the requests that came with the initramfs, before any from the host. The
 * script is the last file of the initramfs: if it is complete, so are the files
 * that it names.
 */
static uint32_t load_script(void)
{
	int fd = open(SCRIPT_PATH, O_RDONLY | O_CLOEXEC);
	uint32_t size;

	if (fd < 0)
		return 0;
	size = lseek(fd, 0, SEEK_END);
	lseek(fd, 0, SEEK_SET);
	while (channel_fill(fd) >= 0)
		;
	close(fd);
	unlink(SCRIPT_PATH);
	rmdir(SCRIPT_DIR);
	return size;
}

static void say_hello(void)
{
	put_be32(channel_payload() + 8, is_machine ? load_script() : 0);
	put_be32(channel_payload() + 4, boot_milliseconds());
	put_be32(channel_payload(), PROTOCOL_VERSION);
	must(channel_send(FRAME_HELLO, 0, 12));
	handle_frames();
}

static int open_channel(int argc, char **argv)
{
	if (argc == 2 && getpid() != 1) {
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		return atoi(argv[1]);
	}
	if (getpid() != 1)
		return -EINVAL;
	is_machine = true;
	return boot_machine();
}

int main(int argc, char **argv)
{
	int fd = open_channel(argc, argv);

	if (fd < 0)
		finish("cannot start", -fd);
	channel_init(fd);
	setup_signals();
	say_hello();
	for (;;) {
		if (agent.running && agent.ended)
			end_command();
		if (!agent.running && agent.queue)
			start_next();
		wait_and_serve();
	}
}
