/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libirixperf: the R10000's event counters for programs that do not speak
 * IRIX. perfex(1) uses this interface; IRIX programs use <sys/procfs.h>.
 *
 * An event is a number from 0 to 31, as r10k_evcntrs(5) lists them. A mode is
 * an or of HWPERF_CNTEN_U, _S, _K and _E from <sys/hwperfmacros.h>. Functions
 * that can fail return a negative errno value and then have changed nothing.
 *
 * Every function may be called from any thread; what it is given, such as a
 * set, must not be used by two threads at once. No thread is cancelled
 * (pthread_cancel(3)) while others would have to wait for it. Unless "Context:"
 * says more, a function is not for handlers of signals.
 *
 * fork(2) may be called in any thread. In the child, functions may be called
 * as the C library's malloc(3) may, although POSIX allows neither if there were
 * several threads: glibc, and musl since 1.2.2, do. Children that are made in
 * other ways, such as clone(2), do not know of the library's state, and must
 * not call it before execve(2).
 */
#ifndef IRIXPERF_H
#define IRIXPERF_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library is built with everything hidden but what stands here */
#pragma GCC visibility push(default)

#define IRIXPERF_EVENTS		32

/**
 * enum irixperf_chip - CPU types that differ in the meaning of their events
 * @IRIXPERF_CHIP_NONE: no CPU that has these counters
 * @IRIXPERF_R10000_V2: R10000 revision 2.x
 * @IRIXPERF_R10000_V3: R10000 revision 3.x
 * @IRIXPERF_R12000: R12000, R14000 and R16000
 * @IRIXPERF_MAPPED: any other CPU, whose events an event map
 *	(irixperf-eventmap(5)) brings to the numbers of IRIXPERF_R10000_V3
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
 * @model: its name, such as "R10000"; the machine's, such as "x86_64", on a CPU
 *	with an event map, which has no revision
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
 * @desc: one line for people
 *
 * The library owns the strings; they are valid for ever.
 */
struct irixperf_event {
	unsigned int num;
	const char *name;
	const char *label;
	const char *desc;
};

/* Flags of struct irixperf_attr */
#define IRIXPERF_INHERIT	0x1	/* count all descendants as well */
#define IRIXPERF_INHERIT_THREAD	0x2	/* count threads started later */
#define IRIXPERF_DISABLED	0x4	/* wait for irixperf_set_enable() */
#define IRIXPERF_ENABLE_ON_EXEC	0x8	/* wait for the target's execve(2) */

/**
 * struct irixperf_attr - what to count, and for whom
 * @size: sizeof(struct irixperf_attr), so that the structure can grow
 * @flags: IRIXPERF_* flags
 * @pid: the thread to count, or 0 for the calling thread
 * @mode: for each event the modes in which it counts; 0 leaves it out
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
 * @enabled: nanoseconds in which the target ran and the event was wanted
 * @running: nanoseconds of these in which a counter counted it
 *
 * @running is less than @enabled where events shared a counter. The time that
 * the target slept is in neither.
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
 * The answer is looked for once and kept. An R10000's own counters go before
 * any event map.
 *
 * Context: Handlers of signals may call it once it has succeeded; so they may
 * all that says "after irixperf_cpu_detect()".
 *
 * Return: 0, or -ENODEV where the kernel offers no R10000 counters and no event
 * map has an event that can be counted.
 */
int irixperf_cpu_detect(struct irixperf_cpu *cpu);

/**
 * irixperf_map_file() - name the event map in use
 *
 * Context: Handlers of signals may call it after irixperf_cpu_detect().
 *
 * Return: its path, which is the library's and valid for ever; or NULL where
 * none is needed or there is none.
 */
const char *irixperf_map_file(void);

/**
 * irixperf_event_get() - look up an event by its number
 * @chip: the CPU type
 * @num: the number
 *
 * Context: Safe in handlers of signals.
 *
 * Return: the event, or NULL if @num is above 31 or @chip is none.
 */
