// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what a process reads of the counters that another process shows in its
 * page. This process plays both parts: it has pages of that name, and looks at
 * itself. The owner writes between two calls of the library and also in the midst
 * of one: while the library waits, takes a descriptor, or reads an event.
 *
 * Beyond crashes, the library has to keep its promises: it waits for so long at
 * most, takes nothing for an event that is none, and no descriptor is left behind.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <irixperf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "descriptor.h"
#include "fake.h"
#include "peer.h"
#include "input.h"
#include "kernel.h"
#include "own.h"
#include "status.h"

#define OPS_MAX		64
#define EVENTS		40	/* that are written; all others are zero */
#define WAITS_MAX	2000	/* of peer.c */

/* Small numbers, those at the ends, and from time to time any */
static uint32_t take_number(void)
{
	uint32_t number = take();

	if (number < 0xe0)
		return number;
	if (number < 0xf0)
		return (uint32_t)INT32_MAX + number % 4 - 1;
	if (number < 0xf8)
		return number - 0xf8;
	number = take() << 8;
	number = (number | take()) << 8;

	return (number | take()) << 8 | take();
}

/* Files: what read(2) of an event gives, and of files that are none */

#define FILES		5

static int file[FILES];
static struct stat none;	/* the last one is no event */

static void make_files(void)
{
	static const uint64_t good[] = { 1, 1000, 1000, 5 };
	static const uint64_t pair[] = { 2, 1000, 10, 5, 6 };
	static const uint64_t bad[] = { UINT64_MAX, 1, UINT64_MAX, UINT64_MAX, 0 };
	static const struct {
		const void *bytes;
		size_t size;
	} what[FILES] = {
		{ good, sizeof(good) }, { pair, sizeof(pair) },
		{ bad, sizeof(bad) }, { good, 12 }, { good, sizeof(good) },
	};
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		file[i] = memfd_create("file", MFD_CLOEXEC);
		promise(file[i] >= 0 &&
			pwrite(file[i], what[i].bytes, what[i].size, 0) ==
			(ssize_t)what[i].size, "the test has its files");
	}
	fstat(file[FILES - 1], &none);
}

static bool is_none(int fd)
{
	struct stat st;

	promise(fstat(fd, &st) == 0, "a descriptor is open");

	return st.st_ino == none.st_ino && st.st_dev == none.st_dev;
}

/* Pages: one that can be cut off, one that is too short, and one as it should be */

static struct ixp_user_page *page;

static int new_page(size_t size, int seals)
{
	char name[200];
	int fd;

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	promise(fd >= 0 && ftruncate(fd, (off_t)size) == 0 &&
		fcntl(fd, F_ADD_SEALS, seals) == 0, "the test has pages");

	return fd;
}

static void make_pages(void)
{
	int fd;

	new_page(sizeof(*page), F_SEAL_GROW);
	new_page(sizeof(*page) - 1, F_SEAL_SHRINK);
	fd = new_page(sizeof(*page), F_SEAL_SHRINK);
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	promise(page != MAP_FAILED, "the test has a page");
}

/* A process that counts one event */
static void begin_page(void)
{
	page->magic = IXP_USER_MAGIC;
	page->epoch = 0;
	memset(&page->own, 0, offsetof(struct ixp_own, event[EVENTS]));
	page->own.seq = 2;
	page->own.pid = getpid();
	page->own.state = IXP_OWN_COUNTS;
	page->own.generation = 1;
	page->own.nr = 1;
	page->own.event[0] = (struct ixp_own_event){ .fd = file[0], .leader = 1 };
}

static void write_event(struct ixp_own_event *e)
{
	unsigned int fd = take();

	e->fd = fd < 0xf0 ? file[fd % FILES] : (int)take_number();
	e->event = (uint8_t)take();
	e->leader = (uint8_t)take();
}

static void owner_writes(void)
{
	struct ixp_own *own = &page->own;
	unsigned int what = take();
	unsigned int nr = 1 + (what >> 4), at;

	switch (what % 16) {
	case 0:
		page->epoch = take_number();
		break;
	case 1:
		own->seq = take_number();
		break;
	case 2:
		own->epoch = take_number() << (take() % 4 * 8);
		break;
	case 3:
		own->state = (int32_t)take_number();
		break;
	case 4:
		own->generation = (int32_t)take_number();
		break;
	case 5:
		own->nr = take_number();
		break;
	case 6:
		own->base.hwp_evctr[take() % HWPERF_EVENTMAX] = take_number();
		break;
	case 7:
		memset(&own->ctrl, (int)take(), sizeof(own->ctrl));
		break;
	case 8:
		page->magic = take_number();
		break;
	case 9:
		own->pid = (int32_t)take_number();
		break;
	case 10:
		page->epoch += (take() % 4 + 1) << (take() % 3 * 8);
		break;
	default:
		at = take() % EVENTS;
		while (nr-- > 0 && at < EVENTS)
			write_event(&own->event[at++]);
		own->nr = at;
		own->list++;
		own->seq += 2;
	}
}

/* Calls of the library and of the C library that the linker brings here */

