// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ssrun: record at which instructions a program causes events. A work-alike of
 * IRIX's command of this name, for experiments with hardware counters only.
 * perf(1) takes the samples; ssrun turns its records into files for prof(1).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/invent.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ssrun.h"

static const char help_text[] =
"Usage: ssrun [-v] [-keep] -EXPERIMENT COMMAND [ARG]...\n"
"Run COMMAND and record at which of its instructions an event happens: ssrun takes\n"
"a sample each time the event has happened a given number of times. Each process\n"
"and thread gets a file PROGRAM.EXPERIMENT.CODE+NUMBER, which prof(1) reads.\n"
"\n"
"  -EXPERIMENT      what to record: -gi_hwc, -cy_hwc, ...; -fgi_hwc, -fcy_hwc, ...\n"
"                   take more samples. -prof_hwc records the event that\n"
"                   _SPEEDSHOP_HWC_COUNTER_NUMBER gives by number or name, one\n"
"                   sample for each _SPEEDSHOP_HWC_COUNTER_OVERFLOW occurrences\n"
"  -exp EXPERIMENT  the same\n"
"  -list            list the experiments and what they count on this CPU\n"
"  -v, -verbose     print which files are written\n"
"  -keep            keep perf(1)'s records, for perf-report(1)\n"
"  -mpi             no effect: ssrun recognizes MPI programs and puts the rank in\n"
"                   the file names\n"
"  -help            show this help and exit\n"
"  -version         show the version and exit\n"
"\n"
"Each option may begin with two dashes as well.\n"
"\n"
"Exit status: that of COMMAND, or 128 + N if signal N ended it; 125 if ssrun\n"
"fails, 126 if COMMAND cannot be run, 127 if it is not found.\n";

/* Return: 0 if this file can be run, else a negative errno value */
static int try_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode) || access(path, X_OK) < 0)
		return -EACCES;

	return 0;
}

/*
 * Search as execvp(3) does; if no file can be run, prefer the error of one that is
 * there
 */
static int find_command(const char *name)
{
	char *path, *dir, *rest, file[PATH_MAX];
	int err = -ENOENT, ret;

	if (strchr(name, '/'))
		return try_file(name);
	path = strdup(getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
	if (!path)
		return -ENOMEM;
	for (rest = path; err && (dir = strsep(&rest, ":"));) {
		snprintf(file, sizeof(file), "%s/%s", *dir ? dir : ".",
			 name);
		ret = try_file(file);
		if (ret != -ENOENT && ret != -ENOTDIR)
			err = ret;
	}
	free(path);

	return err;
}

/*
 * Runs in the child: execute the command. The child is traced, so it stops at the
 * command's first instruction.
 */
static void be_tried(const char *name)
{
	char *const argv[] = { (char *)name, NULL };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(0);
	execvp(name, argv);
	_exit(errno);
}

/*
 * Try whether execve(2) accepts the command: perf does not say why execve(2) fails,
 * and only the kernel knows all formats and interpreters. The command does not run,
 * as ssrun kills it before its first instruction. If tracing is not allowed, return 0
 * and leave it to perf to report the failure.
 */
static int try_exec(const char *name)
{
	int status = 0;
	pid_t pid;

	signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (pid == 0)
		be_tried(name);
	if (pid < 0 || waitpid(pid, &status, WUNTRACED) < 0)
		return 0;
	if (!WIFSTOPPED(status))
		return WIFEXITED(status) ? -WEXITSTATUS(status) : 0;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);

	return 0;
}

static int check_command(const char *name)
{
	int err = find_command(name);

	if (!err)
		err = try_exec(name);
	if (!err)
		return 0;
	if (err == -ENOENT) {
		tool_error("%s: command not found", name);
		return TOOL_NOT_FOUND;
	}
	tool_error("%s: cannot run: %s", name, strerror(-err));

	return TOOL_CANNOT_RUN;
}

