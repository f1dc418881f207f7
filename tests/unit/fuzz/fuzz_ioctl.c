// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the requests of /proc and of syssgi(2), and the sets of events behind
 * them: a made-up machine of any kind runs processes that come and go, while
 * somebody sends requests with all kinds of blocks and addresses, and one thing
 * at a time goes wrong in the kernel.
 *
 * Beyond crashes, the library has to keep its promises. Above all, a call that
 * fails changes nothing: the counts, the control information, the generation
 * number, what is open in the kernel and which descriptors there are.
 *
 * Only what programs see is looked at, so that the library may change inside.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syssgi.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include <irixperf.h>
#include "arbiter.h"
#include "fake.h"
#include "fakepfm.h"
#include "ident.h"
#include "input.h"
#include "kernel.h"
#include "mem.h"
#include "set.h"
#include "lock.h"
#include "remote.h"
#include "start.h"
#include "sysfile.h"
#include "system.h"
#include "view.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DEVICES		"/sys/bus/event_source/devices/"
#define FORMAT_EXL	DEVICES "cpu/format/exl"
#define OPS_MAX		24

/* So many may be opened by one operation: 32 events twice, on a few CPUs */
#define OPENS_MAX	256

static unsigned int take2(void)
{
	unsigned int high = take();

	return high << 8 | take();
}

static void take_bytes(void *to, size_t size)
{
	uint8_t *byte = to;

	while (size-- > 0)
		*byte++ = (uint8_t)take();
}

/* What goes wrong in the next call, once */

enum fault {
	FAULT_NONE,
	FAULT_OPEN,		/* perf_event_open(2) */
	FAULT_READ,		/* read(2) of an event */
	FAULT_SHORT,		/* the same: it is in error state */
	FAULT_IOCTL,		/* of an event */
	FAULT_DESCRIPTORS,	/* there are no more */
	FAULT_MEMORY,		/* there is none left */
	FAULT_COMMAND,		/* no space for a command to the holder */
	FAULT_KINDS
};

static const int errors[] = {
	-ENOSPC, -EMFILE, -EACCES, -EPERM, -EBUSY, -EINVAL, -ENOENT, -ENODEV,
	-ESRCH, -ENOMEM, -EIO, -EOPNOTSUPP,
};

struct trouble {
	enum fault kind;
	unsigned int after;	/* so many times it goes well first */
	int err;
	bool no_attach;		/* CONFIG_CROSS_MEMORY_ATTACH=n */
};

static struct trouble planned, fault;

static bool fails(enum fault kind)
{
	if (fault.kind != kind || fault.after-- > 0)
		return false;
	fault.kind = FAULT_NONE;

	return true;
}

static struct ixp_kernel healthy;

static int faulty_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		       int group)
{
	return fails(FAULT_OPEN) ? fault.err :
	       healthy.perf_open(attr, pid, cpu, group);
}

static ssize_t faulty_read(int fd, void *buf, size_t size)
{
	if (fails(FAULT_READ))
		return fault.err;

	return fails(FAULT_SHORT) ? 0 : healthy.perf_read(fd, buf, size);
}

static int faulty_ioctl(int fd, unsigned long request)
{
	return fails(FAULT_IOCTL) ? fault.err : healthy.perf_ioctl(fd, request);
}

/* The fake's own looks for the event's number, which maps do not keep */
static int faulty_signal(int fd, unsigned int event, int sig, pid_t pid)
{
	(void)event;
	(void)sig;
	(void)pid;

	return fails(FAULT_IOCTL) ? fault.err : fd;
}

/* Calls of the C library that the linker brings here */

__typeof__(ixp_alloc) __real_ixp_alloc, __wrap_ixp_alloc;
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long nr_local,
				const struct iovec *remote,
				unsigned long nr_remote, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long nr_local,
				const struct iovec *remote,
				unsigned long nr_remote, unsigned long flags);
int __real_fstatfs64(int fd, struct statfs *fs);
int __wrap_fstatfs64(int fd, struct statfs *fs);

