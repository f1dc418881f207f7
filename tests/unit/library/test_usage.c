// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library's data about processes: of a made-up process, whose files can have any
 * contents, and of real processes on this kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
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

static void members_come_from_the_files(void **state)
{
	(void)state;
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

static void bytes_are_split_at_the_gigabyte(void **state)
{
	(void)state;
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_gbread, 3);
	assert_int_equal(usage.pu_bread, 5);
	assert_int_equal(usage.pu_gbwrit, 0);
	assert_int_equal(usage.pu_bwrit, 1073741823);
}

static void switches_are_those_of_all_threads(void **state)
{
	(void)state;
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_vctx, 42);
	assert_int_equal(usage.pu_ictx, 6);
}

static void what_linux_does_not_count_is_zero(void **state)
{
	size_t i;

	(void)state;
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
static void start_is_an_absolute_time(void **state)
{
	long long before = now_ns(CLOCK_REALTIME), up = now_ns(CLOCK_BOOTTIME);

	(void)state;
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_in_range(ns_of(&usage.pu_starttime),
			before - now_ns(CLOCK_BOOTTIME) + 999 * tick_ns(),
			now_ns(CLOCK_REALTIME) - up + 1001 * tick_ns());
	assert_in_range(ns_of(&usage.pu_tstamp), before,
			now_ns(CLOCK_REALTIME));
}

/* Files may be missing: another user's io, no accounting, a thread that ends */
static void missing_files_leave_zeros(void **state)
{
	(void)state;
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

static void a_file_that_makes_no_sense_is_an_error(void **state)
{
	static const char *const lines[] = { "", "5000000", "5000000 (a",
					     "5000000 a) S 1", "5000000 (a)",
					     "5000000 (a) ", ") (" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		fake_file(DIR "/stat", lines[i]);
		assert_int_equal(usage_read(MADE_UP, &usage), -EIO);
		assert_int_equal(usage.pu_minf, 0x5a5a5a5a5a5a5a5a);
	}
}

/* Newer kernels have more fields at the end; a missing field is 0 */
static void an_old_kernel_says_less(void **state)
{
	(void)state;
	fake_file(DIR "/stat",
		  "5000000 (a) R 1 2 3 0 -1 0 7 0 8 0 1 2 0 0 20 0 1 0 5 4096 9\n");
	assert_int_equal(usage_read(MADE_UP, &usage), 0);
	assert_int_equal(usage.pu_minf, 7);
	assert_int_equal(usage.pu_rss, 9);
}

static void nobody_is_no_process(void **state)
{
	(void)state;
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

static void psinfo_comes_from_the_files(void **state)
{
	(void)state;
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
static void terminals_are_device_numbers(void **state)
{
	(void)state;
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, makedev(136, 2));
	fake_file(DIR "/stat", "5000000 (a) S 1 2 3 1083396 4 5\n");
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, makedev(136, 260));
	fake_file(DIR "/stat", "5000000 (a) S 1 2 3 0 -1 0\n");
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_ttydev, PRNODEV);
}

static void only_who_runs_is_on_a_processor(void **state)
{
	char line[sizeof(stat_line)];

	(void)state;
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_sonproc, -1);
	memcpy(line, stat_line, sizeof(line));
	*strstr(line, " S ") = ' ';
	strstr(line, " S ")[1] = 'R';
	fake_file(DIR "/stat", line);
	assert_int_equal(psinfo(), 0);
	assert_int_equal(info.pr_sonproc, 1);
}

static void arguments_are_one_line(void **state)
{
	static const char args[] = "/bin/cc\0-O2\0\0a b";

	(void)state;
	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_psargs, "/bin/cc -O2  a b");
	fake_file_bytes(DIR "/cmdline", "", 0);
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_psargs, "a) b (c");
}

static void long_arguments_are_cut_off(void **state)
{
	char args[300];

	(void)state;
	memset(args, 'x', sizeof(args));
	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_int_equal(strlen(info.pr_psargs), PRARGSZ - 1);
}

static void long_names_are_completed(void **state)
{
	static const char args[] = "/usr/bin/a-rather-long-program";
	static const char other[] = "/usr/bin/something-else";

	(void)state;
	fake_file(DIR "/stat", "5000000 (a-rather-long-p) S 1 2 3 0 -1 0\n");
	fake_file_bytes(DIR "/cmdline", args, sizeof(args));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_fname, "a-rather-long-program");
	fake_file_bytes(DIR "/cmdline", other, sizeof(other));
	assert_int_equal(psinfo(), 0);
	assert_string_equal(info.pr_fname, "a-rather-long-p");
}

