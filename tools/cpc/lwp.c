// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The threads that cputrack counts. A new thread stops before its first instruction, and
 * gets events of its own; after its end these are read. So each count belongs to one
 * thread, and no child is counted with its parent.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include "cputrack.h"

#define MAX_LOOKS	100

static struct lwp *find(const struct track *track, pid_t tid)
{
	unsigned int i;

	for (i = track->nr_lwps; i-- > 0;)
		if (track->lwp[i].tid == tid)
			return &track->lwp[i];

	return NULL;
}

static struct process *process_of(const struct track *track, const struct lwp *lwp)
{
	return &track->process[lwp->process];
}

/* The process with this number; or a new one, in the place of one that has ended */
static struct process *process_get(struct track *track, pid_t pid)
{
	unsigned int i, nr = track->nr_processes;
	struct process *more;

	for (i = 0; i < track->nr_processes; i++) {
		if (track->process[i].alive == 0)
			nr = i;
		else if (track->process[i].pid == pid)
			return &track->process[i];
	}
	if (nr == track->nr_processes) {
		more = tool_one_more(track->process, nr, sizeof(*more));
		if (!more)
			return NULL;
		track->process = more;
		track->nr_processes++;
	}
	memset(&track->process[nr], 0, sizeof(*more));
	track->process[nr].pid = pid;

	return &track->process[nr];
}

static struct lwp *add(struct track *track, pid_t tid)
{
	unsigned int nr = track->nr_lwps;
	struct lwp *more = tool_one_more(track->lwp, nr, sizeof(*more));
	struct process *process;

	if (!more)
		return NULL;
	track->lwp = more;
	process = process_get(track, tool_process_of(tid));
	if (!process)
		return NULL;
	memset(&more[nr], 0, sizeof(*more));
	more[nr].tid = tid;
	more[nr].process = (unsigned int)(process - track->process);
	more[nr].number = ++process->threads;
	process->alive++;
	track->nr_lwps++;

	return &more[nr];
}

static void row(const struct track *track, const struct lwp *lwp, unsigned int nr,
		const char *event, const uint64_t count[CPC_PICS])
{
	fprintf(track->out, "%7.3f ", track_now(track));
	if (track->opt->forks)
		fprintf(track->out, "%6d ", process_of(track, lwp)->pid);
	fprintf(track->out, "%3u %10s ", lwp->number, event);
	cpc_print_counts(track->out, &track->opt->set[nr], track->pics, count,
			 track->opt->nr > 1);
}

static void note(const struct track *track, const struct lwp *lwp, const char *event)
{
	const uint64_t none[CPC_PICS] = { 0 };

	if (track->opt->verbose)
		row(track, lwp, lwp->nr, event, none);
}

static void lose(struct track *track, int err)
{
	if (!track->lost++)
		track->lost_error = err;
}

static int open_set(struct track *track, struct lwp *lwp, unsigned int flags)
{
	struct irixperf_attr attr = {
		.size = sizeof(attr), .flags = flags, .pid = lwp->tid,
	};
	int ret;

	cpc_set_modes(&track->opt->set[lwp->nr], attr.mode);
	memset(lwp->before, 0, sizeof(lwp->before));
	ret = irixperf_set_open(&lwp->set, &attr);
	if (track->opt->debug)
		tool_error("thread %d: %s: %d", lwp->tid,
			   track->opt->set[lwp->nr].text, ret);

	return ret;
}

static int add_counted(struct track *track, pid_t tid, unsigned int flags)
{
	struct lwp *lwp = add(track, tid);
	int ret = -ENOMEM;

	if (lwp && (track->taken || process_of(track, lwp)->released))
		return 0;
	if (lwp)
		ret = open_set(track, lwp, flags);
	if (ret < 0)
		lose(track, ret);

	return ret;
}

int lwp_begin(struct track *track, pid_t pid)
{
	int ret = tool_trace_seize(pid, track->opt->forks);

	if (ret == 0)
		ret = add_counted(track, pid, IRIXPERF_ENABLE_ON_EXEC);
	track->lost = 0;

	return ret;
}

/* Trace the threads of a process that are not traced yet. Return how many there were */
static int attach_new(struct track *track, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	int nr = 0, ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && ret >= 0 && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atol(entry->d_name);

		if (tid <= 0 || find(track, tid))
			continue;
		ret = tool_trace_seize(tid, track->opt->forks);
		/* It has ended; or its parent is traced, and so is it */
		if (ret == -ESRCH || (ret == -EPERM && track->nr_lwps > 0)) {
			ret = 0;
			continue;
		}
		if (ret == 0)
			ret = add_counted(track, tid, 0);
		nr++;
	}
	if (dir)
		closedir(dir);

	return ret < 0 ? ret : nr;
}

int lwp_attach(struct track *track, pid_t pid)
{
	unsigned int looks = 0;
	int ret;

	do
		ret = attach_new(track, pid);
	while (ret > 0 && ++looks < MAX_LOOKS);
	track->lost = 0;
	if (ret >= 0 && track->nr_lwps == 0)
		ret = -ESRCH;
	if (ret >= 0)
		process_of(track, track->lwp)->started = true;

	return ret < 0 ? ret : 0;
}