static bool no_memory(void)
{
	if (!fails(FAULT_MEMORY))
		return false;
	errno = ENOMEM;

	return true;
}

void *__wrap_ixp_alloc(size_t size)
{
	return no_memory() ? NULL : __real_ixp_alloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return no_memory() ? NULL : __real_calloc(nr, size);
}

void *__wrap_malloc(size_t size)
{
	return no_memory() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory() ? NULL : __real_realloc(old, size);
}

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long nr_local,
				const struct iovec *remote,
				unsigned long nr_remote, unsigned long flags)
{
	if (!fault.no_attach)
		return __real_process_vm_readv(pid, local, nr_local, remote,
					       nr_remote, flags);
	errno = ENOSYS;

	return -1;
}

/* Our folders of processes lie elsewhere */
int __wrap_fstatfs64(int fd, struct statfs *fs)
{
	struct stat st;
	int ret = __real_fstatfs64(fd, fs);

	if (ret == 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		fs->f_type = PROC_SUPER_MAGIC;

	return ret;
}

/* A descriptor that the library has kept shows in the next one's number */
static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);

	return fd;
}

static struct rlimit usual;

static void let_it_fail(void)
{
	struct rlimit limit = usual;

	fault = planned;
	if (fault.kind != FAULT_DESCRIPTORS)
		return;
	limit.rlim_cur = (rlim_t)next_descriptor() + fault.after;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void all_well(void)
{
	setrlimit(RLIMIT_NOFILE, &usual);
	memset(&fault, 0, sizeof(fault));
	memset(&planned, 0, sizeof(planned));
}

/* Processes: this one, two others, what is none, and a bad descriptor */

#define PROCESSES	3
#define DESCRIPTORS	(PROCESSES + 2)

static struct {
	pid_t pid;
	int fd;
	bool alive;
	bool changed;
} process[DESCRIPTORS];

static void process_path(char *path, size_t size, pid_t pid, const char *file)
{
	snprintf(path, size, "%s/proc/%d/%s", ixp_kernel.root, (int)pid, file);
}

/* Its folder loses what tells that it is alive; who calls lives on */
static void process_set(unsigned int i, bool alive)
{
	char path[PATH_MAX];

	if (i >= PROCESSES || process[i].alive == alive || (i == 0 && !alive))
		return;
	process_path(path, sizeof(path), process[i].pid, "statm");
	if (alive)
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	else
		unlink(path);
	process[i].alive = alive;
}

static void process_stat(unsigned int i)
{
	char name[64], text[256];

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)process[i].pid);
	snprintf(text, sizeof(text), "%d (fuzz) S 1 2 3 0 -1 0 10 0 0 0 5 6 7 8 "
		 "20 0 1 0 1000 4096 7 0\n", (int)process[i].pid);
	fake_file(name, text);
}

/* After the number anything may follow, as far as a name can make it */
static void process_change(unsigned int i)
{
	static const char *const files[] = {
		"stat", "status", "io", "maps", "cmdline",
	};
	unsigned int which = take();
	const char *file = files[which % ARRAY_SIZE(files)];
	char name[64], text[300];
	int n;

	if (i >= PROCESSES)
		return;
	snprintf(name, sizeof(name), "/proc/%d/%s", (int)process[i].pid, file);
	n = snprintf(text, sizeof(text), which & 128 ? "%d (name) S 1 " : "%d (",
		     (int)process[i].pid);
	if (strcmp(file, "stat") != 0)
		n = 0;
	take_bytes(text + n, 32);
	fake_file_bytes(name, text, (size_t)n + 32);
	process[i].changed = true;
}

