// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two programs, root's and a user's, use the counters in random order and at the
 * same time. At random times one of them, or the system-mode holder, is killed. A
 * model of r10k_evcntrs(5) says which states are possible after the results so far:
 * there must always be one. In the end nothing may be left behind. Prints TAP.
 *
 * usage: scenarios [ROUNDS]
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <irixperf.h>
#include "../unit/lib/descriptors.h"
#include "../unit/lib/seed.h"

#ifndef MACHINE
/* The machine that we run on, and its own users */
#define MACHINE
#define HOLDER_NAME	"irixperf-holder"

static void machine_install(void)
{
}

static int become_user(void)
{
	return setgid(1000) || setuid(1000);
}

#define HOLDER_IS_OURS(pid)	true
#define ROOT_FOLDER	""
#endif

#include "scenarios.h"

#define USER_EVENT	15	/* graduated instructions */
#define ROOT_EVENT	17	/* the same on counter 1, or data cache misses */
#define STEPS		12	/* of each round */

static const char *const op_name[] = {
	"ENEVCTRS", "GETEVCTRS", "GETEVCTRL", "SETEVCTRL", "RELEVCTRS",
	"ENSYSCNTRS", "ENSYSCNTRS without kernel mode", "SET_SYSEVCTRL",
	"RELSYSCNTRS", "GET_SYSCNTRS", "GET_CPUCNTRS 0", "GET_CPUCNTRS 4999",
	"GET_SYSEVCTRL", "ENEVCTRS of kernel mode", "SETEVCTRL to kernel mode",
};

/* --- the programs ------------------------------------------------------- */

static hwperf_profevctrarg_t user_arg, kernel_arg;

static void want(hwperf_profevctrarg_t *arg, unsigned int event,
		 unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_mode = mode & HWPERF_MODEMASK;
}

static int open_self(void)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", getpid());

	return open(name, O_RDWR);
}

static int request(int fd, unsigned long number, void *arg)
{
	int ret = ioctl(fd, number, arg);

	return ret < 0 ? -errno : ret;
}

static int eventctr(int command, void *arg)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command,
				    (uintptr_t)arg, 0, 0);
}

static int read_cpu(int cpu, void *counts)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS,
				    (uintptr_t)cpu, (uintptr_t)counts, 0);
}

static int run_proc(int fd, enum op op, hwperf_cntr_t *counts)
{
	hwperf_eventctrl_t ctrl;

	switch (op) {
	case OP_ENABLE_USER:
		return request(fd, PIOCENEVCTRS, &user_arg);
	case OP_READ:
		return request(fd, PIOCGETEVCTRS, counts);
	case OP_CONTROL:
		return request(fd, PIOCGETEVCTRL, &ctrl);
	case OP_SET_USER:
		return request(fd, PIOCSETEVCTRL, &user_arg);
	default:
		return request(fd, PIOCRELEVCTRS, NULL);
	}
}

static int run_system(int fd, enum op op, hwperf_cntr_t *counts)
{
	hwperf_eventctrl_t ctrl;

	switch (op) {
	case OP_SYS_ENABLE:
		return eventctr(HWPERF_ENSYSCNTRS, &kernel_arg);
	case OP_SYS_ENABLE_BAD:
		return eventctr(HWPERF_ENSYSCNTRS, &user_arg);
	case OP_SYS_SET:
		return eventctr(HWPERF_SET_SYSEVCTRL, &kernel_arg);
	case OP_SYS_RELEASE:
		return eventctr(HWPERF_RELSYSCNTRS, NULL);
	case OP_SYS_READ:
		return eventctr(HWPERF_GET_SYSCNTRS, counts);
	case OP_SYS_READ_CPU:
		return read_cpu(0, counts);
	case OP_SYS_READ_NO_CPU:
		return read_cpu(4999, counts);
	case OP_SYS_CONTROL:
		return eventctr(HWPERF_GET_SYSEVCTRL, &ctrl);
	case OP_ENABLE_KERNEL:
		return request(fd, PIOCENEVCTRS, &kernel_arg);
	case OP_SET_KERNEL:
		return request(fd, PIOCSETEVCTRL, &kernel_arg);
	default:
		return nr_descriptors();
	}
}

