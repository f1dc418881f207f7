// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other processes read and change the counters that a process has acquired for
 * itself. The events are software events of this machine's own kernel, by an event
 * map. There is no holder, so this program acts as one (ixp_kernel.remote).
 * tests/conformance/shared.c tests the same with a holder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "arbiter.h"
#include "children.h"
#include "descriptor.h"
#include "fake.h"
#include "hang.h"
#include "kernel.h"
#include "peer.h"
#include "own.h"
#include "proc_exec.h"
#include "process.h"
#include "set.h"
#include "unit.h"

#define FAULTS		15
#define OTHERS		14
#define PATIENCE	300	/* seconds */
#define SOON		60000	/* milliseconds for an answer, or it never comes */
#define SOMEBODY	1000	/* a user */

static hwperf_profevctrarg_t faults, others;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static int subject, subject_fd = -1, orders;
static uid_t subject_is;

static void put(hwperf_profevctrarg_t *arg, unsigned int event)
{
	arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U;
}

static int ask(int fd, unsigned int request, void *arg)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

/* Until it is not too late: on a busy machine the second is over that a process is given */
static int ask_again(int fd, unsigned int request, void *arg)
{
	int ret;

	do
		ret = ask(fd, request, arg);
	while (ret == -EAGAIN);

	return ret;
}

/* The process whose counters they are */

/* Change its own counters again and again, until the next order */
static int change_for_ever(int own, int sock)
{
	int ret = 0;
	char byte;

	while (recv(sock, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && ret >= 0)
		ret = ask(own, PIOCSETEVCTRL, &faults);

	return ret;
}

static int obey(int own, int sock, char order)
{
	switch (order) {
	case 'e':
		return ask(own, PIOCENEVCTRS, &faults);
	case 's':
		return ask(own, PIOCSETEVCTRL, &others);
	case 'g':
		return ask(own, PIOCGETEVCTRS, &counts);
	case 'c':
		return ask(own, PIOCGETEVCTRL, &ctrl);
	case 'r':
		return ask(own, PIOCRELEVCTRS, NULL);
	case 'l':
		return change_for_ever(own, sock);
	default:
		touch_pages();
		return 0;
	}
}

static void subject_main(int sock)
{
	int own, ret;
	char order;

	if (subject_is && (setgid(subject_is) || setuid(subject_is)))
		abort();
	/* Otherwise root owns its directory in /proc */
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	own = open_process(getpid());
	while (read(sock, &order, 1) == 1) {
		ret = obey(own, sock, order);
		if (write(sock, &ret, sizeof(ret)) < 0)
			break;
	}
	_exit(0);
}

static void tell(char order)
{
	assert_int_equal(write(orders, &order, 1), 1);
}

static int answer(void)
{
	int ret = 0;

	assert_int_equal(read(orders, &ret, sizeof(ret)), sizeof(ret));

	return ret;
}

static int order(char what)
{
	tell(what);

	return answer();
}

static unsigned long long counted(void)
{
	assert_true(ask_again(subject_fd, PIOCGETEVCTRS, &counts) > 0);

	return counts.hwp_evctr[FAULTS];
}

static void start(void (*run)(int sock))
{
	int socks[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks) < 0)
		abort();
	subject = fork();
	if (subject == 0)
		run(socks[1]);
	close(socks[1]);
	orders = socks[0];
	subject_fd = open_process(subject);
}

static void end(void)
{
	kill(subject, SIGKILL);
	waitpid(subject, NULL, 0);
	close(orders);
	close(subject_fd);
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install_counting("[any]\n15 = page-faults\n"
			      "14 = context-switches\n");
	put(&faults, FAULTS);
	put(&others, OTHERS);
	start(subject_main);

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	end();

	return 0;
}

static int open_event(void)
{
	struct perf_event_attr pea = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(pea),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.exclude_kernel = 1,
	};

	return (int)syscall(SYS_perf_event_open, &pea, 0, -1, -1, 0);
}

static bool can_take(void)
{
	int self = ixp_descriptor_process(getpid());
	int fd = self < 0 ? self : ixp_descriptor_take(self, 0);

	close(self);
	close(fd);
	fd = fd < 0 ? fd : open_event();
	close(fd);

	return fd >= 0;
}

