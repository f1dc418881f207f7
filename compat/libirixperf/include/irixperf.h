/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libirixperf: the R10000's event counters for programs that do not use the
 * interface of IRIX. perfex(1) uses this one; IRIX programs use <sys/procfs.h>.
 *
 * An event is a number from 0 to 31, as listed in r10k_evcntrs(5). A mode is
 * the bitwise or of HWPERF_CNTEN_U, _S, _K and _E from <sys/hwperfmacros.h>. A
 * function that fails returns a negative errno value and has changed nothing.
 *
 * Every function may be called from any thread, but two threads must not use
 * the same object, such as a set, at the same time. The library defers
 * cancellation (pthread_cancel(3)) of a thread while other threads would have to
 * wait for it. A signal handler may call only those functions whose "Context:"
 * says so.
 *
 * Any thread may call fork(2). The child may call these functions wherever it
 * may call malloc(3). POSIX allows neither in the child of a process with
 * several threads, but glibc, and musl since 1.2.2, allow malloc(3). Children
 * that are made in other ways, such as by clone(2), must not call the library
 * before execve(2): its state is not made ready for them.
 */
#ifndef IRIXPERF_H
#define IRIXPERF_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library exports only what is declared here */
#pragma GCC visibility push(default)

#define IRIXPERF_EVENTS		32
#define IRIXPERF_LABELS		8
#define IRIXPERF_CODES		4

/**
 * enum irixperf_chip - CPU types that differ in the meaning of their events
 * @IRIXPERF_CHIP_NONE: no CPU that has these counters
 * @IRIXPERF_R10000_V2: R10000 revision 2.x
 * @IRIXPERF_R10000_V3: R10000 revision 3.x
 * @IRIXPERF_R12000: R12000, R14000 and R16000
 * @IRIXPERF_MAPPED: any other CPU; an event map (irixperf-eventmap(5)) gives its
 *	events the numbers of IRIXPERF_R10000_V3
 */
enum irixperf_chip {
	IRIXPERF_CHIP_NONE = 0,
	IRIXPERF_R10000_V2 = 1,
	IRIXPERF_R10000_V3 = 2,
	IRIXPERF_R12000 = 4,
	IRIXPERF_MAPPED = 8
};

/**
 * struct irixperf_cpu - the CPU whose events are counted
 * @chip: its type
 * @major: the revision's first number
 * @minor: the revision's second number
 * @model: its name, such as "R10000"; on a CPU with an event map the machine's
 *	name, such as "x86_64"; such a CPU has no revision
 */
struct irixperf_cpu {
	enum irixperf_chip chip;
	unsigned int major;
	unsigned int minor;
	char model[16];
};

/**
 * struct irixperf_event - what an event counts on one chip
 * @num: 0 to 31
 * @name: short name, the same as in sysfs
 * @label: the text of perfex reports
 * @desc: description in one line
 * @twin: the event with the same meaning on the R10000's other counter, or @num
 *
 * The library owns the strings; they stay valid.
 */
struct irixperf_event {
	unsigned int num;
	const char *name;
	const char *label;
	const char *desc;
	unsigned int twin;
};

/* Flags of struct irixperf_attr */
#define IRIXPERF_INHERIT	0x1	/* count all descendants as well */
#define IRIXPERF_INHERIT_THREAD	0x2	/* count threads started later */
#define IRIXPERF_DISABLED	0x4	/* do not count before irixperf_set_enable() */
#define IRIXPERF_ENABLE_ON_EXEC	0x8	/* do not count before the target's execve(2) */
#define IRIXPERF_APART		0x10	/* an event does not need the counters of others */

/**
 * struct irixperf_attr - what to count, and in which thread
 * @size: sizeof(struct irixperf_attr); it allows the structure to grow
 * @flags: IRIXPERF_* flags
 * @pid: the thread to count, or 0 for the calling thread
 * @mode: for each event the modes in which it counts; 0: it is not counted
 */
struct irixperf_attr {
	size_t size;
	unsigned int flags;
	pid_t pid;
	unsigned char mode[IRIXPERF_EVENTS];
};

/**
 * struct irixperf_count - one reading of one event
 * @value: occurrences counted, unscaled
 * @enabled: nanoseconds in which the target ran with the event enabled
 * @running: the part of @enabled in which the event had a counter
 *
 * @running is less than @enabled if events took turns on a counter. Neither
 * includes the time that the target slept.
 */
