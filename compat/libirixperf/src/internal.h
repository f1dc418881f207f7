/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libirixperf share. Functions return a negative errno value
 * on failure; only the door turns that into IRIX's -1 and errno. Names start
 * with ixp_, because hidden symbols still meet in a static link.
 */
#ifndef IXP_INTERNAL_H
#define IXP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>

#define IXP_HALF_EVENTS		HWPERF_CNTEVENTMAX
#define IXP_MAX_PAIRS		IRIXPERF_EVENTS

/* No page is smaller */
#define IXP_PAGE		4096

/* Bytes of the kernel's sigset_t, with which the C library's begins */
#ifdef __mips__
#define IXP_MASK		16
#else
#define IXP_MASK		8
#endif

/**
 * struct ixp_pfm - libpfm4, as far as this library needs it
 * @initialize: pfm_initialize(3)
 * @pmu_info: pfm_get_pmu_info(3)
 * @encode: pfm_get_os_event_encoding(3)
 * @strerror: pfm_strerror(3)
 */
struct ixp_pfm {
	int (*initialize)(void);
	int (*pmu_info)(int pmu, void *info);
	int (*encode)(const char *name, int modes, int os, void *arg);
	const char *(*strerror)(int err);
};

/**
 * struct ixp_kernel - the kernel, as far as this library needs it
 * @perf_open: perf_event_open(2) of a thread, or of a CPU with pid -1; or -errno
 * @perf_read: read(2) of an event, or -errno
 * @perf_ioctl: ioctl(2) on an event, or -errno
 * @perf_close: close(2) of an event
 * @perf_signal: let an event send a signal to a process at each overflow;
 *	gives it a new descriptor, whose number is @event modulo 32, or -errno
 * @perf_output: let the samples of an event go to the ring of another one
 * @perf_map: mmap(2) of an event with its ring, or -errno
 * @perf_unmap: munmap(2) of that
 * @euid: geteuid(2)
 * @env: secure_getenv(3)
 * @machine: the hardware's name, as uname(2) has it
 * @pfm: libpfm4, or NULL if it is not installed
 * @remote: a holder can be asked for the counters of other processes
 * @root: stands before each path that is not the caller's
 *
 * Unit tests put a kernel of their own here.
 */
struct ixp_kernel {
	int (*perf_open)(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group);
	ssize_t (*perf_read)(int fd, void *buf, size_t size);
	int (*perf_ioctl)(int fd, unsigned long request);
	void (*perf_close)(int fd);
	int (*perf_signal)(int fd, unsigned int event, int sig, pid_t pid);
	int (*perf_output)(int fd, int ring);
	int (*perf_map)(int fd, size_t size, void **map);
	void (*perf_unmap)(void *map, size_t size);
	uid_t (*euid)(void);
	const char *(*env)(const char *name);
	void (*machine)(char *buf, size_t size);
	const struct ixp_pfm *(*pfm)(void);
	bool remote;
	const char *root;
};

extern struct ixp_kernel ixp_kernel;

struct stat;
struct timespec;

/* kernel.c */
bool ixp_single_threaded(void);

/* kernel.c: files; @path is below ixp_kernel.root. New ones are their owner's */
int ixp_file_path(char *full, size_t size, const char *path);
int ixp_file_open(const char *path, int flags);
int ixp_file_mkdir(const char *path, mode_t mode);
int ixp_file_chmod(const char *path, mode_t mode);
int ixp_file_stat(const char *path, struct stat *st);
ssize_t ixp_file_read(const char *path, char *buf, size_t size);
bool ixp_file_exists(const char *path);

/* pfm.c */
const struct ixp_pfm *ixp_pfm_load(void);

/**
 * struct ixp_text - a text that grows in a buffer
 * @buf: the buffer
 * @size: its size
 * @len: length of the text
 */
struct ixp_text {
	char *buf;
	size_t size;
	size_t len;
};

/* text.c */
void ixp_text_start(struct ixp_text *text, char *buf, size_t size);
__attribute__((format(printf, 2, 3)))
void ixp_text_add(struct ixp_text *text, const char *format, ...);

/* user.c: memory whose address came from the caller */
int ixp_user_read(void *to, const void *from, size_t size);
int ixp_user_write(void *to, const void *from, size_t size);

/* mem.c: memory for what is changed under the lock */
void *ixp_alloc(size_t size);
void *ixp_alloc_begun(size_t size, size_t zero);
void ixp_free(void *memory);

/* mode.c: hwp_mode to and from perf's words; masks have bit n for event n */
uint32_t ixp_mode_events(const struct irixperf_attr *attr, unsigned int *modes);
int ixp_mode_check(unsigned int mode);
void ixp_mode_apply(struct perf_event_attr *attr, unsigned int event,
		    unsigned int mode);

/**
 * struct ixp_plan - which events share the counters at a time
 * @nr_pairs: how many pairs take turns
 * @pair: event numbers, -1 where the other event of the pair is alone
 */
struct ixp_plan {
	unsigned int nr_pairs;
	signed char pair[IXP_MAX_PAIRS][2];
};

