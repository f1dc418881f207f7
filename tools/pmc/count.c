// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the command, and counts its events in user and in kernel mode apart: a set of
 * libirixperf for either. If the counters are too few for both, the sets take turns.
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
 * @set: NULL if it is not counted
 * @shown: it is part of the report
 * @err: why it is not counted, or 0
 */
struct side {
	const char *name;
	unsigned char mode;
	struct irixperf_set *set;
	bool shown;
	int err;
};

static void attr_of(struct irixperf_attr *attr, const struct pmc_options *opt,
		    const struct side *side, pid_t pid)
{
	unsigned int i;

	*attr = (struct irixperf_attr){
		.size = sizeof(*attr),
		.flags = IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC,
		.pid = pid,
	};
	for (i = 0; i < opt->nr; i++)
		attr->mode[opt->event[i]] = side->mode;
}

/* Kernel mode may be forbidden: then the user's side is counted alone */
static int side_open(struct side *side, const struct pmc_options *opt, pid_t pid)
{
	struct irixperf_attr attr;
	char text[4096];

	attr_of(&attr, opt, side, pid);
	side->err = irixperf_set_open(&side->set, &attr);
	if (side->err == 0 || (side->err == -EPERM && !opt->kernel &&
			       side->mode != HWPERF_CNTEN_U))
		return 0;
	side->set = NULL;
	tool_error("cannot count: %s", irixperf_set_explain(side->err, &attr, text,
							    sizeof(text)));

	return TOOL_FAILED;
}

/* perf's clocks run in both modes, whichever is asked for */
static bool is_clock(const struct pmc_options *opt, unsigned int event)
{
	const char *name = irixperf_event_counterpart(opt->chip, event);
	const char *end = name ? strstr(name, "-clock") : NULL;

	return end && strcmp(end, "-clock") == 0;
}

/**
 * struct remarks - what has to be said below the numbers
 * @clocks: the clock that stands for an event, or NULL
 * @shared: an event had a counter for a part of the time
 * @never: an event never had one
 */
struct remarks {
	const char *clocks;
	bool shared;
	bool never;
};

/* "-" is no number: nothing was counted */
static void print_side(const struct side *side, unsigned int event, bool clock,
		       struct remarks *remarks)
{
	struct irixperf_count count;

	if (!side->shown)
		return;
	fprintf(stderr, " %s ", side->name);
	if (clock || side->err) {
		fputs("-", stderr);
		return;
	}
	if (irixperf_set_read(side->set, event, &count) < 0 || !count.running) {
		fputs("-", stderr);
		remarks->never = true;
		return;
	}
	fprintf(stderr, "%" PRIu64, irixperf_count_scale(&count));
	remarks->shared |= count.running < count.enabled;
}

static void print_remarks(const struct remarks *remarks, bool user_alone)
{
	if (remarks->clocks)
		tool_error("NOTE: %s, which the event map puts in the place of events, does not know modes",
			   remarks->clocks);
	if (user_alone)
		tool_error("NOTE: kernel mode was not counted: perf_event_paranoid allows only root to");
	if (remarks->shared)
		tool_error("NOTE: events took turns on the counters, so the numbers are projected\n"
			   "To count exactly, count fewer events, or one mode with -u or -k");
	if (remarks->never)
		tool_error("NOTE: an event with - never had a counter: others had them all the time\n"
			   "Count fewer events, or one mode with -u or -k%s",
			   tool_system_is_on() ? "; or release the counters of all programs: pmc -C" :
			   "");
}

/* The names are those that the user has typed */
static void report(const struct pmc_options *opt, const struct side side[2])
{
	struct remarks remarks = { NULL };
	unsigned int i;
	bool clock;

	for (i = 0; i < opt->nr; i++) {
		fprintf(stderr, "%s:", opt->name[i]);
		clock = is_clock(opt, opt->event[i]);
		if (clock)
			remarks.clocks = irixperf_event_counterpart(opt->chip, opt->event[i]);
		print_side(&side[0], opt->event[i], clock, &remarks);
		print_side(&side[1], opt->event[i], clock, &remarks);
		fputc('\n', stderr);
	}
	print_remarks(&remarks, side[1].err);
}

static int run(const struct pmc_options *opt, struct side side[2])
{
	struct tool_command cmd;
	int i, ret = tool_command_prepare(&cmd, opt->command, NULL);

	if (ret < 0) {
		tool_error("cannot start a process: %s", strerror(-ret));
		return TOOL_FAILED;
	}
	for (i = 0; i < 2; i++) {
		if (side[i].shown && side_open(&side[i], opt, cmd.pid)) {
			tool_command_cancel(&cmd);
			return TOOL_FAILED;
		}
	}
	/* They are for the command; the report comes when that has ended */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	ret = tool_command_start(&cmd, opt->command[0]);
	if (ret)
		return ret;
	ret = tool_wait(cmd.pid);
	report(opt, side);

	return ret;
}

int pmc_count(const struct pmc_options *opt)
{
	const bool both = opt->user == opt->kernel;
	struct side side[2] = {
		{ "user", HWPERF_CNTEN_U, .shown = both || opt->user },
		{ "kernel", HWPERF_CNTEN_K | HWPERF_CNTEN_E, .shown = both || opt->kernel },
	};
	int ret = run(opt, side);

	irixperf_set_close(side[0].set);
	irixperf_set_close(side[1].set);

	return ret;
}
