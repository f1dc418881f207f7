// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library's data about processes: of a made-up process, whose files can have any
 * contents, and of real processes on this kernel.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <time.h>
#include "children.h"
#include "fake.h"
#include "kernel.h"
#include "psinfo.h"
#include "readfile.h"
#include "unit.h"
#include "usage.h"

/* No kernel gives a process so high a number */
#define MADE_UP		5000000
#define DIR		"/proc/5000000"

#define NSEC		1000000000LL

static hwperf_prusage_t usage;
static prpsinfo_t info;

static const char stat_line[] =
	"5000000 (a) b (c) S 17 18 19 34818 20 4194304 101 102 103 104 250 350 "
	"450 550 16 -4 3 0 1000 40960001 77 18446744073709551615 1 1 0 0 0 0 0 "
	"0 0 0 0 0 17 1 0 0 9 0 0\n";

static const char status_text[] =
	"Name:\ta) b (c\nUmask:\t0022\nUid:\t1000\t1001\t1002\t1003\n"
	"Gid:\t2000\t2001\t2002\t2003\nvoluntary_ctxt_switches:\t40\n"
	"nonvoluntary_ctxt_switches:\t5\n";

static const char io_text[] =
	"rchar: 3221225477\nwchar: 1073741823\nsyscr: 11\nsyscw: 12\n"
	"read_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 4096\n";

static int usage_read(pid_t pid, hwperf_prusage_t *to)
{
	char path[32];
	int folder, ret;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	folder = ixp_file_open(path, O_PATH | O_DIRECTORY);
	if (folder < 0)
		return folder == -ENOENT ? -ESRCH : folder;
	ret = ixp_usage_of(folder, to);
	close(folder);

	return ret;
}

static int setup_made_up(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	fake_file(DIR "/stat", stat_line);
	fake_file(DIR "/status", status_text);
	fake_file(DIR "/io", io_text);
	fake_file(DIR "/task/5000000/status", status_text);
	fake_file(DIR "/task/5000001/status",
		  "voluntary_ctxt_switches:\t2\nnonvoluntary_ctxt_switches:\t1\n");
	memset(&usage, 0x5a, sizeof(usage));
	memset(&info, 0x5a, sizeof(info));

	return 0;
}

FIXTURE(setup_made_up, NULL);

/* Real files; only the counters are fake */
static int setup_real(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	ixp_kernel.root = "";
	memset(&usage, 0x5a, sizeof(usage));

	return 0;
}

static long long ns_of(const timespec_t *time)
{
	return (long long)time->tv_sec * NSEC + time->tv_nsec;
}

static long long ns_of_tv(const struct timeval *time)
{
	return (long long)time->tv_sec * NSEC + time->tv_usec * 1000;
}

static long long now_ns(clockid_t clock)
{
	timespec_t now;

	clock_gettime(clock, &now);

	return ns_of(&now);
}

static long long tick_ns(void)
{
	return NSEC / sysconf(_SC_CLK_TCK);
}

CASE(members_come_from_the_files)
{
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_minf, 101);
	assert_int_equal(usage.pu_majf, 103);
	assert_int_equal(usage.pu_vfault, 204);
	assert_int_equal(ns_of(&usage.pu_utime), 250 * tick_ns());
	assert_int_equal(ns_of(&usage.pu_stime), 350 * tick_ns());
	assert_int_equal(usage.pu_size, 40960001 / sysconf(_SC_PAGESIZE) + 1);
	assert_int_equal(usage.pu_rss, 77);
	assert_int_equal(usage.pu_syscr, 11);
	assert_int_equal(usage.pu_syscw, 12);
	assert_int_equal(usage.pu_inblock, 8);
	assert_int_equal(usage.pu_oublock, 16);
}

CASE(bytes_are_split_at_the_gigabyte)
{
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_gbread, 3);
	assert_int_equal(usage.pu_bread, 5);
	assert_int_equal(usage.pu_gbwrit, 0);
	assert_int_equal(usage.pu_bwrit, 1073741823);
}

CASE(switches_are_those_of_all_threads)
{
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_vctx, 42);
	assert_int_equal(usage.pu_ictx, 6);
}