struct irixperf_count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

struct irixperf_set;

/**
 * irixperf_cpu_detect() - tell which CPU this is
 * @cpu: where to put the answer
 *
 * The first call that succeeds looks at the machine, and later ones return the
 * same answer. If the CPU has R10000 counters, event maps are ignored.
 *
 * Context: Signal handlers may call it, and the functions that say "after
 * irixperf_cpu_detect()", once it has succeeded.
 *
 * Return: 0, or -ENODEV if the kernel offers no R10000 counters and no event
 * map has an event that can be counted.
 */
int irixperf_cpu_detect(struct irixperf_cpu *cpu);

/**
 * irixperf_cpu_types() - tell the types of this machine's CPUs
 *
 * If there is more than one type, the same number may stand for different events.
 *
 * Context: Not for signal handlers.
 *
 * Return: the bits of enum irixperf_chip of all types; 0 if irixperf_cpu_detect()
 * fails.
 */
unsigned int irixperf_cpu_types(void);

/**
 * irixperf_map_file() - name the event map in use
 *
 * Context: Signal handlers may call it after irixperf_cpu_detect().
 *
 * Return: its path, or NULL if no map is needed or none was found. The library
 * owns the string; it stays valid.
 */
const char *irixperf_map_file(void);

/**
 * irixperf_event_get() - look up an event by its number
 * @chip: the CPU type
 * @num: the number
 *
 * Context: Safe in signal handlers.
 *
 * Return: the event, or NULL if @num is above 31 or @chip is none.
 */
const struct irixperf_event *irixperf_event_get(enum irixperf_chip chip,
						unsigned int num);

/**
 * irixperf_event_find() - look up an event by what a user typed
 * @chip: the CPU type
 * @text: a decimal number, or a name; upper and lower case are the same, and so
 *	are "-" and "_"
 *
 * Context: Safe in signal handlers.
 *
 * Return: the event, or NULL if there is none.
 */
const struct irixperf_event *irixperf_event_find(enum irixperf_chip chip,
						 const char *text);

/**
 * irixperf_event_counterpart() - name the event of this CPU that is counted
 * @chip: the CPU type
 * @num: the event's number
 *
 * Context: Signal handlers may call it after irixperf_cpu_detect().
 *
 * Return: on an R10000 or its successors the event's own name; with an event map
 * the name of the CPU's event that stands for it; NULL if this machine cannot
 * count it, if there is no such event, or if @chip is none. The library owns the
 * string; it stays valid.
 */
const char *irixperf_event_counterpart(enum irixperf_chip chip,
				       unsigned int num);

/**
 * irixperf_event_note() - say why nothing should be computed from an event's counts
 * @chip: the CPU type
 * @num: the event's number
 *
 * There are counts that are true, and still no base for other numbers: an emulated
 * CPU counts cycles, but only one with a model of time counts as many as a real CPU;
 * and an event map may let an event that the kernel counts in software stand for one
 * of the hardware. A program should print this text with such counts, and compute no
 * rates or times from them.
 *
 * Context: Signal handlers may call it after irixperf_cpu_detect().
 *
 * Return: NULL if there is no reason; else a text of one line, the same for all
 * events of a machine that have one. The library owns the string; it stays valid.
 */
const char *irixperf_event_note(enum irixperf_chip chip, unsigned int num);

/**
 * irixperf_time_note() - say why nothing should be computed from seconds
 *
 * On an emulated CPU without a model of time, seconds are the emulator's, as cycles
 * are: a rate of any event means nothing.
 *
 * Context: Signal handlers may call it after irixperf_cpu_detect().
 *
 * Return: NULL if there is no reason; else the text that irixperf_event_note() has for
 * cycles. The library owns the string; it stays valid.
 */
const char *irixperf_time_note(void);

/**
 * irixperf_event_conflict() - tell whether two events need the same counter
 * @chip: the CPU type
 * @a: an event number
 * @b: another event number
 *
 * On the R10000 events 0 to 15 run on counter 0 and 16 to 31 on counter 1. The
 * R12000 and later count any event on either counter, and a CPU with an event
 * map has more than two counters: different events never conflict there. On
 * every CPU an event conflicts with itself, because one request for it is
 * enough.
 *
 * Context: Safe in signal handlers.
 *
 * Return: nonzero if they cannot be counted at the same time.
 */