/* plan.c; masks have bit n for event n */
unsigned int ixp_event_take(uint32_t *events);
void ixp_plan_make(struct ixp_plan *plan, uint32_t events, bool any_counter);
void ixp_plan_mapped(struct ixp_plan *plan, uint32_t events, uint32_t software);

/* spec.c: the argument of PIOCENEVCTRS and PIOCSETEVCTRL */
unsigned int ixp_spec_bits(const hwperf_profevctrarg_t *arg);
int ixp_spec_decode(struct irixperf_attr *attr,
		    const hwperf_profevctrarg_t *arg);

/**
 * struct ixp_retired - part of what is freed when nobody reads it any more
 * @next: the next one
 * @seen: which counters of readers have been at zero since
 * @free: how to free it
 */
struct ixp_retired {
	struct ixp_retired *next;
	unsigned int seen;
	void (*free)(struct ixp_retired *item);
};

/* grace.c */
void ixp_retire(struct ixp_retired *item, void (*free)(struct ixp_retired *));
void ixp_retired_free(void);
void ixp_read_fork_child(void);

/**
 * struct irixperf_set - open events
 * @retired: for ixp_retire()
 * @next: the same of another thread of the process, or NULL
 * @machine: whose events they are
 * @pid: a thread, 0 for the one that opened it, or -1 for all on a CPU
 * @cpu: that CPU, or -1 for all
 * @pin: nobody else gets the counters
 * @alone: when they were opened, there was nothing that could have inherited
 * @overflow: their thresholds, as long as they are being opened
 * @ring: where the samples of a profile come in, or NULL
 * @nr: how many. What follows begins with as many each
 * @fd: their descriptors
 * @event: their numbers; a number may come more than once
 * @group: how many events the first of a group has in it, for which it speaks
 *	and which it comes before; 0 for the others
 */
struct irixperf_set {
	struct ixp_retired retired;
	struct irixperf_set *next;
	const struct ixp_machine *machine;
	pid_t pid;
	int cpu;
	bool pin;
	bool alone;
	const struct ixp_overflow *overflow;
	struct ixp_ring *ring;
	unsigned int nr;
	int fd[2 * IXP_MAX_PAIRS];
	unsigned char event[2 * IXP_MAX_PAIRS];
	unsigned char group[2 * IXP_MAX_PAIRS];
};

/* set.c: a thread's counters; attr.pid is not 0 */
int ixp_set_open_thread(struct irixperf_set **set,
			const struct irixperf_attr *attr, bool alone);

/* set.c: the counters of a CPU, whoever runs on it; attr.pid is not looked at */
int ixp_set_open_cpu(struct irixperf_set **set,
		     const struct irixperf_attr *attr, int cpu, bool pin);

/**
 * struct ixp_group - what read(2) of the first of a pair gives
 * @nr: how many events there are
 * @enabled: nanoseconds
 * @running: nanoseconds
 * @value: the counts
 */
struct ixp_group {
	uint64_t nr;
	uint64_t enabled;
	uint64_t running;
	uint64_t value[2];
};

/* set.c: the values of all events, added to where they belong */
int ixp_set_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		hwperf_cntr_t *to);
int ixp_set_take(struct irixperf_set *set, int fd, unsigned int event,
		 bool leader);
int ixp_set_add(const struct irixperf_set *set, hwperf_cntr_t *sum);
int ixp_set_add_counts(const struct irixperf_set *set,
		       struct irixperf_count sum[IRIXPERF_EVENTS]);
void ixp_counts_add(hwperf_cntr_t *sum, const hwperf_cntr_t *part);

/* set.c: close it when nobody reads it any more; the lock is held */
void ixp_set_retire(struct irixperf_set *set);

struct ixp_target;
struct ixp_view;

/* thread.c: whether a thread runs; @task is /proc/PID/task */
char ixp_thread_state(int task, pid_t tid);
int ixp_thread_clock_open(pid_t tid);
int ixp_thread_clock(int fd, uint64_t *ns);

/* threads.c: what set.c has for one thread */
int ixp_threads_open(struct irixperf_set **set, struct irixperf_attr *attr,
		     const struct ixp_target *t,
		     const hwperf_profevctrarg_t *arg);
int ixp_threads_enable(const struct irixperf_set *set);
int ixp_threads_disable(const struct irixperf_set *set);
int ixp_threads_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		    hwperf_cntr_t *to);
int ixp_threads_add(const struct irixperf_set *set, hwperf_cntr_t *sum);
unsigned int ixp_threads_count(const struct irixperf_set *set);

/**
 * struct ixp_ident - which process a descriptor stands for
 * @dev: file system of the folder /proc/<pid>
 * @ino: number of the folder; another one if the pid is used again
 */
struct ixp_ident {
	dev_t dev;
	ino_t ino;
};

/* descriptor.c: those of other processes */
int ixp_descriptor_process(pid_t pid);
int ixp_descriptor_take(int process, int number);
bool ixp_descriptor_is_event(int fd);

