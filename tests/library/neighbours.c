// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attacks by other users on programs that count. Root has acquired the counters of a
 * user's process, so a holder of root's answers all requests, or users have sockets
 * at the holder's address. Prints TAP; needs root.
 */
#define _GNU_SOURCE
#include "../conformance/party.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <linux/capability.h>

#define OTHER_ID	1001		/* another user */
#define SOON		1000		/* ms for a request under attack */
#define IDLE		100		/* connections */

static int party_fd;

static void begin_party(void)
{
	start_party(USER_ID);
	party_fd = open_process(party.pid);
}

static void end_of_party(void)
{
	end_party();
	close(party_fd);
}

/* The result of a request on the party's counters, 0 to 255 */
static int does(unsigned int request, void *arg)
{
	long ret = proc_does(open_process(party.pid), request, arg);

	return ret < 0 ? (int)-ret : 0;
}

static int reads(void)
{
	return does(PIOCGETEVCTRS, &counts);
}

static int begins_system_mode(void)
{
	return does(PIOCSETEVCTRL, &kernel_arg);
}

static int sends_signals(void)
{
	hwperf_profevctrarg_t arg = user_arg;

	arg.hwp_ovflw_freq[SECOND] = 1000;
	arg.hwp_ovflw_sig = SIGUSR1;

	return does(PIOCSETEVCTRL, &arg);
}

static int acquires_anew(void)
{
	return does(PIOCENEVCTRS, &user_arg);
}

static int releases(void)
{
	return does(PIOCRELEVCTRS, NULL);
}

/* Do something in a child, and return its exit status */
static int in_child(int (*become)(void), int (*run)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (become())
			_exit(255);
		prctl(PR_SET_DUMPABLE, 1);
		_exit(run());
	}
	waitpid(pid, &status, 0);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int owner(void)
{
	return setgid(USER_ID) || setuid(USER_ID);
}

static int another_user(void)
{
	return setgid(OTHER_ID) || setuid(OTHER_ID);
}

/* User ID 0 without root's rights, as in a container */
static int powerless_root(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2];

	memset(none, 0, sizeof(none));

	return (int)syscall(SYS_capset, &header, none);
}

static void check_error(int got, int expected, const char *what)
{
	check(got == expected, what, "expected: %s, got: %s", strerror(expected),
	      strerror(got));
}

static void roots_rights_are_roots(void)
{
	begin_party();
	check(proc_does(party_fd, PIOCENEVCTRS, &user_arg) > 0,
	      "root acquires the counters of a user's process", "%s",
	      strerror(errno));
	check_error(in_child(owner, reads), 0, "the user reads them");
	check_error(in_child(owner, begins_system_mode), EPERM,
		    "but does not begin system mode by that");
	check_error((int)-system_does(HWPERF_RELSYSCNTRS, NULL), EINVAL,
		    "which is off");
	check_error(in_child(owner, sends_signals), 0,
		    "the process may be sent signals by its user");
	check_error(in_child(owner, acquires_anew), 0, "who may count anew");
	check_error(in_child(another_user, reads), EPERM,
		    "another user does not read them");
	check_error(in_child(another_user, acquires_anew), EPERM,
		    "and does not acquire them");
	check_error(in_child(another_user, releases), EPERM, "or release them");
	check_error(in_child(powerless_root, reads), EPERM,
		    "root without root's rights does not read them");
	check_error(in_child(powerless_root, begins_system_mode), EPERM,
		    "and does not begin system mode");
	check_error(in_child(powerless_root, acquires_anew), EPERM,
		    "or acquire them");
	check_error(in_child(powerless_root, releases), EPERM, "or release them");
	ask(WORK);
	check(proc_does(party_fd, PIOCGETEVCTRS, &counts) > 0 &&
	      counts.hwp_evctr[SECOND] >= UNITS, "they still count",
	      "got: %llu", (count_t)counts.hwp_evctr[SECOND]);
	end_of_party();
}

/* The user owns this process' files but may not send it signals */
static void signals_are_those_of_kill(void)
{
	pid_t pid;
	char byte;
	int up[2];

	fflush(stdout);
	if (pipe(up))
		bail_out("pipe");
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (setresuid(OTHER_ID, USER_ID, OTHER_ID) == 0 &&
		    prctl(PR_SET_DUMPABLE, 1) == 0 && write(up[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(up[1]);
	check(read(up[0], &byte, 1) == 1, "a process is a user's by half", "none");
	close(up[0]);
	party.pid = pid;
	check_error(does(PIOCENEVCTRS, &user_arg), 0, "root counts it");
	check_error(in_child(owner, reads), 0, "the user reads the counts");
	check_error(in_child(owner, sends_signals), EPERM,
		    "but does not have signals sent that kill(2) would not send");
	end(pid);
}

static long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);

	return at.tv_sec * 1000L + at.tv_nsec / 1000000L;
}

static socklen_t holder_address(struct sockaddr_un *address, const char *place)
{
	struct stat st;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	if (stat("/proc/self/ns/pid", &st))
		st.st_ino = 0;
	snprintf(address->sun_path, sizeof(address->sun_path), "%s/%d-%lu", place,
		 party.pid, (unsigned long)st.st_ino);

	return sizeof(*address);
}

/* Any user can take an abstract name first, so the library must not use it */
static void sit_on_abstract_name(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	int n = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			 "irixperf/%d", party.pid);

	if (bind(fd, (struct sockaddr *)&address,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n)) ||
	    listen(fd, 1))
		_exit(1);
}

