// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of processes with several threads, exact to the last count: threads that
 * exist when the counters are acquired, threads that start later, and threads that
 * start at that very moment. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

#define FP		21	/* graduated floating point instructions */
#define INSNS		15	/* at the same time, on the other counter */
#define THREADS		6
#define CHAIN		60
#define STACK		65536

static hwperf_profevctrarg_t arg;
static int own;

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Additions of doubles, which nothing else here does */
static void work(unsigned long n)
{
	if (n-- == 0)
		return;
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "1:	add.d	$f2, $f2, $f2\n"
			 "	bgtz	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(n) : : "$f2");
}

static void want(unsigned int event)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_mode = HWPERF_CNTEN_U;
	reg->hwp_ie = 1;
	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
}

static int open_process(pid_t pid)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "/proc/%05d", pid);
	fd = open(name, O_RDWR);
	if (fd < 0)
		die(name);

	return fd;
}

static int request(int fd, unsigned long what)
{
	int ret = ioctl(fd, what, &arg);

	if (ret < 0)
		die("acquiring the counters");

	return ret;
}

static unsigned long long count_of(int fd)
{
	hwperf_cntr_t counts;

	if (ioctl(fd, PIOCGETEVCTRS, &counts) < 0)
		die("PIOCGETEVCTRS");

	return counts.hwp_evctr[FP];
}

static pthread_t start(void *(*run)(void *arg), unsigned long n)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	errno = pthread_create(&thread, &attr, run, (void *)n);
	if (errno)
		die("pthread_create");

	return thread;
}

/* Threads that work in steps, all of them at the same time */

static pthread_barrier_t gate;

static unsigned long share(unsigned long i)
{
	return 1000 + 7 * i;
}

static unsigned long long shares(unsigned long nr)
{
	unsigned long long sum = 0;

	while (nr-- > 0)
		sum += share(nr);

	return sum;
}

static void pass_gate(unsigned int times)
{
	while (times-- > 0)
		pthread_barrier_wait(&gate);
}

static void *work_twice(void *i)
{
	work(share((unsigned long)i));
	pass_gate(2);
	work(share((unsigned long)i));
	pass_gate(2);
	work(share((unsigned long)i));

	return NULL;
}

static void start_all(pthread_t *threads, unsigned int nr)
{
	unsigned int i;

	pthread_barrier_init(&gate, NULL, nr + 1);
	for (i = 0; i < nr; i++)
		threads[i] = start(work_twice, i);
	pass_gate(1);
}

static void join_all(const pthread_t *threads, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static void *work_once(void *n)
{
	work((unsigned long)n);

	return NULL;
}

static void *work_by_another(void *n)
{
	work((unsigned long)n);
	pthread_join(start(work_once, (unsigned long)n), NULL);

	return NULL;
}

static void own_threads(void)
{
	pthread_t threads[THREADS];

	start_all(threads, THREADS);
	request(own, PIOCENEVCTRS);
	work(5);
	check_count(count_of(own), 5, "nothing of what threads did before");
	pass_gate(2);
	check_count(count_of(own), shares(THREADS) + 5,
		    "threads that were there before");
	pthread_join(start(work_by_another, 400), NULL);
	check_count(count_of(own), shares(THREADS) + 805,
		    "later ones, and those that they start");
	pass_gate(1);
	join_all(threads, THREADS);
	check_count(count_of(own), 2 * shares(THREADS) + 805,
		    "and none is lost when they end");
	if (ioctl(own, PIOCRELEVCTRS) != 0)
		die("PIOCRELEVCTRS");
	work(100);
	check_count(count_of(own), 2 * shares(THREADS) + 805,
		    "after the release they can be read");
}

static void changed(void)
{
	pthread_t threads[THREADS];
	int first;

	first = request(own, PIOCENEVCTRS);
	start_all(threads, THREADS);
	check(request(own, PIOCSETEVCTRL) > first, "another generation",
	      "%d", first);
	check_count(count_of(own), 0, "PIOCSETEVCTRL: threads begin at 0");
	pass_gate(2);
	check_count(count_of(own), shares(THREADS), "and each counts once");
	pass_gate(1);
	join_all(threads, THREADS);
}

static void *acquire(void *unused)
{
	(void)unused;
	request(own, PIOCENEVCTRS);
	work(33);

	return NULL;
}

/* Any thread of the process may acquire them */
static void acquired_by_a_thread(void)
{
	pthread_t threads[THREADS];

	start_all(threads, THREADS);
	work(4000);
	pthread_join(start(acquire, 0), NULL);
	work(500);
	pass_gate(2);
	check_count(count_of(own), shares(THREADS) + 533,
		    "acquired by a thread that has ended");
	pass_gate(1);
	join_all(threads, THREADS);
}

static void say(int sock)
{
	if (write(sock, "", 1) != 1)
		die("write");
}

static void hear(int sock)
{
	char byte;

	if (read(sock, &byte, 1) != 1)
		die("read");
}

static int run_threads(int sock, unsigned int nr)
{
	pthread_t threads[THREADS];

	start_all(threads, nr);
	say(sock);
	hear(sock);
	pass_gate(2);
	work(9);
	pthread_join(start(work_by_another, 20), NULL);
	pass_gate(1);
	join_all(threads, nr);
	say(sock);
	hear(sock);

	return 0;
}

static void other_threads(unsigned int nr)
{
	int sock[2], fd;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock) < 0)
		die("socketpair");
	pid = fork();
	if (pid == 0)
		_exit(run_threads(sock[1], nr));
	fd = open_process(pid);
	hear(sock[0]);
	request(fd, PIOCENEVCTRS);
	say(sock[0]);
	hear(sock[0]);
	check_count(count_of(fd), 2 * shares(nr) + 49,
		    "each thread of another process");
	say(sock[0]);
	waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT);
	check_count(count_of(fd), 2 * shares(nr) + 49, "also after its end");
	waitpid(pid, NULL, 0);
	close(fd);
	close(sock[0]);
	close(sock[1]);
}

