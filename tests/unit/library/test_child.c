// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child that attacks its parent through what they share: the page, and the socket
 * for its events. The child finds both by itself, as any forked program could.
 */
#include <pthread.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "children.h"
#include "descriptors.h"
#include "fake.h"
#include "grace.h"
#include "kernel.h"
#include "seed.h"
#include "unit.h"

#define FAULTS		15
#define ROUNDS		100
#define NOBODY		65534
#define MAX_FDS		64
#define PATIENCE	300	/* seconds */

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static int own;

/* The socket that this process has from its parent, and the last message in it */
struct loot {
	int sock;
	unsigned int nr_socks;
	unsigned char bytes[1024];
	size_t size;
	int fd[MAX_FDS];
	unsigned int nr_fds;
};

static bool is_pair(int fd)
{
	int type = 0, domain = 0;
	socklen_t size = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
	       type == SOCK_SEQPACKET && domain == AF_UNIX;
}

/* This process has both ends. The parent's end is the one with the message */
static void loot_message(struct loot *loot, int fd)
{
	union {
		struct cmsghdr align;
		char buf[1024];
	} control;
	struct iovec iov = { loot->bytes, sizeof(loot->bytes) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(fd, &hdr, MSG_PEEK | MSG_DONTWAIT);
	struct cmsghdr *cmsg;

	if (n <= 0) {
		loot->sock = fd;
		return;
	}
	loot->size = (size_t)n;
	for (cmsg = CMSG_FIRSTHDR(&hdr); cmsg; cmsg = CMSG_NXTHDR(&hdr, cmsg)) {
		if (cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		loot->nr_fds = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(loot->fd, CMSG_DATA(cmsg), loot->nr_fds * sizeof(int));
	}
}

static void loot_find(struct loot *loot)
{
	int fd;

	memset(loot, 0, sizeof(*loot));
	for (fd = 3; fd < 256 && loot->nr_socks < 2; fd++)
		if (is_pair(fd)) {
			loot->nr_socks++;
			loot_message(loot, fd);
		}
	/* Without these the test would show nothing */
	if (loot->nr_socks != 2 || loot->size == 0 || loot->nr_fds != 1)
		_exit(2);
}

static void loot_send(const struct loot *loot, unsigned int nr_fds)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(MAX_FDS * sizeof(int))];
	} control = { .buf = { 0 } };
	struct iovec iov = { (void *)loot->bytes, loot->size };
	struct msghdr hdr = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	unsigned int i;

	if (nr_fds > 0) {
		hdr.msg_control = control.buf;
		hdr.msg_controllen = CMSG_SPACE(nr_fds * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&hdr);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(nr_fds * sizeof(int));
		for (i = 0; i < nr_fds; i++)
			memcpy(CMSG_DATA(cmsg) + i * sizeof(int), &loot->fd[0],
			       sizeof(int));
	}
	sendmsg(loot->sock, &hdr, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* The page that this process has from its parent, or NULL */
static unsigned char *shared_page(void)
{
	unsigned long from, to;
	char line[256], rights[8];
	unsigned char *page = NULL;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 &&
		    strcmp(rights, "rw-s") == 0 && strstr(line, "/dev/zero"))
			page = (unsigned char *)from;
	if (maps)
		fclose(maps);

	return page;
}

static void touch_all(void)
{
	memset(&arg, 0, sizeof(arg));
	arg.hwp_evctrargs.hwp_evctrl[FAULTS].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U;
	assert_true(ioctl(own, PIOCENEVCTRS, &arg) > 0);
}

static unsigned long long faults(void)
{
	assert_true(ioctl(own, PIOCGETEVCTRS, &counts) > 0);

	return counts.hwp_evctr[FAULTS];
}

/* Return how much a child that does this adds to the counts of this process */
static unsigned long long counts_for(void (*child)(void))
{
	unsigned long long before;
	int status;
	pid_t pid;

	before = faults();
	pid = fork();
	if (pid == 0) {
		child();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);

	return faults() - before;
}