int irixperf_event_conflict(enum irixperf_chip chip, unsigned int a,
			    unsigned int b);

/**
 * irixperf_set_open() - start to count a set of events
 * @set: where to put the set, which irixperf_set_close() frees
 * @attr: what to count
 *
 * If there is at most one event per counter, all are counted all the time. In
 * larger sets events take turns: the kernel counts a pair at a time, one event
 * on each counter, and changes pairs at clock ticks, as IRIX did. Counting
 * starts at once unless a flag of @attr says otherwise. execve(2) closes the
 * descriptors of the set. Inheritance works as perf_event_open(2) describes it.
 *
 * With an event map, the CPU's event that stands for an event is counted.
 * Exception level is part of kernel mode there: HWPERF_CNTEN_E must come with
 * HWPERF_CNTEN_K, which alone means the same. HWPERF_CNTEN_S counts nothing.
 *
 * Context: Signal handlers may call it after irixperf_cpu_detect(). A child of
 * fork(2) can read the set and close its copy, but the counts are the parent's.
 *
 * Return: 0, or
 * -EINVAL: @attr is malformed, has no event, or has an event or a mode that the
 * event map does not offer;
 * -ENODEV: the kernel offers no R10000 counters, and there is no event map;
 * -EPERM: the mode or the target needs privilege that the caller lacks;
 * -ESRCH: no such thread;
 * -EBUSY: another process has reserved the counters;
 * -EAGAIN: the target starts threads too fast to open events for all of them;
 * -EMFILE, -ENFILE, -ENOMEM: out of resources.
 */
int irixperf_set_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr);

/**
 * irixperf_set_explain() - say why a set could not be opened
 * @err: the error that irixperf_set_open() or irixperf_cpu_detect() returned
 * @attr: the @attr of the failed call, or NULL
 * @buf: where to put the text; every line but the last ends in a newline
 * @size: size of @buf in bytes; 4096 are enough for every text
 *
 * The text says more than that of irixperf_strerror(): with an event map it
 * names the missing events and those that the map has, or tells what is wrong
 * with the map.
 *
 * Return: @buf.
 */
char *irixperf_set_explain(int err, const struct irixperf_attr *attr, char *buf,
			   size_t size);

/**
 * irixperf_set_enable() - let the events of a set count
 * @set: the set
 *
 * Context: Safe in signal handlers.
 *
 * Return: 0 or a negative errno value of ioctl(2).
 */
int irixperf_set_enable(const struct irixperf_set *set);

/**
 * irixperf_set_disable() - stop the events of a set
 * @set: the set
 *
 * The counts stay readable. If the set is enabled again, they continue from
 * their values.
 *
 * Context: Safe in signal handlers.
 *
 * Return: 0 or a negative errno value of ioctl(2).
 */
int irixperf_set_disable(const struct irixperf_set *set);

/**
 * irixperf_set_read() - read one event
 * @set: the set
 * @event: the event's number
 * @count: where to put the reading
 *
 * The set can be read until irixperf_set_close(), also after the target's exit.
 *
 * Context: Safe in signal handlers.
 *
 * Return: 0, -ENOENT if the event is not in the set, -EIO if the kernel has
 * stopped counting it, or another negative errno value of read(2).
 */
int irixperf_set_read(const struct irixperf_set *set, unsigned int event,
		      struct irixperf_count *count);

/**
 * irixperf_set_close() - stop counting and free the set
 * @set: the set, or NULL
 */
void irixperf_set_close(struct irixperf_set *set);

/**
 * irixperf_count_scale() - project a count to the time the event was enabled
 * @count: the reading
 *
 * Context: Safe in signal handlers.
 *
 * Return: value x enabled / running, rounded to the nearest number and at most
 * UINT64_MAX; the value itself if the event always had a counter; 0 if it never
 * had one, which callers should report as "not counted".
 */
uint64_t irixperf_count_scale(const struct irixperf_count *count);

