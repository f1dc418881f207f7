// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfex: run a command and report what the event counters counted in it. A
 * work-alike of IRIX's command of this name, on libirixperf.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "perfex.h"

static void set_attr(struct irixperf_attr *attr,
		     const struct perfex_choice *choice, pid_t pid)
{
	unsigned int i;

	*attr = (struct irixperf_attr){
		.size = sizeof(*attr),
		.flags = IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC,
		.pid = pid,
	};
	for (i = 0; i < choice->nr; i++)
		attr->mode[choice->event[i]] = (unsigned char)choice->mode;
}

static int read_counts(const struct irixperf_set *set,
		       const struct perfex_choice *choice,
		       struct irixperf_count *count)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < choice->nr && ret == 0; i++)
		ret = irixperf_set_read(set, choice->event[i], &count[i]);

	return ret;
}

static int fail(const char *what, int err, unsigned int mode)
{
	char text[512];

	tool_error("%s: %s", what, irixperf_strerror(err, mode, text,
						     sizeof(text)));

	return TOOL_FAILED;
}

/* Events that were asked for in vain are named */
static int fail_to_count(int err, const struct perfex_choice *choice)
{
	struct irixperf_attr attr;
	char text[2048];

	set_attr(&attr, choice, 0);
	tool_error("cannot count: %s", irixperf_set_explain(err, &attr, text,
							    sizeof(text)));

	return TOOL_FAILED;
}

static int report(FILE *out, const struct irixperf_set *set,
		  const struct perfex_choice *choice)
{
	struct irixperf_count count[IRIXPERF_EVENTS] = { { 0 } };
	int ret = read_counts(set, choice, count);

	if (ret < 0)
		return fail("cannot read the counters", ret, choice->mode);

	perfex_report(out, choice, count);

	return 0;
}

static int count_command(FILE *out, const struct perfex_choice *choice,
			 char **argv)
{
	struct perfex_command cmd;
	struct irixperf_set *set;
	struct irixperf_attr attr;
	int ret, status;
	bool ran;

	ret = perfex_command_prepare(&cmd, argv);
	if (ret < 0)
		return fail("cannot start a process", ret, choice->mode);

	set_attr(&attr, choice, cmd.pid);
	ret = irixperf_set_open(&set, &attr);
	if (ret < 0) {
		perfex_command_cancel(&cmd);
		return fail_to_count(ret, choice);
	}

	status = perfex_command_run(&cmd, argv[0], &ran);
	ret = ran ? report(out, set, choice) : 0;
	irixperf_set_close(set);

	return ret ? ret : status;
}

/* The file is opened before the command runs, so that it is not run in vain */
static int count_to_file(const struct perfex_choice *choice,
			 const struct perfex_options *opt)
{
	FILE *out = fopen(opt->output, "we");
	int failed, status;

	if (!out) {
		tool_error("cannot write to %s: %s", opt->output,
			   strerror(errno));
		return TOOL_FAILED;
	}

	status = count_command(out, choice, opt->command);
	failed = ferror(out);
	failed |= fclose(out);
	if (!failed)
		return status;

	tool_error("cannot write the report to %s", opt->output);

	return TOOL_FAILED;
}

static int run(const struct perfex_options *opt)
{
	struct perfex_choice choice;
	struct irixperf_cpu cpu;
	int ret, status;

	/* Without counters the words are still checked, as an R10000's */
	ret = irixperf_cpu_detect(&cpu);
	status = perfex_choose(&choice, ret < 0 ? IRIXPERF_R10000_V3 : cpu.chip,
			       opt);
	if (status)
		return status;
	if (ret < 0)
		return fail_to_count(ret, &choice);

	if (opt->output)
		return count_to_file(&choice, opt);

	return count_command(stderr, &choice, opt->command);
}

int main(int argc, char **argv)
{
	struct perfex_options opt;
	int status;

	(void)argc;
	tool_name = "perfex";
	status = perfex_options_parse(&opt, argv);
	if (status)
		return status;

	if (opt.help)
		perfex_help(stdout);
	else if (opt.version)
		printf("perfex (r10kperf) %s\n", PERFEX_VERSION);
	else
		return run(&opt);

	return fflush(stdout) ? TOOL_FAILED : TOOL_OK;
}