static void make_processes(void)
{
	static const pid_t pids[PROCESSES] = { 0, 5000001, 5000002 };
	char path[PATH_MAX];
	unsigned int i;

	for (i = 0; i < PROCESSES; i++) {
		process[i].pid = pids[i] ? pids[i] : getpid();
		process_stat(i);
		process_set(i, true);
		process_path(path, sizeof(path), process[i].pid, "");
		process[i].fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		promise(process[i].fd >= 0, "the test opens its processes");
		/* As irixperf_proc_open() does, but for other folders of /proc */
		if (i != 1)
			ixp_ident_mark(process[i].fd);
	}
	process[PROCESSES].fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	process[PROCESSES + 1].fd = -1;
}

/* Addresses: the block is at the end of memory that can be written */

static size_t page_size;
static char *memory;		/* one page; the next one is not there */
static char *read_only;		/* the same, and cannot be written */

static char *make_page(int access)
{
	char *page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	promise(page != MAP_FAILED, "the test has memory");
	mprotect(page + page_size, page_size, PROT_NONE);
	mprotect(page, page_size, access);

	return page;
}

static void *bad_address(unsigned int kind, size_t size)
{
	switch (kind) {
	case 0:
		return NULL;
	case 1:
		return (void *)8;
	case 2:
		return memory + page_size;
	case 3:
		return memory + page_size - size / 2;
	case 4:
		return (void *)(UINTPTR_MAX - 15);
	case 5:
		return (void *)(UINTPTR_MAX / 2 - 15);
	default:
		return read_only + page_size - size;
	}
}

/* Where a block of this size is; from time to time a bad place */
static void *take_address(size_t size)
{
	unsigned int kind = take();

	if (kind < 8)
		return bad_address(kind, size);

	return memory + page_size - size - kind % 4;
}

/* Blocks */

static void take_slot(hwperf_profevctrarg_t *arg)
{
	unsigned int how = take(), place = how % HWPERF_EVENTMAX;
	hwperf_ctrl_t *ctrl = &arg->hwp_evctrargs.hwp_evctrl[place];

	if (how & 0x80) {
		ctrl->hwperf_spec = (short)take2();
		return;
	}
	ctrl->hwperf_creg.hwp_mode = take() & 0xf;
	ctrl->hwperf_creg.hwp_ev = (how & 0x40 ? place : place % 16) & 0x7ff;
	if (how & 0x20)
		arg->hwp_ovflw_freq[place] = (int)(int16_t)take2();
}

static void take_block(hwperf_profevctrarg_t *arg)
{
	unsigned int kind = take(), nr = kind % 16, i;

	memset(arg, 0, sizeof(*arg));
	if (kind == 0xff) {
		take_bytes(arg, sizeof(*arg));
		return;
	}
	for (i = 0; i < nr; i++)
		take_slot(arg);
	if (kind & 0x10)
		for (i = 0; i < HWPERF_EVENTMAX; i++)
			arg->hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode =
				HWPERF_CNTEN_U;
	if (kind & 0x20)
		arg->hwp_ovflw_sig = (int)(int8_t)take();
}

/* What the caller hands over: as a copy, for it may not be written there */
static void *take_argument(size_t size)
{
	hwperf_profevctrarg_t arg;
	void *where = take_address(size);
	size_t offset = (uintptr_t)where - (uintptr_t)memory;

	take_block(&arg);
	if (offset + size <= page_size && offset < page_size)
		memcpy(where, &arg, size < sizeof(arg) ? size : sizeof(arg));

	return where;
}

/*
 * System mode: not a holder of its own, but its part of the conversation, which
 * src/share/system.h describes. It answers in the call that waits for it.
 */

static struct {
	int file;		/* with the lock, while it is on */
	struct ixp_system_page *page;
	int generation;		/* the last one of all */
} mode = { .file = -1 };

#define MODE_CPUS	3
#define MODE_SIZE	(sizeof(struct ixp_system_page) +		\
			 MODE_CPUS * sizeof(struct ixp_system_cpu))

/* They stand in for these, whatever their arguments become */
__typeof__(ixp_holder_start) __wrap_ixp_holder_start;
__typeof__(ixp_remote_system) __wrap_ixp_remote_system;

