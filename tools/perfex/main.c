// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfex: run a command and report what the event counters counted in it. A
 * work-alike of IRIX's command of this name, on libirixperf.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include "perfex.h"

/**
 * struct perfex - what a run of perfex needs
 * @opt: the command line
 * @choice: which events
 * @table: what they cost
 * @out: where the report goes
 * @plot: where the drawing goes, or NULL
 */
struct perfex {
	const struct perfex_options *opt;
	struct perfex_choice choice;
	struct cost_table table;
	FILE *out;
	FILE *plot;
};

static int fail(const char *what, int err, unsigned int mode)
{
	char text[512];

	tool_error("%s: %s", what, irixperf_strerror(err, mode, text,
						     sizeof(text)));

	return TOOL_FAILED;
}

static bool by_thread(const struct perfex_options *opt)
{
	return opt->processes || opt->threads;
}

/*
 * Open the events of the command, which still waits at its gate. perfex needs a
 * descriptor for each event of each thread; the command keeps its own limit.
 */
static int open_command(const struct perfex *perfex,
			struct perfex_target *target,
			struct perfex_result *result, pid_t pid)
{
	int ret;

	if (!by_thread(perfex->opt)) {
		ret = perfex_target_open(target, pid, IRIXPERF_INHERIT |
					 (perfex->opt->by_signal ?
					  IRIXPERF_DISABLED :
					  IRIXPERF_ENABLE_ON_EXEC));
		return ret < 0 ? perfex_fail_to_count(ret, &perfex->choice) : 0;
	}
	tool_raise_limit();
	ret = perfex_threads_seize(result, target, pid);
	if (ret == -EPERM)
		tool_error("cannot follow threads: ptrace(2) is not permitted");

	return ret < 0 ? perfex_fail_to_count(ret, &perfex->choice) : 0;
}

static int open_process(const struct perfex *perfex,
			struct perfex_target *target)
{
	int ret;

	tool_raise_limit();
	ret = perfex_attach(target);
	if (ret == -ESRCH) {
		tool_error("process %d does not exist", target->pid);
		return TOOL_FAILED;
	}

	return ret < 0 ? perfex_fail_to_count(ret, &perfex->choice) : 0;
}

static struct perfex_report report_of(const struct perfex *perfex,
				      const struct perfex_result *result,
				      unsigned int runs)
{
	return (struct perfex_report){
		.opt = perfex->opt,
		.choice = &perfex->choice,
		.table = &perfex->table,
		.runs = runs,
		.result = result,
	};
}

static int count(const struct perfex *perfex, struct perfex_target *target,
		 struct perfex_result *result)
{
	const struct perfex_report report = report_of(perfex, result, 1);
	bool lines = perfex->opt->periodic && !perfex->opt->json;
	int ret;

	result->ran = true;
	if (lines && perfex->opt->csv)
		perfex_csv_head(perfex->out);
	ret = perfex_watch(result, target, lines ? perfex->out : NULL, &report);

	return ret < 0 ? fail("cannot read the counters", ret,
			      perfex->choice.mode) : 0;
}

static int run_command(const struct perfex *perfex,
		       struct perfex_target *target,
		       struct perfex_result *result)
{
	struct tool_command cmd;
	int ret = tool_command_prepare(&cmd, perfex->opt->command,
				       tool_signals_restore);

	if (ret < 0)
		return fail("cannot start a process", ret, perfex->choice.mode);
	target->command = result->pid = cmd.pid;
	if (target->pid) {
		result->pid = target->pid;
		ret = open_process(perfex, target);
	} else {
		ret = open_command(perfex, target, result, cmd.pid);
		cmd.traced = by_thread(perfex->opt);
	}
	if (ret) {
		tool_command_cancel(&cmd);
		return ret;
	}
	target->start = tool_clock(CLOCK_MONOTONIC);
	ret = tool_command_start(&cmd, perfex->opt->command[0]);
	if (ret) {
		result->status = ret;
		return 0;
	}

	return count(perfex, target, result);
}

/* Without a command: count until the process ends, or until a signal ends perfex */
static int run_alone(const struct perfex *perfex, struct perfex_target *target,
		     struct perfex_result *result)
{
	int ret = open_process(perfex, target);

	result->pid = target->pid;

	return ret ? ret : count(perfex, target, result);
}

static int run_once(const struct perfex *perfex, struct perfex_result *result)
{
	struct perfex_target target = {
		.choice = &perfex->choice,
		.opt = perfex->opt,
		.pid = (pid_t)perfex->opt->pid,
	};
	int ret;

	if (target.pid)
		target.pid = tool_process_of(target.pid);
	ret = perfex->opt->command[0] ?
	      run_command(perfex, &target, result) :
	      run_alone(perfex, &target, result);
	perfex_target_close(&target);

	return ret;
}

/* Report the runs that came to an end */
static int report(const struct perfex *perfex,
		  const struct perfex_result *result, unsigned int runs)
{
	const struct perfex_report all = report_of(perfex, result, runs);
	int ret = perfex_report(perfex->out, &all);

	if (perfex->plot)
		perfex_plot(perfex->plot, &all);
	if (!result[0].dropped)
		return ret;
	tool_error("out of memory: the series lacks %u of its samples",
		   result[0].dropped);

	return TOOL_FAILED;
}

static int run_all(const struct perfex *perfex, struct perfex_result *result,
		   unsigned int wanted)
{
	unsigned int runs = 0;
	int ret, reported = 0;

	do {
		ret = run_once(perfex, &result[runs]);
		if (ret || !result[runs].ran)
			break;
		runs++;
	} while (runs < wanted && !result[runs - 1].interrupted);
	if (runs > 0)
		reported = report(perfex, result, runs);
	ret = ret ? ret : reported;

	/* @wanted, not @runs: the run that failed to start is not among @runs */
	return ret ? ret : perfex_status(result, wanted);
}