/* Real processes */

static void oneself_is_as_exact_as_getrusage(void **state)
{
	struct rusage before, after;

	(void)state;
	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	assert_int_equal(usage_read(getpid(), &usage), 0);
	assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
	assert_in_range(ns_of(&usage.pu_utime), ns_of_tv(&before.ru_utime),
			ns_of_tv(&after.ru_utime));
	assert_in_range(usage.pu_minf, before.ru_minflt, after.ru_minflt);
	assert_in_range(usage.pu_majf, before.ru_majflt, after.ru_majflt);
	assert_in_range(usage.pu_vctx, before.ru_nvcsw, after.ru_nvcsw);
	assert_in_range(usage.pu_ictx, before.ru_nivcsw, after.ru_nivcsw);
	assert_true(usage.pu_rss > 0 && usage.pu_size >= usage.pu_rss);
}

/* A child that takes orders as bytes from a pipe, and answers each */
static int to_child[2], from_child[2];
static pid_t child;

static pid_t child_start(void (*act)(char order))
{
	char order;

	assert_int_equal(pipe(to_child) | pipe(from_child), 0);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (read(to_child[0], &order, 1) == 1 && order != 'q') {
			act(order);
			if (write(from_child[1], &order, 1) != 1)
				break;
		}
		_exit(0);
	}
	assert_true(child > 0);

	return child;
}

/* When the child sleeps again, the kernel has counted its answer, too */
static void child_order(char order)
{
	assert_int_equal(write(to_child[1], &order, 1), 1);
	if (order == 'q')
		return;
	assert_int_equal(read(from_child[0], &order, 1), 1);
	wait_asleep(child);
}

static void pipes_close(void)
{
	close(to_child[0]);
	close(to_child[1]);
	close(from_child[0]);
	close(from_child[1]);
}

static void become_zombie(pid_t pid)
{
	siginfo_t ended;

	child_order('q');
	assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT),
			 0);
	pipes_close();
}

static void do_io(char order)
{
	int from = open("/dev/zero", O_RDONLY);
	int to = open("/dev/null", O_WRONLY);
	char buf[100];
	int i;

	for (i = 0; i < 1000 && order == 'i'; i++)
		if (read(from, buf, 100) != 100)
			_exit(1);
	for (i = 0; i < 500 && order == 'i'; i++)
		if (write(to, buf, 10) != 10)
			_exit(1);
	close(from);
	close(to);
}

/* The order and its answer add a byte each */
static void io_of_another_process_is_exact(void **state)
{
	hwperf_prusage_t before;
	pid_t pid;

	(void)state;
	if (access("/proc/self/io", R_OK) < 0) {
		print_message("no /proc/self/io: this kernel does not count\n");
		skip();
	}
	pid = child_start(do_io);
	child_order('n');
	assert_int_equal(usage_read(pid, &before), 0);
	child_order('i');
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(usage.pu_syscr - before.pu_syscr, 1001);
	assert_int_equal(usage.pu_bread - before.pu_bread, 100001);
	assert_int_equal(usage.pu_syscw - before.pu_syscw, 501);
	assert_int_equal(usage.pu_bwrit - before.pu_bwrit, 5001);
	become_zombie(pid);
	waitpid(pid, NULL, 0);
}

static void burn_ms(long long ms)
{
	long long end = now_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

static void do_burn(char order)
{
	if (order == 'b')
		burn_ms(60);
}

static void time_of_another_process_goes_on(void **state)
{
	pid_t pid = child_start(do_burn);
	long long used;

	(void)state;
	child_order('b');
	assert_int_equal(usage_read(pid, &usage), 0);
	used = ns_of(&usage.pu_utime) + ns_of(&usage.pu_stime);
	assert_true(used >= 60 * 1000000LL - 2 * tick_ns());
	child_order('b');
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_true(ns_of(&usage.pu_utime) + ns_of(&usage.pu_stime) >=
		    used + 60 * 1000000LL - 2 * tick_ns());
	become_zombie(pid);
	waitpid(pid, NULL, 0);
}

static void do_touch(char order)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	volatile char *memory;

	if (order != 't')
		return;
	memory = mmap(NULL, 256 * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)memory, 256 * page, MADV_NOHUGEPAGE);
	for (i = 0; i < 256; i++)
		memory[i * page] = 1;
}