static int check_perf(void)
{
	if (find_command("perf") == 0)
		return 0;
	tool_error("perf, which takes the samples, is not found\n"
		   "install it: linux-perf of Debian, linux-tools of Ubuntu, "
		   "perf elsewhere; or set PATH");

	return TOOL_FAILED;
}

static int cannot_sample(int err, const struct irixperf_attr *attr)
{
	char text[4096];

	tool_error("cannot sample: %s",
		   irixperf_set_explain(err, attr, text, sizeof(text)));

	return TOOL_FAILED;
}

/* Try the event before the command runs: ssrun's message says more than perf's */
static int check_event(const struct ssrun_choice *choice)
{
	struct irixperf_attr attr;
	struct irixperf_set *set;
	int ret;

	ssrun_attr(&attr, choice);
	ret = irixperf_set_open(&set, &attr);
	if (ret < 0)
		return cannot_sample(ret, &attr);
	irixperf_set_close(set);

	return tool_counters_taken(&attr) ? tool_taken_error() : 0;
}

static unsigned int clock_mhz(void)
{
	struct irixperf_inventory *inventory;
	const inventory_t *item;
	unsigned int mhz = 0;

	if (irixperf_inventory_open(&inventory) < 0)
		return 0;
	while (!mhz && (item = irixperf_inventory_next(inventory)))
		if (item->inv_class == INV_PROCESSOR &&
		    item->inv_type == INV_CPUBOARD)
			mhz = (unsigned int)item->inv_controller;
	irixperf_inventory_close(inventory);

	return mhz;
}

/* Read perf's records into processes and their samples */
static int read_records(struct ssrun_run *run, char *data)
{
	char *const argv[] = {
		"perf", "script", "-f", "-i", data, "--ns", "-F",
		"pid,tid,time,ip,sym,symoff", "--show-task-events",
		"--show-mmap-events", "--show-lost-events", NULL,
	};
	struct ssrun_line line;
	struct tool_perf perf;
	char *text = NULL;
	size_t size = 0;
	int ret = tool_perf_open(&perf, argv);

	if (ret < 0)
		return ret;
	while (ret == 0 && getline(&text, &size, perf.out) > 0) {
		ssrun_line_parse(&line, text);
		ret = ssrun_run_line(run, &line);
	}
	free(text);

	return !tool_perf_close(&perf) && ret == 0 ? -EIO : ret;
}

static void warn(const struct ssrun_run *run)
{
	char names[256];

	if (run->starved)
		tool_error("others had the counter for a part of the time: counts are too low%s",
			   tool_neighbours(names, sizeof(names), "\n"));
	if (run->throttled)
		tool_error("the kernel has stopped the counter %llu times, each "
			   "until the next clock tick, because samples came too fast: "
			   "counts may be too low\n"
			   "use the plain form of the experiment, or a longer "
			   "interval with prof_hwc",
			   (unsigned long long)run->throttled);
	if (run->lost || run->lost_samples)
		tool_error("samples were lost, because perf could not keep up: "
			   "counts are too low");
}

static bool has_samples(const struct ssrun_run *run)
{
	const struct ssrun_profile *profile = run->profiles;

	while (profile && (profile->forgotten || !profile->samples))
		profile = profile->next;

	return profile;
}

static int convert(char *data, const struct ssrun_about *about,
		   const struct ssrun_options *opt, const char *name, bool starved)
{
	const char *trace = getenv("_SPEEDSHOP_TRACE_FORK_TO_EXEC");
	struct ssrun_run run = {
		.master = name,
		.from_exec = trace && strcasecmp(trace, "false") == 0,
		.starved = starved,
	};
	int ret = read_records(&run, data);
	char names[256];

	if (ret == 0)
		ret = tool_perf_throttled(data, &run.throttled);
	if (ret || !ssrun_run_master(&run)) {
		tool_error("perf has recorded nothing that can be read: %s",
			   strerror(ret ? -ret : ENODATA));
		return TOOL_FAILED;
	}
	/* An empty table would look like a program that causes no events */
	if (run.starved && !has_samples(&run)) {
		if (!opt->keep)
			unlink(data);
		tool_error("no sample was taken, and others had the counter, at least at "
			   "times: no file is written%s", tool_neighbours(names, sizeof(names), "\n"));
		return TOOL_FAILED;
	}
	warn(&run);

	return ssrun_write(&run, about, opt->verbose);
}