#define NEEDS_COUNTERS()				\
	do {						\
		if (!can_take())			\
			skip();				\
	} while (0)

static void others_see_each_change(void **state)
{
	int first;

	(void)state;
	NEEDS_COUNTERS();
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), -EINVAL);
	first = order('e');
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first);
	order('t');
	assert_true(counted() >= PAGES);
	assert_int_equal(order('s'), first + 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first + 1);
	assert_memory_equal(&ctrl, &others.hwp_evctrargs, sizeof(ctrl));
	assert_int_equal(counted(), 0);
	assert_int_equal(order('r'), 0);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), -EINVAL);
	assert_int_equal(ask(subject_fd, PIOCRELEVCTRS, NULL), -EINVAL);
}

static void releases_are_heard_of(void **state)
{
	unsigned long long kept;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	order('t');
	assert_int_equal(ask(subject_fd, PIOCRELEVCTRS, NULL), 0);
	kept = counted();
	order('t');
	assert_int_equal(counted(), kept);
	assert_int_equal(order('c'), -EINVAL);
	assert_int_equal(order('g'), first);
	assert_int_equal(counted(), kept);
	assert_int_equal(order('e'), first + 1);
	order('t');
	assert_true(counted() >= PAGES);
	/* It counts the release once */
	assert_int_equal(order('g'), first + 1);
}

/* Open the page that the process has */
static struct ixp_peer *open_view(void)
{
	struct ixp_peer *view;

	assert_int_equal(ixp_peer_open(&view, subject_fd, subject), 0);

	return view;
}

/* The process that released them was killed before it could stop the events */
static void releases_are_finished_by_others(void **state)
{
	struct ixp_peer *view;
	unsigned long long kept;

	(void)state;
	NEEDS_COUNTERS();
	order('e');
	view = open_view();
	__atomic_fetch_add(&view->page->epoch,
			   IXP_EPOCH_STEP + IXP_EPOCH_RELEASED,
			   __ATOMIC_SEQ_CST);
	kept = counted();
	order('t');
	assert_int_equal(counted(), kept);
	assert_int_equal(order('r'), -EINVAL);
	ixp_peer_close(view);
}

/* System mode takes them, and the process has not yet looked */
static void losses_show(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	view = open_view();
	__atomic_fetch_add(&view->page->epoch, IXP_EPOCH_SYSTEM,
			   __ATOMIC_SEQ_CST);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), -EINVAL);
	assert_int_equal(order('g'), first + 1);
	assert_int_equal(order('e'), first + 2);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first + 2);
	ixp_peer_close(view);
}

/* What the process itself has told of time without a counter, in its page */
static void told_itself(struct ixp_peer *view, int times)
{
	struct ixp_own *own = &view->page->own;

	own->generation += times;
	own->told += times;
	own->seq += 2;
}

/* A reader measures losses itself; whoever takes the counters goes on above all numbers */
static void told_numbers_do_not_come_again(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first);
	view = open_view();
	told_itself(view, 2);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first);
	assert_int_equal(ask(subject_fd, PIOCSETEVCTRL, &faults), first + 3);
	ixp_peer_close(view);
}

/* Another reader has measured losses of its own */
static void numbers_of_readers_do_not_come_again(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	view = open_view();
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first);
	assert_int_equal(view->page->seen, first);
	view->page->seen = first + 5;
	assert_int_equal(ask(subject_fd, PIOCSETEVCTRL, &faults), first + 7);
	ixp_peer_close(view);
}

static void numbers_of_readers_outlive_the_program(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	view = open_view();
	view->page->seen = first + 1;
	assert_int_equal(ixp_proc_keep(subject_fd), 0);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first + 1);
	ixp_peer_close(view);
}

/* A program that reads them for the first time goes on from there */
static void new_readers_go_on(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	view = open_view();
	view->page->seen = first + 3;
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 3);
	assert_int_equal(order('s'), first + 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 4);
	ixp_peer_close(view);
}

static void told_numbers_outlive_the_program(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	view = open_view();
	told_itself(view, 2);
	assert_int_equal(ixp_proc_keep(subject_fd), 0);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first + 2);
	ixp_peer_close(view);
}