static void pages_and_faults_of_another_process(void **state)
{
	pid_t pid = child_start(do_touch);
	hwperf_prusage_t before;

	(void)state;
	child_order('n');
	assert_int_equal(usage_read(pid, &before), 0);
	child_order('t');
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_in_range(usage.pu_minf - before.pu_minf, 256, 511);
	assert_in_range(usage.pu_size - before.pu_size, 256, 300);
	assert_true(usage.pu_rss >= before.pu_rss + 128);
	become_zombie(pid);
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(usage.pu_rss, 0);
	assert_in_range(usage.pu_minf - before.pu_minf, 256, 767);
	waitpid(pid, NULL, 0);
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

static void do_threads(char order)
{
	pthread_t thread;

	if (order == 't' && pthread_create(&thread, NULL, sleep_often, NULL) == 0)
		pthread_join(thread, NULL);
	burn_ms(5);
}

/* Including microseconds, and the context switches of a thread that has ended */
static void a_zombie_tells_all_that_wait_would(void **state)
{
	pid_t pid = child_start(do_threads);
	struct rusage ru;

	(void)state;
	child_order('t');
	become_zombie(pid);
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(wait4(pid, NULL, 0, &ru), pid);
	assert_int_equal(ns_of(&usage.pu_utime), ns_of_tv(&ru.ru_utime));
	assert_int_equal(ns_of(&usage.pu_stime), ns_of_tv(&ru.ru_stime));
	assert_int_equal(usage.pu_vctx, ru.ru_nvcsw);
	assert_int_equal(usage.pu_ictx, ru.ru_nivcsw);
	assert_int_equal(usage.pu_minf, ru.ru_minflt);
	assert_true(usage.pu_vctx >= 50);
	assert_int_equal(usage_read(pid, &usage), -ESRCH);
}

static void do_child(char order)
{
	pid_t pid = order == 'c' ? fork() : -1;

	if (pid == 0) {
		burn_ms(200);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* What the wait gives has the times of both */
static void grandchildren_are_not_in_it(void **state)
{
	pid_t pid = child_start(do_child);
	struct rusage ru;

	(void)state;
	child_order('c');
	become_zombie(pid);
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_int_equal(wait4(pid, NULL, 0, &ru), pid);
	assert_true(ns_of(&usage.pu_utime) + ns_of(&usage.pu_stime) + 200 * 1000000LL <=
		    ns_of_tv(&ru.ru_utime) + ns_of_tv(&ru.ru_stime) + tick_ns());
}

static void start_of_a_child_is_now(void **state)
{
	long long before = now_ns(CLOCK_REALTIME);
	pid_t pid = child_start(do_burn);
	long long first;

	(void)state;
	assert_int_equal(usage_read(pid, &usage), 0);
	first = ns_of(&usage.pu_starttime);
	assert_in_range(first, before - 2 * tick_ns(),
			now_ns(CLOCK_REALTIME) + tick_ns());
	assert_int_equal(usage_read(pid, &usage), 0);
	assert_in_range(ns_of(&usage.pu_starttime), first - tick_ns(),
			first + tick_ns());
	become_zombie(pid);
	waitpid(pid, NULL, 0);
}

#define made_up(test)	cmocka_unit_test_setup(test, setup_made_up)
#define real(test)	cmocka_unit_test_setup(test, setup_real)

static const struct CMUnitTest tests[] = {
	made_up(members_come_from_the_files),
	made_up(bytes_are_split_at_the_gigabyte),
	made_up(switches_are_those_of_all_threads),
	made_up(what_linux_does_not_count_is_zero),
	made_up(start_is_an_absolute_time),
	made_up(missing_files_leave_zeros),
	made_up(a_file_that_makes_no_sense_is_an_error),
	made_up(an_old_kernel_says_less),
	made_up(nobody_is_no_process),
	made_up(psinfo_comes_from_the_files),
	made_up(terminals_are_device_numbers),
	made_up(only_who_runs_is_on_a_processor),
	made_up(arguments_are_one_line),
	made_up(long_arguments_are_cut_off),
	made_up(long_names_are_completed),
	real(oneself_is_as_exact_as_getrusage),
	real(io_of_another_process_is_exact),
	real(time_of_another_process_goes_on),
	real(pages_and_faults_of_another_process),
	real(a_zombie_tells_all_that_wait_would),
	real(grandchildren_are_not_in_it),
	real(start_of_a_child_is_now),
};

UNIT_MAIN(tests)