/* Each thread starts the next one while the counters are acquired */

static volatile unsigned int *nr_chain;		/* of the other process */
static unsigned int nr_meanwhile;		/* requests that came before the last thread */

static void *chain(void *i)
{
	unsigned long n = (unsigned long)i;

	if (n + 1 < CHAIN)
		start(chain, n + 1);
	__atomic_add_fetch(nr_chain, 1, __ATOMIC_SEQ_CST);
	pass_gate(1);
	work(share(n));
	pass_gate(1);
	pause();

	return NULL;
}

static void run_chain(int sock)
{
	pthread_barrier_init(&gate, NULL, CHAIN + 1);
	say(sock);
	start(chain, 0);
	hear(sock);
	while (*nr_chain < CHAIN)
		usleep(10000);
	pass_gate(2);
	say(sock);
	pause();
}

static void threads_meanwhile(unsigned int delay)
{
	unsigned int before;
	int sock[2], fd;
	pid_t pid;

	*nr_chain = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock) < 0)
		die("socketpair");
	pid = fork();
	if (pid == 0)
		run_chain(sock[1]);
	fd = open_process(pid);
	hear(sock[0]);
	usleep(delay);
	before = *nr_chain;
	nr_meanwhile += before > 0 && before < CHAIN;
	request(fd, PIOCENEVCTRS);
	printf("# %u threads when counters were asked for, %u when they were there\n", before,
	       *nr_chain);
	say(sock[0]);
	hear(sock[0]);
	check_count(count_of(fd), shares(CHAIN),
		    "each thread once, whenever it was made");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
	close(sock[0]);
	close(sock[1]);
}

/* A child with threads acquires its counters again: its parent gets all counts */
static void threads_of_a_child(void)
{
	pthread_t threads[THREADS];
	int generation = request(own, PIOCENEVCTRS);
	pid_t pid = fork();

	if (pid == 0) {
		own = open_process(getpid());
		start_all(threads, THREADS);
		request(own, PIOCENEVCTRS);
		work(8);
		pass_gate(2);
		pthread_join(start(work_by_another, 70), NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), shares(THREADS) + 148,
		    "the threads of a child are added when it is waited for");
	check_count(ioctl(own, PIOCGETEVCTRL, &(hwperf_eventctrl_t){ 0 }),
		    generation, "and none of them was lost");
}

int main(void)
{
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	want(FP);
	want(INSNS);
	own = open_process(getpid());
	own_threads();
	changed();
	acquired_by_a_thread();
	ioctl(own, PIOCRELEVCTRS);
	other_threads(0);
	other_threads(1);
	other_threads(THREADS);
	nr_chain = mmap(NULL, sizeof(*nr_chain), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (nr_chain == MAP_FAILED)
		die("mmap");
	for (i = 0; i < 6; i++)
		threads_meanwhile(1000 * i);
	check(nr_meanwhile > 0, "some threads were there, and some were not", "not so");
	threads_of_a_child();
	printf("1..%d\n", nr);

	return nr_failed > 0;
}