const struct irixperf_event *irixperf_event_get(enum irixperf_chip chip,
						unsigned int num);

/**
 * irixperf_event_find() - look up an event by what a user typed
 * @chip: the CPU type
 * @text: a decimal number, or a name in any case; "-" is taken for "_"
 *
 * Context: Safe in handlers of signals.
 *
 * Return: the event, or NULL if there is none.
 */
const struct irixperf_event *irixperf_event_find(enum irixperf_chip chip,
						 const char *text);

/**
 * irixperf_event_counterpart() - tell what counts an event
 * @chip: the CPU type
 * @num: the event's number
 *
 * Context: Handlers of signals may call it after irixperf_cpu_detect().
 *
 * Return: the event's own name on a CPU that has it; by an event map the name
 * of the event that stands for it, or NULL if none can be counted on this
 * machine; NULL if there is no such event or @chip is none. The library owns
 * the string; it is valid for ever.
 */
const char *irixperf_event_counterpart(enum irixperf_chip chip,
				       unsigned int num);

/**
 * irixperf_event_conflict() - tell whether two events need the same counter
 * @chip: the CPU type
 * @a: an event number
 * @b: another event number
 *
 * On the R10000 events 0 to 15 run on counter 0 and 16 to 31 on counter 1. The
 * R12000 and later count any event on either counter, and a CPU with an event
 * map has more than two; there, as everywhere, an event conflicts with itself,
 * because one request for it is enough.
 *
 * Context: Safe in handlers of signals.
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
 * Up to one event per counter is counted all the time. Of larger sets the
 * kernel counts a pair at a time, one event on each counter, and changes pairs
 * at clock ticks, as IRIX did. Counting starts at once unless a flag of @attr
 * says otherwise. Descriptors are closed at execve(2). perf_event_open(2) is
 * the source of the semantics of inheritance.
 *
 * By an event map an event counts as its counterpart does. Exception level is
 * part of kernel mode there: HWPERF_CNTEN_E must come with HWPERF_CNTEN_K,
 * which alone means the same. HWPERF_CNTEN_S counts nothing.
 *
 * Context: Handlers of signals may call it after irixperf_cpu_detect(). A child
 * of fork(2) can read the set and close its copy, but what counts is the
 * parent's.
 *
 * Return: 0, or
 * -EINVAL: @attr is not understood, asks for no event, or for one or for a mode
 * that the event map does not have;
 * -ENODEV: the kernel offers no R10000 counters, and no event map is there;
 * -EPERM: the mode or the target needs privilege that the caller lacks;
 * -ESRCH: no such thread;
 * -EBUSY: somebody else has taken the counters for himself;
 * -EAGAIN: the target starts threads too fast for all of them to be counted;
 * -EMFILE, -ENFILE, -ENOMEM: out of resources.
 */
int irixperf_set_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr);

/**
 * irixperf_set_explain() - say why a set could not be opened
 * @err: what irixperf_set_open() or irixperf_cpu_detect() returned
 * @attr: what was asked for, or NULL
 * @buf: where to put the text; lines end in a newline, but the last
 * @size: size of @buf in bytes; 4096 are enough for every text
 *
 * More than irixperf_strerror() does: with an event map, which events it does
 * not have, by name, and which it has; and what is wrong with the map.
 *
 * Return: @buf.
 */
char *irixperf_set_explain(int err, const struct irixperf_attr *attr, char *buf,
			   size_t size);

/**
 * irixperf_set_enable() - let the events of a set count
 * @set: the set
 *
 * Context: Safe in handlers of signals.
 *
 * Return: 0 or a negative errno value of ioctl(2).
 */
int irixperf_set_enable(const struct irixperf_set *set);