/* Others had the counters for so many seconds */
static uint64_t missing;

static ssize_t less_time(int fd, void *buf, size_t size)
{
	ssize_t n = real_kernel.perf_read(fd, buf, size);
	struct ixp_group *group = buf;

	if (n > 0)
		group->enabled += missing * 1000000000;

	return n;
}

static void readers_hear_of_losses(void **state)
{
	struct ixp_peer *view;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	ixp_kernel.perf_read = less_time;
	first = order('e');
	view = open_view();
	order('t');
	missing = 1;
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first);
	missing = 2;
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 1);
	assert_int_equal(view->page->seen, first + 1);
	/* All that is missing of the new events is news */
	assert_int_equal(order('s'), first + 1);
	order('t');
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 3);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 3);
	/* And what was missing before somebody released them */
	missing = 3;
	assert_int_equal(ask(subject_fd, PIOCRELEVCTRS, NULL), 0);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 4);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRS, &counts), first + 4);
	assert_int_equal(view->page->seen, first + 4);
	ixp_peer_close(view);
	missing = 0;
	ixp_kernel.perf_read = real_kernel.perf_read;
}

static void changes_take_them_over(void **state)
{
	int first;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	order('t');
	assert_true(counted() >= PAGES);
	assert_int_equal(ask(subject_fd, PIOCSETEVCTRL, &faults), first + 1);
	assert_true(counted() < PAGES);
	order('t');
	assert_true(counted() >= PAGES);
	/* It would need a holder, and there is none */
	assert_int_equal(order('c'), -EINVAL);
	assert_int_equal(order('c'), -EINVAL);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first + 1);
}

/* How often events can be enabled before one fails */
static int enables;

static int no_enable(int fd, unsigned long request)
{
	return request == PERF_EVENT_IOC_ENABLE && enables-- == 0 ? -EBUSY :
		real_kernel.perf_ioctl(fd, request);
}

static void failures_change_nothing(void **state)
{
	hwperf_profevctrarg_t bad = faults;
	int first, i;

	(void)state;
	NEEDS_COUNTERS();
	first = order('e');
	bad.hwp_evctrargs.hwp_evctrl[FAULTS].hwperf_creg.hwp_ev = 14;
	for (i = 0; i < 2; i++) {
		assert_int_equal(ask(subject_fd, i ? PIOCENEVCTRS :
				     PIOCSETEVCTRL, &bad), -EINVAL);
		assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first);
	}
	/*
	 * The second time they are enabled we have taken the counters; after the error we give
	 * them back
	 */
	for (i = 0; i < 2; i++) {
		enables = i;
		ixp_kernel.perf_ioctl = no_enable;
		assert_int_equal(ask(subject_fd, PIOCSETEVCTRL, &faults), -EBUSY);
		ixp_kernel.perf_ioctl = real_kernel.perf_ioctl;
		assert_true(enables < 0);
		assert_int_equal(order('g'), first);
		assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first);
	}
	order('t');
	assert_true(counted() >= PAGES);
}

static void what_is_kept_goes_on(void **state)
{
	unsigned long long before;
	int first;

	(void)state;
	NEEDS_COUNTERS();
	assert_int_equal(ixp_proc_keep(subject_fd), -EINVAL);
	first = order('e');
	order('t');
	before = counted();
	assert_int_equal(ixp_proc_keep(subject_fd), 0);
	order('t');
	assert_in_range(counted() - before, PAGES, 2 * PAGES - 1);
	assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl), first);
	assert_int_equal(ixp_proc_keep(subject_fd), -EBUSY);
	assert_int_equal(ask(subject_fd, PIOCRELEVCTRS, NULL), 0);
}