CASE(a_child_is_counted)
{
	unsigned long long nr;

	nr = counts_for(touch_pages);
	assert_in_range(nr, PAGES, PAGES + 200);
}

static unsigned int seed, changed;

static void change_one_byte(void)
{
	struct loot loot;

	loot_find(&loot);
	if (changed >= loot.size)
		_exit(1);
	loot.bytes[changed] = 0xff;
	loot_send(&loot, loot.nr_fds);
}

static void send_garbage(void)
{
	struct loot loot;
	unsigned int n;

	srand(seed);
	loot_find(&loot);
	for (n = 1 + (unsigned int)rand() % 8; n > 0; n--)
		loot.bytes[(size_t)rand() % loot.size] = (unsigned char)rand();
	loot_send(&loot, (unsigned int)rand() % (MAX_FDS + 1));
}

/* Fork a child that does this. Return false if it could not do it */
static bool survives(void (*child)(void))
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		child();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	faults();

	return WEXITSTATUS(status) == 0;
}

/* Whatever the child sends, this process goes on and counts later children */
CASE(garbage_is_survived)
{
	unsigned int first = test_seed(1), i;

	for (changed = 0; survives(change_one_byte); changed++)
		;
	assert_true(changed > 0);
	for (i = 0; i < ROUNDS; i++) {
		seed = first + i;
		survives(send_garbage);
	}
	touch_all();
	a_child_is_counted();
}

static void say_it_again(void)
{
	struct loot loot;

	touch_pages();
	if (setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(3);
	loot_find(&loot);
	loot_send(&loot, loot.nr_fds);
}

/* A child's events are counted once. Messages of another user are ignored */
CASE(another_user_is_not_heard)
{
	unsigned long long nr;

	/* Only root can fork a child that becomes another user */
	if (geteuid() != 0)
		skip();
	nr = counts_for(say_it_again);
	assert_in_range(nr, PAGES, PAGES + 200);
}

static void fill_page(void)
{
	unsigned char *page = shared_page();

	if (!page)
		_exit(2);
	memset(page, 0xff, 4096);
}

CASE(a_page_of_ones_is_survived)
{
	survives(fill_page);
	touch_all();
	a_child_is_counted();
}

/* The child clears the page, and so its number, but does not end: do not wait for ever */
CASE(no_number_is_not_awaited)
{
	int there[2], ret, err;
	unsigned char *page;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(there), 0);
	pid = fork();
	if (pid == 0) {
		page = shared_page();
		if (!page)
			_exit(2);
		memset(page, 0, 4096);
		if (write(there[1], "", 1) == 1)
			pause();
		_exit(2);
	}
	assert_int_equal(read(there[0], &byte, 1), 1);
	ret = ioctl(own, PIOCSAVECCNTRS, (void *)(long)pid);
	err = errno;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(there[0]);
	close(there[1]);
	assert_int_equal(ret, -1);
	assert_int_equal(err, ESRCH);
}

static void *read_until_told(void *barrier)
{
	unsigned int reader = ixp_read_begin();

	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	ixp_read_end(reader);

	return NULL;
}

/* A child has none of its parent's threads, so none of them reads what it closes */
static int change_and_close(void)
{
	int fd = open("/proc/self", O_RDONLY), i, nr = 0;

	for (i = 0; i < ROUNDS; i++) {
		if (ioctl(fd, PIOCENEVCTRS, &arg) < 0)
			return 2;
		if (i == 0)
			nr = nr_descriptors();
	}

	return nr_descriptors() > nr + 2;
}

CASE(children_of_clone_have_no_readers)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	int status;
	pid_t pid;

	if (counts_for(touch_pages) < PAGES)
		skip();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, read_until_told, &barrier);
	pthread_barrier_wait(&barrier);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(change_and_close());
	waitpid(pid, &status, 0);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	assert_int_equal(status, 0);
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install_counting("[any]\n15 = page-faults\n");
	own = open("/proc/self", O_RDONLY);
	touch_all();

	return own < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(own, PIOCRELEVCTRS);
	close(own);

	return 0;
}

FIXTURE(setup, teardown);

UNIT_MAIN()
