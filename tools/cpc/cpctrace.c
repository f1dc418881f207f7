// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpctrace: the cpc provider of Solaris' dtrace. A D program says what happens each time
 * that an event has occurred so many times on a CPU. This file has the command line;
 * watch.c carries the program out.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cpctrace.h"

#define MIN_COUNT	5000
#define CONFIG		"/etc/r10kperf/dcpc.conf"

static const char help_text[] =
"Usage: cpctrace [-lqv] [-c COMMAND | -p PID] [-o FILE] [-x OPTION[=VALUE]]\n"
"                -n PROGRAM | -s FILE [ARG]...\n"
"       cpctrace -l [-v] -P cpc\n"
"Carry out D programs when events have occurred a number of times on a CPU.\n"
"\n"
"  -n PROGRAM  the program, such as 'cpc:::PAPI_tot_ins-user-100000\n"
"              { @[execname] = count(); }'\n"
"  -s FILE     the file that has the program\n"
"  -c COMMAND  run a command and end with it; $target is its PID\n"
"  -p PID      end with this process, whose PID is $target\n"
"  -o FILE     append the output to FILE, which only root can read if it is new\n"
"  -q          print only what the program prints\n"
"  -l          list the probes of the program, and exit\n"
"  -P cpc      with -l: list the probes that there can be\n"
"  -v          with -l: print the stability of the provider's parts, too\n"
"  -x minoverflow=N  allow counts from N instead of 5000\n"
"  -x quiet    the same as -q\n"
"  -h, --help, -V, --version\n"
"              print this help, or the version, and exit\n"
"\n"
"cpctrace(1) describes the part of D that is known. cpustat -h lists the events.\n"
"\n"
"Exit status: that of exit() in the program, else 0; 1 on failure; 2 if the command\n"
"line or the program is wrong.\n";

static int run_to(const struct options *opt, struct program *program)
{
	FILE *out = stdout;
	struct stat st;
	int fd = -1, ret;

	if (opt->output) {
		/* It may get addresses of the kernel */
		fd = open(opt->output, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			  0600);
		out = fd < 0 ? NULL : fdopen(fd, "a");
	}
	if (!out) {
		tool_error("cannot write to %s: %s", opt->output,
			   errno == ELOOP ? "it is a symbolic link\nname the file itself, or "
			   "leave -o out to print to the standard output" : strerror(errno));
		return CPC_FAILED;
	}
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid())) {
		fclose(out);
		tool_error("%s belongs to another user, who may read it\nremove it, or name "
			   "another file", opt->output);
		return CPC_FAILED;
	}
	ret = watch_program(opt, program, out);
	if (ferror(out) | (out == stdout ? fflush(out) : fclose(out))) {
		tool_error("cannot write the output");
		ret = CPC_FAILED;
	}

	return ret;
}

static int list(const struct options *opt, const struct program *program)
{
	unsigned int i;

	if (opt->provider) {
		probe_list(stdout, program->limits.chip, opt->verbose);
	} else {
		probe_list_head(stdout);
		for (i = 0; i < program->nr_probes; i++)
			probe_list_one(stdout, i + 1, &program->probe[i]);
	}

	return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
}

/* Read a file of limited size */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, D_TEXT + 1);
	size_t n = 0;

	if (file && text)
		n = fread(text, 1, D_TEXT + 1, file);
	if (!file || !text || ferror(file)) {
		tool_error("cannot read %s: %s", path, strerror(errno));
	} else if (n > D_TEXT || strlen(text) != n) {
		tool_error("%s is no D program: it is longer than %d bytes, or has a "
			   "zero byte", path, D_TEXT);
	} else {
		fclose(file);
		return text;
	}
	if (file)
		fclose(file);
	free(text);

	return NULL;
}

/* dcpc-min-overflow=N; as in Solaris' dcpc.conf */
static uint64_t configured_minimum(void)
{
	FILE *file = fopen(CONFIG, "re");
	unsigned long long number = MIN_COUNT, found;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " dcpc-min-overflow = %llu", &found) == 1 && found > 0)
			number = found;
	if (file)
		fclose(file);

	return number;
}