static int run_and_report(const struct perfex *perfex)
{
	unsigned int wanted = perfex->opt->repeat ? perfex->opt->repeat : 1;
	struct perfex_result *result = calloc(wanted, sizeof(*result));
	unsigned int i;
	int status;

	if (!result)
		return fail("cannot start", -ENOMEM, perfex->choice.mode);
	tool_signals_block();
	status = run_all(perfex, result, wanted);
	for (i = 0; i < wanted; i++)
		perfex_result_free(&result[i]);
	free(result);

	return status;
}

/* Called before the command runs, so that a wrong path does not waste a run */
static int open_file(FILE **file, const char *path)
{
	if (!path)
		return 0;
	*file = fopen(path, "we");
	if (*file)
		return 0;
	tool_error("cannot write to %s: %s", path, strerror(errno));

	return TOOL_FAILED;
}

static int close_file(FILE *file, const char *path, int status)
{
	int failed;

	if (!file)
		return status;
	/* Standard error stays open for messages */
	failed = fflush(file) || ferror(file);
	if (path)
		failed |= fclose(file);
	if (!failed)
		return status;
	/* If the report went to stderr, this message is likely to be lost, too */
	tool_error("cannot write the report to %s", path ? path : "stderr");

	return TOOL_FAILED;
}

static int run_with_files(struct perfex *perfex)
{
	const struct perfex_options *opt = perfex->opt;
	int status;

	perfex->out = stderr;
	status = open_file(&perfex->out, opt->output);
	if (status)
		return status;
	status = open_file(&perfex->plot, opt->plot);
	if (status == 0)
		status = run_and_report(perfex);
	status = close_file(perfex->plot, opt->plot, status);

	return close_file(perfex->out, opt->output, status);
}

static bool needs_costs(const struct perfex_options *opt)
{
	return opt->estimate || opt->table || opt->costs || opt->json ||
	       (opt->plot && !opt->periodic);
}

/* Finding out the clock rate takes time: only if an option needs it */
static int get_costs(struct perfex *perfex)
{
	struct irixperf_attr cycles = { .size = sizeof(cycles), .mode = { HWPERF_CNTEN_U } };
	const struct perfex_options *opt = perfex->opt;
	struct cost_machine machine;
	struct cost_error error;
	const char *where;
	char text[512];

	if (!needs_costs(opt))
		return 0;
	costs_machine(&machine);
	if (opt->mhz)
		machine.mhz = opt->mhz;
	if (costs_for(&perfex->table, &machine, opt->costs, &where,
		      &error) < 0) {
		costs_describe(text, sizeof(text), where, &error);
		tool_error("cannot read costs: %s", text);
		return TOOL_FAILED;
	}
	if ((opt->estimate || (opt->plot && !opt->periodic)) &&
	    machine.mhz <= 0) {
		/* Where the kernel does not tell it, a counter of cycles does */
		if (tool_system_is_on() || tool_counters_taken(&cycles))
			return tool_taken_error();
		tool_error("the clock of this machine is not known: use --mhz N");
		return TOOL_FAILED;
	}
	if (opt->table)
		costs_print(stdout, &perfex->table);

	return tool_flush_stdout();
}

/* Do others leave no counter? Then the command would run in vain */
static bool perfex_taken(const struct perfex_choice *choice)
{
	struct irixperf_attr attr;

	perfex_choice_attr(&attr, choice, 0, 0);

	return tool_counters_taken(&attr);
}

/* One counter may be free: try without the cycles that perfex has added */
static bool taken_without_cycles(struct perfex_choice *choice)
{
	return !perfex_choice_drop_cycles(choice) || perfex_taken(choice);
}

/* Some of several events may find a counter, if none needs that of another */
static bool taken_apart(struct perfex_choice *choice)
{
	choice->apart = choice->nr > 1;

	return !choice->apart || perfex_taken(choice);
}

static int run(const struct perfex_options *opt)
{
	struct perfex perfex = { .opt = opt };
	struct irixperf_cpu cpu;
	int ret, status;

	status = get_costs(&perfex);
	if (status)
		return status;
	if (opt->table && !opt->command[0] && !opt->pid && !opt->check)
		return TOOL_OK;
	/* Without counters, check the events of the command line as an R10000's */
	ret = irixperf_cpu_detect(&cpu);
	status = perfex_choose(&perfex.choice,
			       ret < 0 ? IRIXPERF_R10000_V3 : cpu.chip, opt);
	if (status)
		return status;
	if (ret < 0)
		return perfex_fail_to_count(ret, &perfex.choice);
	status = perfex_mixed_apply(&perfex.choice, opt, irixperf_cpu_types());
	if (status)
		return status;
	if (perfex_taken(&perfex.choice) &&
	    taken_without_cycles(&perfex.choice) && taken_apart(&perfex.choice))
		return tool_taken_error();
	if (opt->check)
		return perfex_check(&perfex.choice, opt);

	return run_with_files(&perfex);
}

int main(int argc, char **argv)
{
	static char line[BUFSIZ];
	struct perfex_options opt;
	int status;

	(void)argc;
	tool_name = "perfex";
	/* The command writes to stderr as well: whole lines do not mix with its own */
	setvbuf(stderr, line, _IOLBF, sizeof(line));
	status = perfex_options_parse(&opt, argv);
	if (status)
		return status;

	if (opt.help)
		perfex_help(stdout);
	else if (opt.version)
		printf("perfex (r10kperf) %s\n", PERFEX_VERSION);
	else if (opt.list)
		return perfex_list(&opt);
	else
		return run(&opt);

	return tool_flush_stdout();
}