/* A release and a change at the same time, at any moment: none is lost */
static void releases_meet_changes(void **state)
{
	unsigned long long kept;
	int i, first, ret;

	(void)state;
	NEEDS_COUNTERS();
	for (i = 0; i < 200; i++) {
		first = order('e');
		assert_true(first > 0);
		tell('l');
		/* Wait for the first changes */
		do
			ret = ask_again(subject_fd, PIOCGETEVCTRS, &counts);
		while (ret >= first && ret <= first + i % 10);
		assert_true(ret > first);
		/* The process may acquire them again by its next change */
		assert_int_equal(ask_again(subject_fd, PIOCRELEVCTRS, NULL), 0);
		tell('r');
		assert_true(answer() >= 0);
		ret = answer();
		assert_true(ret == 0 || ret == -EINVAL);
		kept = counted();
		order('t');
		assert_int_equal(counted(), kept);
		assert_int_equal(ask(subject_fd, PIOCGETEVCTRL, &ctrl),
				 -EINVAL);
	}
}

/* Pages with false contents */

static int lie;
static uid_t liar_is;
enum lie { NO_SEAL, TOO_SHORT, NOT_ITS_PID, NO_EVENT, NO_LEADER, TOO_MANY,
	   PIPE, BEING_WRITTEN, NR_LIES,
	   /* This one needs root and another user */
	   HANGS = NR_LIES };

static const int lie_results[NR_LIES] = {
	[NO_SEAL] = -EINVAL, [TOO_SHORT] = -EINVAL, [NOT_ITS_PID] = -EINVAL,
	[NO_EVENT] = -EIO, [NO_LEADER] = -EIO, [TOO_MANY] = -EMFILE,
	[PIPE] = -EINVAL, [BEING_WRITTEN] = -EAGAIN,
};

static int new_page(struct ixp_user_page **page)
{
	char name[200];
	int fd;

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || ftruncate(fd, sizeof(**page)) < 0)
		abort();
	*page = mmap(NULL, sizeof(**page), PROT_READ | PROT_WRITE, MAP_SHARED,
		     fd, 0);
	if (*page == MAP_FAILED)
		abort();
	(*page)->magic = IXP_USER_MAGIC;
	(*page)->own.pid = getpid();
	(*page)->own.state = IXP_OWN_COUNTS;
	(*page)->own.seq = 2;

	return fd;
}

static void page_lies(struct ixp_own *own, int pipe)
{
	own->nr = 1;
	own->event[0] = (struct ixp_own_event){ .fd = pipe, .event = FAULTS, .leader = 1 };
	if (lie == NOT_ITS_PID)
		own->pid++;
	if (lie == NO_EVENT)
		own->event[0].event = IRIXPERF_EVENTS;
	if (lie == NO_LEADER)
		own->event[0].leader = 0;
	if (lie == TOO_MANY)
		own->nr = IXP_OWN_EVENTS + 1;
	if (lie == BEING_WRITTEN)
		own->seq = 1;
}

/* This file's descriptor comes before the page's, and has a page's name, too */
static void open_hanging(void)
{
	char name[200];

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	if (!hang_open(name))
		abort();
}

static void become_somebody(void)
{
	if (liar_is && (setgid(liar_is) || setuid(liar_is)))
		abort();
	prctl(PR_SET_PDEATHSIG, lie == HANGS ? SIGTERM : SIGKILL);
}

static void liar(int sock)
{
	struct ixp_user_page *page;
	int pipes[2], fd, ret = 0;
	char byte;

	if (lie == HANGS)
		open_hanging();
	become_somebody();
	fd = new_page(&page);
	if (pipe(pipes) < 0 || write(pipes[1], "x", 1) != 1)
		abort();
	page_lies(&page->own, lie == HANGS ? hang_file :
		  lie == NO_EVENT || lie == NO_LEADER ? open_event() : pipes[0]);
	if (lie != NO_SEAL)
		fcntl(fd, F_ADD_SEALS, lie == TOO_SHORT ? 0 : F_SEAL_SHRINK);
	if (lie == TOO_SHORT && ftruncate(fd, 4096) < 0)
		abort();
	if (write(sock, &ret, sizeof(ret)) < 0 || read(sock, &byte, 1) != 1)
		abort();
	/* Nobody has read from the pipe */
	ret = read(pipes[0], &byte, 1) == 1 && byte == 'x';
	_exit(write(sock, &ret, sizeof(ret)) < 0);
}

static void tell_lies(void)
{
	for (lie = 0; lie < NR_LIES; lie++) {
		end();
		start(liar);
		answer();
		assert_int_equal((lie_results[lie] == -EAGAIN ? ask : ask_again)(
					 subject_fd, PIOCGETEVCTRS, &counts),
				 lie_results[lie]);
		assert_int_equal(order('?'), 1);
	}
}

