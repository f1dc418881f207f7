// SPDX-License-Identifier: GPL-2.0-only
/*
 * irixperf.h allows signal handlers to call its functions, even if they interrupt
 * malloc(3). So the functions must not allocate or free memory. This test checks
 * that: the linker redirects such calls of the library to it.
 */
#include <sys/mman.h>
#include <sys/procfs.h>
#include <irixperf.h>
#include "arbiter.h"
#include "children.h"
#include "fake.h"
#include "set.h"
#include "unit.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __real_free(void *memory);
void __wrap_free(void *memory);

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static volatile sig_atomic_t in_handler, nr_calls;
static void (*action)(void);
static int mine;

static void noticed(void)
{
	nr_calls += in_handler;
}

void *__wrap_malloc(size_t size)
{
	noticed();

	return __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	noticed();

	return __real_calloc(nr, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	noticed();

	return __real_realloc(old, size);
}

void __wrap_free(void *memory)
{
	noticed();
	__real_free(memory);
}

static void handler(int sig)
{
	(void)sig;
	in_handler = 1;
	action();
	in_handler = 0;
}

/* A handler must not use cmocka's assertions, which would jump out of it */
static void from_handler(void (*run)(void))
{
	action = run;
	nr_calls = 0;
	raise(SIGUSR1);
	assert_int_equal(nr_calls, 0);
}

static int setup(void **state)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg;
	char name[32];

	(void)state;
	fake_install(R10000_V34);
	signal(SIGUSR1, handler);
	memset(&arg, 0, sizeof(arg));
	reg->hwp_mode = HWPERF_CNTEN_U;
	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	mine = open(name, O_RDWR);

	return mine < 0 || ioctl(mine, PIOCENEVCTRS, &arg) <= 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(mine, PIOCRELEVCTRS);
	close(mine);

	return fake_nr_open() == 0 ? 0 : -1;
}

FIXTURE(setup, teardown);

static void end_at_once(void)
{
}

static void await_exit(pid_t pid)
{
	assert_int_equal(waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT), 0);
}

static int ret;

static void read_counts(void)
{
	ret = ioctl(mine, PIOCGETEVCTRS, &counts);
}

static void read_control(void)
{
	ret = ioctl(mine, PIOCGETEVCTRL, &ctrl);
}

static void release(void)
{
	ret = ioctl(mine, PIOCRELEVCTRS);
}

static pid_t child;

static void save_child(void)
{
	ret = ioctl(mine, PIOCSAVECCNTRS, (void *)(long)child);
}

static void wait_for_child(void)
{
	ret = waitpid(-1, NULL, WNOHANG);
}

static void sync_children(void)
{
	irixperf_children_sync();
}

/* The first read, and later ones */
CASE(counts_are_read)
{
	from_handler(read_counts);
	assert_true(ret > 0);
	from_handler(read_counts);
	assert_int_equal(counts.hwp_evctr[9], 109);
	assert_true(ioctl(mine, PIOCSETEVCTRL, &arg) > 0);
	from_handler(read_counts);
	assert_int_equal(counts.hwp_evctr[9], 109);
	from_handler(read_control);
	assert_true(ret > 1);
}

CASE(counters_are_released)
{
	from_handler(release);
	assert_int_equal(ret, 0);
	assert_int_equal(fake_nr_open(), 0);
	from_handler(read_counts);
	assert_int_equal(counts.hwp_evctr[9], 109);
}

/* Handlers of SIGCHLD wait for children */
CASE(children_are_waited_for)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		child = start_child(end_at_once);
		await_exit(child);
		from_handler(wait_for_child);
		assert_int_equal(ret, child);
	}
	from_handler(wait_for_child);
	assert_int_equal(ret, -1);
}

CASE(children_are_saved)
{
	child = start_child(end_at_once);
	from_handler(save_child);
	assert_int_equal(ret, 0);
	await_exit(child);
	from_handler(read_counts);
	waitpid(child, NULL, 0);
	child = start_child(end_at_once);
	from_handler(save_child);
	await_exit(child);
	from_handler(sync_children);
	waitpid(child, NULL, 0);
}

static struct ixp_user_page *user_page(void)
{
	char name[64], link[256];
	void *page;
	ssize_t n;
	int i;

	for (i = 3; i < 64; i++) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", i);
		n = readlink(name, link, sizeof(link) - 1);
		link[n < 0 ? 0 : n] = '\0';
		if (!strstr(link, IXP_USER_NAME))
			continue;
		page = mmap(NULL, sizeof(struct ixp_user_page),
			    PROT_READ | PROT_WRITE, MAP_SHARED, i, 0);
		return page == MAP_FAILED ? NULL : page;
	}

	return NULL;
}

/* A handler is the first to learn that system mode has taken the counters */
CASE(system_mode_is_noticed)
{
	struct ixp_user_page *page = user_page();
	int generation;

	assert_non_null(page);
	read_counts();
	generation = ret;
	page->epoch += IXP_EPOCH_SYSTEM;
	from_handler(read_counts);
	assert_true(ret > generation);
	assert_int_equal(fake_nr_open(), 0);
	munmap(page, sizeof(*page));
}

/* A request notices that a process has ended */
CASE(gone_processes_are_forgotten)
{
	char name[32];
	pid_t pid;
	int own = mine;

	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	snprintf(name, sizeof(name), "/proc/%05d", pid);
	mine = open(name, O_RDWR);
	assert_true(ioctl(mine, PIOCENEVCTRS, &arg) > 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	from_handler(read_counts);
	assert_int_equal(ret, -1);
	close(mine);
	mine = own;
}

static struct irixperf_set *set;
static struct irixperf_count reading;

static void use_set(void)
{
	ret = irixperf_set_disable(set) || irixperf_set_enable(set) ||
	      irixperf_set_read(set, 9, &reading);
}

static void close_set(void)
{
	irixperf_set_close(set);
}

CASE(sets_are_used)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };

	attr.mode[9] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_set_open(&set, &attr), 0);
	from_handler(use_set);
	assert_int_equal(ret, 0);
	assert_int_equal(reading.value, 109);
	from_handler(close_set);
	assert_int_equal(fake_nr_open(), 1);
}

static void look_up(void)
{
	struct irixperf_cpu cpu;

	ret = irixperf_cpu_detect(&cpu) ||
	      !irixperf_event_get(cpu.chip, 9) ||
	      !irixperf_event_find(cpu.chip, "9") ||
	      !irixperf_event_counterpart(cpu.chip, 9) ||
	      irixperf_event_conflict(cpu.chip, 1, 17) ||
	      irixperf_count_scale(&reading) || irixperf_get_cpu() < 0 ||
	      irixperf_map_file();
}

CASE(facts_are_looked_up)
{
	memset(&reading, 0, sizeof(reading));
	from_handler(look_up);
	assert_int_equal(ret, 0);
}

static void open_process(void)
{
	ret = open("/proc/00001", O_RDONLY);
}

CASE(processes_are_opened)
{
	from_handler(open_process);
	assert_true(ret >= 0);
	close(ret);
}

UNIT_MAIN()
