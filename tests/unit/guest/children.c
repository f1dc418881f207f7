// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters over fork(), wait() and exit(), exact to the last count. Children
 * do a known number of additions of doubles, which nothing else here does, so
 * that the library's and the kernel's work for them does not show. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

#define FP		21	/* graduated floating point instructions */
#define WIDTH		10	/* 10 + 90 + 900 children */
#define DEPTH		3

static int own = -1;

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static void add_doubles(unsigned long n)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "1:	add.d	$f2, $f2, $f2\n"
			 "	bgtz	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(n) : : "$f2");
}

/* The loop above goes once more than its argument says */
static void work(unsigned long n)
{
	if (n > 0)
		add_doubles(n - 1);
}

static int open_own(void)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", getpid());

	return open(name, O_RDWR);
}

static int acquire(void)
{
	hwperf_profevctrarg_t arg;

	memset(&arg, 0, sizeof(arg));
	arg.hwp_evctrargs.hwp_evctrl[FP].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	arg.hwp_evctrargs.hwp_evctrl[FP].hwperf_creg.hwp_ie = 1;
	arg.hwp_evctrargs.hwp_evctrl[FP].hwperf_creg.hwp_ev = FP;

	return ioctl(own, PIOCENEVCTRS, &arg);
}

static unsigned long long count_of(int fd)
{
	hwperf_cntr_t counts;

	if (ioctl(fd, PIOCGETEVCTRS, &counts) < 0)
		die("PIOCGETEVCTRS");

	return counts.hwp_evctr[FP];
}

static pid_t start(unsigned long n)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		work(n);
		_exit(0);
	}

	return pid;
}

/* Until it has exited; then it can still be waited for */
static void await_exit(pid_t pid)
{
	if (waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT) < 0)
		die("waitid");
}

static void waited_for(void)
{
	int status;
	pid_t pid;

	acquire();
	work(100);
	pid = start(1000);
	await_exit(pid);
	check_count(count_of(own), 100, "nothing is added before the wait");
	waitpid(pid, &status, WNOHANG);
	check_count(count_of(own), 1100, "waitpid() adds the child's counts");
	check(WIFEXITED(status), "and gives its status", "%x", status);
	pid = start(2000);
	while (wait(NULL) != pid)
		;
	check_count(count_of(own), 3100, "wait() does");
	pid = start(3000);
	wait3(NULL, 0, NULL);
	check_count(count_of(own), 6100, "wait3() does");
	pid = start(4000);
	wait4(pid, NULL, 0, NULL);
	check_count(count_of(own), 10100, "wait4() does");
	pid = start(5000);
	waitid(P_PID, (id_t)pid, NULL, WEXITED);
	check_count(count_of(own), 15100, "waitid() does");
}

static void killed(void)
{
	pid_t pid;

	acquire();
	pid = fork();
	if (pid == 0) {
		work(700);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 700, "the counts of a killed child are added");
}

static void stopped(void)
{
	pid_t pid;

	acquire();
	pid = fork();
	if (pid == 0) {
		work(10);
		raise(SIGSTOP);
		work(20);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	check_count(count_of(own), 0, "a child that has stopped is not added");
	kill(pid, SIGCONT);
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 30, "it is, once, when it has exited");
}

static void saved(void)
{
	pid_t pid[2];

	acquire();
	signal(SIGCHLD, SIG_IGN);
	pid[0] = start(500);
	pid[1] = start(600);
	if (ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid[1]) < 0)
		die("PIOCSAVECCNTRS");
	while (wait(NULL) > 0 || errno != ECHILD)
		;
	check_count(count_of(own), 600, "PIOCSAVECCNTRS adds a child without a wait");
	check_count(count_of(own), 600, "once");
	signal(SIGCHLD, SIG_DFL);
	errno = 0;
	check(ioctl(own, PIOCSAVECCNTRS, (void *)1l) < 0 && errno == ESRCH,
	      "PIOCSAVECCNTRS of another's child: ESRCH", "%s", strerror(errno));
}

