// SPDX-License-Identifier: GPL-2.0-only
/*
 * The requests of /proc about processes, through open() and ioctl() as an IRIX
 * program calls them. They report the counters, too.
 */
#include <sys/mman.h>
#include <sys/procfs.h>
#include "children.h"
#include "fake.h"
#include "kernel.h"
#include "unit.h"

static hwperf_profevctrarg_t arg;
static hwperf_prusage_t all;
static hwperf_cntr_t counts;
static prusage_t usage;
static prpsinfo_t info;
static timespec_t timers[MAX_PROCTIMER];
static pid_t target;
static int fd;

static int open_process(const char *format, pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), format, pid);

	return open(name, O_RDONLY);
}

static void stop(void)
{
	raise(SIGSTOP);
}

static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	memset(&arg, 0, sizeof(arg));
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_spec = 9 << 5 | HWPERF_CNTEN_U;
	arg.hwp_evctrargs.hwp_evctrl[25].hwperf_spec = 9 << 5 | HWPERF_CNTEN_U;
	memset(&all, 0x5a, sizeof(all));

	target = start_child(stop);
	/* Wait until it stops: before that it still runs its parent's code */
	if (target > 0)
		waitpid(target, NULL, WUNTRACED);
	fd = open_process("/proc/%05d", target);

	return target < 0 || fd < 0 ? -1 : 0;
}

static void end_target(void)
{
	if (target > 0)
		end_child(target);
	target = 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	end_target();
	close(fd);

	return fake_nr_open() == 0 ? 0 : -1;
}

FIXTURE(setup, teardown);

static void make_zombie(void)
{
	kill(target, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)target, NULL, WEXITED | WNOWAIT),
			 0);
}

/* Counters are acquired on the fake machine; the process's files are real */
static int acquire(void)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	assert_true(generation > 0);
	ixp_kernel.root = "";

	return generation;
}

/* PIOCGETPREVCTRS */

CASE(counters_must_have_been_acquired)
{
	ixp_kernel.root = "";
	assert_fails(ioctl(fd, PIOCGETPREVCTRS, &all), EINVAL);
	assert_int_equal(all.pu_rss, 0x5a5a5a5a5a5a5a5a);
}

CASE(a_zombie_still_tells)
{
	int generation = acquire();

	make_zombie();
	assert_int_equal(ioctl(fd, PIOCGETPREVCTRS, &all), generation);
	assert_int_equal(all.pu_cpu_mon.cm_cntrs.hwp_evctr[25], 125);
	assert_int_equal(all.pu_rss, 0);
	assert_true(all.pu_minf > 0);
	end_target();
	assert_fails(ioctl(fd, PIOCGETPREVCTRS, &all), ESRCH);
}

CASE(failed_reads_write_nothing)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	int generation = acquire();

	assert_fails(ioctl(fd, PIOCGETPREVCTRS, NULL), EFAULT);
	assert_fails(ioctl(fd, PIOCGETPREVCTRS, page), EFAULT);
	fake.read_err = -EIO;
	assert_fails(ioctl(fd, PIOCGETPREVCTRS, &all), EIO);
	assert_int_equal(all.pu_rss, 0x5a5a5a5a5a5a5a5a);
	fake.read_err = 0;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	munmap(page, 4096);
}

/* Without counters */

CASE(timers_are_the_times_of_the_usage)
{
	int mine = open_process("/proc/pinfo/%d", getpid());
	long long before, timer, after;
	size_t i;

	memset(timers, 0x5a, sizeof(timers));
	assert_int_equal(ioctl(mine, PIOCUSAGE, &usage), 0);
	before = usage.pu_utime.tv_sec * 1000000000LL + usage.pu_utime.tv_nsec;
	assert_int_equal(ioctl(mine, PIOCGETPTIMER, timers), 0);
	timer = timers[AS_USR_RUN].tv_sec * 1000000000LL +
		timers[AS_USR_RUN].tv_nsec;
	assert_int_equal(ioctl(mine, PIOCUSAGE, &usage), 0);
	after = usage.pu_utime.tv_sec * 1000000000LL + usage.pu_utime.tv_nsec;
	assert_in_range(timer, before, after);
	for (i = AS_SYS_RUN + 1; i < MAX_PROCTIMER; i++)
		assert_true(timers[i].tv_sec == 0 && timers[i].tv_nsec == 0);
	assert_int_equal(fake.nr, 0);
	close(mine);
}

CASE(psinfo_of_oneself)
{
	int mine = open_process("/proc/%05d", getpid());

	assert_int_equal(ioctl(mine, PIOCPSINFO, &info), 0);
	assert_int_equal(info.pr_pid, getpid());
	assert_int_equal(info.pr_ppid, getppid());
	assert_int_equal(info.pr_pgrp, getpgrp());
	assert_int_equal(info.pr_sid, getsid(0));
	assert_int_equal(info.pr_uid, getuid());
	assert_int_equal(info.pr_egid, getegid());
	assert_string_equal(info.pr_fname, "test_info");
	assert_non_null(strstr(info.pr_psargs, "test_info"));
	assert_in_range(info.pr_sonproc, 0, sysconf(_SC_NPROCESSORS_CONF) - 1);
	assert_true(info.pr_time.tv_sec > 0 || info.pr_time.tv_nsec > 0);
	close(mine);
}