/**
 * irixperf_proc_open() - open a process as IRIX does
 * @path: "/proc/00123" or "/proc/pinfo/00123", with any number of leading zeros;
 *	as in all paths, several slashes mean one
 * @flags: flags of open(2); O_CLOEXEC is obeyed, the access mode is ignored
 *
 * The descriptor is an ordinary one of the directory /proc/<pid>, and the
 * library keeps no record of it. Copies made by dup(2), fcntl(2) or fork(2), or
 * sent to another process through a socket, work as well.
 *
 * Context: Safe in signal handlers.
 *
 * Return: a descriptor, to be closed by close(2); -ENOTTY if @path is not of this
 * form; -ENOENT if there is no such process, or another error of open(2).
 */
int irixperf_proc_open(const char *path, int flags);

/**
 * irixperf_proc_openat() - open a process by a path relative to a directory
 * @dir: descriptor of the directory, or AT_FDCWD
 * @path: as for irixperf_proc_open(); or, if @dir is /proc, only the part after
 *	"/proc/"
 * @flags: flags of openat(2)
 *
 * Return: as irixperf_proc_open(); also -ENOTTY if @path is relative and the
 * directory is not /proc.
 */
int irixperf_proc_openat(int dir, const char *path, int flags);

/**
 * irixperf_proc_ioctl() - carry out one event counter request of IRIX's /proc
 * @fd: a descriptor from irixperf_proc_open(), or any other of the directory
 *	/proc/<pid>
 * @request: one of the PIOC requests of <sys/procfs.h>
 * @arg: the request's argument
 *
 * The requests do what r10k_evcntrs(5) describes. Counts are raw, as IRIX
 * returned them, and are sums over all threads of the process.
 *
 * Counters that a process has acquired for itself last until its exit or
 * execve(2). Counters that it has acquired for a target last until the target is
 * gone, even if the caller exits first; other processes and the target itself
 * can read, change and release them. They are kept by irixperf-holder(8), a
 * process that PIOCENEVCTRS starts. If it is not installed, the counters end
 * with the caller.
 *
 * A child of fork(2) counts the same events from zero. Its counts are added to
 * its parent's when the parent waits for it; after PIOCSAVECCNTRS, when it has
 * exited.
 *
 * Context: A signal handler may use PIOCGETEVCTRS at any time. It may use
 * PIOCGETEVCTRL, PIOCRELEVCTRS and PIOCSAVECCNTRS unless another thread may be
 * in fork(2), which waits for malloc(3) while it holds the lock that these
 * requests need. The same holds for PIOCGETEVCTRS in system mode, and with a
 * descriptor that was opened with O_DIRECTORY. Other requests are not for signal
 * handlers.
 *
 * Return: a positive generation number, or 0 for PIOCRELEVCTRS; or
 * -ENOTTY: @fd is not a process, or @request is unknown;
 * -ESRCH: the process is gone;
 * -EFAULT: @arg is not a valid address;
 * -EINVAL: an invalid event, mode, threshold or signal, or the counters have
 * not been acquired;
 * -ENOTSUP: an overflow threshold in system mode, or on a machine whose counters
 * do not interrupt;
 * or an error of irixperf_set_open().
 *
 * PIOCPSINFO, PIOCUSAGE, PIOCGETPTIMER, PIOCNMAP and PIOCMAP, which do not
 * concern counters, do what IRIX's proc(4) describes. They return 0, or -EACCES
 * if Linux does not let the caller see the process.
 */
int irixperf_proc_ioctl(int fd, unsigned int request, void *arg);

/**
 * irixperf_overflow_event() - tell which event's overflow has sent a signal
 * @fd: si_fd of the handler's siginfo_t
 *
 * The si_code of an overflow's siginfo_t is POLL_IN, or SI_SIGIO if the signal
 * has codes of its own. The handler has to check that the signal comes from an
 * overflow. This function works in every process, even if another process has
 * acquired its counters.
 *
 * Context: Safe in signal handlers.
 *
 * Return: the event's number, or -EINVAL if @fd is negative.
 */
int irixperf_overflow_event(int fd);

/**
 * struct irixperf_profile_stat - what became of the overflows of a profile
 * @size: sizeof(struct irixperf_profile_stat); it allows the structure to grow
 * @samples: overflows that were counted in a bucket
 * @full: overflows whose bucket had reached its highest value
 * @outside: overflows at an address outside all regions
 * @lost: overflows that the kernel had no room to record, because SIGURG was
 *	blocked for too long; it reports them with the next one that it records
 * @throttled: how often the kernel has stopped the counters until the next
 *	tick, because overflows came too fast
 */