/* ident.c */
int ixp_ident_of_fd(struct ixp_ident *id, int fd);
bool ixp_ident_alive(int fd);
void ixp_ident_mark(int fd);
ino_t ixp_ident_marked(int fd);
pid_t ixp_ident_pid(int fd);

/**
 * struct ixp_target - the counters of one process
 * @next: the next target
 * @id: the process
 * @fd: its folder, held open because the kernel may number it anew otherwise
 * @pid: its number
 * @self: it is this process, and its counters are in its own hands
 * @remote: socket to the holder that has its counters, or -1; see remote.h
 * @view: it has its counters itself, and this is what is seen of them; see own.h
 * @own: of this process: acquired by it, and not as the child of another one
 * @shown: others see it as it is
 * @generation: positive, and higher after each PIOCSETEVCTRL
 * @set: the events now counting; NULL when released, and when none is wanted
 * @offer: the number under which the parent has @set; see child.c
 * @released: PIOCRELEVCTRS was the last word
 * @system: the system mode that it has begun; 0 in user mode
 * @epoch: ixp_arbiter_epoch() when it got the counters
 * @arg: what the program asked for, in one half of @args
 * @args: the other half has what it asks for now
 * @kept: @last or @added may have counts; else both are zero
 * @last: the counts at the release
 * @global: @last are those of the system, and nobody's parent gets them
 * @added: the counts of children
 * @profile: the buckets of HWPERF_PROFENABLE, or NULL
 */
struct ixp_target {
	struct ixp_target *next;
	struct ixp_ident id;
	int fd;
	pid_t pid;
	bool self;
	int remote;
	struct ixp_view *view;
	bool own;
	bool shown;
	int generation;
	bool released;
	int system;
	unsigned int epoch;
	struct irixperf_set *set;
	unsigned int offer;
	const hwperf_profevctrarg_t *arg;
	hwperf_profevctrarg_t args[2];
	bool kept;
	hwperf_cntr_t last;
	bool global;
	hwperf_cntr_t added;
	struct ixp_profile *profile;
};

/* target.c: callers hold the lock */
void ixp_target_lock(void);
void ixp_target_unlock(void);
bool ixp_target_lock_soon(const struct timespec *moment);
bool ixp_target_forking(void);
struct ixp_target *ixp_target_find(const struct ixp_ident *id);
struct ixp_target *ixp_target_find_marked(int fd);
struct ixp_target *ixp_target_self(void);
int ixp_target_identify(struct ixp_target *target);
int ixp_target_new(struct ixp_target **target, const struct ixp_ident *id,
		   int fd);
void ixp_target_add(struct ixp_target *target);
void ixp_target_free(struct ixp_target *target);
void ixp_target_drop(struct ixp_target *target);
void ixp_target_sweep(void);

/* target.c: this process; 0 if it has not been asked, or may be another one now */
extern pid_t ixp_caller;

/**
 * ixp_target_caller() - getpid(2) of the one who holds the lock
 *
 * The kernel is asked once in each process: taking the lock finds out if this is
 * a new one.
 *
 * Return: the number.
 */
static inline pid_t ixp_target_caller(void)
{
	if (!ixp_caller)
		ixp_caller = getpid();

	return ixp_caller;
}

/* snapshot.c */
void ixp_snapshots_drop(void);
void ixp_snapshot_publish(const struct ixp_target *t);
int ixp_snapshot_get(int fd, hwperf_cntr_t *to);

/* reaped.c */
bool ixp_reaped_put(pid_t pid);
pid_t ixp_reaped_get(void);
bool ixp_reaped_any(void);
void ixp_reaped_fork_child(void);

/* proc_children.c: in a child, the counters of its parent become its own */
int ixp_proc_inherit(struct ixp_target *target);

/* proc_children.c: add the counts of all in reaped.c; callers hold the lock */
void ixp_proc_reaped(void);

/* proc_counters.c: let others see what has changed; callers hold the lock */
void ixp_proc_show(void);

/* proc.c: the same in the child of a fork, which others may have asked for */
void ixp_proc_give_way(void);

/* proc_exec.c: in a holder, go on with what the process has counted itself */
int ixp_proc_keep(int fd);

/* child.c */
unsigned int ixp_child_offer(const struct irixperf_set *set);
void ixp_child_commit(unsigned int offer, const hwperf_cntr_t *counts);
bool ixp_child_has_parent(void);
bool ixp_child_any_saved(void);
int ixp_child_take(pid_t pid, hwperf_cntr_t *sum);
int ixp_child_sweep(hwperf_cntr_t *sum);
bool ixp_child_exists(pid_t pid);
int ixp_child_save(pid_t pid);
int ixp_child_adopt(pid_t pid, struct irixperf_set *events);
void ixp_child_fork_prepare(void);
bool ixp_child_fork_parent(void);
void ixp_child_fork_child(void);
void ixp_child_forget_all(void);

/* spawn.c */
bool ixp_spawn_inside(void);

/* path.c */
int ixp_proc_path(const char *path, char *buf, size_t size);

#endif
