// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What this process counts with: the counters of an R10000, or an event map. The
 * library looks for these when a program first needs them. What it has found never
 * changes. If it has found nothing, the next call looks again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include <irixperf.h>
#include "machine.h"
#include "cpu.h"
#include "cycles.h"
#include "evname.h"
#include "evsysfs.h"
#include "kernel.h"
#include "mapfind.h"
#include "pfm.h"

static struct ixp_machine machine;
static atomic_bool known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/*
 * If another thread has the lock during fork(2), no thread of the child can release
 * it. So the child initializes it; @known says whether @machine is valid. A handler
 * that takes the lock before fork(2) could deadlock: threads take this lock while they
 * have locks of other files, whose handlers may run later.
 */
static void fork_child(void)
{
	pthread_mutex_init(&lock, NULL);
}

static void fork_prepare(void)
{
	pthread_atfork(NULL, NULL, fork_child);
}

/*
 * Try whether the kernel can count an event: open it in user mode, and close it. Errors
 * that do not concern the event itself, above all missing permission, are ignored here;
 * a program gets them when it asks for the event.
 */
static bool event_opens(struct ixp_map_event *event)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->code.type,
		.config = event->code.config[0],
		.config1 = event->code.config[1],
		.config2 = event->code.config[2],
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = ixp_kernel.perf_open(&attr, 0, -1, -1);

	if (fd >= 0)
		ixp_kernel.perf_close(fd);
	switch (fd) {
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
	case -EOPNOTSUPP:
		snprintf(event->why, sizeof(event->why),
			 "this CPU, or its kernel, does not count it");
		return false;
	case -EINVAL:
	case -ENOSYS:
		snprintf(event->why, sizeof(event->why),
			 "the kernel refuses it: %s", strerror(-fd));
		return false;
	default:
		return true;
	}
}

static void event_load(struct ixp_map_event *event,
		       const struct ixp_map_row *row)
{
	event->line = row->line;
	snprintf(event->name, sizeof(event->name), "%s", row->name);
	event->there = ixp_name_resolve(&event->code, row->name, row->pmu,
					event->why, sizeof(event->why)) == 0 &&
		       event_opens(event);
}

static bool any_there(const struct ixp_machine *m)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (m->event[i].there)
			return true;

	return false;
}

/* No event of the map can be counted: tell the reason for its first line */
static void say_nothing_counts(const struct ixp_machine *m, char *why,
			       size_t size)
{
	unsigned int i = 0;

	while (i < IRIXPERF_EVENTS && !m->event[i].line)
		i++;
	if (i == IRIXPERF_EVENTS)
		snprintf(why, size, "%s: there is no event in it for this CPU",
			 m->path);
	else
		snprintf(why, size, "%s: no event of it can be counted here\n"
			 "%s:%u: %s: %s", m->path, m->path, m->event[i].line,
			 m->event[i].name, m->event[i].why);
}