/**
 * irixperf_set_disable() - stop the events of a set
 * @set: the set
 *
 * Counts stay readable, and go on from where they are when enabled again.
 *
 * Context: Safe in handlers of signals.
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
 * Reads work on until irixperf_set_close(), also after the target's exit.
 *
 * Context: Safe in handlers of signals.
 *
 * Return: 0, -ENOENT if the event is not in the set, -EIO if the kernel has
 * stopped counting it, or another negative errno value of read(2).
 */
int irixperf_set_read(const struct irixperf_set *set, unsigned int event,
		      struct irixperf_count *count);

/**
 * irixperf_set_close() - end counting and free the set
 * @set: the set, or NULL
 */
void irixperf_set_close(struct irixperf_set *set);

/**
 * irixperf_count_scale() - project a reading to the whole time
 * @count: the reading
 *
 * Context: Safe in handlers of signals.
 *
 * Return: value x enabled / running, rounded to the nearest number and at most
 * UINT64_MAX; the value itself if the event ran all the time; 0 if it never
 * ran, which callers should report as "not counted".
 */
uint64_t irixperf_count_scale(const struct irixperf_count *count);

/**
 * irixperf_proc_open() - open a process as IRIX does
 * @path: "/proc/00123" or "/proc/pinfo/00123", with any number of zeros and, as
 *	in all paths, of slashes where there is one
 * @flags: flags of open(2); O_CLOEXEC counts, the access mode does not
 *
 * The descriptor is one of the folder /proc/<pid>, and nothing else knows of
 * it: copies made by dup(2), fcntl(2) and fork(2), and those that another
 * process has been sent through a socket, are as good.
 *
 * Context: Safe in handlers of signals.
 *
 * Return: a descriptor, which close(2) closes; -ENOTTY if @path is not of this
 * form; -ENOENT if there is no such process, or another error of open(2).
 */
int irixperf_proc_open(const char *path, int flags);

/**
 * irixperf_proc_openat() - open a process by a path from some folder on
 * @dir: descriptor of the folder, or AT_FDCWD
 * @path: as for irixperf_proc_open(), or what follows "/proc/" there
 * @flags: flags of openat(2)
 *
 * Return: as irixperf_proc_open(); -ENOTTY, too, if @path does not begin with a
 * slash and the folder is not /proc.
 */
int irixperf_proc_openat(int dir, const char *path, int flags);

/**
 * irixperf_proc_ioctl() - carry out one event counter request of IRIX's /proc
 * @fd: a descriptor of irixperf_proc_open(), or any other of the folder
 *	/proc/<pid>
 * @request: one of the PIOC requests of <sys/procfs.h>
 * @arg: what the request takes
 *
 * r10k_evcntrs(5) is the source of the semantics. Counts are raw, as IRIX
 * returned them, and those of all threads. What a process acquires for itself
 * ends with its exit or execve(2). What it acquires for another one belongs to that one: others, and
 * the process itself, read, change and release it, and it lasts until that
 * process is gone, whoever ends before. A process of its own holds it,
 * irixperf-holder, which PIOCENEVCTRS starts; where that is not installed, what
 * was acquired ends with the caller. A child of fork(2) counts the same events
 * from zero; its counts are added when its parent waits for it, or has said
 * PIOCSAVECCNTRS.
 *
 * Context: Handlers of signals may use PIOCGETEVCTRS wherever they have
 * interrupted the program; and PIOCGETEVCTRL, PIOCRELEVCTRS and PIOCSAVECCNTRS
 * unless another thread may be in fork(2), which waits for malloc(3) with a
 * lock held that these wait for. Other requests are not for handlers. In system
 * mode, and with descriptors that O_DIRECTORY was used for, PIOCGETEVCTRS is
 * like the second group.
 *
 * Return: a positive generation number, or 0 for PIOCRELEVCTRS; or
 * -ENOTTY: @fd is no process, or @request is none of these;
 * -ESRCH: the process is gone;
 * -EFAULT: @arg is no valid address;
 * -EINVAL: an improper event, mode, threshold or signal, or the counters have
 * not been acquired;
 * -ENOTSUP: an overflow threshold in system mode, or where the counters do not
 * interrupt;
 * or an error of irixperf_set_open().
 *
 * PIOCPSINFO, PIOCUSAGE, PIOCGETPTIMER, PIOCNMAP and PIOCMAP, which are not
 * about counters, are carried out as well: proc(4) of IRIX is the source of
 * their semantics, they return 0, and -EACCES where Linux does not let the
 * caller look.
 */
