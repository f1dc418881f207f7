// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the command, and counts its events, in user and in kernel mode apart: a set of
 * libirixperf for either. What the counters cannot count at the same time is refused
 * before the command runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include "pmc.h"

/**
 * struct side - one of the two modes
 * @name: how reports call it
 * @mode: of libirixperf
 * @asked: the user wants to see it
 * @set: what counts it, or NULL
 */
struct side {
	const char *name;
	unsigned char mode;
	bool asked;
	struct irixperf_set *set;
};

static void sides_close(struct side side[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		irixperf_set_close(side[i].set);
		side[i].set = NULL;
	}
}

/* Let both sides count @pid. Return 0, or TOOL_FAILED after a message */
static int sides_open(struct side side[2], const struct pmc_options *opt, pid_t pid,
		      unsigned int flags)
{
	struct irixperf_attr attr = { .size = sizeof(attr), .flags = flags, .pid = pid };
	unsigned int i, j;
	char text[4096];
	int ret = 0;

	for (i = 0; i < 2 && ret == 0; i++) {
		if (!side[i].asked)
			continue;
		for (j = 0; j < opt->nr; j++)
			attr.mode[opt->event[j]] = side[i].mode;
		ret = irixperf_set_open(&side[i].set, &attr);
	}
	if (ret == 0)
		return 0;
	tool_error("cannot count: %s", irixperf_set_explain(ret, &attr, text, sizeof(text)));
	sides_close(side);

	return TOOL_FAILED;
}

/* Has the event always had a counter? */
static bool is_whole(const struct irixperf_count *count)
{
	return count->enabled && count->running == count->enabled;
}

static bool all_run(const struct side side[2], const struct pmc_options *opt)
{
	struct irixperf_count count;
	unsigned int i, j;
	int ret;

	for (i = 0; i < 2; i++) {
		for (j = 0; side[i].asked && j < opt->nr; j++) {
			/* Until time has gone on since the event was opened */
			do
				ret = irixperf_set_read(side[i].set, opt->event[j], &count);
			while (ret == 0 && !count.enabled);
			if (ret < 0 || !is_whole(&count))
				return false;
		}
	}

	return true;
}

/*
 * Only the kernel knows which events fit the counters, and which counters others have
 * taken. So pmc first counts itself for a moment: does each event get a counter?
 */
static int sides_try(struct side side[2], const struct pmc_options *opt)
{
	char text[1024] = "";
	bool fits;

	if (sides_open(side, opt, 0, 0))
		return TOOL_FAILED;
	fits = all_run(side, opt);
	sides_close(side);
	if (fits)
		return 0;
	if (tool_system_is_on())
		tool_system_explain(-EBUSY, text, sizeof(text));
	else
		tool_neighbours(text, sizeof(text), "");
	tool_error("the free counters cannot count all of this at the same time\n"
		   "Count fewer events, or one mode; programs that count all CPUs, as perf stat -a\n"
		   "does, take counters as well%s%s", *text ? "\n" : "", text);

	return TOOL_FAILED;
}

/* perf's clocks run in both modes, whichever is asked for */
static bool is_clock(const struct pmc_options *opt, unsigned int event)
{
	const char *name = irixperf_event_counterpart(opt->chip, event);
	const char *end = name ? strstr(name, "-clock") : NULL;

	return end && strcmp(end, "-clock") == 0;
}

/*
 * A count that is not whole stands beside the share of the time in which the event was
 * counted. Return false if there is one: another program took the counter meanwhile.
 */
static bool print_side(const struct side *side, unsigned int event)
{
	struct irixperf_count count;
	bool whole;

	if (irixperf_set_read(side->set, event, &count) < 0)
		count.running = 0;
	if (!count.running) {
		fprintf(stderr, " %s -", side->name);
		return false;
	}
	fprintf(stderr, " %s %" PRIu64, side->name, count.value);
	whole = is_whole(&count);
	if (!whole)
		fprintf(stderr, " (%.1f %%)", tool_percent((double)count.running /
							   (double)count.enabled));

	return whole;
}

/* The names are those that the user has typed */
static void report(const struct pmc_options *opt, const struct side side[2])
{
	const char *clocks = NULL;
	char names[512];
	bool whole = true;
	unsigned int i, j;

	for (i = 0; i < opt->nr; i++) {
		fprintf(stderr, "%s:", opt->name[i]);
		for (j = 0; j < 2; j++) {
			if (!side[j].asked)
				continue;
			if (is_clock(opt, opt->event[i])) {
				clocks = irixperf_event_counterpart(opt->chip, opt->event[i]);
				fprintf(stderr, " %s -", side[j].name);
			} else {
				whole &= print_side(&side[j], opt->event[i]);
			}
		}
		fputc('\n', stderr);
	}
	if (clocks)
		tool_error("NOTE: %s, which the event map puts in the place of events, does not know modes",
			   clocks);
	if (!whole)
		tool_error("NOTE: another program took a counter while the command ran; in parentheses is the\n"
			   "part of the time in which the event was counted%s",
			   tool_neighbours(names, sizeof(names), "\n"));
}

static void (*sigchld)(int);	/* what pmc was started with */

static void sigchld_restore(void)
{
	signal(SIGCHLD, sigchld);
}

static int run(const struct pmc_options *opt, struct side side[2])
{
	struct tool_command cmd;
	int ret;

	/* If it is ignored, the command has no status */
	sigchld = signal(SIGCHLD, SIG_DFL);
	ret = tool_command_prepare(&cmd, opt->command, sigchld_restore);
	if (ret < 0) {
		tool_error("cannot start a process: %s", strerror(-ret));
		return TOOL_FAILED;
	}
	if (sides_open(side, opt, cmd.pid, IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC)) {
		tool_command_cancel(&cmd);
		return TOOL_FAILED;
	}
	/* They are for the command; the report comes when that has ended */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	ret = tool_command_start(&cmd, opt->command[0]);
	if (ret == 0) {
		ret = tool_wait(cmd.pid);
		report(opt, side);
	}
	sides_close(side);

	return ret;
}

int pmc_count(const struct pmc_options *opt)
{
	struct side side[2] = {
		{ "user", HWPERF_CNTEN_U, .asked = opt->user },
		{ "kernel", HWPERF_CNTEN_K | HWPERF_CNTEN_E, .asked = opt->kernel },
	};
	int ret = sides_try(side, opt);

	return ret ? ret : run(opt, side);
}
