// SPDX-License-Identifier: GPL-2.0-only
/*
 * The children that a program counts. They must be the same through each way to the
 * library: see doors.h. Prints TAP.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include "doors.h"

#define LIMIT	200

static char *self_path;

/* Children */

static unsigned long long with_child(pid_t (*start)(unsigned int nr),
				     unsigned int nr)
{
	unsigned long long before;
	int status = -1;
	pid_t pid;

	acquire(own);
	before = count_of(own);
	pid = start(nr);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		return 0;

	return count_of(own) - before;
}

/* A new program has some other faults, about the same number each time */
static void check_child(pid_t (*start)(unsigned int nr), const char *what)
{
	unsigned long long few = with_child(start, PAGES);
	unsigned long long many = with_child(start, 5 * PAGES);

	check(many + SLACK > few + 4 * PAGES && many < few + 4 * PAGES + SLACK,
	      what, "%llu and %llu", few, many);
}

static pid_t start_forked(unsigned int nr)
{
	pid_t pid = fork();

	if (pid == 0) {
		touch_new(nr);
		_exit(0);
	}

	return pid;
}

static char *touch_argv[] = { NULL, "--touch", NULL, NULL };
static char nr_text[16];

static char **touch_args(unsigned int nr)
{
	snprintf(nr_text, sizeof(nr_text), "%u", nr);
	touch_argv[0] = self_path;
	touch_argv[2] = nr_text;

	return touch_argv;
}

static pid_t start_executed(unsigned int nr)
{
	pid_t pid = fork();

	if (pid == 0) {
		execve(self_path, touch_args(nr), environ);
		_exit(1);
	}

	return pid;
}

static pid_t start_spawned(unsigned int nr)
{
	pid_t pid = -1;

	errno = posix_spawn(&pid, self_path, NULL, NULL, touch_args(nr),
			    environ);

	return pid;
}

static pid_t start_spawned_by_name(unsigned int nr)
{
	pid_t pid = -1;

	errno = posix_spawnp(&pid, self_path, NULL, NULL, touch_args(nr),
			     environ);

	return pid;
}

/* Start it by a shell, as a grandchild */
static pid_t start_spawned_shell(unsigned int nr)
{
	char *argv[] = { "sh", "-c", "\"$0\" --touch \"$1\"; exit 0", self_path,
			 touch_args(nr)[2], NULL };
	pid_t pid = -1;

	errno = posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ);

	return pid;
}

#ifndef DOORS_API
static pid_t start_vforked(unsigned int nr)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve(self_path, touch_args(nr), environ);
		_exit(1);
	}

	return pid;
}

static unsigned long long with_command(unsigned int nr, bool stream)
{
	unsigned long long before;
	char command[256];
	int status = -1;
	FILE *f;

	snprintf(command, sizeof(command), "%s --touch %u", self_path, nr);
	acquire(own);
	before = count_of(own);
	if (stream) {
		f = popen(command, "r");
		status = f ? pclose(f) : -1;
	} else {
		status = system(command);
	}

	return status == 0 ? count_of(own) - before : 0;
}

static void check_command(bool stream, const char *what)
{
	unsigned long long few = with_command(PAGES, stream);
	unsigned long long many = with_command(5 * PAGES, stream);

	check(many + SLACK > few + 4 * PAGES && many < few + 4 * PAGES + SLACK,
	      what, "%llu and %llu", few, many);
}
#endif

static void children(void)
{
	check_child(start_forked, "a child of fork()");
	check_child(start_executed, "a child that executes a program");
	check_child(start_spawned, "a program of posix_spawn()");
	check_child(start_spawned_by_name, "a program of posix_spawnp()");
	check_child(start_spawned_shell, "and what it starts");
#ifndef DOORS_API
	check_child(start_vforked, "a child of vfork()");
	check_command(false, "a command of system()");
	check_command(true, "a command of popen()");
#endif
}

/* Counts are added at the wait, once, and without those of other children */
static void spawned_and_others(void)
{
	unsigned long long before;
	pid_t pid[2];
	int i;

	acquire(own);
	before = count_of(own);
	pid[0] = start_spawned(50 * PAGES);
	pid[1] = start_spawned(100 * PAGES);
	for (i = 0; i < 2; i++)
		waitid(P_PID, (id_t)pid[i], NULL, WEXITED | WNOWAIT);
	check_about(count_of(own) - before, 0, "nothing before the wait");
	waitpid(pid[0], NULL, 0);
	before = count_of(own) - before;
	check(before > 50 * PAGES && before < 55 * PAGES,
	      "one of two spawned programs", "%llu", before);
	before = count_of(own);
	if (ioctl(own, PIOCSAVECCNTRS, (long)pid[1]) < 0)
		die("PIOCSAVECCNTRS");
	before = count_of(own) - before;
	check(before > 100 * PAGES && before < 105 * PAGES,
	      "PIOCSAVECCNTRS of the other, without a wait", "%llu", before);
	before = count_of(own);
	waitpid(pid[1], NULL, 0);
	check_about(count_of(own) - before, 0, "and no second time");
}