/* A parent that has never asked for counters, of a child that has */
static void saved_by_one_without(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		own = open_own();
		acquire();
		work(40);
		_exit(0);
	}
	if (ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid) < 0)
		die("PIOCSAVECCNTRS");
	await_exit(pid);
	check_count(count_of(own), 40,
		    "PIOCSAVECCNTRS without counters of one's own");
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 40, "and a wait adds nothing to it");
}

/* What a child sees of its own counters */
static int as_child(int generation)
{
	int mine = open_own(), got;
	hwperf_eventctrl_t ctrl;

	work(50);
	if (count_of(mine) != 50)
		return 1;
	got = ioctl(mine, PIOCGETEVCTRL, &ctrl);
	if (got != generation ||
	    ctrl.hwp_evctrl[FP].hwperf_creg.hwp_mode != HWPERF_CNTEN_U)
		return 2;
	if (ioctl(mine, PIOCRELEVCTRS) != 0)
		return 3;
	work(1000);

	return 0;
}

static void from_zero(void)
{
	int status, generation = acquire();
	pid_t pid;

	work(5000);
	pid = fork();
	if (pid == 0)
		_exit(as_child(generation));
	waitpid(pid, &status, 0);
	check(status == 0, "a child has its parent's counters, from zero",
	      "%x", status);
	check_count(count_of(own), 5050, "what it counted until it released them");
}

/* It changes its mind many times; its parent gets the last of it */
static void changed(void)
{
	pid_t pid;
	int i;

	acquire();
	pid = fork();
	if (pid == 0) {
		own = open_own();
		for (i = 0; i < 2000; i++) {
			work(7);
			acquire();
		}
		work(40);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 40, "of a child that acquires anew, the last counts");
}

static char *self_path;

