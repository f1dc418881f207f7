// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters over fork(), exec(), wait() and exit(), exact to the last count: each way
 * to wait, and other programs. What these do besides shows in page faults, but not
 * in additions of doubles: so it is for the R10000 alone. See child.c for what any
 * machine can show. Prints TAP.
 */
#define _GNU_SOURCE
#include <spawn.h>
#include "conf.h"

#define WIDTH		10	/* 10 + 90 + 900 children */
#define DEPTH		3

static int own = -1;

static int acquire(void)
{
	hwperf_profevctrarg_t arg;

	want_only(&arg, SECOND);

	return ioctl(own, PIOCENEVCTRS, &arg);
}

static count_t counted(void)
{
	return count_of(own, SECOND);
}

static long amount;

static void child(void)
{
	work(amount);
}

static pid_t start_work(long n)
{
	amount = n;

	return start(child);
}

static void waited_for(void)
{
	int status;
	pid_t pid;

	acquire();
	work(100);
	pid = start_work(1000);
	await_exit(pid);
	check_count(counted(), 100, "6.32 6.34: nothing is added before the wait");
	waitpid(pid, &status, WNOHANG);
	check_count(counted(), 1100, "6.33 6.34 6.35 9.35: waitpid() adds the child's counts");
	check(WIFEXITED(status), "6.33: and gives its status", "%x", status);
	pid = start_work(2000);
	if (wait(NULL) != pid)
		bail_out("wait");
	check_count(counted(), 3100, "6.34: wait() does");
	pid = start_work(3000);
	wait3(NULL, 0, NULL);
	check_count(counted(), 6100, "6.34: wait3() does");
	pid = start_work(4000);
	wait4(pid, NULL, 0, NULL);
	check_count(counted(), 10100, "6.34: wait4() does");
	pid = start_work(5000);
	waitid(P_PID, (id_t)pid, NULL, WEXITED);
	check_count(counted(), 15100, "6.34: waitid() does");
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
	check_count(counted(), 700, "6.34: the counts of a killed child are added");
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
	check_count(counted(), 0, "6.34: a child that has stopped is not added");
	kill(pid, SIGCONT);
	waitpid(pid, NULL, 0);
	check_count(counted(), 30, "6.34: it is, once, when it has exited");
}

static void saved(void)
{
	pid_t pid[2];

	acquire();
	signal(SIGCHLD, SIG_IGN);
	pid[0] = start_work(500);
	pid[1] = start_work(600);
	if (ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid[1]) < 0)
		bail_out("PIOCSAVECCNTRS");
	while (wait(NULL) > 0 || errno != ECHILD)
		;
	check_count(counted(), 600, "6.36 9.34: PIOCSAVECCNTRS adds a child without a wait");
	check_count(counted(), 600, "9.34: once");
	signal(SIGCHLD, SIG_DFL);
	errno = 0;
	check(ioctl(own, PIOCSAVECCNTRS, (void *)1l) < 0 && errno == ESRCH,
	      "9.37: PIOCSAVECCNTRS of another's child: ESRCH", "%s", strerror(errno));
}

/* What a child sees of its own counters */
static int as_child(int generation)
{
	int mine = open_process(getpid()), got;
	hwperf_eventctrl_t ctrl;

	work(50);
	if (count_of(mine, SECOND) != 50)
		return 1;
	got = ioctl(mine, PIOCGETEVCTRL, &ctrl);
	if (got != generation ||
	    ctrl.hwp_evctrl[SECOND].hwperf_creg.hwp_mode != HWPERF_CNTEN_U)
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
	check(status == 0, "6.29 6.30 6.31: a child has its parent's counters, from zero",
	      "%x", status);
	check_count(counted(), 5050, "6.34: what it counted until it released them");
}