int irixperf_proc_ioctl(int fd, unsigned int request, void *arg);

/**
 * irixperf_overflow_event() - tell which event's overflow has sent a signal
 * @fd: si_fd of the handler's siginfo_t
 *
 * The siginfo_t of an overflow has POLL_IN as si_code; or SI_SIGIO, if it is a
 * signal with codes of its own. It is for the handler to know that the signal
 * comes from an overflow. This works in every process, also in one whose
 * counters somebody else has acquired, and is async-signal-safe.
 *
 * Return: the event's number, or -EINVAL if @fd is negative.
 */
int irixperf_overflow_event(int fd);

/**
 * struct irixperf_profile_stat - what became of the overflows of a profile
 * @size: sizeof(struct irixperf_profile_stat), so that the structure can grow
 * @samples: those that are in a bucket
 * @full: those whose bucket was at its highest number already
 * @outside: those whose address no region has
 * @lost: those for which the kernel had no room, because SIGURG was blocked for
 *	too long; what is lost after the last that had room becomes known with
 *	the next that has
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
 * It brings the buckets up to date as well, even if SIGURG is blocked. After
 * PIOCRELEVCTRS it tells about the profile that has ended.
 *
 * Return: 0; -EINVAL if there has been no HWPERF_PROFENABLE, or @size is wrong.
 */
int irixperf_profile_stat(struct irixperf_profile_stat *stat);

/**
 * irixperf_child_reaped() - add the counts of a child to those of this process
 * @pid: a child of fork(2) that wait(2) or one of its kind has just returned
 *
 * As on IRIX, a parent that waits for a child is given its counts. Programs
 * that are linked with the flags of irixperf.pc call this without knowing; it
 * is for those that call wait(2) where the linker does not see it. Nothing
 * happens for other processes, or if this process has no counters. If counts
 * are missing, because there were too few descriptors, this process' counters
 * get another generation number.
 *
 * Context: Safe in handlers of signals, as wait(2) is.
 */
void irixperf_child_reaped(pid_t pid);

/**
 * irixperf_spawn() - start a program, and count it as a forked child
 * @pid: where to put its number, or NULL
 * @start: starts it, as posix_spawn(3) does, puts its number in *@pid and returns
 *	0 or a negative errno value
 * @arg: passed on to @start
 *
 * A child that is not made by fork(2) cannot open events for itself. If this
 * process counts, @start is called in a thread made for that, with all signals
 * blocked, and the program counts from its first instruction on; so do all that
 * it starts, whoever waits for them. @start makes one child, which executes
 * another program, and calls nothing of this library. Programs that are linked
 * with the flags of irixperf.pc have posix_spawn() call this.
 *
 * If events cannot be opened, the program is started all the same, and this
 * process' counters get another generation number.
 *
 * Return: what @start returned.
 */
int irixperf_spawn(pid_t *pid, int (*start)(pid_t *pid, void *arg), void *arg);

/**
 * irixperf_exec_begin() - prepare this process' counters for execve(2)
 *
 * The next program may not have this library: from now on the kernel counts
 * all children, whoever waits for them, and irixperf-holder(8) keeps what this
 * process has acquired for itself. Where there are no counters, nothing happens.
 * Programs that are linked with the flags of irixperf.pc call it without knowing.
 *
 * Context: For children of fork(2) as well; not for those of vfork(2).
 */
void irixperf_exec_begin(void);

/**
 * irixperf_exec_failed() - go on after irixperf_exec_begin(), as execve(2) returned
 */
void irixperf_exec_failed(void);