/* Other programs; here it is this one, which then knows nothing of counters */
static void other_programs(void)
{
	char command[256], text[8] = "";
	FILE *stream;
	pid_t pid;

	acquire();
	pid = fork();
	if (pid == 0) {
		work(3);
		execl("/no/such/program", "-", (char *)NULL);
		work(4);
		execl(self_path, self_path, "--work", "90", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 97, "execl(): the counts go on");

	pid = fork();
	if (pid == 0) {
		execlp("sh", "sh", "-c", "$0 --work 100; $0 --work 200", self_path,
		       (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 397, "and a program's children are added");

	snprintf(command, sizeof(command), "%s --work 1000; exit 3", self_path);
	check(WEXITSTATUS(system(command)) == 3, "system() gives the status",
	      "it does not");
	check_count(count_of(own), 1397, "and its counts are added");
	check(system(NULL) != 0, "there is a shell", "there is not");

	snprintf(command, sizeof(command), "%s --work 2000; echo yes", self_path);
	stream = popen(command, "r");
	if (!stream || !fgets(text, sizeof(text), stream))
		die("popen");
	check(strcmp(text, "yes\n") == 0, "popen() reads", "%s", text);
	check_count(pclose(stream), 0, "pclose() gives the status");
	check_count(count_of(own), 3397, "and the counts are added");
	stream = popen("cat >/dev/null; exit 4", "w");
	fputs("text", stream);
	check(WEXITSTATUS(pclose(stream)) == 4, "popen() writes", "it does not");
}

static char work_text[16];
static char *work_argv[] = { NULL, "--work", work_text, NULL };

static pid_t spawn_work(unsigned long n)
{
	pid_t pid;

	work_argv[0] = self_path;
	snprintf(work_text, sizeof(work_text), "%lu", n);
	errno = posix_spawn(&pid, self_path, NULL, NULL, work_argv, environ);
	if (errno)
		die("posix_spawn");

	return pid;
}

/* Programs that were not forked: they know nothing of counters from the start */
static void spawned(void)
{
	char *shell[] = { "sh", "-c", "$0 --work 50; $0 --work 60", self_path,
			  NULL };
	char *none[] = { "none", NULL };
	pid_t pid, left;
	int generation = acquire();

	work(1);
	pid = spawn_work(400);
	work(2);
	await_exit(pid);
	check_count(count_of(own), 3, "posix_spawn(): nothing before the wait");
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 403, "each of the program's counts after it");
	left = spawn_work(5000);
	waitpid(spawn_work(6000), NULL, 0);
	check_count(count_of(own), 6403, "of two programs one has been waited for");
	await_exit(left);
	if (ioctl(own, PIOCSAVECCNTRS, (void *)(long)left) < 0)
		die("PIOCSAVECCNTRS");
	check_count(count_of(own), 11403, "PIOCSAVECCNTRS adds the other");
	waitpid(left, NULL, 0);
	check_count(count_of(own), 11403, "once");
	errno = posix_spawnp(&pid, "sh", NULL, NULL, shell, environ);
	if (errno)
		die("posix_spawnp");
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 11513, "posix_spawnp(): what it starts");
	check(posix_spawn(&pid, "/no/such", NULL, NULL, none, environ) == ENOENT,
	      "posix_spawn() of no program: ENOENT", "%s", strerror(errno));
	waitpid(start(7), NULL, 0);
	check_count(count_of(own), 11520, "a forked child after all that");
	check_count(ioctl(own, PIOCGETEVCTRL, &(hwperf_eventctrl_t){ 0 }),
		    generation, "nothing has been lost");
}

/* The counts of what a child spawns are its own, and so its parent's */
static void spawned_by_a_child(void)
{
	pid_t pid;

	acquire();
	pid = fork();
	if (pid == 0) {
		work(20);
		waitpid(spawn_work(300), NULL, 0);
		spawn_work(4000);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check_count(count_of(own), 320, "what a child has spawned and waited for");
}

static void released(void)
{
	acquire();
	work(10);
	if (ioctl(own, PIOCRELEVCTRS) < 0)
		die("PIOCRELEVCTRS");
	waitpid(start(80), NULL, 0);
	check_count(count_of(own), 10, "nothing is counted after the release");
}

/* A tree: what is done with child number i of each */
enum fate { WAIT, LEAVE, SAVE };

static enum fate fate_of(unsigned int i)
{
	return i % 3;
}

static unsigned long share_of(unsigned int depth, unsigned int i)
{
	return 100 * depth + 7 * i + 1;
}

static unsigned int width_at(unsigned int depth)
{
	return depth == 1 ? WIDTH - 1 : WIDTH;
}

/* What process i of this depth hands on to its parent */
static unsigned long long expected(unsigned int depth, unsigned int i)
{
	unsigned long long sum = share_of(depth, i);
	unsigned int j;

	for (j = 0; depth < DEPTH && j < width_at(depth); j++)
		if (fate_of(j) != LEAVE)
			sum += expected(depth + 1, j);

	return sum;
}

static void tree(unsigned int depth, unsigned int i)
{
	pid_t pid[WIDTH];
	unsigned int j;

	work(share_of(depth, i));
	for (j = 0; depth < DEPTH && j < width_at(depth); j++) {
		pid[j] = fork();
		if (pid[j] < 0)
			die("fork");
		if (pid[j] == 0) {
			own = -1;
			tree(depth + 1, j);
			_exit(0);
		}
	}
	for (j = 0; depth < DEPTH && j < width_at(depth); j++) {
		if (fate_of(j) == SAVE && own < 0)
			own = open_own();
		if (fate_of(j) == SAVE &&
		    ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid[j]) < 0)
			die("PIOCSAVECCNTRS");
		if (fate_of(j) == WAIT)
			waitpid(pid[j], NULL, 0);
		else
			await_exit(pid[j]);
	}
}

static void three_generations(void)
{
	int generation = acquire();

	tree(0, 0);
	check_count(count_of(own), expected(0, 0),
		    "1000 children over three generations");
	check_count(acquire(), generation + 1, "none of them was lost");
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		work(strtoul(argv[2], NULL, 10));
		return 0;
	}
	self_path = argv[0];
	setvbuf(stdout, NULL, _IOLBF, 0);
	own = open_own();
	if (own < 0)
		die("the file of this process");
	saved_by_one_without();
	if (acquire() < 0)
		die("acquiring the counters");
	waited_for();
	killed();
	stopped();
	saved();
	from_zero();
	changed();
	other_programs();
	spawned();
	spawned_by_a_child();
	released();
	three_generations();
	printf("1..%d\n", nr);

	return nr_failed > 0;
}