struct irixperf_profile_stat {
	size_t size;
	uint64_t samples;
	uint64_t full;
	uint64_t outside;
	uint64_t lost;
	uint64_t throttled;
};

/**
 * irixperf_profile_stat() - tell how good this process' profile is
 * @stat: where to put it; the caller sets @size
 *
 * The call also brings the buckets up to date, even if SIGURG is blocked. After
 * PIOCRELEVCTRS it tells about the profile that has ended.
 *
 * Return: 0; -EINVAL if there has been no HWPERF_PROFENABLE, or @size is wrong.
 */
int irixperf_profile_stat(struct irixperf_profile_stat *stat);

/**
 * irixperf_child_reaped() - add the counts of a child to those of this process
 * @pid: a child of fork(2) that wait(2) or a similar function has just returned
 *
 * As on IRIX, a parent that waits for a child gets its counts. In a program that
 * is linked with the flags of irixperf.pc, wait(2) calls this function. Other
 * programs, and calls of wait(2) that the linker does not see, have to call it.
 * It does nothing for other processes, or if this process has no counters. If
 * counts are missing, because descriptors ran out, this process' generation
 * number grows.
 *
 * Context: Safe in signal handlers, as wait(2) is.
 */
void irixperf_child_reaped(pid_t pid);

/**
 * irixperf_spawn() - start a program, and count it as a forked child
 * @pid: where to put its PID, or NULL
 * @start: starts the program as posix_spawn(3) does, stores its PID in *@pid and
 *	returns 0 or a negative errno value
 * @arg: passed on to @start
 *
 * A child that is not made by fork(2) cannot open events for itself. If this
 * process counts, the library calls @start in a new thread with all signals
 * blocked. The program then counts from its first instruction; so do all of its
 * own children, regardless of who waits for them. @start must make exactly one
 * child, which executes another program, and must not call this library. In
 * programs that are linked with the flags of irixperf.pc, posix_spawn() calls
 * this function.
 *
 * If events cannot be opened, the program is started anyway, and this process'
 * generation number grows.
 *
 * Return: what @start returned.
 */
int irixperf_spawn(pid_t *pid, int (*start)(pid_t *pid, void *arg), void *arg);

/**
 * irixperf_exec_begin() - prepare this process' counters for execve(2)
 *
 * The next program may not have this library. So from now on the kernel counts
 * all children, regardless of who waits for them, and irixperf-holder(8) keeps
 * the counters that this process has acquired for itself. If it has no counters,
 * nothing happens. In programs that are linked with the flags of irixperf.pc,
 * execve(2) calls this function.
 *
 * Context: Children of fork(2) may call it; those of vfork(2) must not.
 */
void irixperf_exec_begin(void);

/**
 * irixperf_exec_failed() - go on counting in this program after execve(2) has failed
 */
void irixperf_exec_failed(void);

/**
 * irixperf_children_sync() - add the counts of saved children that have exited
 *
 * Reading the counters of this process adds these counts, too. The counts that
 * this process passes on to its own parent are complete only if this function
 * is called before it ends. exit(3) calls it; so does _exit(2) in programs that
 * are linked with the flags of irixperf.pc.
 *
 * Context: Signal handlers may call it, and so may call that _exit(2), unless
 * another thread may be in fork(2).
 */
void irixperf_children_sync(void);

/**
 * irixperf_children_save() - add the counts of all children when they exit
 *
 * From now on this process gets the counts of each child when the child has exited,
 * even if it never waits for it, as if it had called PIOCSAVECCNTRS for each. Its
 * children do the same with their own.
 *
 * Return: 0 or a negative errno value.
 */
int irixperf_children_save(void);

/**
 * irixperf_process_count() - choose the events that this process counts
 * @mode: for each event the modes in which it counts from now on; 0: it is not counted
 *
 * As PIOCENEVCTRS, but counts do not start from zero: an event that is in the old and
 * in the new choice is counted on, and the others keep what they have counted.
 * While the events change, other threads count nothing for some microseconds; if others
 * have the counters, for 0.2 s of the caller's processor time, and then 0.3 s, at most.
 *
 * Return: a generation number, one higher than before if no counts are missing; or
 * -EBUSY if another process has acquired the counters, system mode is on, there is a
 * claim, or another user of perf has the counters for itself;
 * -EINVAL if there is no such mode, or the event map lacks an event;
 * or an error of irixperf_set_open().
 */