static int run(int fd, enum op op)
{
	hwperf_cntr_t counts;

	return op < OP_SYS_ENABLE ? run_proc(fd, op, &counts) :
	       run_system(fd, op, &counts);
}

static void program(enum party party, int in, int out)
{
	unsigned char op;
	int fd;

	if (party == USER && become_user())
		_exit(1);
	fd = open_self();
	while (read(in, &op, 1) == 1) {
		int ret = run(fd, op);

		if (write(out, &ret, sizeof(ret)) != sizeof(ret))
			break;
	}
	_exit(0);
}

/* --- what was done ------------------------------------------------------------ */

#define LINES	40

static char history[LINES][80];
static unsigned int nr_history;

__attribute__((format(printf, 1, 2)))
static void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(history[nr_history++ % LINES], sizeof(history[0]), format,
		  args);
	va_end(args);
}

static void print_history(void)
{
	unsigned int i = nr_history > LINES ? nr_history - LINES : 0;

	for (; i < nr_history; i++)
		printf("# %s\n", history[i % LINES]);
}

static void print_states(void)
{
	unsigned int i;

	for (i = 0; i < nr_states; i++) {
		const struct state *s = &states[i];

		printf("# before: on %d, generation %d, root %d of %d mine %d, "
		       "user %d of %d\n", s->on, s->generation, s->use[ROOT],
		       s->of[ROOT], s->mine[ROOT], s->use[USER], s->of[USER]);
	}
}

/* --- the controller ------------------------------------------------------------ */

static struct {
	pid_t pid;
	int to;
	int from;
	int descriptors;
} parties[PARTIES];

static void send_op(enum party party, enum op op)
{
	unsigned char byte = op;

	if (write(parties[party].to, &byte, 1) != 1)
		abort();
}

static bool receive(enum party party, int *ret)
{
	return read(parties[party].from, ret, sizeof(*ret)) == sizeof(*ret);
}

static int ask(enum party party, enum op op)
{
	int ret;

	send_op(party, op);

	return receive(party, &ret) ? ret : -EPIPE;
}

static void start(enum party party)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		abort();
	parties[party].pid = fork();
	if (parties[party].pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(to[1]);
		close(from[0]);
		program(party, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	parties[party].to = to[1];
	parties[party].from = from[0];
	parties[party].descriptors = ask(party, OP_DESCRIPTORS);
}

static void end(enum party party)
{
	kill(parties[party].pid, SIGKILL);
	waitpid(parties[party].pid, NULL, 0);
	close(parties[party].to);
	close(parties[party].from);
}

static void begin_step(struct step *step)
{
	send_op(step->party, step->op);
}

static void end_step(struct step *step)
{
	step->lost = !receive(step->party, &step->ret);
	note("%s %s: %s", step->party == ROOT ? "root" : "user",
	     op_name[step->op], step->lost ? "killed" : "");
	if (!step->lost)
		note("   returned %d%s", step->ret, step->beside ?
		     " beside another" : "");
}

static bool is_holder(const char *pid)
{
	char path[64], text[256], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')');

	return strstr(text, "(" HOLDER_NAME ")") && state && state[2] != 'Z' &&
	       state[2] != 'X' && HOLDER_IS_OURS(pid);
}

#define MAX_HOLDERS	16

static unsigned int find_holders(pid_t pid[MAX_HOLDERS])
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	unsigned int nr = 0;

	while ((entry = readdir(dir)))
		if (atoi(entry->d_name) > 0 && nr < MAX_HOLDERS &&
		    is_holder(entry->d_name))
			pid[nr++] = atoi(entry->d_name);
	closedir(dir);

	return nr;
}

/* Not in a loop that waits: how long it takes would change the random numbers */
static void nap(long most_us)
{
	struct timespec t = { .tv_nsec = random() % most_us * 1000 };

	nanosleep(&t, NULL);
}

static bool still_there(pid_t pid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", pid);

	return is_holder(name);
}

/* A file of system mode */
static bool is_locked(const char *name)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/run/irixperf/%s", ROOT_FOLDER, name);
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno != ENOENT;
	ret = fcntl(fd, F_OFD_GETLK, &lock);
	close(fd);

	return ret < 0 || lock.l_type != F_UNLCK;
}

/*
 * The lock can outlast its process: another process that reads the dead one's files
 * in /proc holds its memory meanwhile, and this memory has the locked file mapped.
 */