/* Children of clone(2) are not counted, and must not take their parent's counts */
static void cloned_child(void)
{
	unsigned long long before;
	int status = -1, generation;
	pid_t saved, pid;

	generation = acquire(own);
	before = count_of(own);
	saved = start_forked(PAGES);
	if (ioctl(own, PIOCSAVECCNTRS, (long)saved) < 0)
		die("PIOCSAVECCNTRS");
	waitid(P_PID, (id_t)saved, NULL, WEXITED | WNOWAIT);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		touch_new(PAGES);
		waitpid(saved, NULL, WNOHANG);
		_exit(acquire(open_process(getpid())) != 1);
	}
	waitpid(pid, &status, 0);
	check(status == 0, "a child of clone() begins anew", "status %x", status);
	check(ioctl(own, PIOCGETEVCTRS, &counts) == generation,
	      "and its parent has lost nothing", "%s", strerror(errno));
	check_about(count_of(own) - before, PAGES,
		    "neither of another child, nor got anything of it");
	waitpid(saved, NULL, 0);
}

/* A child that is forked after a spawned one does not inherit the latter's counts */
static void forked_after_spawned(void)
{
	unsigned long long before;
	pid_t spawned, forked;

	acquire(own);
	spawned = start_spawned(10 * PAGES);
	waitpid(spawned, NULL, 0);
	before = count_of(own);
	forked = start_forked(PAGES);
	waitpid(forked, NULL, 0);
	before = count_of(own) - before;
	check(before >= PAGES && before < 2 * PAGES,
	      "a child that is forked after that", "%llu", before);
	before = count_of(own);
	forked = start_executed(PAGES);
	waitpid(forked, NULL, 0);
	before = count_of(own) - before;
	check(before >= PAGES && before < 3 * PAGES,
	      "one that executes a program is counted once", "%llu", before);
}

static void spawn_failures(void)
{
	int generation = acquire(own);
	char *argv[] = { "no", NULL };
	pid_t pid = -1;

	check(posix_spawn(&pid, "/no/such", NULL, NULL, argv, environ) == ENOENT,
	      "posix_spawn() gives the error", "pid %d", pid);
	check(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD,
	      "and there is no child", "%s", strerror(errno));
	check(ioctl(own, PIOCGETEVCTRS, &counts) == generation,
	      "and nothing has been lost", "%s", strerror(errno));
}

/* The program must get its caller's signal mask */
static void spawn_mask(void)
{
	char *argv[] = { self_path, "--mask", NULL };
	int status = -1;
	sigset_t set;
	pid_t pid;

	acquire(own);
	sigemptyset(&set);
	posix_spawn(&pid, self_path, NULL, NULL, argv, environ);
	waitpid(pid, &status, 0);
	check(WEXITSTATUS(status) == 0, "no signal is blocked in the program",
	      "status %x", status);
#ifndef DOORS_API
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	posix_spawn(&pid, self_path, NULL, NULL, argv, environ);
	waitpid(pid, &status, 0);
	check(WEXITSTATUS(status) == SIGUSR1, "but those of its caller",
	      "status %x", status);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
#endif
}

/* A program that cannot be counted still starts, and the generation grows */
static void few_descriptors_spawn(void)
{
	int generation = acquire(own), status = -1;
	int filler[LIMIT], nr_fillers = 0;
	pid_t pid;

	set_limit(LIMIT);
	while ((filler[nr_fillers] = fcntl(own, F_DUPFD_CLOEXEC, 0)) >= 0)
		nr_fillers++;
	pid = start_spawned(1);
	while (nr_fillers > 0)
		close(filler[--nr_fillers]);
	set_limit(1024);
	waitpid(pid, &status, 0);
	check(status == 0 && ioctl(own, PIOCGETEVCTRS, &counts) == generation + 1,
	      "a program that cannot be counted is known by the generation",
	      "status %x", status);
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

static int blocked_signal(void)
{
	sigset_t set;
	int i;

	sigprocmask(SIG_BLOCK, NULL, &set);
	for (i = 1; i < 65; i++)
		if (sigismember(&set, i) == 1)
			return i;

	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		page_size = (size_t)sysconf(_SC_PAGESIZE);
		touch_new((unsigned int)atoi(argv[2]));
		return 0;
	}
	if (argc == 2)
		return blocked_signal();

	self_path = argv[0];
	doors_begin();
	children();
	spawned_and_others();
	cloned_child();
	forked_after_spawned();
	spawn_failures();
	spawn_mask();
	few_descriptors_spawn();
#ifndef DOORS_API
	pipes_beside_forks();
#endif

	return doors_end();
}