/* Create perf's file before the command runs: without it, the run would be in vain */
static int data_begin(char *data, size_t size, const char *name,
		      const struct ssrun_choice *choice)
{
	int fd;

	snprintf(data, size, "perf.%s.%s.%d", name, choice->experiment,
		 (int)getpid());
	fd = tool_create(data, 0600);
	if (fd < 0) {
		tool_error("cannot write %s: %s\n"
			   "ssrun writes its files to the current directory", data,
			   strerror(errno));
		return TOOL_FAILED;
	}
	close(fd);

	return 0;
}

static bool is_empty(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 || st.st_size == 0;
}

/* perf has printed why. A frequent cause: an event map with a name of libpfm4 */
static int perf_failed(const struct ssrun_choice *choice)
{
	tool_error("perf record has failed: event %s", choice->perf_event);
	if (irixperf_map_file())
		tool_error("the event is from %s\n"
			   "if perf does not know the name, write it there as a "
			   "code: r1a2b, or pmu/term=number,.../",
			   irixperf_map_file());

	return TOOL_FAILED;
}

static int record(const struct ssrun_about *about,
		  const struct ssrun_options *opt)
{
	const char *slash = strrchr(opt->command[0], '/');
	const char *name = slash ? slash + 1 : opt->command[0];
	char data[PATH_MAX];
	bool starved = false;
	int ret, status;

	ret = data_begin(data, sizeof(data), name, about->choice);
	if (ret)
		return ret;
	status = ssrun_perf_record(about->choice, data, opt->command, &starved);
	if (is_empty(data))
		ret = perf_failed(about->choice);
	else
		ret = convert(data, about, opt, name, starved);
	/* Keep records that ssrun cannot read, so that the user can look at them */
	if (is_empty(data) || (!opt->keep && !ret))
		unlink(data);
	else if (opt->verbose || ret)
		tool_error("%s: for perf report -i", data);

	return ret ? ret : status;
}

static int run(const struct ssrun_options *opt)
{
	struct ssrun_choice choice;
	struct ssrun_about about = {
		.choice = &choice,
		.command = opt->command,
	};
	int ret, status;

	/* On a machine without counters, check the experiment as on an R10000 */
	ret = irixperf_cpu_detect(&about.cpu);
	status = ssrun_choose(&choice, ret < 0 ? IRIXPERF_R10000_V3 :
			      about.cpu.chip, opt->experiment);
	if (status)
		return status;
	if (ret < 0)
		return cannot_sample(ret, NULL);

	status = check_event(&choice);
	if (status == 0)
		status = check_command(opt->command[0]);
	if (status == 0)
		status = check_perf();
	if (status)
		return status;
	about.mhz = clock_mhz();

	return record(&about, opt);
}

static void list(void)
{
	struct irixperf_cpu cpu;

	if (irixperf_cpu_detect(&cpu) < 0) {
		tool_error("this machine has no counters: the list is for an R10000");
		cpu.chip = IRIXPERF_R10000_V3;
	}
	ssrun_list(stdout, cpu.chip);
}

int main(int argc, char **argv)
{
	struct ssrun_options opt;
	int status;

	(void)argc;
	tool_name = "ssrun";
	status = ssrun_options_parse(&opt, argv);
	if (status)
		return status;

	if (opt.help)
		fputs(help_text, stdout);
	else if (opt.version)
		printf("ssrun (r10kperf) %s\n", SPEEDSHOP_VERSION);
	else if (opt.list)
		list();
	else
		return run(&opt);

	return tool_flush_stdout();
}