static void kill_holders(void)
{
	pid_t pid[MAX_HOLDERS];
	unsigned int i, nr = find_holders(pid);

	note("%u holders killed", nr);
	for (i = 0; i < nr; i++)
		kill(pid[i], SIGKILL);
	for (i = 0; i < nr; i++)
		while (still_there(pid[i]))
			usleep(100);
	while (nr && is_locked("system"))
		usleep(100);
}

/* Wait until the holder has finished what a killed program had requested */
static void settle(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	hwperf_cntr_t counts;
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/run/irixperf/control", ROOT_FOLDER);
	fd = openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		fcntl(fd, F_OFD_SETLKW, &lock);
		close(fd);
	}
	eventctr(HWPERF_GET_SYSCNTRS, &counts);
}

/* Users may do little in system mode, so try these operations less often for them */
static struct step random_step(enum party party)
{
	int most = party == ROOT ? OPS : random() % 4 ? OP_SYS_ENABLE : OPS;

	return (struct step){ .party = party, .op = random() % most };
}

static void run_step(struct step step)
{
	begin_step(&step);
	end_step(&step);
	follow_all(&step, 1);
}

static void one_step(void)
{
	run_step(random_step(random() % PARTIES));
}

/* Two steps at the same time, so in either order */
static void two_steps(void)
{
	struct step step[3] = { random_step(ROOT), random_step(USER) };

	step[0].beside = true;
	step[1].beside = true;
	begin_step(&step[1]);
	begin_step(&step[0]);
	end_step(&step[0]);
	end_step(&step[1]);
	step[2] = step[0];
	follow_all(step, 2);
	follow_all(step + 1, 2);
}

static void kill_program(void)
{
	struct step step = random_step(random() % PARTIES);

	begin_step(&step);
	nap(3000);
	kill(parties[step.party].pid, SIGKILL);
	end_step(&step);
	end(step.party);
	note("%s killed", step.party == ROOT ? "root" : "user");
	settle();
	start(step.party);

	follow_all(&step, 1);
	found_are_states();
	change_all(step.party == ROOT ? root_gone : user_gone);
}

static bool starts_holder(enum op op)
{
	return op == OP_SYS_ENABLE || op == OP_SYS_SET ||
	       op == OP_ENABLE_KERNEL || op == OP_SET_KERNEL;
}

/* The programs in @loses have lost their counters; @seen: a generation was used up */
static void keep_interrupted(struct state s, unsigned int loses, bool seen)
{
	struct state taken = s;
	unsigned int p;

	take(&taken, UNKNOWN);
	for (p = 0; p < PARTIES; p++) {
		if (!(loses & 1 << p))
			continue;
		s.use[p] = taken.use[p];
		s.of[p] = taken.of[p];
	}
	if (seen) {
		s.generation = UNKNOWN;
		s.ever = 1;
		s.died = 1;
	}
	keep(&s);
}

/*
 * The holder was killed while it started or changed system mode. It may have taken
 * the counters of one program and not yet those of the other.
 */
static void follow_interrupted(const struct step *step)
{
	unsigned int i, loses, seen;

	if (!starts_holder(step->op) ||
	    (step->ret != -EIO && step->ret != -EINVAL))
		return;
	for (i = 0; i < nr_states; i++)
		for (loses = 0; loses < 1 << PARTIES; loses++)
			for (seen = 0; seen < 2; seen++)
				keep_interrupted(states[i], loses, seen);
}

/*
 * The holder was killed before, during or after the step. A program that wanted to
 * start system mode knows only that it failed.
 */
static void kill_holder(void)
{
	struct step step = random_step(ROOT);
	struct state before[MAX_STATES];
	unsigned int nr = nr_states, i;

	memcpy(before, states, nr * sizeof(before[0]));
	begin_step(&step);
	nap(3000);
	kill_holders();
	end_step(&step);
	settle();

	follow_all(&step, 1);
	follow_interrupted(&step);
	found_are_states();
	change_all(holder_gone);
	for (i = 0; i < nr; i++) {
		holder_gone(&before[i]);
		follow(&before[i], &step, 1);
	}
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec;
}

