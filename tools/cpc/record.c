// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Let perf(1) take samples. It writes them to files, and "perf script" reads them later:
 * reading costs far more than taking them, and is sampled as well if it is before the end.
 * The files are in a file system that only the descriptors of cpctrace and perf keep, so
 * nobody else finds them, and nothing is left of them, however cpctrace ends. Events are
 * pinned, so that each has its counter all the time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/mount.h>
#include "perftool.h"
#include "record.h"
#include "sample.h"

#define PATIENCE	60	/* seconds that perf has to do anything */
#define LARGE		(64 << 20)	/* bytes of a file that is read before the end */
#define LOOK		10	/* milliseconds from one look to the next */

/* perf's file; perf adds the time to the name of one that is complete */
#define DATA		"data"

#define ARGS_MAX	(32 + 2 * D_PROBES)

/* Of a name in the folder, as cpctrace and perf see it */
#define PATH_SIZE	320
#define FOLDER		"/proc/self/fd/%d/"

static const char *modifier(unsigned char mode)
{
	return mode == HWPERF_CNTEN_U ? "uD" : mode & HWPERF_CNTEN_U ? "D" : "kD";
}

/* The options -e; the texts go to @text */
static unsigned int add_events(const char **argv, char text[D_PROBES][256],
			       const struct program *program)
{
	unsigned int i, nr = 0;

	for (i = 0; i < program->nr_probes; i++) {
		const struct probe *probe = &program->probe[i];
		char terms[64];

		if (probe->kind != PROBE_CPC)
			continue;
		snprintf(terms, sizeof(terms), "period=%" PRIu64 ",name=" SAMPLE_EVENT "%u",
			 probe->count, i);
		tool_perf_event(text[i], sizeof(text[i]), program->limits.chip,
				probe->event->num, terms, modifier(probe->mode));
		argv[nr++] = "-e";
		argv[nr++] = text[i];
	}

	return nr;
}

/* Runs in the child. Samples get the clock that ticks have */
static void be_record(const struct record *record, const struct program *program,
		      pid_t parent, int command, int answer)
{
	static char text[D_PROBES][256];
	const char *argv[ARGS_MAX] = {
		"perf", "record", "-q", "-B", "-N", "-a", "-D", "-1", "-k", "mono",
		"--switch-output=signal",
	};
	char control[48], data[PATH_SIZE];
	unsigned int nr = 11;

	snprintf(data, sizeof(data), FOLDER DATA, record->folder);
	argv[nr++] = "-o";
	argv[nr++] = data;
	argv[nr++] = "--control";
	snprintf(control, sizeof(control), "fd:%d,%d", command, answer);
	argv[nr++] = control;
	if (record->stacks) {
		argv[nr++] = "--call-graph";
		argv[nr++] = "fp";
	}
	nr += add_events(argv + nr, text, program);
	argv[nr] = NULL;

	tool_perf_child(parent);
	execvp(argv[0], (char *const *)argv);
	_exit(errno == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN);
}

/* perf inherits the descriptor; a command of -c has been forked before */
static int make_folder(struct record *record)
{
	int context = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC), folder = -1;

	if (context >= 0 &&
	    syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		folder = (int)syscall(SYS_fsmount, context, 0, 0);
	if (folder < 0)
		tool_error("there is no place for samples, fsmount(2): %s", strerror(errno));
	if (context >= 0)
		close(context);
	record->folder = folder < 0 ? 0 : folder;

	return folder < 0 ? -EIO : 0;
}