static void mode_end(void)
{
	if (mode.file < 0)
		return;
	munmap(mode.page, MODE_SIZE);
	close(mode.file);
	mode.file = -1;
}

static void mode_fill(const struct ixp_system_request *request)
{
	unsigned int i;

	memset(mode.page, 0, MODE_SIZE);
	mode.page->magic = IXP_SYSTEM_MAGIC;
	if (mode.generation < request->after)
		mode.generation = request->after;
	mode.page->session = ++mode.generation;
	mode.page->generation = mode.generation;
	mode.page->nr_cpus = MODE_CPUS;
	mode.page->ctrl = request->arg.hwp_evctrargs;
	for (i = 0; i < MODE_CPUS; i++)
		mode.page->cpu[i].cpu = (int32_t)i;
}

/* The counters are taken from all: the number in this program's page changes */
static void take_counters(void)
{
	char name[64], link[PATH_MAX];
	struct ixp_user_page *page;
	ssize_t n;
	int fd;

	for (fd = 3; fd < 64; fd++) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		n = readlink(name, link, sizeof(link) - 1);
		link[n < 0 ? 0 : n] = '\0';
		if (!strstr(link, IXP_USER_NAME))
			continue;
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
		promise(page != MAP_FAILED, "the test maps the user's page");
		page->epoch += IXP_EPOCH_SYSTEM;
		munmap(page, sizeof(*page));
	}
}

static bool start_fails;
static int start_error;

int __wrap_ixp_holder_start(const char *kind, const void *data, size_t size,
			    int subject, int *socket)
{
	const struct ixp_system_request *request = data;

	(void)subject;
	(void)socket;
	promise(strcmp(kind, IXP_HOLDER_SYSTEM) == 0 && size == sizeof(*request),
		"a request is for system mode");
	promise(mode.file < 0, "there is one system mode at a time");
	promise(ixp_system_check(&request->arg, true) == 0, "a request is checked");
	if (start_fails)
		return start_error;

	/* The holder is a process of its own, with limits of its own */
	setrlimit(RLIMIT_NOFILE, &usual);
	mode.file = ixp_file_open(IXP_RUN_SYSTEM, O_RDWR | O_CREAT);
	promise(mode.file >= 0 && ftruncate(mode.file, MODE_SIZE) == 0 &&
		ixp_lock_try(mode.file, IXP_SYSTEM_ALIVE) == 0,
		"the test makes the file of system mode");
	mode.page = mmap(NULL, MODE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			 mode.file, 0);
	promise(mode.page != MAP_FAILED, "the test maps it");
	mode_fill(request);
	take_counters();

	return mode.page->generation;
}

/* What the holder answers */
int __wrap_ixp_remote_system(unsigned int request, int session,
			     const hwperf_profevctrarg_t *arg,
			     const struct ixp_system_words *words)
{
	(void)words;
	if (fails(FAULT_COMMAND))
		return -EAGAIN;
	if (mode.file < 0)
		return -ENOENT;
	if (session && session != mode.page->session)
		return -EINVAL;

	switch (request) {
	case PIOCSETEVCTRL:
		promise(ixp_system_check(arg, true) == 0, "a command is checked");
		mode.page->ctrl = arg->hwp_evctrargs;
		mode.page->generation = ++mode.generation;
		return mode.generation;
	case PIOCRELEVCTRS:
		mode_end();
		return 0;
	default:
		promise(request == PIOCGETEVCTRS, "a look asks for counts");
		return 0;
	}
}

/* What a program sees: the same before a call that fails, and after it */

struct seen {
	int counts_ret[PROCESSES];
	int ctrl_ret[PROCESSES];
	hwperf_cntr_t counts[PROCESSES];
	hwperf_eventctrl_t ctrl[PROCESSES];
	int system_ret, system_ctrl_ret;
	bool system_on;
	unsigned int nr_open, nr_enabled;
	int next_descriptor;
};

static struct seen before, after;

