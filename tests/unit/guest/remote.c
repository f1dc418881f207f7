// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of a process are its own, whoever has acquired them: others find
 * them, and they outlive all who had to do with them, but not the process
 * itself. Prints TAP. On other machines than an R10000 run it with an event map
 * by which event 15 counts page faults.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "../process.h"

#define EVENT	15	/* graduated instructions, or page faults */
#define OTHER	13	/* which counts something else */
#define PAGES	1000	/* of each of both there are at least as many */

static hwperf_profevctrarg_t arg, other_arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static int target_socket;

static void want(hwperf_profevctrarg_t *a, unsigned int event)
{
	hwperf_ctrl_t *c = &a->hwp_evctrargs.hwp_evctrl[event];

	c->hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	c->hwperf_creg.hwp_ie = 1;
	c->hwperf_creg.hwp_ev = event & 0x7ff;
}

__attribute__((no_sanitize("address")))
static void touch_pages(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), i;
	volatile char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		abort();
	madvise((void *)pages, PAGES * size, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		pages[i * size] = 1;
	munmap((void *)pages, PAGES * size);
}

/* What a process answers to a request: its result, or minus errno */
static int ask(int fd, unsigned int request, void *data)
{
	int ret = ioctl(fd, request, data);

	return ret < 0 ? -errno : ret;
}

/* Becomes this program again, or one that knows nothing of us */
static int become(int socket, char what)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", socket);
	if (what == 'x')
		execl("/proc/self/exe", "remote", number, NULL);
	else if (what == 's')
		execlp("sleep", "sleep", "100", NULL);
	else
		execl("/nowhere", "nowhere", NULL);

	return -errno;
}

/* Touches pages, or asks for its own counters, whenever it is told to */
static int obey(int fd, int socket, char what)
{
	switch (what) {
	case 't':
		touch_pages();
		return 0;
	case 'g':
		return ask(fd, PIOCGETEVCTRS, &counts);
	case 'e':
		return ask(fd, PIOCENEVCTRS, &arg);
	case 'c':
		return ask(fd, PIOCSETEVCTRL, &other_arg);
	case 'r':
		return ask(fd, PIOCRELEVCTRS, NULL);
	default:
		return become(socket, what);
	}
}

static void target_main(int socket)
{
	char what;

	while (read(socket, &what, 1) == 1) {
		int fd = open_process(getpid());
		int ret = obey(fd, socket, what);

		close(fd);
		if (write(socket, &ret, sizeof(ret)) != sizeof(ret))
			break;
	}
	_exit(0);
}

static pid_t target_start(void)
{
	int sockets[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) < 0)
		abort();
	pid = fork();
	if (pid == 0) {
		close(sockets[1]);
		target_main(sockets[0]);
	}
	close(sockets[0]);
	target_socket = sockets[1];

	return pid;
}

static int target_do(char what)
{
	int ret = -EIO;

	if (write(target_socket, &what, 1) != 1 ||
	    read(target_socket, &ret, sizeof(ret)) != sizeof(ret))
		return -EIO;

	return ret;
}

static void target_end(pid_t pid)
{
	close(target_socket);
	waitpid(pid, NULL, 0);
}