CASE(what_linux_does_not_count_is_zero)
{
	size_t i;

	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_utlb, 0);
	assert_int_equal(usage.pu_nswap, 0);
	assert_int_equal(usage.pu_sigs, 0);
	assert_int_equal(usage.pu_sysc, 0);
	assert_int_equal(usage.pu_syscps, 0);
	assert_int_equal(usage.pu_sysci, 0);
	assert_int_equal(usage.pu_graphfifo, 0);
	assert_int_equal(usage.pu_ktlb, 0);
	for (i = 0; i < 8; i++) {
		assert_int_equal(usage.pu_graph_req[i], 0);
		assert_int_equal(usage.pu_graph_wait[i], 0);
	}
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		assert_int_equal(usage.pu_cpu_mon.cm_cntrs.hwp_evctr[i], 0);
}

/* 1,000 ticks after the boot, as a time of day. Two clocks tell the time of the boot */
CASE(start_is_an_absolute_time)
{
	long long before = now_ns(CLOCK_REALTIME), up = now_ns(CLOCK_BOOTTIME);

	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_in_range(ns_of(&usage.pu_starttime),
			before - now_ns(CLOCK_BOOTTIME) + 999 * tick_ns(),
			now_ns(CLOCK_REALTIME) - up + 1001 * tick_ns());
	assert_in_range(ns_of(&usage.pu_tstamp), before,
			now_ns(CLOCK_REALTIME));
}

/* Files may be missing: another user's io, no accounting, a thread that ends */
CASE(missing_files_leave_zeros)
{
	fake_remove_file(DIR "/io");
	fake_remove_file(DIR "/task/5000000/status");
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_gbread, 0);
	assert_int_equal(usage.pu_bread, 0);
	assert_int_equal(usage.pu_syscr, 0);
	assert_int_equal(usage.pu_inblock, 0);
	assert_int_equal(usage.pu_vctx, 2);
	assert_int_equal(usage.pu_minf, 101);
}

CASE(a_file_that_makes_no_sense_is_an_error)
{
	static const char *const lines[] = { "", "5000000", "5000000 (a",
					     "5000000 a) S 1", "5000000 (a)",
					     "5000000 (a) ", ") (" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		fake_file(DIR "/stat", lines[i]);
		assert_int_equal(usage_read(MADE_UP, &usage), -EIO);
		assert_int_equal(usage.pu_minf, 0x5a5a5a5a5a5a5a5a);
	}
}

/* Newer kernels have more fields at the end; a missing field is 0 */
CASE(an_old_kernel_says_less)
{
	fake_file(DIR "/stat",
		  "5000000 (a) R 1 2 3 0 -1 0 7 0 8 0 1 2 0 0 20 0 1 0 5 4096 9\n");
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_minf, 7);
	assert_int_equal(usage.pu_rss, 9);
}

CASE(nobody_is_no_process)
{
	assert_int_equal(usage_read(MADE_UP + 1, &usage), -ESRCH);
	assert_int_equal(usage.pu_minf, 0x5a5a5a5a5a5a5a5a);
	fake_remove_file(DIR "/stat");
	assert_int_equal(usage_read(MADE_UP, &usage), -ESRCH);
}

/* ps(1)'s view */

static int psinfo(void)
{
	int folder = ixp_file_open(DIR, O_PATH | O_DIRECTORY);
	int ret;

	assert_true(folder >= 0);
	ret = ixp_psinfo_of(folder, &info);
	close(folder);

	return ret;
}

CASE(psinfo_comes_from_the_files)
{
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_pid, MADE_UP);
	assert_int_equal(info.pr_ppid, 17);
	assert_int_equal(info.pr_pgrp, 18);
	assert_int_equal(info.pr_sid, 19);
	assert_int_equal(info.pr_sname, 'S');
	assert_int_equal(info.pr_zomb, 0);
	assert_int_equal(info.pr_nice, -4);
	assert_int_equal(info.pr_pri, 16);
	assert_int_equal(info.pr_thds, 3);
	assert_int_equal(info.pr_uid, 1000);
	assert_int_equal(info.pr_euid, 1001);
	assert_int_equal(info.pr_gid, 2000);
	assert_int_equal(info.pr_egid, 2001);
	assert_int_equal(info.pr_flag, 4194304);
	assert_int_equal(info.pr_rssize, 77);
	assert_int_equal(ns_of(&info.pr_time), 600 * tick_ns());
	assert_int_equal(ns_of(&info.pr_ctime), 1000 * tick_ns());
	assert_string_equal(info.pr_clname, "TS");
	assert_string_equal(info.pr_fname, "a) b (c");
}