__typeof__(ixp_descriptor_take) __real_ixp_descriptor_take,
	__wrap_ixp_descriptor_take;
__typeof__(ixp_descriptor_is_event) __wrap_ixp_descriptor_is_event;
__typeof__(ixp_status_ids) __real_ixp_status_ids, __wrap_ixp_status_ids;
int __wrap_usleep(useconds_t time);

static bool inside;	/* the library runs */
static bool stranger;	/* and believes that the owner is another user */
static unsigned int waits, waits_max, to_act;

static void owner_acts(void)
{
	if (to_act == 0 || !inside)
		return;
	to_act--;
	inside = false;
	owner_writes();
	inside = true;
}

/* Also called by scouts, which share the page */
int __wrap_ixp_descriptor_take(int process, int number)
{
	owner_acts();

	return __real_ixp_descriptor_take(process, number);
}

bool __wrap_ixp_descriptor_is_event(int fd)
{
	return !is_none(fd);
}

int __wrap_ixp_status_ids(int folder, const char *key, unsigned int id[3])
{
	int ret = __real_ixp_status_ids(folder, key, id);

	if (stranger)
		id[0] = geteuid() + 1;

	return ret;
}

/* Nothing is waited for that takes time */
int __wrap_usleep(useconds_t time)
{
	(void)time;
	promise(++waits <= waits_max, "a wait has an end");
	owner_acts();

	return 0;
}

static ssize_t event_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	promise(!is_none(fd), "what is read is an event");
	owner_acts();
	n = pread(fd, buf, size, 0);

	return n < 0 ? -errno : n;
}

static int event_ioctl(int fd, unsigned long request)
{
	promise(!is_none(fd), "what is stopped is an event");
	promise(request == PERF_EVENT_IOC_DISABLE, "it is only stopped");
	owner_acts();

	return 0;
}

static void event_close(int fd)
{
	promise(!is_none(fd), "what is closed is an event");
	promise(close(fd) == 0, "a descriptor is closed once");
}

/* What this process does */

static struct ixp_peer *view;
static int folder;

static void check_view(int ret)
{
	promise(view->state == IXP_OWN_NONE || view->state == IXP_OWN_COUNTS ||
		view->state == IXP_OWN_RELEASED, "a state is one of three");
	promise(view->generation >= 0, "a generation is no error");
	promise(ret != 0 || view->state != IXP_OWN_NONE,
		"there is something to see");
}

static void open_view(void)
{
	int ret;

	if (view)
		return;
	ret = ixp_peer_open(&view, folder, getpid());
	promise(ret <= 0 && !ret == !!view, "a view is there or not");
	promise(ret == 0 || ret == -EPIPE || ret == -EAGAIN || ret == -EMFILE,
		"an open's result");
}

static void close_view(void)
{
	ixp_peer_close(view);
	view = NULL;
}

static void use_view(unsigned int what)
{
	hwperf_cntr_t counts;
	int ret;

	/* Twice, and once for each change of the owner that comes in between */
	waits = 0;
	waits_max = WAITS_MAX * (2 + to_act);
	switch (what) {
	case 0:
		ret = ixp_peer_look(view);
		promise(ret <= 0, "a look's result");
		check_view(ret);
		break;
	case 1:
		ret = ixp_peer_read(view, &counts);
		promise(ret > -4096, "a read's result");
		break;
	case 2:
		ret = ixp_peer_release(view);
		promise(ret <= 0, "a release's result");
		break;
	case 3:
		ret = ixp_peer_take(view);
		promise(ret <= 0, "a take's result");
		break;
	default:
		ixp_peer_give_back(view);
	}
}

static void operation(void)
{
	unsigned int what = take();

	to_act = what >> 5;
	inside = true;
	switch (what % 8) {
	case 0:
		open_view();
		break;
	case 1:
		close_view();
		break;
	case 2:
	case 3:
	case 4:
		inside = false;
		owner_writes();
		break;
	default:
		if (view)
			use_view(take() % 5);
	}
	inside = false;
}

static unsigned int nr_descriptors(void)
{
	unsigned int i, nr = 0;
	bool open[FDS_MAX];

	open_descriptors(open);
	for (i = 0; i < FDS_MAX; i++)
		nr += open[i];

	return nr;
}

static void make_world(void)
{
	const struct rlimit limit = { FDS_MAX, FDS_MAX };

	if (page)
		return;
	setrlimit(RLIMIT_NOFILE, &limit);
	fake_install_other();
	ixp_kernel.perf_read = event_read;
	ixp_kernel.perf_ioctl = event_ioctl;
	ixp_kernel.perf_close = event_close;
	make_files();
	make_pages();
	folder = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int before, i;

	make_world();
	before = nr_descriptors();
	input = data;
	input_left = size;
	begin_page();
	/* A scout is a process each time */
	stranger = take() >= 0xf8;
	for (i = 0; i < OPS_MAX && input_left > 0; i++)
		operation();
	close_view();
	promise(nr_descriptors() == before, "no descriptor is left behind");

	return 0;
}