static int eventctr(int command, uintptr_t first, uintptr_t second)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, (uintptr_t)command, first,
				    second, 0);
}

static void look(struct seen *seen)
{
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t counts;
	unsigned int i;

	memset(seen, 0, sizeof(*seen));
	for (i = 0; i < PROCESSES; i++) {
		seen->counts_ret[i] = irixperf_proc_ioctl(
			process[i].fd, PIOCGETEVCTRS, &seen->counts[i]);
		seen->ctrl_ret[i] = irixperf_proc_ioctl(
			process[i].fd, PIOCGETEVCTRL, &seen->ctrl[i]);
	}
	seen->system_ret = eventctr(HWPERF_GET_SYSCNTRS, (uintptr_t)&counts, 0);
	seen->system_ctrl_ret = eventctr(HWPERF_GET_SYSEVCTRL,
					 (uintptr_t)&ctrl, 0);
	seen->system_on = mode.file >= 0;
	seen->nr_open = fake_nr_open();
	seen->nr_enabled = fake_nr_enabled();
	seen->next_descriptor = next_descriptor();
}

static void check_failed(int ret)
{
	look(&after);
	promise(ret > -4096, "an error is an errno value");
	promise(memcmp(before.counts_ret, after.counts_ret,
		       sizeof(before.counts_ret)) == 0 &&
		memcmp(before.ctrl_ret, after.ctrl_ret,
		       sizeof(before.ctrl_ret)) == 0,
		"a failed call leaves generation numbers as they are");
	promise(memcmp(before.counts, after.counts, sizeof(before.counts)) == 0,
		"a failed call leaves counts as they are");
	promise(memcmp(before.ctrl, after.ctrl, sizeof(before.ctrl)) == 0,
		"a failed call leaves the control information as it is");
	promise(before.nr_open == after.nr_open,
		"a failed call opens and closes no event");
	promise(before.nr_enabled == after.nr_enabled,
		"a failed call starts and stops no event");
	promise(before.next_descriptor == after.next_descriptor,
		"a failed call leaves no descriptor behind");
	promise(memcmp(&before, &after, sizeof(before)) == 0,
		"a failed call leaves system mode as it is");
}

/* What a call gave of which @generation is the one before it */
static void check_good(int ret, int generation, bool changes)
{
	if (!changes)
		return;
	promise(ret > 0, "generation numbers are positive");
	promise(ret > generation, "a change raises the generation number");
}

/* Requests */

static const struct {
	unsigned int request;
	size_t size;
	bool changes;
} requests[] = {
	{ PIOCENEVCTRS, sizeof(hwperf_profevctrarg_t), true },
	{ PIOCSETEVCTRL, sizeof(hwperf_profevctrarg_t), true },
	{ PIOCGETEVCTRS, sizeof(hwperf_cntr_t), false },
	{ PIOCGETPREVCTRS, sizeof(hwperf_prusage_t), false },
	{ PIOCGETEVCTRL, sizeof(hwperf_eventctrl_t), false },
	{ PIOCRELEVCTRS, 0, false },
	{ PIOCSAVECCNTRS, 0, false },
	{ PIOCPSINFO, sizeof(prpsinfo_t), false },
	{ PIOCUSAGE, sizeof(prusage_t), false },
	{ PIOCGETPTIMER, MAX_PROCTIMER * sizeof(timespec_t), false },
	{ PIOCNMAP, sizeof(int), false },
	{ PIOCMAP, 2 * sizeof(prmap_t), false },
};

/* Numbers beside the requests are no requests */
static void op_other_request(int fd)
{
	unsigned int request = 'q' << 8 | take();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++)
		if (requests[i].request == request)
			return;
	promise(irixperf_proc_ioctl(fd, request, memory) == -ENOTTY,
		"an unknown request is none");
}

