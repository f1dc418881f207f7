// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ecstats: show the counts of all CPUs at regular intervals. A work-alike of IRIX's
 * command of this name, on the system mode of libirixperf.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "ecstats.h"

/**
 * struct stats - the samples between which a report is made
 * @chip: whose names the events have
 * @opt: the command line, which keys may change
 * @out: where reports go
 * @from: at the start of the interval
 * @to: at its end
 * @note: a message about the interval, or NULL
 */
struct stats {
	enum irixperf_chip chip;
	struct stats_options *opt;
	FILE *out;
	struct stats_sample from;
	struct stats_sample to;
	const char *note;
};

#define NOTHING_ENABLED	"no events are enabled: as root, run ecadmin -e EVENT"

static int fail_to_read(int err)
{
	char text[1024];

	if (err == -EINVAL)
		tool_error(NOTHING_ENABLED);
	else
		tool_error("cannot read the counters: %s",
			   tool_system_explain(err, text, sizeof(text)));

	return EC_FAILED;
}

static int take(struct stats_sample *sample)
{
	int ret = stats_sample_take(sample);

	return ret < 0 ? fail_to_read(ret) : EC_OK;
}

static bool has_no_numbers(const struct stats_sample *sample)
{
	unsigned int i = 0;

	while (i < IRIXPERF_EVENTS && !sample->system.mode[i])
		i++;

	return i == IRIXPERF_EVENTS;
}

static int begin(struct stats *stats)
{
	int status = take(&stats->from);

	if (status == EC_OK && (!stats->from.system.on || has_no_numbers(&stats->from))) {
		tool_error(stats->from.system.on ? EC_NO_NUMBERS : NOTHING_ENABLED);
		status = EC_FAILED;
	}
	stats->to = stats->from;

	return status;
}

static bool is_usable(const struct stats_sample *sample, int err)
{
	return err == 0 && sample->system.on;
}

/* Counts of different events cannot be subtracted: the report starts from @to */
static void note_change(struct stats *stats)
{
	stats->note = NULL;
	if (stats->to.system.generation == stats->from.system.generation)
		return;
	stats->note = "the events were changed: counts start again from zero";
	stats->from = stats->to;
	if (!stats->opt->screen)
		tool_error("%s", stats->note);
}

static int fail_at_end(int err)
{
	if (err < 0)
		return fail_to_read(err);
	tool_error("the counters have been released: no events are enabled");

	return EC_FAILED;
}

/* Seconds left until a moment of CLOCK_MONOTONIC */
static double time_until(double moment)
{
	return moment - tool_clock(CLOCK_MONOTONIC);
}

static void sleep_until(double moment)
{
	struct timespec until = {
		.tv_sec = (time_t)moment,
		.tv_nsec = (long)((moment - floor(moment)) * 1e9),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR)
		;
}

/* False if nothing was printed: there is no rate if the events have been changed */
static bool show(const struct stats *stats)
{
	struct stats_report report;

	stats_report_make(&report, stats->chip, &stats->from, &stats->to,
			  stats->opt);
	if (stats->opt->screen)
		stats_screen_show(&report, stats->opt, stats->note);
	else if (!stats->note || stats->opt->absolute)
		stats_print(stats->out, stats->opt->format, &report);
	else
		return false;

	return true;
}

/* False if the user wants to quit */
static bool wait_with_keys(struct stats *stats, double moment)
{
	enum stats_key key = STATS_KEY_SHOW;

	for (;;) {
		double left = time_until(moment);

		if (key == STATS_KEY_SHOW)
			show(stats);
		if (left <= 0)
			return true;
		key = stats_screen_key(stats->opt, left);
		if (key == STATS_KEY_QUIT)
			return false;
	}
}

/* The old samples stay until there is a new one, as a key may redraw the screen */
static int run_intervals(struct stats *stats, int *err)
{
	const struct stats_options *opt = stats->opt;
	double moment = stats->from.clock;
	struct stats_sample new;
	unsigned long shown = 0;

	while (opt->samples == 0 || shown < opt->samples) {
		moment = tool_next_moment(moment, opt->interval);
		if (!opt->screen)
			sleep_until(moment);
		else if (!wait_with_keys(stats, moment))
			return EC_OK;

		*err = stats_sample_take(&new);
		if (!is_usable(&new, *err))
			return EC_FAILED;
		stats->from = stats->to;
		stats->to = new;
		note_change(stats);
		shown += show(stats);
		if (!opt->screen && ferror(stats->out))
			return EC_FAILED;
	}

	return EC_OK;
}

/* Somebody who looks at a terminal sees nothing else until the first interval ends */
static void say_how_to_end(const struct stats *stats)
{
	const struct stats_options *opt = stats->opt;

	if (opt->format == STATS_TEXT && !opt->screen && opt->samples == 0 &&
	    isatty(fileno(stats->out)))
		fprintf(stats->out, "ecstats shows a report every %g s; Ctrl-C ends it.\n\n",
			opt->interval);
}

static int run_stats(struct stats *stats)
{
	int err = 0;
	int status;

	status = begin(stats);
	if (status == EC_OK && stats->opt->screen)
		status = stats_screen_begin();
	if (status)
		return status;

	say_how_to_end(stats);
	stats_print_begin(stats->out, stats->opt->format);
	status = run_intervals(stats, &err);
	if (stats->opt->screen)
		stats_screen_end();
	if (status == EC_FAILED && !ferror(stats->out))
		return fail_at_end(err);

	return status;
}

static int fail_to_write(const struct stats_options *opt)
{
	tool_error("cannot write to %s: %s", opt->output ? opt->output : "stdout",
		   strerror(errno));

	return EC_FAILED;
}

/* Open the file first, so that a wrong path does not waste a measurement */
static int run_to_file(struct stats *stats)
{
	int failed, status;

	stats->out = stdout;
	if (stats->opt->output)
		stats->out = fopen(stats->opt->output, "we");
	if (!stats->out)
		return fail_to_write(stats->opt);
	status = run_stats(stats);
	failed = ferror(stats->out);
	failed |= stats->out == stdout ? fflush(stdout) : fclose(stats->out);

	return failed ? fail_to_write(stats->opt) : status;
}

static int run(struct stats_options *opt)
{
	static struct stats stats;
	struct irixperf_cpu cpu;
	char text[4096];
	int ret;

	ret = irixperf_cpu_detect(&cpu);
	if (ret < 0) {
		tool_error("%s", irixperf_set_explain(ret, NULL, text,
						      sizeof(text)));
		return EC_FAILED;
	}
	stats.chip = cpu.chip;
	stats.opt = opt;

	return run_to_file(&stats);
}

int main(int argc, char **argv)
{
	struct stats_options opt;
	int status;

	tool_name = "ecstats";
	status = stats_options_parse(&opt, argc, argv);
	if (status)
		return status;
	if (!opt.help && !opt.version)
		return run(&opt);

	if (opt.help)
		stats_help(stdout);
	else
		printf("ecstats (r10kperf) %s\n", EC_VERSION);

	return tool_flush_stdout() ? EC_FAILED : EC_OK;
}