int irixperf_process_count(const unsigned char mode[IRIXPERF_EVENTS]);

/**
 * struct irixperf_process - counts of this process and of its children, apart
 * @size: sizeof(struct irixperf_process); it allows the structure to grow
 * @own: for each event the sum over all threads of this process
 * @children: for each event the sum over the children whose counts have been added
 * @mode: for each event the modes in which it counts now; 0: it does not
 *
 * PIOCGETEVCTRS gives the sum of both counts.
 */
struct irixperf_process {
	size_t size;
	uint64_t own[IRIXPERF_EVENTS];
	uint64_t children[IRIXPERF_EVENTS];
	unsigned char mode[IRIXPERF_EVENTS];
};

/**
 * irixperf_process_read() - read the counters that this process has acquired for itself
 * @process: where to put them; the caller sets @size
 *
 * Both are of the same moment: no child's counts are missing in one and present in
 * the other.
 *
 * If the generation number has grown though the program has asked for no change, counts
 * are missing; if @mode is 0 for an event that it has chosen, this has been stopped.
 *
 * Return: the generation number; -EINVAL if @size is wrong, or this process has not
 * called irixperf_process_count() or irixperf_children_save(), nor acquired counters;
 * -EBUSY if another process has them, or this process has started system mode; or an
 * error of read(2).
 */
int irixperf_process_read(struct irixperf_process *process);

/**
 * irixperf_copy_from(), irixperf_copy_to() - copy as a system call copies arguments
 * @to: where to
 * @from: where from
 * @size: bytes
 *
 * @from of the first and @to of the second may be an invalid address.
 *
 * Context: Safe in signal handlers.
 *
 * Return: 0, or -EFAULT; then a part may have been written.
 */
int irixperf_copy_from(void *to, const void *from, size_t size);
int irixperf_copy_to(void *to, const void *from, size_t size);

/**
 * irixperf_syssgi() - carry out a request of IRIX's syssgi(2)
 * @request: one of the requests of <sys/syssgi.h>
 * @arg1: first argument of the request
 * @arg2: second
 * @arg3: third
 * @arg4: fourth
 *
 * The requests do what syssgi(2) and r10k_evcntrs(5) describe. IRIX programs
 * call this function by the name syssgi().
 *
 * Return: the result of the request, or
 * -EINVAL: unknown request;
 * -ENODEV: SGI_QUERY_CYCLECNTR, because there is no counter that could be mapped;
 * or an error of SGI_EVENTCTR.
 */
long irixperf_syssgi(int request, uintptr_t arg1, uintptr_t arg2,
		     uintptr_t arg3, uintptr_t arg4);

/**
 * struct irixperf_system - the counters of all CPUs in system mode
 * @size: sizeof(struct irixperf_system); it allows the structure to grow
 * @on: system mode is on; if not, the other members are as it left them
 * @generation: generation number
 * @mode: for each event the modes in which it counts; 0: it is not counted, or stands
 *	for a code of irixperf_system_set()
 * @label: the labels that irixperf_system_set() got
 * @count: for each event the count and the times, of one CPU or the sums over all; those
 *	of the first IRIXPERF_CODES events belong to codes, if there are any
 */
struct irixperf_system {
	size_t size;
	int on;
	int generation;
	unsigned char mode[IRIXPERF_EVENTS];
	uint32_t label[IRIXPERF_LABELS];
	struct irixperf_count count[IRIXPERF_EVENTS];
};

/**
 * irixperf_system_read() - read the counters of all CPUs, with their times
 * @system: where to put them; the caller sets @size
 *
 * The counts are current, as those of HWPERF_GET_SYSCNTRS. In addition, the
 * times tell how long each event had a counter: with IRIX, the caller had to
 * know how many events shared a counter. Every user may call it.
 *
 * Return: 0; -EINVAL if there has been no system mode, or @size is wrong; -EBUSY if a
 * program has the counters for itself (irixperf_claim()); or another error of
 * HWPERF_GET_SYSCNTRS. If the counts are lost, such as with -EIO, all members but @count
 * are valid.
 */