/* Add what a thread has counted since its last sample to its process */
static void collect(struct track *track, struct lwp *lwp, uint64_t count[CPC_PICS])
{
	const struct cpc_set *set = &track->opt->set[lwp->nr];
	struct irixperf_count now;
	unsigned int pic;
	int ret;

	for (pic = 0; pic < CPC_PICS; pic++) {
		count[pic] = 0;
		if (!lwp->set || !set->used[pic])
			continue;
		ret = irixperf_set_read(lwp->set, set->event[pic], &now);
		if (ret < 0) {
			lose(track, ret);
			continue;
		}
		count[pic] = now.value - lwp->before[pic];
		lwp->before[pic] = now.value;
		track->shared |= now.running < now.enabled;
		process_of(track, lwp)->total[lwp->nr][pic] += count[pic];
	}
}

static void close_set(struct lwp *lwp)
{
	irixperf_set_close(lwp->set);
	lwp->set = NULL;
}

/* Each thread counts the next set from now on, if there are several */
static void next_set(struct track *track, struct lwp *lwp)
{
	int ret;

	if (track->opt->nr == 1)
		return;
	close_set(lwp);
	lwp->nr = (lwp->nr + 1) % track->opt->nr;
	ret = open_set(track, lwp, 0);
	if (ret < 0 && ret != -ESRCH)
		lose(track, ret);
}

void lwp_sample_all(struct track *track)
{
	uint64_t count[CPC_PICS];
	unsigned int i;

	for (i = 0; i < track->nr_lwps; i++) {
		struct lwp *lwp = &track->lwp[i];

		if (!lwp->set)
			continue;
		collect(track, lwp, count);
		row(track, lwp, lwp->nr, "tick", count);
		next_set(track, lwp);
	}
}

/* The totals of a process, a row for each set that it has counted */
static void totals(const struct track *track, const struct lwp *lwp, const char *event)
{
	const struct process *process = process_of(track, lwp);
	struct lwp first = { .process = lwp->process, .number = 1 };
	unsigned int nr;

	if (track->taken || process->released)
		return;
	for (nr = 0; nr < track->opt->nr; nr++)
		row(track, &first, nr, event, process->total[nr]);
}

static void remove_lwp(struct track *track, struct lwp *lwp)
{
	process_of(track, lwp)->alive--;
	memmove(lwp, lwp + 1, (size_t)(&track->lwp[--track->nr_lwps] - lwp) *
		sizeof(*lwp));
}

static void thread_ended(struct track *track, struct lwp *lwp)
{
	uint64_t count[CPC_PICS];

	collect(track, lwp, count);
	if (lwp->set && track->opt->verbose)
		row(track, lwp, lwp->nr, "fini_lwp", count);
	close_set(lwp);
	if (process_of(track, lwp)->alive == 1)
		totals(track, lwp, "exit");
	remove_lwp(track, lwp);
}

/* After execve(2) one thread is left, with the number of the process */
static struct lwp *only_thread(struct track *track, pid_t pid)
{
	pid_t former = tool_trace_former(pid);
	struct lwp *lwp, *first = find(track, pid);

	if (former == pid)
		return first;
	if (first)
		thread_ended(track, first);
	lwp = find(track, former);
	if (lwp)
		lwp->tid = pid;

	return lwp;
}

static void release(struct track *track, struct process *process)
{
	unsigned int i;

	process->released = true;
	for (i = 0; i < track->nr_lwps; i++)
		if (process_of(track, &track->lwp[i]) == process)
			close_set(&track->lwp[i]);
}

/* Without -e a process is counted as long as it runs its first program */
static void program_started(struct track *track, pid_t pid)
{
	struct lwp *lwp = only_thread(track, pid);
	struct process *process;
	uint64_t count[CPC_PICS];

	if (!lwp)
		return;
	process = process_of(track, lwp);
	if (track->opt->execs || !process->started) {
		note(track, lwp, "exec");
	} else if (!process->released) {
		collect(track, lwp, count);
		totals(track, lwp, "exec");
		release(track, process);
	}
	process->started = true;
}

static void thread_started(struct track *track, pid_t tid)
{
	struct lwp *lwp;

	add_counted(track, tid, 0);
	lwp = find(track, tid);
	if (!lwp)
		return;
	process_of(track, lwp)->started = true;
	if (lwp->set)
		note(track, lwp, lwp->number == 1 ? "fork" : "init_lwp");
}

/* Handle a status that waitpid(2) returned for a thread */
void lwp_event(struct track *track, pid_t tid, int status)
{
	struct lwp *lwp = find(track, tid);

	if (!WIFSTOPPED(status)) {
		if (lwp)
			thread_ended(track, lwp);
		return;
	}
	if (!lwp)
		thread_started(track, tid);
	if (status >> 16 == PTRACE_EVENT_EXEC)
		program_started(track, tid);
	tool_trace_go_on(tid, status);
}

/* The counters are lost: close all events */
void lwp_forget(struct track *track)
{
	unsigned int i;

	for (i = 0; i < track->nr_lwps; i++)
		close_set(&track->lwp[i]);
}

/* A last sample of a process that goes on without cputrack */
void lwp_end(struct track *track)
{
	uint64_t count[CPC_PICS];
	unsigned int i;

	for (i = 0; i < track->nr_lwps; i++) {
		if (!track->lwp[i].set)
			continue;
		collect(track, &track->lwp[i], count);
		row(track, &track->lwp[i], track->lwp[i].nr, "tick", count);
	}
}

void lwp_free(struct track *track)
{
	lwp_forget(track);
	free(track->lwp);
	free(track->process);
}