CASE(psinfo_of_a_zombie)
{
	make_zombie();
	assert_int_equal(ioctl(fd, PIOCPSINFO, &info), 0);
	assert_int_equal(info.pr_zomb, 1);
	assert_int_equal(info.pr_sonproc, -1);
	assert_string_equal(info.pr_psargs, "test_info");
}

static const prmap_t *map_of(const prmap_t *maps, const void *address)
{
	const char *p = address;

	for (; maps->pr_size; maps++)
		if (p >= maps->pr_vaddr && p < maps->pr_vaddr + maps->pr_size)
			return maps;

	return NULL;
}

CASE(maps_cover_what_there_is)
{
	static const int constant = 1;
	static int variable = 2;
	const prmap_t *map;
	prmap_t *maps;
	int nr = 0, i;

	assert_int_equal(ioctl(fd, PIOCNMAP, &nr), 0);
	assert_in_range(nr, 5, 10000);
	maps = malloc(((size_t)nr + 2) * sizeof(*maps));
	assert_non_null(maps);
	memset(maps, 0x5a, ((size_t)nr + 2) * sizeof(*maps));
	assert_int_equal(ioctl(fd, PIOCMAP, maps), 0);
	for (i = 0; i < nr; i++)
		assert_true(maps[i].pr_size > 0 && maps[i].pr_size % 4096 == 0);
	assert_int_equal(maps[nr].pr_size, 0);
	assert_int_equal(maps[nr + 1].pr_size, 0x5a5a5a5a5a5a5a5a);

	/* the target is a copy of this program */
	map = map_of(maps, (const void *)(uintptr_t)maps_cover_what_there_is);
	assert_non_null(map);
	assert_int_equal(map->pr_mflags, MA_READ | MA_EXEC);
	map = map_of(maps, &constant);
	assert_non_null(map);
	assert_int_equal(map->pr_mflags & (MA_WRITE | MA_READ), MA_READ);
	map = map_of(maps, &variable);
	assert_non_null(map);
	assert_int_equal(map->pr_mflags & ~MA_EXEC, MA_READ | MA_WRITE);
	free(maps);
}

CASE(the_stack_is_marked)
{
	prmap_t *maps = calloc(20000, sizeof(*maps));
	const prmap_t *map;

	assert_int_equal(ioctl(fd, PIOCMAP, maps), 0);
	map = map_of(maps, __builtin_frame_address(0));
	assert_non_null(map);
	assert_true(map->pr_mflags & MA_STACK);
	assert_false(map->pr_mflags & MA_BREAK);
	free(maps);
}

/* The structure ends at the end of a page, so a longer write would fail */
CASE(sizes_are_kept)
{
	static const struct {
		unsigned long request;
		size_t size;
	} cases[] = {
		{ PIOCUSAGE, sizeof(prusage_t) },
		{ PIOCPSINFO, sizeof(prpsinfo_t) },
		{ PIOCGETPTIMER, sizeof(timers) },
		{ PIOCNMAP, sizeof(int) },
		{ PIOCGETPREVCTRS, sizeof(hwperf_prusage_t) },
	};
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	acquire();
	assert_int_equal(mprotect(pages + 4096, 4096, PROT_NONE), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		char *end = pages + 4096;

		assert_true(ioctl(fd, cases[i].request, end - cases[i].size) >=
			    0);
		assert_fails(ioctl(fd, cases[i].request,
				   end - cases[i].size + 1), EFAULT);
	}
	munmap(pages, 8192);
}

static const unsigned long requests[] = { PIOCPSINFO, PIOCUSAGE, PIOCGETPTIMER,
					  PIOCNMAP, PIOCMAP };

CASE(bad_addresses_are_refused)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		assert_fails(ioctl(fd, requests[i], NULL), EFAULT);
		assert_fails(ioctl(fd, requests[i], page), EFAULT);
	}
	munmap(page, 4096);
}

CASE(only_processes_can_be_asked)
{
	char buf[sizeof(all)];
	int file = open("/dev/null", O_RDONLY);
	int folder = open("/proc", O_RDONLY);
	size_t i;

	end_target();
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		assert_fails(ioctl(file, requests[i], buf), ENOTTY);
		assert_fails(ioctl(-1, requests[i], buf), EBADF);
		assert_fails(ioctl(folder, requests[i], buf), ESRCH);
		assert_fails(ioctl(fd, requests[i], buf), ESRCH);
	}
	close(folder);
	close(file);
}

/* The numbers next to ours are not the library's */
CASE(other_requests_pass_by)
{
	assert_fails(ioctl(fd, PIOCPSINFO - 1, &info), ENOTTY);
	assert_fails(ioctl(fd, PIOCMAP + 1, &info), ENOTTY);
}

UNIT_MAIN()
