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

/* The process with this number, or a new one in the place of one that has ended */
static struct process *process_get(struct track *track, pid_t pid)
{
	unsigned int i, nr = track->nr_processes;
	struct process *more, *unused = NULL;

	for (i = 0; i < nr; i++) {
		if (track->process[i].alive > 0 && track->process[i].pid == pid)
			return &track->process[i];
		if (track->process[i].alive == 0)
			unused = &track->process[i];
	}
	if (!unused) {
		more = tool_one_more(track->process, nr, sizeof(*more));
		if (!more)
			return NULL;
		track->process = more;
		track->nr_processes++;
		unused = &more[nr];
	}
	memset(unused, 0, sizeof(*unused));
	unused->pid = pid;

	return unused;
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

static int open_set(struct track *track, struct lwp *lwp, unsigned int flags)
{
	struct irixperf_attr attr = {
		.size = sizeof(attr), .flags = flags, .pid = lwp->tid,
	};
	unsigned int pic;
	int ret;

	cpc_set_modes(&track->opt->set[lwp->nr], attr.mode);
	memset(lwp->before, 0, sizeof(lwp->before));
	ret = irixperf_set_open(&lwp->set, &attr);
	if (ret == 0 && !process_of(track, lwp)->counted[lwp->nr]) {
		process_of(track, lwp)->counted[lwp->nr] = true;
		for (pic = 0; pic < CPC_PICS; pic++)
			process_of(track, lwp)->total[lwp->nr][pic] = CPC_NONE;
	}

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
	/* It may have ended already */
	if (ret < 0 && ret != -ESRCH)
		track->lost = ret;

	return ret;
}

static int trace_error(const struct track *track, pid_t pid, int err)
{
	tool_error("process %d: %s", pid, err == -ESRCH ? "there is no such process" :
		   track->opt->pid ? "it cannot be traced: it belongs to another user, or "
		   "is traced already" : strerror(-err));

	return TOOL_FAILED;
}

int lwp_begin(struct track *track, pid_t pid)
{
	int ret = tool_trace_seize(pid, track->opt->forks);

	if (ret < 0)
		return trace_error(track, pid, ret);
	ret = add_counted(track, pid, IRIXPERF_ENABLE_ON_EXEC);
	track->lost = 0;

	return ret < 0 ? track_fail(track, ret, 0) : TOOL_OK;
}

/*
 * Trace the threads of a process that are not traced yet. Each has to stop once: what it
 * has started until then, before it was traced, is there to be found then. A thread that
 * cannot be traced has ended, or its parent is traced, and so is it; or none can be.
 */
static int attach_new(struct track *track, pid_t pid)
{
	struct dirent *entry;
	int ret, refused = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atol(entry->d_name);

		if (tid <= 0 || find(track, tid))
			continue;
		ret = tool_trace_seize(tid, track->opt->forks);
		if (ret < 0) {
			refused = ret;
			continue;
		}
		ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
		add_counted(track, tid, 0);
		if (find(track, tid))
			find(track, tid)->attached = true;
	}
	if (dir)
		closedir(dir);

	return refused;
}

int lwp_attach(struct track *track, pid_t pid)
{
	int ret = attach_new(track, pid);

	if (track->nr_lwps == 0)
		return trace_error(track, pid, ret < 0 ? ret : -ESRCH);
	process_of(track, track->lwp)->started = true;
	if (process_of(track, track->lwp)->counted[0])
		return TOOL_OK;

	return track->lost ? track_fail(track, track->lost, 0) :
			     trace_error(track, pid, -ESRCH);
}

/* What an event has counted since the last sample */
static uint64_t count_since(const struct irixperf_count *before,
			    const struct irixperf_count *now)
{
	if (now->enabled > before->enabled && now->running == before->running)
		return CPC_NONE;

	return now->value - before->value;
}

static void total_add(uint64_t *total, uint64_t count)
{
	if (count != CPC_NONE)
		*total = (*total == CPC_NONE ? 0 : *total) + count;
}

/* Add what a thread has counted since its last sample to its process. False if nothing */
static bool collect(struct track *track, struct lwp *lwp, uint64_t count[CPC_PICS])
{
	const struct cpc_set *set = &track->opt->set[lwp->nr];
	struct irixperf_count now;
	unsigned int pic;
	int ret;

	for (pic = 0; pic < CPC_PICS && lwp->set; pic++) {
		if (!set->used[pic])
			continue;
		ret = irixperf_set_read(lwp->set, set->event[pic], &now);
		if (ret < 0) {
			track->lost = ret;
			return false;
		}
		count[pic] = count_since(&lwp->before[pic], &now);
		lwp->before[pic] = now;
		track->shared |= now.running < now.enabled;
		total_add(&process_of(track, lwp)->total[lwp->nr][pic], count[pic]);
	}

	return lwp->set;
}

static void close_set(struct lwp *lwp)
{
	irixperf_set_close(lwp->set);
	lwp->set = NULL;
}

/* A thread counts the next set from now on; one that has ended keeps the old one */
static void next_set(struct track *track, struct lwp *lwp)
{
	struct lwp old = *lwp;
	int ret;

	lwp->set = NULL;
	lwp->nr = (lwp->nr + 1) % track->opt->nr;
	ret = open_set(track, lwp, 0);
	if (ret == -ESRCH) {
		*lwp = old;
		return;
	}
	if (ret < 0)
		track->lost = ret;
	close_set(&old);
}

void lwp_sample_all(struct track *track, bool last)
{
	uint64_t count[CPC_PICS];
	unsigned int i;

	for (i = 0; i < track->nr_lwps; i++) {
		struct lwp *lwp = &track->lwp[i];
		unsigned int nr = lwp->nr;
		bool good;

		if (process_of(track, lwp)->released)
			continue;
		/* So that a set counts nothing that is in no row */
		if (track->opt->nr > 1 && lwp->set)
			irixperf_set_disable(lwp->set);
		good = collect(track, lwp, count);
		if (track->opt->nr > 1 && !last)
			next_set(track, lwp);
		if (good)
			row(track, lwp, nr, "tick", count);
	}
}

bool lwp_all_released(const struct track *track)
{
	unsigned int i = 0;

	while (i < track->nr_lwps && process_of(track, &track->lwp[i])->released)
		i++;

	return i > 0 && i == track->nr_lwps;
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
		if (process->counted[nr])
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

	if (collect(track, lwp, count) && track->opt->verbose)
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
	if (!track->opt->execs && process->started && !process->released) {
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
	if (lwp)
		process_of(track, lwp)->started = true;
}

/* Handle a status that waitpid(2) returned for a thread */
void lwp_event(struct track *track, pid_t tid, int status)
{
	bool execs = status >> 16 == PTRACE_EVENT_EXEC;
	struct lwp *lwp = find(track, tid);

	if (lwp && lwp->attached) {
		lwp->attached = false;
		attach_new(track, process_of(track, lwp)->pid);
		lwp = find(track, tid);
	}
	if (!WIFSTOPPED(status)) {
		if (lwp)
			thread_ended(track, lwp);
		return;
	}
	if (!lwp && !(execs && find(track, tool_trace_former(tid))))
		thread_started(track, tid);
	if (execs)
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

void lwp_free(struct track *track)
{
	lwp_forget(track);
	free(track->lwp);
	free(track->process);
}