static void op_request(unsigned int i)
{
	unsigned int number = take() % (ARRAY_SIZE(requests) + 1);
	int fd = process[i].fd, generation, ret;
	void *arg;

	if (number == ARRAY_SIZE(requests)) {
		op_other_request(fd);
		return;
	}
	arg = take_argument(requests[number].size);
	look(&before);
	generation = i < PROCESSES ? before.counts_ret[i] : 0;
	let_it_fail();
	ret = irixperf_proc_ioctl(fd, requests[number].request, arg);
	all_well();
	if (ret < 0)
		check_failed(ret);
	else
		check_good(ret, generation, requests[number].changes);
	promise(ret < 0 || i < PROCESSES, "what is no process has no requests");
}

static const int commands[] = {
	HWPERF_ENSYSCNTRS, HWPERF_SET_SYSEVCTRL, HWPERF_RELSYSCNTRS,
	HWPERF_GET_SYSCNTRS, HWPERF_GET_CPUCNTRS, HWPERF_GET_SYSEVCTRL,
};

static void op_syssgi(void)
{
	unsigned int number = take() % (ARRAY_SIZE(commands) + 1);
	uintptr_t first = (uintptr_t)take_argument(sizeof(hwperf_cntr_t));
	uintptr_t second = first;
	int command = number < ARRAY_SIZE(commands) ? commands[number] :
						      (int)(int8_t)take();
	int ret;

	if (command == HWPERF_GET_CPUCNTRS)
		first = take() % 5;
	start_fails = take() & 1;
	start_error = errors[take() % ARRAY_SIZE(errors)];
	look(&before);
	let_it_fail();
	ret = eventctr(command, first, second);
	all_well();
	if (ret < 0)
		check_failed(ret);
	else
		check_good(ret, before.system_ret, number < 2);
}

/* A set of the library's own interface */
static void op_set(void)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct irixperf_set *set = NULL;
	struct irixperf_count count;
	char text[512];
	unsigned int i;
	int ret;

	attr.flags = take() & 0x1f;
	for (i = take() % 12; i > 0; i--)
		attr.mode[take() % IRIXPERF_EVENTS] = (unsigned char)take() & 0x1f;
	look(&before);
	let_it_fail();
	ret = irixperf_set_open(&set, &attr);
	all_well();
	promise((ret == 0) == !!set, "a set that is not opened is not given");
	irixperf_set_explain(ret, &attr, text, sizeof(text) - take());
	irixperf_strerror(ret, take(), text, take() + 1);
	for (i = 0; ret == 0 && i < IRIXPERF_EVENTS; i++)
		promise((irixperf_set_read(set, i, &count) == 0) ==
			(attr.mode[i] != 0), "a set has the events asked for");
	irixperf_set_close(set);
	check_failed(-1);
}

/* Something goes wrong in the call that follows */
static void op_fault(void)
{
	planned.kind = take() % FAULT_KINDS;
	planned.after = take() % 40;
	planned.err = errors[take() % ARRAY_SIZE(errors)];
	planned.no_attach = take() & 1;
}

static void operation(void)
{
	unsigned int word = take(), i = (word >> 4) % DESCRIPTORS;

	switch (word % 16) {
	case 8:
		fake.uid = fake.uid ? 0 : 1000;
		break;
	case 9:
		process_set(i, word & 0x80);
		break;
	case 10:
		process_change(i);
		break;
	case 11:
		mode_end();
		break;
	case 12:
		op_set();
		break;
	case 13:
		op_syssgi();
		break;
	case 14:
		op_fault();
		op_syssgi();
		break;
	case 15:
		op_fault();
		op_set();
		break;
	default:
		if (word & 1)
			op_fault();
		op_request(i);
	}
}

/* Machines */

/* Which event stands for which is the input's choice */
static void make_map(void)
{
	static const char *const names[] = {
		"cycles", "instructions", "page-faults", "task-clock", "dummy",
		"fakecpu::MISSES", "cpu/event=0x12,umask=3/", "r0123", "none",
		"context-switches",
	};
	char text[2048] = "[any]\n";
	size_t len = strlen(text);
	unsigned int i, what;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		what = take() % (ARRAY_SIZE(names) + 3);
		if (what < ARRAY_SIZE(names))
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"%u = %s\n", i, names[what]);
	}
	fake_file("/map", text);
}