static int take_pid(struct options *opt)
{
	char *end;
	unsigned long pid = strtoul(optarg, &end, 10);

	opt->pid = (pid_t)pid;
	if (optarg[0] >= '1' && optarg[0] <= '9' && !*end && pid <= INT32_MAX &&
	    (kill(opt->pid, 0) == 0 || errno == EPERM))
		return CPC_OK;
	tool_error("there is no process '%s'", optarg);

	return CPC_USAGE;
}

static int take_program(struct options *opt, int c)
{
	if (opt->text) {
		tool_error("-n and -s are given once, and exclude each other");
		return CPC_USAGE;
	}
	opt->script = c == 's';
	opt->source = optarg;
	opt->text = c == 's' ? read_text(optarg) : strdup(optarg);

	return opt->text ? CPC_OK : CPC_USAGE;
}

static int take_option(struct options *opt, struct program *program, int c)
{
	switch (c) {
	case 'n':
	case 's':
		return take_program(opt, c);
	case 'c':
		opt->command = optarg;
		return CPC_OK;
	case 'p':
		return take_pid(opt);
	case 'o':
		opt->output = optarg;
		return CPC_OK;
	case 'q':
		program->quiet = true;
		return CPC_OK;
	case 'l':
		opt->list = true;
		return CPC_OK;
	case 'v':
		opt->verbose = true;
		return CPC_OK;
	case 'x':
		return program_option(program, optarg) < 0 ? CPC_USAGE : CPC_OK;
	case 'P':
		opt->provider = true;
		if (strcmp(optarg, "cpc") == 0)
			return CPC_OK;
		tool_error("there is no provider '%s': cpctrace has cpc", optarg);
		return CPC_USAGE;
	default:
		return CPC_USAGE;
	}
}

static int check(const struct options *opt)
{
	const char *text = NULL;

	if (opt->provider && !opt->list)
		text = "-P is for -l: name the probes to enable with -n or -s";
	else if (!opt->text && !opt->list)
		text = "no program: -n PROGRAM or -s FILE";
	else if (opt->command && opt->pid)
		text = "-c and -p exclude each other";
	else if (opt->command && !opt->command[strspn(opt->command, " \t")])
		text = "-c needs a command, all of it in one word: -c 'sleep 1'";
	if (text)
		tool_error("%s; see cpctrace -h", text);

	return text ? CPC_USAGE : CPC_OK;
}

static int carry_on(struct options *opt, struct program *program, bool found)
{
	struct irixperf_cpu cpu;

	if (opt->text && program_parse(program, opt->script ? opt->source : "program",
				       opt->text) < 0)
		return CPC_USAGE;
	if (opt->list)
		return list(opt, program);
	if (!found)
		return cpc_cpu(&cpu, true);

	return run_to(opt, program);
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = CPC_LONG_OPTIONS;
	static struct program program;
	struct options opt = { 0 };
	struct irixperf_cpu cpu;
	bool found;
	int c, ret = CPC_OK;

	tool_name = "cpctrace";
	found = cpc_cpu(&cpu, false) == CPC_OK;
	program.limits.chip = cpu.chip;
	program.limits.min_count = configured_minimum();
	while (ret == CPC_OK && (c = tool_getopt(argc, argv, "+n:s:c:p:o:qlvx:P:hV",
						      long_options)) != -1) {
		if (c == 'h' || c == 'V') {
			fputs(c == 'h' ? help_text : "cpctrace (r10kperf) " CPC_VERSION
			      "\n", stdout);
			return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
		}
		ret = take_option(&opt, &program, c);
	}
	program.macros = argv + optind;
	program.nr_macros = (unsigned int)(argc - optind);
	if (ret == CPC_OK)
		ret = check(&opt);
	if (ret == CPC_OK)
		ret = carry_on(&opt, &program, found);
	program_free(&program);
	free(opt.text);

	return ret;
}