/* The ends of the pipes that perf has must be open when it starts */
static int start_perf(struct record *record, const struct program *program)
{
	int command[2], answer[2];
	pid_t parent = getpid();
	int err;

	if (pipe2(command, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(answer, O_CLOEXEC) < 0) {
		err = errno;
		close(command[0]);
		close(command[1]);
		return -err;
	}
	record->pid = fork();
	if (record->pid == 0) {
		fcntl(command[0], F_SETFD, 0);
		fcntl(answer[1], F_SETFD, 0);
		be_record(record, program, parent, command[0], answer[1]);
	}
	close(command[0]);
	close(answer[1]);
	record->control = command[1];
	record->answer = answer[0];

	return record->pid < 0 ? -ENOMEM : 0;
}

/* Send perf a command, and wait until it is carried out */
static int tell(const struct record *record, const char *command)
{
	struct pollfd wait = { .fd = record->answer, .events = POLLIN };
	char text[16];
	int ret;

	if (write(record->control, command, strlen(command)) < 0)
		return -errno;
	do {
		ret = poll(&wait, 1, PATIENCE * 1000);
	} while (ret < 0 && errno == EINTR);
	if (ret != 1)
		return -ETIMEDOUT;

	return read(record->answer, text, sizeof(text)) > 0 ? 0 : -EPIPE;
}

static void say_ended(int status)
{
	if (status == TOOL_NOT_FOUND)
		tool_error("perf, which takes the samples, is not found\n"
			   "install it: linux-perf of Debian, linux-tools of Ubuntu, perf "
			   "elsewhere; or set PATH");
	else
		tool_error("perf, which takes the samples, has ended with status %d", status);
	if (status != TOOL_NOT_FOUND && irixperf_map_file())
		tool_error("perf may not know the names of events in %s: there may be "
			   "codes instead, r1a2b or pmu/term=number,.../", irixperf_map_file());
}

int record_start(struct record *record, const struct program *program)
{
	int ret = make_folder(record);

	if (ret < 0)
		return ret;
	record->stacks = program->stacks;
	ret = start_perf(record, program);
	if (ret < 0) {
		tool_error("cannot start perf: %s", strerror(-ret));
		return ret;
	}
	ret = tell(record, "enable\n");
	if (ret == -ETIMEDOUT) {
		tool_error("perf does not start");
	} else if (ret < 0) {
		say_ended(tool_wait(record->pid));
		record->pid = 0;
	}

	return ret;
}

bool record_has_failed(struct record *record)
{
	int status;

	if (record->pid <= 0 || waitpid(record->pid, &status, WNOHANG) != record->pid)
		return false;
	record->pid = 0;
	say_ended(tool_exit_status(status));

	return true;
}

/* Files that are complete have more in their names than DATA */
static int is_complete(const struct dirent *entry)
{
	return strncmp(entry->d_name, DATA ".", strlen(DATA ".")) == 0;
}

/* The complete files, which the caller frees. Their number, or -1 */
static int list_complete(const struct record *record, struct dirent ***list)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), FOLDER, record->folder);

	return scandir(path, list, is_complete, alphasort);
}

static void list_free(struct dirent **list, int nr)
{
	while (nr > 0)
		free(list[--nr]);
	if (nr == 0)
		free(list);
}

bool record_is_large(const struct record *record)
{
	struct stat st;

	return fstatat(record->folder, DATA, &st, 0) == 0 && st.st_size > LARGE;
}

/* perf looks for the signal when it has something to do, so it gets a command as well */
int record_next(struct record *record)
{
	struct dirent **list;
	int nr = 0, ms, ret;

	kill(record->pid, SIGUSR2);
	ret = tell(record, "ping\n");
	for (ms = 0; ret == 0 && nr == 0 && ms < PATIENCE * 1000; ms += LOOK) {
		nr = list_complete(record, &list);
		list_free(list, nr);
		if (nr == 0)
			usleep(LOOK * 1000);
	}
	if (nr > 0)
		return 0;
	if (ret == -EPIPE) {
		say_ended(tool_wait(record->pid));
		record->pid = 0;
	} else {
		tool_error("perf does not write its samples");
	}

	return -EIO;
}

/* perf writes the last file, and ends as the signal ends a program, or with status 0 */
int record_stop(struct record *record)
{
	int status = 0, ms;
	pid_t ended = 0;

	if (record->pid <= 0)
		return 0;
	kill(record->pid, SIGINT);
	for (ms = 0; ended == 0 && ms < PATIENCE * 1000; ms += LOOK) {
		ended = waitpid(record->pid, &status, WNOHANG);
		if (ended == 0)
			usleep(LOOK * 1000);
	}
	if (ended == 0) {
		kill(record->pid, SIGKILL);
		waitpid(record->pid, &status, 0);
	}
	record->pid = 0;
	status = tool_exit_status(status);
	if (status == 0 || status == TOOL_SIGNAL + SIGINT)
		return 0;
	say_ended(status);

	return -EIO;
}

