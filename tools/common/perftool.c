// SPDX-License-Identifier: GPL-2.0-or-later
/* Run perf(1) and read what it prints. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "perftool.h"
#include "tool.h"

/**
 * tool_perf_child() - prepare a child that becomes perf
 * @parent: the tool's process
 *
 * It ends with the tool, however that ends. A key's signal is for the tool alone.
 */
void tool_perf_child(pid_t parent)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	if (getppid() != parent)
		_exit(TOOL_FAILED);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* perf's warnings about missing symbols are of no use here */
static void be_perf(char *const argv[], int out, pid_t parent)
{
	int null = open("/dev/null", O_WRONLY);

	tool_perf_child(parent);
	dup2(out, STDOUT_FILENO);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(TOOL_NOT_FOUND);
}

/**
 * tool_perf_open() - run perf and read its output
 * @perf: filled in, for tool_perf_close()
 * @argv: its command line
 *
 * Return: 0 or a negative errno value.
 */
int tool_perf_open(struct tool_perf *perf, char *const argv[])
{
	pid_t parent = getpid();
	int pipes[2], err;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	perf->out = fdopen(pipes[0], "r");
	perf->pid = perf->out ? fork() : -1;
	if (perf->pid == 0)
		be_perf(argv, pipes[1], parent);
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

/* Wait for perf to end. Return true if it succeeded */
bool tool_perf_close(struct tool_perf *perf)
{
	fclose(perf->out);

	return tool_wait(perf->pid) == 0;
}

/**
 * tool_perf_throttled() - tell how often the kernel has stopped a counter
 * @data: name of perf's file
 * @times: gets the number
 *
 * If samples come too fast, the kernel stops the counter until the next tick. The line
 * is "      THROTTLE events:          3  ( 5.3%)".
 *
 * Return: 0 or a negative errno value.
 */
int tool_perf_throttled(char *data, uint64_t *times)
{
	char *const argv[] = {
		"perf", "report", "-f", "--stats", "-i", data, NULL,
	};
	struct tool_perf perf;
	char text[256];
	int ret = tool_perf_open(&perf, argv);

	*times = 0;
	if (ret < 0)
		return ret;
	while (fgets(text, sizeof(text), perf.out)) {
		unsigned long long number;

		if (sscanf(text, " THROTTLE events: %llu", &number) == 1)
			*times = number;
	}

	return tool_perf_close(&perf) ? 0 : -EIO;
}

/**
 * tool_perf_event() - name an event as perf takes it
 * @to: gets the name; empty if this machine does not have the event
 * @size: its size
 * @chip: the CPU
 * @num: the event's number
 * @terms: terms in addition, such as "period=100", perhaps none
 * @modifier: letters for the modes and the like, perhaps none
 *
 * The names of an event map are perf's own, "name", "rCODE" or "pmu/terms/".
 */
void tool_perf_event(char *to, size_t size, enum irixperf_chip chip, unsigned int num,
		     const char *terms, const char *modifier)
{
	const char *name = irixperf_event_counterpart(chip, num);
	const char *comma = *terms ? "," : "";
	size_t len = name ? strlen(name) : 0;

	*to = '\0';
	if (chip != IRIXPERF_MAPPED)
		snprintf(to, size, "cpu/event=0x%x%s%s/%s", num, comma, terms, modifier);
	else if (len && name[len - 1] == '/')
		snprintf(to, size, "%.*s%s%s/%s", (int)len - 1, name, comma, terms, modifier);
	else if (len && *terms)
		snprintf(to, size, "%s/%s/%s", name, terms, modifier);
	else if (len)
		snprintf(to, size, "%s%s%s", name, *modifier ? ":" : "", modifier);
}