int irixperf_system_read(struct irixperf_system *system);

/**
 * irixperf_system_read_cpu() - read the counters of one CPU, with their times
 * @system: where to put them; the caller sets @size
 * @cpu: the CPU's number
 *
 * Return: as irixperf_system_read(); also -ENOENT if there is no such CPU, or it is
 * offline.
 */
int irixperf_system_read_cpu(struct irixperf_system *system, int cpu);

/**
 * struct irixperf_code - what an event of system mode or of a claim stands for
 * @kind: IRIXPERF_CODE_NONE: for itself; IRIXPERF_CODE_EVENT: for another event, so that
 *	one event can be counted in several modes at once, but not on an R10000, which has
 *	one counter for each event; IRIXPERF_CODE_RAW: for a code of a CPU without R10000
 *	counters, as PERF_TYPE_RAW of perf_event_open(2) takes it
 * @code: that event, or that code
 */
struct irixperf_code {
	uint32_t kind;
	uint32_t code;
};

enum {
	IRIXPERF_CODE_NONE,
	IRIXPERF_CODE_EVENT,
	IRIXPERF_CODE_RAW
};

/**
 * struct irixperf_system_attr - what all CPUs are to count
 * @size: sizeof(struct irixperf_system_attr); it allows the structure to grow
 * @generation: the generation number that irixperf_system_read() has given last, so that
 *	two programs at once cannot undo each other's changes; 0 if system mode is off
 * @mode: for each event the modes in which it counts; 0: it is not counted
 * @code: what the events 0 to 3 stand for
 * @label: numbers that mean something to the caller; irixperf_system_read() returns
 *	them
 */
struct irixperf_system_attr {
	size_t size;
	int generation;
	unsigned char mode[IRIXPERF_EVENTS];
	struct irixperf_code code[IRIXPERF_CODES];
	uint32_t label[IRIXPERF_LABELS];
};

/**
 * irixperf_system_set() - start system mode, or change what it counts
 * @attr: what to count
 *
 * This differs from HWPERF_ENSYSCNTRS and HWPERF_SET_SYSEVCTRL: no event needs to
 * count in kernel mode, and without any event the counters are reserved, so that no
 * program can acquire them by PIOCENEVCTRS. All counts start from zero. System mode lasts until
 * irixperf_system_release() or HWPERF_RELSYSCNTRS. To IRIX's requests an event that
 * stands for a code is one that is not counted.
 *
 * Return: a positive generation number;
 * -EINVAL: an invalid event, mode or code, or @size is wrong;
 * -ESTALE: another program has just started, changed or ended system mode: read again;
 * or an error of HWPERF_ENSYSCNTRS.
 */
int irixperf_system_set(const struct irixperf_system_attr *attr);

/**
 * irixperf_system_release() - end system mode, if no program has changed it
 * @generation: the generation number that irixperf_system_read() has given last
 *
 * Return: 0; -ESTALE as for irixperf_system_set(); or an error of HWPERF_RELSYSCNTRS.
 */
int irixperf_system_release(int generation);

/* Flags of irixperf_claim() */
#define IRIXPERF_CLAIM_SHARED	0x1	/* other programs may share the counters */

struct irixperf_claim;

/**
 * irixperf_claim() - have the counters of all CPUs until the caller ends
 * @claim: where to put the claim, which irixperf_claim_close() ends
 * @flags: 0 or IRIXPERF_CLAIM_SHARED
 *
 * Programs that count in user mode lose their counters, as they do to
 * irixperf_system_set(), and no program can acquire any. A claim differs from system
 * mode in that it belongs to the caller: nobody else can read or change its counts, and
 * it ends with the caller, however that ends, or with its execve(2). When the parent's
 * wait(2) returns, the counters are free. A child of fork(2) shares the claim until it
 * ends or calls execve(2).
 *
 * Up to 16 claims can exist at a time if all have IRIXPERF_CLAIM_SHARED. Each event has a
 * counter of its own all the time, so the first claims get the counters that they need,
 * and a later one may get none.
 *
 * Users of perf_event_open(2) alone are not affected, but get only the counters that are
 * left.
 *
 * Return: 0;
 * -EPERM: the caller is not root;
 * -EBUSY: system mode is on, or there is another claim, unless both are shared;
 * -ENOSYS: irixperf-holder is not installed;
 * or another error of HWPERF_ENSYSCNTRS.
 */