/* Somebody else, who is gone when this returns; his result, or minus errno */
static int other_does(pid_t pid, unsigned int request, void *data, uid_t uid)
{
	int result[2], ret = -EIO;
	pid_t other;

	if (pipe(result) < 0)
		abort();
	other = fork();
	if (other == 0) {
		int fd = open_process(pid);

		if (uid && setuid(uid) < 0)
			abort();
		ret = ask(fd, request, data);
		if (write(result[1], &ret, sizeof(ret)) != sizeof(ret))
			abort();
		_exit(0);
	}
	close(result[1]);
	if (read(result[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -EIO;
	close(result[0]);
	waitpid(other, NULL, 0);

	return ret;
}

static int other_asks(pid_t pid, unsigned int request, void *data)
{
	return other_does(pid, request, data, 0);
}

/* Processes that run irixperf-holder: the first, and how many */
static pid_t find_holder(unsigned int *nr)
{
	FILE *f = popen("for d in /proc/[0-9]*; do"
			" case $(readlink $d/exe) in */irixperf-holder)"
			" grep -q process $d/cmdline && echo ${d#/proc/};;"
			" esac; done 2>/dev/null", "r");
	int pid = 0, next;

	*nr = 0;
	while (f && fscanf(f, "%d", &next) == 1) {
		pid = next;
		++*nr;
	}
	if (f)
		pclose(f);

	return pid;
}

static void check_no_holder(const char *what)
{
	unsigned int nr = 1, tries;

	for (tries = 0; nr && tries < 300; tries++) {
		usleep(20000);
		find_holder(&nr);
	}
	check(nr == 0, what, "%u processes are left", nr);
}

static void check_is(int got, int expected, const char *what)
{
	check(got == expected, what, "expected: %d, got: %d", expected, got);
}

static void check_lasting(pid_t pid, int fd)
{
	int first = other_asks(pid, PIOCENEVCTRS, &arg);
	unsigned long long before;

	check(first > 0, "a process acquires another one's counters, and ends",
	      "%d", first);
	check_is(ask(fd, PIOCGETEVCTRS, &counts), first,
		 "others read them, with his generation number");
	before = counts.hwp_evctr[EVENT];
	target_do('t');
	check_is(ask(fd, PIOCGETEVCTRS, &counts), first, "and again");
	check(counts.hwp_evctr[EVENT] - before >= PAGES,
	      "they have counted all the time", "%llu, then %llu", before,
	      (unsigned long long)counts.hwp_evctr[EVENT]);
	check_is(target_do('g'), first, "the process itself reads them, too");
	check(ask(fd, PIOCGETEVCTRL, &ctrl) == first &&
	      !memcmp(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl)),
	      "the control information is what he has set", "not the same");
}

static void check_shared(pid_t pid, int fd)
{
	int before = ask(fd, PIOCGETEVCTRS, &counts);
	int after = other_asks(pid, PIOCSETEVCTRL, &other_arg);

	check(after > before, "another one changes them, which shows",
	      "%d after %d", after, before);
	check_is(ask(fd, PIOCGETEVCTRS, &counts), after, "to everybody");
	check_is((int)counts.hwp_evctr[EVENT], 0,
		 "and what is no longer counted is zero");
	before = ask(fd, PIOCENEVCTRS, &arg);
	check(before > after, "acquiring them again begins anew", "%d after %d",
	      before, after);
	check(target_do('e') > before, "whoever does so", "not higher than %d",
	      before);
}

static void check_release(pid_t pid, int fd)
{
	target_do('t');
	check_is(other_asks(pid, PIOCRELEVCTRS, NULL), 0, "one releases them");
	check(ask(fd, PIOCGETEVCTRS, &counts) > 0 &&
	      counts.hwp_evctr[EVENT] >= PAGES,
	      "the counts stay readable for all", "%llu",
	      (unsigned long long)counts.hwp_evctr[EVENT]);
	check_is(ask(fd, PIOCGETEVCTRL, &ctrl), -EINVAL,
		 "the control information does not");
	check_is(ask(fd, PIOCRELEVCTRS, NULL), -EINVAL,
		 "nobody can release them twice");
	check(ask(fd, PIOCENEVCTRS, &arg) > 0, "they can be acquired again",
	      "errno %d", errno);
}

static void check_errors(pid_t pid, int fd)
{
	hwperf_profevctrarg_t bad = arg;
	int before = ask(fd, PIOCGETEVCTRS, &counts);

	bad.hwp_evctrargs.hwp_evctrl[EVENT].hwperf_creg.hwp_ev = 14;
	check_is(ask(fd, PIOCSETEVCTRL, &bad), -EINVAL, "a bad event is refused");
	check_is(ask(fd, PIOCSETEVCTRL, (void *)8), -EFAULT,
		 "so is a bad address");
	check_is(ask(fd, PIOCGETEVCTRS, (void *)8), -EFAULT, "of either sort");
	check_is(ask(fd, PIOCGETEVCTRS, &counts), before, "nothing has changed");
	if (getuid() != 0) {
		printf("ok %d - another user # SKIP only root can be one\n",
		       ++nr);
		return;
	}
	check_is(other_does(pid, PIOCGETEVCTRS, &counts, 65534), -EPERM,
		 "another user is not let in");
}

static void check_killed(int fd)
{
	unsigned int nr;
	pid_t holder = find_holder(&nr);

	check_is((int)nr, 1, "one process holds them");
	if (holder > 0)
		kill(holder, SIGKILL);
	check_no_holder("it can be killed");
	check_is(ask(fd, PIOCGETEVCTRS, &counts), -EINVAL,
		 "then nobody has acquired them");
	check(ask(fd, PIOCENEVCTRS, &arg) > 0, "and anybody can", "errno %d",
	      errno);
}

static unsigned long long counted(int fd)
{
	if (ask(fd, PIOCGETEVCTRS, &counts) < 0)
		return 0;

	return counts.hwp_evctr[EVENT];
}

/* What a process has acquired for itself is seen, and no holder is needed */
static void check_own(pid_t pid, int fd)
{
	hwperf_prusage_t usage = { 0 };
	int first = target_do('e'), ret;
	unsigned long long before;
	unsigned int nr_holders;

	check(first > 0, "a process acquires its own counters", "%d", first);
	check_is(ask(fd, PIOCGETEVCTRS, &counts), first,
		 "others read them, with its generation number");
	before = counts.hwp_evctr[EVENT];
	target_do('t');
	check(counted(fd) - before >= PAGES, "what it does is counted",
	      "%llu, then %llu", before, counted(fd));
	ret = ask(fd, PIOCGETPREVCTRS, &usage);
	check(ret == first && usage.pu_cpu_mon.cm_cntrs.hwp_evctr[EVENT] >=
	      before + PAGES, "and read with the usage, too", "%d", ret);
	check(ask(fd, PIOCGETEVCTRL, &ctrl) == first &&
	      !memcmp(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl)),
	      "others are told what it counts", "not the same");
	check_is(target_do('c'), first + 1, "it changes them");
	check_is(ask(fd, PIOCGETEVCTRS, &counts), first + 1, "which they see");
	check_is((int)counts.hwp_evctr[EVENT], 0, "as well as the counts");
	target_do('e');
	target_do('t');
	check_is(other_asks(pid, PIOCRELEVCTRS, NULL), 0,
		 "another one releases them");
	before = counted(fd);
	target_do('t');
	check(before >= PAGES && counted(fd) == before,
	      "then nothing more is counted", "%llu, then %llu", before,
	      counted(fd));
	check_is(target_do('r'), -EINVAL, "the process is told so");
	check_is(target_do('g'), first + 2, "and reads what there was");
	check_is(ask(fd, PIOCGETEVCTRL, &ctrl), -EINVAL,
		 "as it would be by its own release");
	check_is(target_do('e'), first + 3, "it can acquire them again");
	find_holder(&nr_holders);
	check_is((int)nr_holders, 0, "all this is without a holder");
}

/* Other events that somebody else wants are a holder's */
static void check_taken(pid_t pid, int fd)
{
	int before = ask(fd, PIOCGETEVCTRS, &counts), ret;

	target_do('t');
	check_is(other_asks(pid, PIOCSETEVCTRL, &arg), before + 1,
		 "another one changes what a process counts itself");
	check_is(ask(fd, PIOCGETEVCTRS, &counts), before + 1, "others see it");
	check(counts.hwp_evctr[EVENT] < PAGES, "from zero", "%llu",
	      (unsigned long long)counts.hwp_evctr[EVENT]);
	check_is(target_do('g'), before + 1, "so does the process");
	target_do('t');
	check(counted(fd) >= PAGES, "it goes on counting", "%llu", counted(fd));
	check_is(target_do('r'), 0, "and releases them, for all");
	check_is(ask(fd, PIOCRELEVCTRS, NULL), -EINVAL, "who are told so");
	ret = other_asks(pid, PIOCENEVCTRS, &arg);
	check(ret > before + 1 && target_do('g') == ret,
	      "who acquires them then does so for it", "%d", ret);
}

static void check_own_errors(pid_t pid, int fd)
{
	hwperf_profevctrarg_t bad = arg;
	int before;

	before = target_do('e');
	bad.hwp_evctrargs.hwp_evctrl[EVENT].hwperf_creg.hwp_ev = 14;
	check_is(ask(fd, PIOCSETEVCTRL, &bad), -EINVAL,
		 "a bad event is refused for what it has itself");
	check_is(ask(fd, PIOCENEVCTRS, &bad), -EINVAL, "in either way");
	check_is(ask(fd, PIOCGETEVCTRS, (void *)8), -EFAULT, "so is an address");
	check_is(ask(fd, PIOCGETEVCTRS, &counts), before, "nothing has changed");
	check(target_do('g') == before, "for the process neither", "another");
	if (getuid() != 0) {
		printf("ok %d - another user # SKIP only root can be one\n",
		       ++nr);
		return;
	}
	check_is(other_does(pid, PIOCGETEVCTRS, &counts, 65534), -EPERM,
		 "another user does not see it");
}

static pid_t own_target(int *fd)
{
	pid_t pid = target_start();

	*fd = open_process(pid);

	return pid;
}

static void check_others_see(void)
{
	pid_t pid;
	int fd;

	pid = own_target(&fd);
	check_own(pid, fd);
	check_taken(pid, fd);
	target_end(pid);
	check_is(ask(fd, PIOCGETEVCTRS, &counts), -ESRCH,
		 "they are gone with the process");
	close(fd);
	pid = own_target(&fd);
	check_own_errors(pid, fd);
	target_end(pid);
	close(fd);
	check_no_holder("no holder is left of them");
}

static void check_exec(void)
{
	unsigned long long before;
	int fd, first;
	pid_t pid;

	pid = own_target(&fd);
	first = target_do('e');
	target_do('t');
	before = counted(fd);
	check_is(target_do('n'), -ENOENT, "it fails to become another program");
	target_do('t');
	check(target_do('g') == first && counted(fd) - before >= PAGES,
	      "and goes on as before", "%llu, then %llu", before, counted(fd));
	before = counted(fd);
	target_do('x');
	target_do('t');
	check_is(target_do('g'), first, "it becomes one: that reads its counters");
	check(counted(fd) - before >= PAGES, "which have gone on",
	      "%llu, then %llu", before, counted(fd));
	check_is(target_do('r'), 0, "and releases them");
	target_end(pid);
	close(fd);
	check_no_holder("no holder is left of it");
}

static bool runs(pid_t pid, const char *name)
{
	char path[32], text[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "r");
	if (!f || !fgets(text, sizeof(text), f))
		abort();
	fclose(f);

	return strncmp(text, name, strlen(name)) == 0;
}

static void check_exec_of_another(void)
{
	unsigned long long before;
	int fd, first, tries;
	pid_t pid;

	pid = own_target(&fd);
	first = target_do('e');
	target_do('t');
	before = counted(fd);
	if (write(target_socket, "s", 1) != 1)
		abort();
	for (tries = 0; !runs(pid, "sleep") && tries < 1000; tries++)
		usleep(10000);
	usleep(200000);
	check(ask(fd, PIOCGETEVCTRS, &counts) == first && counted(fd) > before,
	      "it becomes one without this library: others read its counters",
	      "%llu, then %llu", before, counted(fd));
	check(other_asks(pid, PIOCSETEVCTRL, &other_arg) == first + 1,
	      "and change them", "errno %d", errno);
	check_is(other_asks(pid, PIOCRELEVCTRS, NULL), 0, "and release them");
	kill(pid, SIGKILL);
	target_end(pid);
	close(fd);
	check_no_holder("no holder is left of that");
}

int main(int argc, char **argv)
{
	pid_t pid;
	int fd;

	want(&arg, EVENT);
	want(&other_arg, OTHER);
	if (argc > 1) {
		int socket = atoi(argv[1]), ret = 0;

		if (write(socket, &ret, sizeof(ret)) != sizeof(ret))
			return 1;
		target_main(socket);
	}
	/* One that was asked for nothing waits two seconds for somebody else */
	check_no_holder("nobody is left of other programs");
	check_others_see();
	check_exec();
	check_exec_of_another();
	pid = target_start();
	fd = open_process(pid);
	check_is(other_asks(pid, PIOCGETEVCTRS, &counts), -EINVAL,
		 "there is nothing before");
	check_lasting(pid, fd);
	check_shared(pid, fd);
	check_release(pid, fd);
	check_errors(pid, fd);
	check_killed(fd);
	target_end(pid);
	check_is(ask(fd, PIOCGETEVCTRS, &counts), -ESRCH,
		 "they are gone with the process");
	check_no_holder("and so is who held them");
	printf("1..%d\n", nr);

	return nr_failed > 0;
}
