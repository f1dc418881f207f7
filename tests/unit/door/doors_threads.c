// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting of threads, also with too few descriptors for all of them. It must be the
 * same through each way to the library: see doors.h. Prints TAP.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include "doors.h"

static hwperf_eventctrl_t ctrl;

/* Threads */

#define THREADS		8
#define STORM		200
#define STORMS		8
#define THREAD_PAGES	100

static pthread_barrier_t before_work, after_work;
static unsigned int nr_threads, stop_at;
static int storm;

/* Two rounds: only the first one has faults of code and stack */
static void *worker(void *pages)
{
	touch(pages, THREAD_PAGES);
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&before_work);
	touch(pages, THREAD_PAGES);
	pthread_barrier_wait(&after_work);
	pthread_barrier_wait(&after_work);

	return NULL;
}

static void *late_worker(void *pages)
{
	touch(pages, THREAD_PAGES);

	return NULL;
}

static void threads_begin(pthread_t *threads, unsigned int nr)
{
	unsigned int i;

	pthread_barrier_init(&before_work, NULL, nr + 1);
	pthread_barrier_init(&after_work, NULL, nr + 1);
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, worker,
				   new_pages(THREAD_PAGES)))
			die("pthread_create");
	pthread_barrier_wait(&before_work);
}

static void threads_end(pthread_t *threads, unsigned int nr)
{
	unsigned int i;

	pthread_barrier_wait(&after_work);
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static void own_threads(void)
{
	pthread_t threads[THREADS], late;
	unsigned long long before;

	threads_begin(threads, THREADS);
	acquire(own);
	before = count_of(own);
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&after_work);
	check_about(count_of(own) - before, THREADS * THREAD_PAGES,
		    "threads older than the request");
	before = count_of(own);
	pthread_create(&late, NULL, late_worker, new_pages(THREAD_PAGES));
	pthread_join(late, NULL);
	check_about(count_of(own) - before, THREAD_PAGES, "a later one");
	before = count_of(own);
	threads_end(threads, THREADS);
	check_about(count_of(own) - before, 0, "they stay when they have ended");
}

/* The second process of other_threads() */
static int threads_of_child(int sock, unsigned int nr)
{
	pthread_t threads[THREADS];

	threads_begin(threads, nr);
	say(sock);
	hear(sock);
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&after_work);
	say(sock);
	hear(sock);
	threads_end(threads, nr);

	return 0;
}

static void other_threads(unsigned int nr)
{
	unsigned long long before;
	int sock[2], fd;
	pid_t pid;

	ioctl(own, PIOCRELEVCTRS, NULL);
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock);
	pid = fork();
	if (pid == 0)
		_exit(threads_of_child(sock[1], nr));
	hear(sock[0]);
	fd = open_process(pid);
	if (acquire(fd) <= 0)
		die("acquiring another process");
	before = count_of(fd);
	say(sock[0]);
	hear(sock[0]);
	check_about(count_of(fd) - before, nr * THREAD_PAGES,
		    "threads of another process");
	say(sock[0]);
	waitpid(pid, NULL, 0);
	close(fd);
	close(sock[0]);
	close(sock[1]);
}

/*
 * Each thread starts the next one. The counters are acquired while one of them waits to
 * do so. tests/library/threads.c does not wait: there the same happens each time.
 */
static void *chain(void *pages)
{
	unsigned int nr = ++nr_threads;
	pthread_t next;

	touch(pages, THREAD_PAGES);
	if (nr == stop_at) {
		say(storm);
		hear(storm);
	}
	if (nr < STORM)
		pthread_create(&next, NULL, chain, new_pages(THREAD_PAGES));
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&before_work);
	touch(pages, THREAD_PAGES);
	pthread_barrier_wait(&after_work);
	pause();

	return NULL;
}

static void storm_of_child(void)
{
	pthread_t first;

	pthread_barrier_init(&before_work, NULL, STORM + 1);
	pthread_barrier_init(&after_work, NULL, STORM + 1);
	pthread_create(&first, NULL, chain, new_pages(THREAD_PAGES));
	pthread_barrier_wait(&before_work);
	say(storm);
	hear(storm);
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&after_work);
	say(storm);
	pause();
}

static void thread_storm(unsigned int at)
{
	unsigned long long before;
	int sock[2], fd;
	pid_t pid;

	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock);
	stop_at = at;
	storm = sock[1];
	pid = fork();
	if (pid == 0)
		storm_of_child();
	fd = open_process(pid);
	hear(sock[0]);
	if (acquire(fd) <= 0)
		die("acquiring a process that makes threads");
	say(sock[0]);
	hear(sock[0]);
	before = count_of(fd);
	say(sock[0]);
	hear(sock[0]);
	check_about(count_of(fd) - before, STORM * THREAD_PAGES,
		    "each thread is counted once, whenever it came");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
	close(sock[0]);
	close(sock[1]);
}

