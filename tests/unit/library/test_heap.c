// SPDX-License-Identifier: GPL-2.0-only
/*
 * No thread may call malloc(3) while it has the library's lock (src/base/mem.c says
 * why), not even inside functions of the C library. The sanitizers report each block
 * to this test, and the linker redirects the functions that take the lock. The kernel
 * is this machine's own, because the fake one allocates memory.
 */
#include <pthread.h>
#include <spawn.h>
#include <sys/procfs.h>
#include <sys/profil.h>
#include <sys/syssgi.h>
#include <irixperf.h>
#include "children.h"
#include "faults.h"
#include "unit.h"

#define PATIENCE	60	/* seconds */

#if defined(__SANITIZE_ADDRESS__)
#define SEES_BLOCKS	1
#else
#define SEES_BLOCKS	0
#endif

void __sanitizer_malloc_hook(const volatile void *block, size_t size);
void __sanitizer_free_hook(const volatile void *block);
void __sanitizer_print_stack_trace(void);

static hwperf_profevctrarg_t fault_arg, other_arg;
static hwperf_cntr_t counts;
static unsigned int nr_blocks;
static bool looking, found;
static int own;

/* A thread that was started under the lock counts as having it, too */
static _Thread_local bool locked;

void __real_ixp_enter(void);
void __wrap_ixp_enter(void);
bool __real_ixp_enter_soon(const struct timespec *moment);
bool __wrap_ixp_enter_soon(const struct timespec *moment);
void __real_ixp_leave(void);
void __wrap_ixp_leave(void);

void __wrap_ixp_enter(void)
{
	__real_ixp_enter();
	locked = true;
}

bool __wrap_ixp_enter_soon(const struct timespec *moment)
{
	locked = __real_ixp_enter_soon(moment);

	return locked;
}

void __wrap_ixp_leave(void)
{
	locked = false;
	__real_ixp_leave();
}

static void look(void)
{
	if (__atomic_load_n(&looking, __ATOMIC_RELAXED))
		__atomic_fetch_add(&nr_blocks, 1, __ATOMIC_RELAXED);
	if (!looking || !locked)
		return;
	looking = false;
	found = true;
#if SEES_BLOCKS
	__sanitizer_print_stack_trace();
#endif
}

void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
	(void)block;
	(void)size;
	look();
}

void __sanitizer_free_hook(const volatile void *block)
{
	if (block)
		look();
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	want(&fault_arg, FAULTS, 0);
	want(&other_arg, NOTHING, 0);
	own = open_process(getpid());
	nr_blocks = 0;
	found = false;
	looking = true;

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	looking = false;
	ioctl(own, PIOCRELEVCTRS);
	close(own);

	return 0;
}

FIXTURE(setup, teardown);

/* If the sanitizers report no block at all, the test proves nothing */
static void nothing_found(void)
{
	char *volatile block = malloc(1);

	free(block);
	looking = false;
	assert_true(nr_blocks > 0);
	assert_false(found);
}

#define NEEDS_COUNTERS()						\
	do {								\
		if (!SEES_BLOCKS || ioctl(own, PIOCENEVCTRS, &fault_arg) < 0) \
			skip();						\
	} while (0)

/* This is the program's first request: it must also find out about the machine */
CASE(profiles)
{
	static unsigned short buckets[64];
	struct prof prof = {
		.pr_base = buckets, .pr_size = sizeof(buckets), .pr_scale = 2,
	};
	hwperf_profevctrarg_t arg = fault_arg;
	int ret;

	if (!SEES_BLOCKS)
		skip();
	arg.hwp_ovflw_freq[FAULTS] = 1000000;
	ret = (int)syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, 1);
	if (ret < 0)
		skip();
	nothing_found();
}

static int start_true(pid_t *pid, void *arg)
{
	char *argv[] = { "true", NULL };

	(void)arg;
	locked = true;

	return -posix_spawn(pid, "/bin/true", NULL, NULL, argv, environ);
}

/* This test starts the program's first thread: later ones reuse its memory */
CASE(spawned_programs)
{
	int status = -1;
	pid_t pid;

	NEEDS_COUNTERS();
	assert_int_equal(irixperf_spawn(&pid, start_true, NULL), 0);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	nothing_found();
}

CASE(requests)
{
	hwperf_prusage_t usage;

	NEEDS_COUNTERS();
	assert_true(ioctl(own, PIOCGETEVCTRS, &counts) > 0);
	assert_true(ioctl(own, PIOCGETPREVCTRS, &usage) > 0);
	assert_true(ioctl(own, PIOCSETEVCTRL, &other_arg) > 0);
	assert_int_equal(ioctl(own, PIOCRELEVCTRS), 0);
	nothing_found();
}

static void *wait_there(void *barrier)
{
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);

	return NULL;
}

CASE(requests_of_threads)
{
	pthread_barrier_t barrier;
	pthread_t thread[8];
	size_t i;

	NEEDS_COUNTERS();
	pthread_barrier_init(&barrier, NULL, 9);
	for (i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, wait_there, &barrier);
	pthread_barrier_wait(&barrier);
	assert_true(ioctl(own, PIOCSETEVCTRL, &other_arg) > 0);
	assert_true(ioctl(own, PIOCGETEVCTRS, &counts) > 0);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(ioctl(own, PIOCRELEVCTRS), 0);
	nothing_found();
}

CASE(requests_for_others)
{
	pid_t pid;
	int fd;

	NEEDS_COUNTERS();
	pid = start_sleeper();
	fd = open_process(pid);
	assert_true(ioctl(fd, PIOCENEVCTRS, &fault_arg) > 0);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	close(fd);
	end_child(pid);
	nothing_found();
}

CASE(children)
{
	int status;
	pid_t pid;

	NEEDS_COUNTERS();
	pid = start_sleeper();
	assert_int_equal(ioctl(own, PIOCSAVECCNTRS, (long)pid), 0);
	end_child(pid);
	assert_true(ioctl(own, PIOCGETEVCTRS, &counts) > 0);
	/* The child has its own copy of "found" */
	pid = fork();
	if (pid == 0) {
		ioctl(own, PIOCGETEVCTRS, &counts);
		_exit(found);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	nothing_found();
}

int main(void)
{
	setenv("IRIXPERF_EVENTMAP", MAPS "/software.map", 1);

	return run_cases(NULL, NULL);
}