typedef void sample_fn(void *arg, unsigned int probe, struct firing *firing);

/**
 * struct script - what "perf script" prints of a file
 * @perf: the process
 * @read: reads a line
 * @text: the line
 * @size: its size
 * @samples: what is read
 */
struct script {
	struct tool_perf perf;
	bool (*read)(struct samples *samples, char *line);
	char *text;
	size_t size;
	struct samples samples;
};

static volatile sig_atomic_t reader;

/* perf script waits for ever if a program has a pipe in the place of /tmp/perf-PID.map */
static void give_up(int sig)
{
	(void)sig;
	kill(reader, SIGKILL);
}

static int script_open(struct script *script, char *path, bool stacks)
{
	char *const argv[] = {
		"perf", "script", "-i", path, "--ns", "-F",
		stacks ? STACK_FIELDS : SAMPLE_FIELDS,
		stacks ? NULL : "-G", "--show-lost-events", NULL,
	};

	script->text = NULL;
	script->size = 0;
	script->samples.lost = 0;
	script->samples.lost_samples = 0;
	script->samples.unknown = 0;
	script->samples.firing.time = 0;
	script->read = stacks ? stack_line : sample_line;

	return tool_perf_open(&script->perf, argv);
}

static bool script_next(struct script *script)
{
	bool complete = false;

	reader = script->perf.pid;
	do {
		alarm(PATIENCE);
		if (getline(&script->text, &script->size, script->perf.out) <= 0)
			break;
		complete = script->read(&script->samples, script->text);
	} while (!complete);
	alarm(0);

	return complete;
}

/* perf would fail if nobody read the rest */
static int script_close(struct script *script)
{
	while (script_next(script))
		;
	free(script->text);

	return tool_perf_close(&script->perf) ? 0 : -EIO;
}

/* Both perf print the samples in the same order */
static void add_stack(struct firing *firing, struct script *stacks)
{
	const struct firing *stack = &stacks->samples.firing;

	while (stack->time < firing->time ||
	       (stack->time == firing->time && stack->tid != firing->tid))
		if (!script_next(stacks))
			return;
	sample_add_stack(firing, stack);
}

static int read_file(struct record *record, char *path, sample_fn *sample, void *arg)
{
	static struct script samples, stacks;
	uint64_t throttled = 0;
	int ret;

	signal(SIGALRM, give_up);
	ret = script_open(&samples, path, false);
	if (ret < 0)
		return ret;
	if (record->stacks && script_open(&stacks, path, true) < 0) {
		script_close(&samples);
		return -EIO;
	}
	while (script_next(&samples)) {
		if (record->stacks)
			add_stack(&samples.samples.firing, &stacks);
		sample(arg, samples.samples.probe, &samples.samples.firing);
	}
	record->lost += samples.samples.lost_samples ? samples.samples.lost_samples :
						       samples.samples.lost;
	record->unknown += samples.samples.unknown;
	ret = script_close(&samples);
	if (record->stacks && script_close(&stacks) < 0)
		ret = -EIO;
	if (ret == 0)
		ret = tool_perf_throttled(path, &throttled);
	record->throttled += throttled;

	return ret;
}

int record_read(struct record *record, sample_fn *sample, void *arg)
{
	struct dirent **list;
	int nr = list_complete(record, &list), i, ret = 0;
	char path[PATH_SIZE];

	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), FOLDER "%s", record->folder, list[i]->d_name);
		if (ret == 0)
			ret = read_file(record, path, sample, arg);
		unlink(path);
	}
	list_free(list, nr);
	if (ret < 0)
		tool_error("perf's file cannot be read: %s", strerror(-ret));

	return ret;
}

void record_end(struct record *record)
{
	record_stop(record);
	if (record->folder)
		close(record->folder);
	record->folder = 0;
}
