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

static int open_process(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%05d", pid);

	return open(path, O_RDWR);
}

/* What a process answers to a request: its result, or minus errno */
static int ask(int fd, unsigned int request, void *data)
{
	int ret = ioctl(fd, request, data);

	return ret < 0 ? -errno : ret;
}

/* Touches pages, or reads its own counters, whenever it is told to */
static void target_main(int socket)
{
	char what;

	while (read(socket, &what, 1) == 1) {
		int fd = open_process(getpid()), ret = 0;

		if (what == 't')
			touch_pages();
		if (what == 'g')
			ret = ask(fd, PIOCGETEVCTRS, &counts);
		if (what == 'e')
			ret = ask(fd, PIOCENEVCTRS, &arg);
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

int main(void)
{
	pid_t pid;
	int fd;

	/* One that was asked for nothing waits two seconds for somebody else */
	check_no_holder("nobody is left of other programs");
	want(&arg, EVENT);
	want(&other_arg, OTHER);
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