/* Too few descriptors */

static unsigned int nr_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);

	return nr;
}

/* Return: how often the request failed, or -1 if a failure has changed anything */
static int try_limits(unsigned long request, unsigned int limit)
{
	unsigned int files = nr_open_files();
	int generation = ioctl(own, PIOCGETEVCTRL, &ctrl);
	int failed = 0, ret, err;

	do {
		set_limit(limit++);
		ret = ioctl(own, request, &arg);
		err = errno;
		set_limit(1024);
		if (ret > 0)
			break;
		failed++;
		if (err != EMFILE || nr_open_files() != files ||
		    ioctl(own, PIOCGETEVCTRL, &ctrl) != generation ||
		    ioctl(own, PIOCGETEVCTRS, &counts) != generation)
			return -1;
	} while (limit < 500);

	return ret > generation ? failed : -1;
}

static void few_descriptors(void)
{
	pthread_t threads[THREADS];
	int failed;

	acquire(own);
	failed = try_limits(PIOCSETEVCTRL, 4);
	check(failed > 0, "PIOCSETEVCTRL: EMFILE changes nothing", "%d (%s)",
	      failed, strerror(errno));
	failed = try_limits(PIOCENEVCTRS, 4);
	check(failed > 0, "PIOCENEVCTRS: EMFILE changes nothing", "%d (%s)",
	      failed, strerror(errno));
	threads_begin(threads, THREADS);
	failed = try_limits(PIOCENEVCTRS, 4);
	check(failed >= 2 * THREADS, "neither does it with threads", "%d (%s)",
	      failed, strerror(errno));
	pthread_barrier_wait(&before_work);
	pthread_barrier_wait(&after_work);
	threads_end(threads, THREADS);
}

/* The same for another process, whose counters a holder may have */
static void few_descriptors_other(void)
{
	unsigned int limit = 4;
	int fd, ret, err, there[2];
	char byte;
	pid_t pid;

	ret = pipe(there);
	pid = ret == 0 ? fork() : -1;
	if (pid == 0) {
		if (write(there[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	/* Wait for the child: an earlier request would be its first, generation 1 */
	if (pid < 0 || read(there[0], &byte, 1) != 1)
		check(0, "a child", "%s", strerror(errno));
	close(there[0]);
	close(there[1]);
	fd = open_process(pid);
	do {
		set_limit(limit++);
		ret = acquire(fd);
		err = errno;
		set_limit(1024);
	} while (ret < 0 && err == EMFILE && limit < 500);
	/* Until then it has the counters of its parent, with their generation */
	check(ret > 1 && limit > 5, "PIOCENEVCTRS of another process: the same",
	      "%d (%s) with %u descriptors", ret, strerror(err), limit - 1);
	check(ioctl(fd, PIOCGETEVCTRS, &counts) == ret, "and its counts can be had",
	      "%s", strerror(errno));
	close(fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* With DOORS_API, popen() is the C library's */
#ifndef DOORS_API
#define FORKS	50

static volatile bool enough;

static void *pipe_for_ever(void *nothing)
{
	FILE *f;

	while (!enough) {
		f = popen(":", "r");
		if (f)
			pclose(f);
	}

	return nothing;
}

/* A child must not wait for a thread that only its parent has */
static void pipes_beside_forks(void)
{
	int status = 0, i;
	pthread_t thread;
	pid_t pid;

	pthread_create(&thread, NULL, pipe_for_ever, NULL);
	for (i = 0; i < FORKS && status == 0; i++) {
		pid = fork();
		if (pid == 0) {
			alarm(60);
			_exit(pclose(popen(":", "r")));
		}
		waitpid(pid, &status, 0);
	}
	enough = true;
	pthread_join(thread, NULL);
	check(status == 0, "children of a program that calls popen() in a thread",
	      "status %x of child %d", status, i);
}
#endif

int main(void)
{
	unsigned int i;

	doors_begin();
	own_threads();
	other_threads(1);
	other_threads(THREADS);
	for (i = 0; i < STORMS; i++)
		thread_storm(1 + i * STORM / STORMS);
	few_descriptors();
	few_descriptors_other();
#ifndef DOORS_API
	pipes_beside_forks();
#endif

	return doors_end();
}