int irixperf_claim(struct irixperf_claim **claim, unsigned int flags);

/**
 * irixperf_claim_count() - choose the events that all CPUs count
 * @claim: what irixperf_claim() has given
 * @mode: for each event the modes in which it is to count; 0: it is not counted
 * @code: what the events 0 to 3 stand for, or NULL: themselves
 *
 * All counts start from zero.
 *
 * Return: 0. After an error the old events go on:
 * -EINVAL: an invalid event, mode or code;
 * -EPERM: the caller is not root any more;
 * -ENOSPC: some CPU has too few counters for all of the events;
 * or an error of irixperf_set_open().
 */
int irixperf_claim_count(struct irixperf_claim *claim,
			 const unsigned char mode[IRIXPERF_EVENTS],
			 const struct irixperf_code code[IRIXPERF_CODES]);

/**
 * irixperf_claim_read() - read the counters of a CPU
 * @claim: what irixperf_claim() has given
 * @cpu: the CPU's number
 * @count: where to put the count and the times of each event; those of the first
 *	IRIXPERF_CODES events belong to codes, if there are any
 *
 * The counters of a CPU that comes online start when it is read for the first time.
 *
 * Return: 0; -ENOENT if there is no such CPU, or it is offline; -EINVAL before
 * irixperf_claim_count(); -ENOSPC if the CPU has come online with too few counters;
 * -EIO if another user of perf has got the counters while the events changed; or another
 * error of read(2).
 */
int irixperf_claim_read(struct irixperf_claim *claim, int cpu,
			struct irixperf_count count[IRIXPERF_EVENTS]);

/**
 * irixperf_claim_close() - end a claim
 * @claim: what irixperf_claim() has given, or NULL
 */
void irixperf_claim_close(struct irixperf_claim *claim);

/**
 * irixperf_sysmp() - count processors as IRIX's sysmp(2) does
 * @cmd: MP_NPROCS, MP_NAPROCS or MP_PGSIZE of <sys/sysmp.h>
 *
 * Return: the number of processors in the machine, the number of processors that
 * are online, or the size of a page in bytes; -EINVAL for another @cmd.
 */
long irixperf_sysmp(int cmd);

/**
 * irixperf_get_cpu() - tell which processor runs the caller
 *
 * Context: Safe in signal handlers.
 *
 * Return: the processor's number, or -ENOSYS. The caller may have moved to
 * another processor by the time it uses the number.
 */
int irixperf_get_cpu(void);

struct inventory_s;
struct irixperf_inventory;

/**
 * irixperf_inventory_open() - list the machine's processors, caches and memory
 * @inv: where to put the inventory, which irixperf_inventory_close() frees
 *
 * The entries are those that IRIX's getinvent(3) describes. The call may take
 * some milliseconds: if the machine does not tell its clock rate, the library
 * measures it with the cycle counter.
 *
 * Return: 0, -ENOMEM, or the error of reading /proc/cpuinfo.
 */
int irixperf_inventory_open(struct irixperf_inventory **inv);

/**
 * irixperf_inventory_next() - return the next entry of an inventory
 * @inv: the inventory
 *
 * Return: an inventory_t of <sys/invent.h>, valid until the inventory is closed;
 * NULL after the last.
 */
struct inventory_s *irixperf_inventory_next(struct irixperf_inventory *inv);

/**
 * irixperf_inventory_rewind() - go back to the first entry
 * @inv: the inventory
 */
void irixperf_inventory_rewind(struct irixperf_inventory *inv);

/**
 * irixperf_inventory_close() - free an inventory
 * @inv: the inventory, or NULL
 */
void irixperf_inventory_close(struct irixperf_inventory *inv);

/**
 * irixperf_strerror() - say what an error means and what to do
 * @err: a negative errno value of a function of this library
 * @mode: the modes that the failed call asked for
 * @buf: where to put the text; every line but the last ends in a newline
 * @size: size of @buf in bytes
 *
 * Return: @buf.
 */
char *irixperf_strerror(int err, unsigned int mode, char *buf, size_t size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
