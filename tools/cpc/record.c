// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Let perf(1) take samples. It writes them to files in a directory of root's own, which
 * are read later (reader.c): reading costs far more than taking them, and would be
 * sampled as well. Events are pinned, so that each has its counter all the time.
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
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "perftool.h"
#include "record.h"
#include "sample.h"

#define PATIENCE	60000	/* milliseconds that perf has to begin or end */
#define LOOK		10

/* perf's file; perf adds the time to the name of one that is complete */
#define DATA		"data"

#define ARGS_MAX	(32 + 2 * D_PROBES)

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

/* Runs in the child. A key's signal is for cpctrace, which then tells perf to end */
static void be_record(const struct record *record, const struct program *program,
		      int command, int answer)
{
	static char text[D_PROBES][256];
	const char *argv[ARGS_MAX] = {
		"perf", "record", "-q", "-B", "-N", "-a", "-k", "mono", "-D", "-1",
		"-o", DATA, "--control",
	};
	char control[48];
	unsigned int nr = 13;
	sigset_t none;

	snprintf(control, sizeof(control), "fd:%d,%d", command, answer);
	argv[nr++] = control;
	if (record->parts)
		argv[nr++] = "--switch-output=signal";
	if (record->read.stacks) {
		argv[nr++] = "--call-graph";
		argv[nr++] = "fp";
	}
	nr += add_events(argv + nr, text, program);
	argv[nr] = NULL;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	if (chdir(record->folder) == 0)
		execvp(argv[0], (char *const *)argv);
	_exit(errno == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN);
}

static int make_folder(struct record *record)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(record->folder, sizeof(record->folder), "%s/cpctrace-XXXXXX",
		 tmp && tmp[0] == '/' ? tmp : "/tmp");
	if (mkdtemp(record->folder))
		return 0;
	tool_error("cannot make %s: %s", record->folder, strerror(errno));
	record->folder[0] = '\0';

	return -EIO;
}

/* The ends of the pipes that perf has must be open when it starts */
static int start_perf(struct record *record, const struct program *program)
{
	int command[2], answer[2];

	if (pipe2(command, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(answer, O_CLOEXEC) < 0) {
		close(command[0]);
		close(command[1]);
		return -EMFILE;
	}
	record->pid = fork();
	if (record->pid == 0) {
		fcntl(command[0], F_SETFD, 0);
		fcntl(answer[1], F_SETFD, 0);
		be_record(record, program, command[0], answer[1]);
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

	if (write(record->control, command, strlen(command)) < 0)
		return -errno;
	if (poll(&wait, 1, PATIENCE) != 1)
		return -ETIMEDOUT;

	return read(record->answer, text, sizeof(text)) > 0 ? 0 : -EPIPE;
}

int record_start(struct record *record, const struct program *program, bool parts)
{
	int ret = make_folder(record);

	if (ret < 0)
		return ret;
	record->parts = parts;
	record->read.names = program->names;
	record->read.stacks = program->stacks;
	ret = start_perf(record, program);
	if (ret == 0)
		ret = tell(record, "enable\n");
	if (ret == 0)
		return 0;
	tool_error("perf, which takes the samples, does not start: %s\n"
		   "install it if it is missing: linux-perf of Debian, linux-tools of "
		   "Ubuntu, perf elsewhere; or set PATH", strerror(-ret));

	return ret;
}

bool record_has_failed(struct record *record)
{
	int status;

	if (record->pid <= 0 || waitpid(record->pid, &status, WNOHANG) != record->pid)
		return false;
	record->pid = 0;
	tool_error("perf has ended with status %d", tool_exit_status(status));

	return true;
}

/* Files that are complete have more in their names than DATA */
static int is_complete(const struct dirent *entry)
{
	return strncmp(entry->d_name, DATA ".", strlen(DATA ".")) == 0 &&
	       strcmp(entry->d_name, DATA ".old") != 0;
}

static int count_complete(const struct record *record)
{
	struct dirent **list;
	int nr = scandir(record->folder, &list, is_complete, NULL), i;

	for (i = 0; i < nr; i++)
		free(list[i]);
	if (nr >= 0)
		free(list);

	return nr;
}

int record_next(struct record *record)
{
	int before = count_complete(record), ms;

	kill(record->pid, SIGUSR2);
	for (ms = 0; ms < PATIENCE; ms += LOOK) {
		if (count_complete(record) > before)
			return 0;
		if (record_has_failed(record))
			return -EIO;
		usleep(LOOK * 1000);
	}
	tool_error("perf does not write its samples");

	return -ETIMEDOUT;
}

int record_stop(struct record *record)
{
	int status, ms;
	pid_t ended = 0;

	if (record->pid <= 0)
		return 0;
	kill(record->pid, SIGINT);
	for (ms = 0; ended == 0 && ms < PATIENCE; ms += LOOK) {
		ended = waitpid(record->pid, &status, WNOHANG);
		if (ended == 0)
			usleep(LOOK * 1000);
	}
	if (ended == 0) {
		kill(record->pid, SIGKILL);
		waitpid(record->pid, &status, 0);
		tool_error("perf does not end");
	}
	record->pid = 0;

	return ended == 0 ? -ETIMEDOUT : 0;
}

static int read_and_remove(struct record *record, const char *name, sample_fn *sample,
			   void *arg)
{
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/%s", record->folder, name);
	ret = access(path, R_OK) < 0 ? 0 : samples_read(path, &record->read, sample, arg,
							&record->losses);
	unlink(path);
	if (ret < 0)
		tool_error("perf's file cannot be read: %s", strerror(-ret));

	return ret;
}

int record_read(struct record *record, sample_fn *sample, void *arg)
{
	struct dirent **list;
	int nr = scandir(record->folder, &list, is_complete, alphasort), i, ret = 0;

	for (i = 0; i < nr; i++) {
		if (ret == 0)
			ret = read_and_remove(record, list[i]->d_name, sample, arg);
		free(list[i]);
	}
	if (nr >= 0)
		free(list);
	/* Without parts, and after the end, there is one file with the plain name */
	if (ret == 0 && record->pid <= 0)
		ret = read_and_remove(record, DATA, sample, arg);

	return ret;
}

static void remove_files(const struct record *record)
{
	DIR *dir = opendir(record->folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(record->folder);
}

void record_end(struct record *record)
{
	record_stop(record);
	if (record->folder[0])
		remove_files(record);
	record->folder[0] = '\0';
}
