/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fake kernel for libirixperf. It records requests, gives the counts that a test
 * has set, and fails when a test wants it to.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <sys/types.h>
#include <linux/perf_event.h>
#include "kernel.h"

#define FAKE_EVENTS	4096

/**
 * struct fake_event - an event that has been opened
 * @attr: the attributes that it was opened with
 * @pid: the process or thread that it counts
 * @cpu: the CPU that it counts
 * @group: the descriptor of its leader, or -1
 * @open: it has not been closed
 * @enabled: it counts if its leader does
 * @sig: the signal of its overflows, or 0
 * @owner: the process or thread that gets this signal
 * @ring: the descriptor of the event whose ring has its samples, or 0
 */
struct fake_event {
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	int group;
	int life;
	bool open;
	bool enabled;
	int sig;
	pid_t owner;
	int ring;
};

/**
 * struct fake - the fake's state; tests read and change it
 * @nr: events ever opened
 * @event: these events; the descriptor of event[i] is FAKE_FD + i
 * @open_fail_at: number of the open that fails, from 0; -1 for none
 * @open_err: its error
 * @enable_err: error of enabling, or 0
 * @read_err: error of reading, or 0
 * @read_short: a read returns nothing, as for an event in error state
 * @pinned_short: a read of a pinned event returns nothing
 * @pinned_groups: the same for the pinned groups of a CPU but the first ones that count;
 *	0: there are counters for all
 * @base: an event counts base + its number, on CPU n 1000 x n more
 * @time_enabled: times of all events
 * @time_running: times of all events
 * @time_step: added to both times at each read
 * @taken: the counters that others have for themselves, bit n for counter n: no group
 *	with an event of one counts, and each read is a turn later than the one before
 * @taken_after: how many reads there are until then
 * @uid: the caller's user ID
 * @secure: the program has more rights than its user
 * @machine: the hardware's name
 * @pfm: libpfm4, or NULL
 * @refuse: the config that the kernel does not know, or 0
 * @group_err: error of opening an event in a group, or 0
 * @signal_err: error of requesting a signal, or 0
 * @on_disable: called when an event is disabled, or NULL
 * @map: the mapping of the last ring, or NULL
 * @map_size: its size
 * @map_max: the largest ring that is allowed, or 0
 * @nr_maps: how many rings are mapped
 */
struct fake {
	unsigned int nr;
	struct fake_event event[FAKE_EVENTS];
	int open_fail_at;
	int open_err;
	int enable_err;
	int read_err;
	bool read_short;
	bool pinned_short;
	unsigned int pinned_groups;
	unsigned long long base;
	unsigned long long time_enabled;
	unsigned long long time_running;
	unsigned long long time_step;
	unsigned int taken;
	unsigned long taken_after;
	uid_t uid;
	bool secure;
	const char *machine;
	const struct ixp_pfm *pfm;
	unsigned long long refuse;
	int group_err;
	int signal_err;
	void (*on_disable)(void);
	void *map;
	size_t map_size;
	size_t map_max;
	unsigned int nr_maps;
};

#define FAKE_FD		1000

extern struct fake fake;

/* The counter that FAKE_TAKEN names is taken, after FAKE_TAKEN_AFTER reads */
void fake_take(void);

/* Put the fake in place of the kernel, on a machine with this CPU */
void fake_install(const char *cpu_model);

/* The same without a PMU, or with another level of perf_event_paranoid */
void fake_remove_pmu(void);
void fake_set_paranoid(const char *level);

/* A CPU that is no R10000, without event map */
void fake_install_other(void);

/* The same, but events are this machine's own, by a map; real_kernel counts them */
extern struct ixp_kernel real_kernel;
void fake_install_counting(const char *map);

/* Write a file below the fake's root; the library forgets what it has read */
void fake_file(const char *name, const char *text);
void fake_file_bytes(const char *name, const void *bytes, size_t size);
void fake_remove_file(const char *name);

/*
 * Run another program, such as the holder, on the same machine. fake_share() passes
 * on the fake's state without the events; the other program calls fake_join().
 */
void fake_share(void);
void fake_join(void);

unsigned int fake_nr_open(void);
unsigned int fake_nr_enabled(void);

#define R10000_V26	"R10000 V2.6  FPU V0.0"
#define R10000_V34	"R10000 V3.4  FPU V0.0"
#define R12000_V35	"R12000 V3.5  FPU V0.0"

#endif