/**
 * irixperf_children_sync() - add the counts of saved children that have exited
 *
 * Whoever reads this process' counters gets them up to date. What this process
 * has to hand on to its own parent is complete only if this is called before
 * it ends; exit(3) does so, and _exit(2) in programs that are linked with the
 * flags of irixperf.pc.
 *
 * Context: Handlers of signals may call it, and with it _exit(2), unless
 * another thread may be in fork(2).
 */
void irixperf_children_sync(void);

/**
 * irixperf_syssgi() - carry out a request of IRIX's syssgi(2)
 * @request: one of the requests of <sys/syssgi.h>
 * @arg1: what the request takes first, and so on
 * @arg2: second
 * @arg3: third
 * @arg4: fourth
 *
 * syssgi(2) and r10k_evcntrs(5) are the sources of the semantics. Programs that
 * speak IRIX call it by the name syssgi().
 *
 * Return: what the request gives, or
 * -EINVAL: no request that this library knows;
 * -ENODEV: SGI_QUERY_CYCLECNTR, as there is no counter that could be mapped;
 * or an error of SGI_EVENTCTR.
 */
long irixperf_syssgi(int request, uintptr_t arg1, uintptr_t arg2,
		     uintptr_t arg3, uintptr_t arg4);

/**
 * struct irixperf_system - the counters of all CPUs in system mode
 * @size: sizeof(struct irixperf_system), so that the structure can grow
 * @on: system mode is on; if not, the rest is what was left at its end
 * @generation: generation number
 * @mode: for each event the modes in which it counts; 0 leaves it out
 * @count: for each event the sums of all CPUs, of its times as well
 */
struct irixperf_system {
	size_t size;
	int on;
	int generation;
	unsigned char mode[IRIXPERF_EVENTS];
	struct irixperf_count count[IRIXPERF_EVENTS];
};

/**
 * irixperf_system_read() - read the counters of all CPUs, with their times
 * @system: where to put them; the caller sets @size
 *
 * The same counts as HWPERF_GET_SYSCNTRS has, of this moment, and beside them
 * how long each event was counted: IRIX left it to the caller to know how many
 * events share a counter. Everybody may read.
 *
 * Return: 0; -EINVAL if there has been no system mode, or @size is wrong; or
 * another error of HWPERF_GET_SYSCNTRS.
 */
int irixperf_system_read(struct irixperf_system *system);

/**
 * irixperf_sysmp() - count processors as IRIX's sysmp(2) does
 * @cmd: MP_NPROCS, MP_NAPROCS or MP_PGSIZE of <sys/sysmp.h>
 *
 * Return: processors in the machine, processors that are online, the size of a
 * page in bytes; or -EINVAL.
 */
long irixperf_sysmp(int cmd);

/**
 * irixperf_get_cpu() - tell which processor runs the caller
 *
 * Context: Safe in handlers of signals.
 *
 * Return: its number, which may have changed by then; or -ENOSYS.
 */
int irixperf_get_cpu(void);

struct inventory_s;
struct irixperf_inventory;

/**
 * irixperf_inventory_open() - take stock of the machine's processors
 * @inv: where to put the inventory, which irixperf_inventory_close() frees
 *
 * getinvent(3) of IRIX is the source of the semantics. It may take some
 * milliseconds, because machines that do not say what their clock is are
 * measured with the counter of cycles.
 *
 * Return: 0, -ENOMEM, or why /proc/cpuinfo cannot be read.
 */
int irixperf_inventory_open(struct irixperf_inventory **inv);

/**
 * irixperf_inventory_next() - give out the next entry of an inventory
 * @inv: the inventory
 *
 * Return: an inventory_t of <sys/invent.h>, which belongs to the inventory; or
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
 * irixperf_strerror() - say in words what an error means and what helps
 * @err: a negative errno value of a function of this library
 * @mode: the modes that were asked for
 * @buf: where to put the text; lines end in a newline, but the last
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