/* It changes its mind many times; its parent gets the last of it */
static void changed(void)
{
	pid_t pid;
	int i;

	acquire();
	pid = fork();
	if (pid == 0) {
		own = open_process(getpid());
		for (i = 0; i < 2000; i++) {
			work(7);
			acquire();
		}
		work(40);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check_count(counted(), 40, "6.34: of a child that acquires anew, the last counts");
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
	check_count(counted(), 97, "6.28: execl(): the counts go on");

	pid = fork();
	if (pid == 0) {
		execlp("sh", "sh", "-c", "$0 --work 100; $0 --work 200", self_path,
		       (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	check_count(counted(), 397, "6.34: and a program's children are added");

	snprintf(command, sizeof(command), "%s --work 1000; exit 3", self_path);
	check(WEXITSTATUS(system(command)) == 3, "6.33: system() gives the status",
	      "it does not");
	check_count(counted(), 1397, "6.34: and its counts are added");
	check(system(NULL) != 0, "6.33: there is a shell", "there is not");

	snprintf(command, sizeof(command), "%s --work 2000; echo yes", self_path);
	stream = popen(command, "r");
	if (!stream || !fgets(text, sizeof(text), stream))
		bail_out("popen");
	check(strcmp(text, "yes\n") == 0, "6.33: popen() reads", "%s", text);
	check_count(pclose(stream), 0, "6.33: pclose() gives the status");
	check_count(counted(), 3397, "6.34: and the counts are added");
	stream = popen("cat >/dev/null; exit 4", "w");
	fputs("text", stream);
	check(WEXITSTATUS(pclose(stream)) == 4, "6.33: popen() writes", "it does not");
}

static char work_text[16];
static char *work_argv[] = { NULL, "--work", work_text, NULL };

static pid_t spawn_work(long n)
{
	pid_t pid;

	work_argv[0] = self_path;
	snprintf(work_text, sizeof(work_text), "%lu", n);
	errno = posix_spawn(&pid, self_path, NULL, NULL, work_argv, environ);
	if (errno)
		bail_out("posix_spawn");

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
	check_count(counted(), 3, "6.34: posix_spawn(): nothing before the wait");
	waitpid(pid, NULL, 0);
	check_count(counted(), 403, "6.34: each of the program's counts after it");
	left = spawn_work(5000);
	waitpid(spawn_work(6000), NULL, 0);
	check_count(counted(), 6403, "6.34: of two programs one has been waited for");
	await_exit(left);
	if (ioctl(own, PIOCSAVECCNTRS, (void *)(long)left) < 0)
		bail_out("PIOCSAVECCNTRS");
	check_count(counted(), 11403, "9.34: PIOCSAVECCNTRS adds the other");
	waitpid(left, NULL, 0);
	check_count(counted(), 11403, "9.34: once");
	errno = posix_spawnp(&pid, "sh", NULL, NULL, shell, environ);
	if (errno)
		bail_out("posix_spawnp");
	waitpid(pid, NULL, 0);
	check_count(counted(), 11513, "6.34: posix_spawnp(): what it starts");
	check(posix_spawn(&pid, "/no/such", NULL, NULL, none, environ) == ENOENT,
	      "6.33: posix_spawn() of no program: ENOENT", "%s", strerror(errno));
	waitpid(start_work(7), NULL, 0);
	check_count(counted(), 11520, "6.34: a forked child after all that");
	check_count(ioctl(own, PIOCGETEVCTRL, &(hwperf_eventctrl_t){ 0 }),
		    generation, "6.34: nothing has been lost");
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
	check_count(counted(), 320, "6.34: what a child has spawned and waited for");
}

/* A tree: what is done with child number i of each */
enum fate { WAIT, LEAVE, SAVE };

static enum fate fate_of(unsigned int i)
{
	return i % 3;
}

static long share_of(unsigned int depth, unsigned int i)
{
	return 100 * depth + 7 * i + 1;
}

static unsigned int width_at(unsigned int depth)
{
	return depth == 1 ? WIDTH - 1 : WIDTH;
}

/* What process i of this depth hands on to its parent */
static count_t expected(unsigned int depth, unsigned int i)
{
	count_t sum = share_of(depth, i);
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
			bail_out("fork");
		if (pid[j] == 0) {
			own = -1;
			tree(depth + 1, j);
			_exit(0);
		}
	}
	for (j = 0; depth < DEPTH && j < width_at(depth); j++) {
		if (fate_of(j) == SAVE && own < 0)
			own = open_process(getpid());
		if (fate_of(j) == SAVE &&
		    ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid[j]) < 0)
			bail_out("PIOCSAVECCNTRS");
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
	check_count(counted(), expected(0, 0),
		    "6.34: 1000 children over three generations");
	check_count(acquire(), generation + 1, "6.34: none of them was lost");
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		work(strtol(argv[2], NULL, 10));
		return 0;
	}
	begin(&own);
	self_path = argv[0];
	waited_for();
	killed();
	stopped();
	saved();
	from_zero();
	changed();
	other_programs();
	spawned();
	spawned_by_a_child();
	three_generations();

	return finish();
}