static void take_machine(void)
{
	static const char *const models[] = {
		R10000_V26, R10000_V34, R12000_V35,
	};
	static unsigned int last = ~0U;
	unsigned int kind = take() % 5;
	char text[128];

	if (kind == 3)
		make_map();
	if (kind == last)
		return;
	last = kind;
	snprintf(text, sizeof(text), "cpu model\t\t: %s\n",
		 kind < ARRAY_SIZE(models) ? models[kind] : "other");
	fake_file("/proc/cpuinfo", text);
	if (kind < ARRAY_SIZE(models))
		fake_file(FORMAT_EXL, "config:8-9\n");
	else
		fake_remove_file(FORMAT_EXL);
	if (kind != 3)
		fake_remove_file("/map");
	fake.machine = kind < ARRAY_SIZE(models) ? "mips64" : "pdp11";
}

/* All others end; the library notices when somebody asks for one of them */
static void end_world(void)
{
	hwperf_profevctrarg_t none;
	char path[PATH_MAX];
	unsigned int i;

	mode_end();
	memset(&none, 0, sizeof(none));
	irixperf_proc_ioctl(process[0].fd, PIOCENEVCTRS, &none);
	irixperf_proc_ioctl(process[0].fd, PIOCRELEVCTRS, NULL);
	snprintf(path, sizeof(path), "%s" IXP_RUN_SYSTEM, ixp_kernel.root);
	unlink(path);
	for (i = 0; i < PROCESSES; i++)
		process_set(i, false);
	promise(irixperf_proc_ioctl(process[1].fd, PIOCGETEVCTRS, memory) ==
		-ESRCH, "a process that is gone has no counters");
	promise(fake_nr_open() == 0, "nothing is held for those that are gone");
	fake.nr = 0;
	for (i = 0; i < PROCESSES; i++) {
		if (process[i].changed)
			process_stat(i);
		process[i].changed = false;
		process_set(i, true);
	}
	fake.uid = 0;
	mode.generation = 0;
}

/* The first counters of a process leave it a page: not with each input anew */
static void warm_up(void)
{
	hwperf_profevctrarg_t none;

	memset(&none, 0, sizeof(none));
	input_left = 0;
	take_machine();
	promise(irixperf_proc_ioctl(process[1].fd, PIOCENEVCTRS, &none) > 0,
		"an R10000 has counters");
	end_world();
}

static void make_world(void)
{
	static bool made;

	if (made)
		return;
	made = true;
	fake_install(R10000_V34);
	fake.pfm = &fake_pfm4;
	setenv("IRIXPERF_EVENTMAP", "/map", 1);
	fake_file(DEVICES "cpu/type", "4\n");
	fake_file(DEVICES "cpu/format/event", "config:0-7,32-35\n");
	fake_file(DEVICES "cpu/format/umask", "config:8-15\n");
	healthy = ixp_kernel;
	ixp_kernel.perf_open = faulty_open;
	ixp_kernel.perf_read = faulty_read;
	ixp_kernel.perf_ioctl = faulty_ioctl;
	ixp_kernel.perf_signal = faulty_signal;
	getrlimit(RLIMIT_NOFILE, &usual);
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	memory = make_page(PROT_READ | PROT_WRITE);
	read_only = make_page(PROT_READ);
	make_processes();
	ixp_file_mkdir(IXP_RUN, 0755);
	warm_up();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int i;
	int fd;

	make_world();
	fd = next_descriptor();
	input = data;
	input_left = size;
	take_machine();
	for (i = 0; i < OPS_MAX && input_left > 0; i++)
		if (fake.nr + OPENS_MAX < FAKE_EVENTS)
			operation();
	end_world();
	promise(next_descriptor() == fd, "no descriptor is left behind");

	return 0;
}