static void pages_are_not_believed(void **state)
{
	(void)state;
	NEEDS_COUNTERS();
	tell_lies();
}

static void nor_are_those_of_strangers(void **state)
{
	(void)state;
	NEEDS_COUNTERS();
	if (geteuid() != 0)
		skip();
	liar_is = SOMEBODY;
	tell_lies();
	liar_is = 0;
}

/* Return what a process finds, or -ETIMEDOUT, and end the subject */
static int found_soon(void)
{
	struct pollfd ended = { .events = POLLIN };
	int status = 0, soon;
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(-ask_again(subject_fd, PIOCGETEVCTRS, &counts));
	ended.fd = ixp_descriptor_process(pid);
	soon = poll(&ended, 1, SOON);
	close(ended.fd);
	/* Wait until the subject has ended and so released all that wait for it */
	kill(subject, SIGTERM);
	waitid(P_PID, (id_t)subject, &info, WEXITED | WNOWAIT);
	if (!soon)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (!soon)
		return -ETIMEDOUT;

	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* A stranger's files that do not close: one named like a page, one given as event */
static void strangers_keep_nobody(void **state)
{
	(void)state;
	NEEDS_COUNTERS();
	if (geteuid() != 0)
		skip();
	end();
	lie = HANGS;
	liar_is = SOMEBODY;
	start(liar);
	answer();
	assert_int_equal(found_soon(), -EINVAL);
	liar_is = 0;
}

/* A scout looks at strangers, for all of them in one go */
static void strangers_are_seen_as_they_are(void **state)
{
	unsigned long long first;

	(void)state;
	NEEDS_COUNTERS();
	if (geteuid() != 0)
		skip();
	end();
	/* It reads the event map */
	assert_int_equal(chmod(ixp_kernel.root, 0755), 0);
	subject_is = SOMEBODY;
	start(subject_main);
	subject_is = 0;
	assert_true(order('e') > 0);
	first = counted();
	order('t');
	assert_true(counted() >= first + PAGES);
	assert_true(order('s') > 0);
	assert_true(ask_again(subject_fd, PIOCGETEVCTRL, &ctrl) > 0);
	assert_memory_equal(&ctrl, &others.hwp_evctrargs, sizeof(ctrl));
	assert_int_equal(ask_again(subject_fd, PIOCRELEVCTRS, NULL), 0);
	assert_int_equal(order('c'), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(others_see_each_change,
						setup, teardown),
		cmocka_unit_test_setup_teardown(releases_are_heard_of,
						setup, teardown),
		cmocka_unit_test_setup_teardown(releases_are_finished_by_others,
						setup, teardown),
		cmocka_unit_test_setup_teardown(losses_show, setup, teardown),
		cmocka_unit_test_setup_teardown(told_numbers_do_not_come_again,
						setup, teardown),
		cmocka_unit_test_setup_teardown(told_numbers_outlive_the_program,
						setup, teardown),
		cmocka_unit_test_setup_teardown(numbers_of_readers_do_not_come_again,
						setup, teardown),
		cmocka_unit_test_setup_teardown(numbers_of_readers_outlive_the_program,
						setup, teardown),
		cmocka_unit_test_setup_teardown(new_readers_go_on, setup, teardown),
		cmocka_unit_test_setup_teardown(readers_hear_of_losses,
						setup, teardown),
		cmocka_unit_test_setup_teardown(changes_take_them_over,
						setup, teardown),
		cmocka_unit_test_setup_teardown(failures_change_nothing,
						setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_kept_goes_on,
						setup, teardown),
		cmocka_unit_test_setup_teardown(releases_meet_changes,
						setup, teardown),
		cmocka_unit_test_setup_teardown(pages_are_not_believed,
						setup, teardown),
		cmocka_unit_test_setup_teardown(nor_are_those_of_strangers,
						setup, teardown),
		cmocka_unit_test_setup_teardown(strangers_keep_nobody,
						setup, teardown),
		cmocka_unit_test_setup_teardown(strangers_are_seen_as_they_are,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