/* Wait until there are so many holders, for a minute at most */
static bool await_holders(unsigned int nr)
{
	const time_t end = seconds() + 60;
	pid_t pid[MAX_HOLDERS] = { 0 };
	unsigned int there;
	bool late;

	do {
		late = seconds() > end;
		there = find_holders(pid);
	} while (there != nr && !late && usleep(1000) == 0);
	if (there != nr)
		note("%u holders, the first is %d", there, pid[0]);

	return there == nr;
}

/* One holder in system mode, otherwise none, once released holders have ended */
static bool check_holders(void)
{
	hwperf_eventctrl_t ctrl;
	int on = eventctr(HWPERF_GET_SYSEVCTRL, &ctrl) > 0;
	unsigned int i;

	note("system mode is %s", on ? "on" : "off");
	for (i = 0; i < nr_states; i++)
		if (states[i].on == on)
			keep(&states[i]);

	return await_holders((unsigned int)on) && nr_found > 0;
}

/*
 * One for the process, one for its page, and those of its events. A program that has
 * lost its counters closes the events when it learns of the loss.
 */
static bool check_descriptors(void)
{
	enum party p;

	for (p = ROOT; p < PARTIES; p++) {
		run_step((struct step){ .party = p, .op = OP_READ });
		found_are_states();
		if (nr_states && states[0].use[p] != COUNTING &&
		    ask(p, OP_DESCRIPTORS) > parties[p].descriptors + 2)
			return false;
	}

	return nr_states > 0;
}

static const struct {
	unsigned int weight;
	void (*run)(void);
} actions[] = {
	{ 10, one_step },
	{ 6, two_steps },
	{ 2, kill_program },
	{ 1, kill_holder },
};

static void random_action(void)
{
	unsigned int i = 0, dice = random() % 19;

	while (dice >= actions[i].weight)
		dice -= actions[i++].weight;
	actions[i].run();
}

/* Some steps; afterwards any program, or none, may have the counters */
static bool run_round(void)
{
	unsigned int i;

	for (i = 0; i < STEPS; i++) {
		random_action();
		if (nr_found == 0 && nr_states) {
			printf("# no state explains the last lines\n");
			return false;
		}
		found_are_states();
	}
	if (!check_holders()) {
		printf("# more holders, or fewer, than there can be\n");
		return false;
	}
	found_are_states();
	if (!check_descriptors()) {
		printf("# a program has more descriptors than it should\n");
		return false;
	}

	return true;
}

static int nr_results, nr_failed;

static void check(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++nr_results, what);
	nr_failed += !ok;
}

/* How many pages of this machine's programs does any process have open? */
static unsigned int count_pages(void)
{
	char command[200];
	unsigned int nr = 0;
	FILE *f;

	snprintf(command, sizeof(command), "ls -l /proc/[0-9]*/fd 2>/dev/null |"
		 "grep -c 'memfd:irixperf-user%s '", ROOT_FOLDER);
	f = popen(command, "r");
	if (!f || fscanf(f, "%u", &nr) != 1)
		nr = ~0u;
	if (f)
		pclose(f);

	return nr;
}

/* After the end of all programs nothing may be left */
static void check_leftovers(void)
{
	end(ROOT);
	end(USER);
	settle();
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	check(await_holders(0), "no holder is left");
	check(count_pages() == 0, "no program's page is left");
	check(!is_locked("control"), "no lock is left");
	check(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD,
	      "no child is left");
}

/* Remove all files of system mode, as if the machine had just booted */
static void forget_all(void)
{
	static const char *const names[] = { "system", "control" };
	char path[256];
	size_t i;

	eventctr(HWPERF_RELSYSCNTRS, NULL);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/run/irixperf/%s", ROOT_FOLDER,
			 names[i]);
		unlink(path);
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	machine_install();
	printf("# %u rounds\n", rounds);
	srandom(test_seed(1));
	want(&user_arg, USER_EVENT, HWPERF_CNTEN_U);
	want(&kernel_arg, ROOT_EVENT, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	forget_all();
	nr_states = 1;
	start(ROOT);
	start(USER);

	for (i = 0; i < rounds && run_round(); i++)
		;
	if (i < rounds) {
		print_history();
		print_states();
	}
	check(i == rounds, "each state is one that r10k_evcntrs(5) allows");
	check_leftovers();
	printf("1..%d\n", nr_results);

	return nr_failed != 0;
}