static int map_load(struct ixp_machine *m, char *why, size_t size)
{
	struct ixp_map_file *file = malloc(sizeof(*file));
	struct ixp_pmus pmus;
	unsigned int i;
	int ret;

	if (!file) {
		snprintf(why, size, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	ixp_pfm_pmus(&pmus);
	ret = ixp_map_find(file, &pmus, why, size);
	if (ret == 0) {
		snprintf(m->path, sizeof(m->path), "%s", file->path);
		for (i = 0; i < IRIXPERF_EVENTS; i++)
			if (file->rows.row[i].line)
				event_load(&m->event[i], &file->rows.row[i]);
		free(file->text);
	}
	free(file);
	if (ret == 0 && !any_there(m)) {
		say_nothing_counts(m, why, size);
		ret = -ENODEV;
	}

	return ret;
}

/* If the CPU has R10000 counters, event maps are ignored */
static bool machine_load(struct ixp_machine *m, char *why, size_t size)
{
	unsigned int i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		m->event[i].code = (struct ixp_code){ PERF_TYPE_RAW, { i } };
	if (ixp_cpu_r10k(&m->cpu) == 0) {
		m->unmodelled = ixp_cycles_unmodelled();
		return true;
	}
	if (map_load(m, why, size) < 0)
		return false;

	m->cpu.chip = IRIXPERF_MAPPED;
	ixp_kernel.machine(m->cpu.model, sizeof(m->cpu.model));

	return true;
}

/* Cancellation is disabled, because a cancelled thread would not release the lock */
static const struct ixp_machine *machine_look(char *why, size_t size)
{
	int cancel;
	bool found;

	pthread_once(&fork_once, fork_prepare);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&lock);
	found = atomic_load_explicit(&known, memory_order_relaxed) ||
		machine_load(&machine, why, size);
	atomic_store_explicit(&known, found, memory_order_release);
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(cancel, NULL);

	return found ? &machine : NULL;
}

/**
 * ixp_machine() - tell what this process counts with
 * @why: gets the reason if this machine has no counters
 * @size: size of @why
 *
 * Return: the CPU and the event map, which never change and can be read without a lock;
 * NULL if this machine has no counters.
 */
const struct ixp_machine *ixp_machine(char *why, size_t size)
{
	return atomic_load_explicit(&known, memory_order_acquire) ?
	       &machine : machine_look(why, size);
}

int irixperf_cpu_detect(struct irixperf_cpu *cpu)
{
	char why[IXP_WHY_SIZE];
	const struct ixp_machine *machine = ixp_machine(why, sizeof(why));

	if (!machine)
		return -ENODEV;
	*cpu = machine->cpu;

	return 0;
}

static int code_event(const struct ixp_machine *m, struct ixp_map_event *event,
		      const struct irixperf_code *code)
{
	char first[IXP_NAME_SIZE];

	if (code->kind == IRIXPERF_CODE_RAW) {
		*event = (struct ixp_map_event){
			.there = true,
			.code = { PERF_TYPE_RAW, { code->code } },
		};
		/* On CPUs of two kinds a code means two events */
		return m->cpu.chip == IRIXPERF_MAPPED &&
		       ixp_sysfs_cores(first, sizeof(first)) < 2 ? 0 : -EINVAL;
	}
	if (code->kind != IRIXPERF_CODE_EVENT || code->code >= IRIXPERF_EVENTS)
		return -EINVAL;
	*event = m->event[code->code];

	/* There an event's number says which of the two counters it is for */
	return m->cpu.chip == IRIXPERF_R10000_V2 || m->cpu.chip == IRIXPERF_R10000_V3 ?
	       -EINVAL : 0;
}

/**
 * ixp_machine_coded() - make a machine whose first events stand for something else
 * @coded: gets it
 * @codes: what they stand for; IRIXPERF_CODE_NONE: themselves
 *
 * Raw codes need no event map.
 *
 * Return: 0; -EINVAL if the CPU has no such events; or -ENODEV without counters.
 */
int ixp_machine_coded(struct ixp_machine *coded,
		      const struct irixperf_code codes[IRIXPERF_CODES])
{
	static const struct ixp_machine bare = { .cpu.chip = IRIXPERF_MAPPED };
	char why[IXP_WHY_SIZE];
	const struct ixp_machine *m = ixp_machine(why, sizeof(why));
	bool raw = false;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < IRIXPERF_CODES; i++)
		raw |= codes[i].kind == IRIXPERF_CODE_RAW;
	if (!m && !raw)
		return -ENODEV;
	if (!m)
		m = &bare;
	*coded = *m;
	for (i = 0; i < IRIXPERF_CODES && ret == 0; i++)
		if (codes[i].kind)
			ret = code_event(m, &coded->event[i], &codes[i]);

	return ret;
}

unsigned int irixperf_cpu_types(void)
{
	struct irixperf_cpu cpu;

	if (irixperf_cpu_detect(&cpu) < 0)
		return 0;

	return cpu.chip == IRIXPERF_MAPPED ? cpu.chip : cpu.chip | ixp_cpu_types();
}

/* Look again at the next call: for unit tests, which change the fake machine */
void ixp_machine_forget(void)
{
	atomic_store(&known, false);
}