/* A user's program takes the address of the party's holder, until it is killed */
static pid_t sit(void (*sit_on)(int))
{
	struct sockaddr_un address;
	socklen_t len = holder_address(&address, "/tmp/irixperf-1000");
	int up[2], fd;
	pid_t pid;
	char byte;

	fflush(stdout);
	if (pipe(up))
		bail_out("pipe");
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (owner())
			_exit(1);
		mkdir("/tmp/irixperf-0", 0700);
		mkdir("/tmp/irixperf-1000", 0700);
		unlink(address.sun_path);
		sit_on_abstract_name();
		fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
		if (bind(fd, (struct sockaddr *)&address, len) ||
		    listen(fd, 1) || write(up[1], "", 1) != 1)
			_exit(1);
		sit_on(fd);
		_exit(0);
	}
	close(up[1]);
	if (read(up[0], &byte, 1) != 1)
		bail_out("the user's socket");
	close(up[0]);

	return pid;
}

static void answer_nobody(int fd)
{
	(void)fd;
	for (;;)
		pause();
}

/* Answer a hello like a holder, but no request after it */
static void answer_hello(int fd)
{
	char words[4096];
	int32_t pid = getpid();
	ssize_t n;
	int peer;

	for (;;) {
		peer = accept(fd, NULL, NULL);
		n = recv(peer, words, sizeof(words), 0);
		memset(words, 0, sizeof(words));
		memcpy(words, &pid, sizeof(pid));
		if (n > 0)
			n = send(peer, words, 8 + sizeof(hwperf_cntr_t),
				 MSG_NOSIGNAL);
	}
}

static void check_soon(long start, const char *what)
{
	const long took = now() - start;

	printf("# %s: %ld ms\n", what, took);
	check(took <= SOON, what, "expected: %d ms, got: %ld ms", SOON, took);
}

/* Root does not wait, whether the user or root's holder has the counters */
static void users_who_do_not_answer(void (*sit_on)(int), const char *who)
{
	hwperf_profevctrarg_t arg = user_arg;
	char what[100];
	pid_t sitter;
	long start;
	long ret;

	begin_party();
	sitter = sit(sit_on);
	start = now();
	ret = proc_does(party_fd, PIOCENEVCTRS, &arg);
	snprintf(what, sizeof(what), "%s: root's request does not wait", who);
	check_soon(start, what);
	end(sitter);
	snprintf(what, sizeof(what), "%s: and root acquires the counters", who);
	check(ret > 0, what, "got: %ld", ret);
	ask(WORK);
	ret = proc_does(party_fd, PIOCGETEVCTRS, &counts);
	snprintf(what, sizeof(what), "%s: which count", who);
	check(ret > 0 && counts.hwp_evctr[SECOND] >= UNITS, what, "got: %ld, %llu",
	      ret, (count_t)counts.hwp_evctr[SECOND]);
	end_of_party();
}

static int still_root(void)
{
	return 0;
}

static int sits_in_idle_connections(void)
{
	struct sockaddr_un address;
	socklen_t len = holder_address(&address, "/run/irixperf/processes");
	int i, nr = 0;

	for (i = 0; i < IDLE; i++) {
		int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);

		nr += connect(fd, (struct sockaddr *)&address, len) == 0;
		usleep(1000);
	}
	if (nr < IDLE / 2)
		return 1;
	/* Keep the connections until this process is killed */
	raise(SIGSTOP);

	return 0;
}

static void idle_connections(void)
{
	long start;
	pid_t pid;

	begin_party();
	check(proc_does(party_fd, PIOCENEVCTRS, &user_arg) > 0,
	      "root has acquired counters", "%s", strerror(errno));
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(another_user() || sits_in_idle_connections());
	await_stop(pid);
	check(kill(pid, 0) == 0, "a stranger has connections to root's holder", "none");
	start = now();
	check_error(in_child(still_root, reads), 0,
		    "another program of root's reads the counts");
	check_error(in_child(owner, reads), 0, "and so does the user");
	check_soon(start, "without waiting");
	end(pid);
	end_of_party();
}

int main(int argc, char **argv)
{
	party_begins(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	want_only(&user_arg, SECOND);
	want_none(&kernel_arg);
	want(&kernel_arg, SECOND, KERNEL);
	roots_rights_are_roots();
	signals_are_those_of_kill();
	users_who_do_not_answer(answer_nobody, "nobody answers");
	users_who_do_not_answer(answer_hello, "only the first is answered");
	idle_connections();

	return finish();
}