/* 34818 = 0x8802: /dev/pts/2; beyond 255 the minor number is split */
CASE(terminals_are_device_numbers)
{
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, makedev(136, 2));
	fake_file(DIR "/stat", "5000000 (a) S 1 2 3 1083396 4 5\n");
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, makedev(136, 260));
	fake_file(DIR "/stat", "5000000 (a) S 1 2 3 0 -1 0\n");
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, PRNODEV);
}

CASE(only_who_runs_is_on_a_processor)
{
	char line[sizeof(stat_line)];

	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_sonproc, -1);
	memcpy(line, stat_line, sizeof(line));
	*strstr(line, " S ") = ' ';
	strstr(line, " S ")[1] = 'R';
	fake_file(DIR "/stat", line);
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_sonproc, 1);
}

CASE(arguments_are_one_line)
{
	static const char args[] = "/bin/cc\0-O2\0\0a b";

	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_psargs, "/bin/cc -O2  a b");
	fake_file_bytes(DIR "/cmdline", "", 0);
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_psargs, "a) b (c");
}

CASE(long_arguments_are_cut_off)
{
	char args[300];

	memset(args, 'x', sizeof(args));
	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_int_equal(strlen(info.pr_psargs), PRARGSZ - 1);
}

CASE(long_names_are_completed)
{
	static const char args[] = "/usr/bin/a-rather-long-program";
	static const char other[] = "/usr/bin/something-else";

	fake_file(DIR "/stat", "5000000 (a-rather-long-p) S 1 2 3 0 -1 0\n");
	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_fname, "a-rather-long-program");
	fake_file_bytes(DIR "/cmdline", other, sizeof(other));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_fname, "a-rather-long-p");
}

/* Real processes */

static void burn_ms(long long ms)
{
	long long end = now_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

/* A child that has done this and exited, and was not waited for */
static pid_t start_zombie(void (*run)(void))
{
	pid_t pid = start_child(run);
	siginfo_t ended;

	assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);

	return pid;
}

/* A sleep that is over before the kernel changes to another thread is none */
static void *sleep_often(void *arg)
{
	struct rusage ru;

	do {
		poll(NULL, 0, 1);
		getrusage(RUSAGE_THREAD, &ru);
	} while (ru.ru_nvcsw < 50);

	return arg;
}

static void run_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_often, NULL) == 0)
		pthread_join(thread, NULL);
	burn_ms(5);
}

/* Including microseconds, and the context switches of a thread that has ended */
CASE_WITH(a_zombie_tells_all_that_wait_would, setup_real, NULL)
{
	pid_t pid = start_zombie(run_thread);
	struct rusage ru;

	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(wait4(pid, NULL, 0, &ru), pid);
	assert_int_equal(ns_of(&usage.pu_utime), ns_of_tv(&ru.ru_utime));
	assert_int_equal(ns_of(&usage.pu_stime), ns_of_tv(&ru.ru_stime));
	assert_int_equal(usage.pu_vctx, ru.ru_nvcsw);
	assert_int_equal(usage.pu_ictx, ru.ru_nivcsw);
	assert_int_equal(usage.pu_minf, ru.ru_minflt);
	assert_int_equal(usage.pu_rss, 0);
	assert_true(usage.pu_vctx >= 50);
	assert_int_equal(usage_read(pid, &usage), -ESRCH);
}

static void have_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn_ms(200);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* What the wait gives has the times of both */
CASE_WITH(grandchildren_are_not_in_it, setup_real, NULL)
{
	pid_t pid = start_zombie(have_child);
	struct rusage ru;

	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(wait4(pid, NULL, 0, &ru), pid);
	assert_true(ns_of(&usage.pu_utime) + ns_of(&usage.pu_stime) + 200 * 1000000LL <=
		    ns_of_tv(&ru.ru_utime) + ns_of_tv(&ru.ru_stime) + tick_ns());
}

UNIT_MAIN()
