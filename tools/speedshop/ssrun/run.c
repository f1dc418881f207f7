// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sort what was recorded by processes, threads and programs. A child of fork(2)
 * has a profile of its own, and so have a thread and each program that a process
 * runs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "ssrun.h"

/* The kernel cuts off a program's name after so many characters */
#define COMM_LEN	15

/* So much of a program's name leaves room for the other parts of a file's name */
#define NAME_LEN	200

struct map {
	struct map *next;
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	const struct ssrun_object *object;
};

/**
 * struct space - what the threads of a process share
 * @maps: its code, the last mapped first
 * @comm: the program's name, cut off
 * @program: the program's file, NULL until it is mapped
 */
struct space {
	struct map *maps;
	char *comm;
	const char *program;
};

struct ssrun_task {
	struct ssrun_task *next;
	pid_t pid;
	pid_t tid;
	const char *code;
	struct space *space;
	struct ssrun_profile *profile;
};

/* Find the newest task with this number: the kernel reuses numbers */
static struct ssrun_task *task_of(const struct ssrun_run *run, pid_t tid)
{
	struct ssrun_task *task;

	for (task = run->tasks; task; task = task->next)
		if (task->tid == tid)
			return task;

	return NULL;
}

static struct ssrun_task *task_new(struct ssrun_run *run, pid_t pid, pid_t tid,
				   const char *code)
{
	struct ssrun_task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->pid = pid;
	task->tid = tid;
	task->code = code;
	task->next = run->tasks;
	run->tasks = task;

	return task;
}

static int map_add(struct space *space, const struct map *from)
{
	struct map *map = malloc(sizeof(*map));

	if (!map)
		return -ENOMEM;
	*map = *from;
	map->next = space->maps;
	space->maps = map;

	return 0;
}

/* Keep the order: the last mapped stays first */
static int maps_copy(struct space *to, const struct map *from)
{
	struct map **end = &to->maps;

	for (; from; from = from->next) {
		*end = malloc(sizeof(**end));
		if (!*end)
			return -ENOMEM;
		**end = *from;
		(*end)->next = NULL;
		end = &(*end)->next;
	}

	return 0;
}

static int fork_space(struct ssrun_task *task, const struct ssrun_task *parent)
{
	task->space = calloc(1, sizeof(*task->space));
	if (!task->space)
		return -ENOMEM;
	if (!parent || !parent->space)
		return 0;
	task->space->comm = parent->space->comm;
	task->space->program = parent->space->program;

	return maps_copy(task->space, parent->space->maps);
}

static int run_fork(struct ssrun_run *run, const struct ssrun_line *line)
{
	bool thread = line->tid != line->pid;
	const struct ssrun_task *parent = task_of(run, line->parent);
	struct ssrun_task *task;

	task = task_new(run, line->pid, line->tid, thread ? "p" : "f");
	if (!task)
		return -ENOMEM;
	if (!thread || !parent)
		return fork_space(task, parent);
	task->space = parent->space;

	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * The kernel names a program as it was started. For scripts and links that is
 * better than the file's name. If the kernel has cut the name off, the file has
 * all of it.
 */
static const char *program_name(const struct ssrun_run *run,
				const struct ssrun_task *task)
{
	const char *comm = task->space->comm ? task->space->comm : "unknown";
	const char *base = base_name(task->space->program ?
				     task->space->program : comm);

	if (strncmp(run->master, comm, COMM_LEN) == 0 &&
	    strcmp(task->code, "e"))
		return run->master;
	if (strlen(comm) == COMM_LEN && strncmp(base, comm, COMM_LEN) == 0)
		return base;

	return comm;
}

/* A process that runs the same program again continues its profile */
static struct ssrun_profile *profile_find(const struct ssrun_run *run,
					  const struct ssrun_task *task,
					  const char *name)
{
	struct ssrun_profile *profile;

	for (profile = run->profiles; profile; profile = profile->next)
		if (profile->id == task->tid && !profile->forgotten &&
		    strcmp(profile->code, task->code) == 0 &&
		    strcmp(profile->name, name) == 0)
			return profile;

	return NULL;
}

static struct ssrun_profile *profile_new(struct ssrun_run *run,
					 const struct ssrun_task *task,
					 const char *name)
{
	const char *program = task->space->program;
	struct ssrun_profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->code = task->code;
	profile->id = task->tid;
	profile->pid = task->pid;
	profile->name = strdup(name);
	profile->program = strdup(program ? program : name);
	if (!profile->name || !profile->program) {
		free(profile->name);
		free(profile->program);
		free(profile);
		return NULL;
	}
	profile->next = run->profiles;
	run->profiles = profile;

	return profile;
}

static struct ssrun_profile *profile_of(struct ssrun_run *run,
					struct ssrun_task *task)
{
	char name[NAME_LEN + 1];

	if (task->profile)
		return task->profile;
	snprintf(name, sizeof(name), "%s", program_name(run, task));
	tool_printable(name, '\0');
	task->profile = profile_find(run, task, name);
	if (!task->profile)
		task->profile = profile_new(run, task, name);

	return task->profile;
}

/*
 * The first program is the command. With from_exec, a child of fork(2) that runs a
 * program loses its samples from before that.
 */
static const char *exec_code(const struct ssrun_run *run,
			     struct ssrun_task *task)
{
	if (!run->tasks)
		return "m";
	if (task && run->from_exec && strcmp(task->code, "f") == 0) {
		if (task->profile)
			task->profile->forgotten = true;
		return "fe";
	}

	return "e";
}

/* The command gets a file even if it runs another program before its first sample */
static bool keep_master(struct ssrun_run *run, struct ssrun_task *task)
{
	return strcmp(task->code, "m") || profile_of(run, task);
}

static int run_exec(struct ssrun_run *run, const struct ssrun_line *line)
{
	struct ssrun_task *task = task_of(run, line->pid);
	const char *code = exec_code(run, task);

	if (task && !keep_master(run, task))
		return -ENOMEM;
	if (!task)
		task = task_new(run, line->pid, line->pid, code);
	if (!task)
		return -ENOMEM;
	task->code = code;
	task->profile = NULL;
	task->space = calloc(1, sizeof(*task->space));
	if (!task->space)
		return -ENOMEM;
	task->space->comm = strdup(line->name);

	return task->space->comm ? 0 : -ENOMEM;
}

/* The first file that a program maps is its own */
static int run_map(struct ssrun_run *run, const struct ssrun_line *line)
{
	struct ssrun_task *task = task_of(run, line->tid);
	struct map map = {
		.address = line->address,
		.size = line->size,
		.offset = line->offset,
	};

	if (!task || !task->space)
		return 0;
	map.object = ssrun_object_get(line->name);
	if (!map.object)
		return -ENOMEM;
	if (!task->space->program)
		task->space->program = map.object->path;

	return map_add(task->space, &map);
}

/**
 * ssrun_run_master() - the command's own profile
 * @run: the run
 *
 * Return: the profile, which may have no samples; NULL if perf has not seen the
 * command start, or if there is no memory.
 */
struct ssrun_profile *ssrun_run_master(struct ssrun_run *run)
{
	struct ssrun_task *task;
	struct ssrun_profile *profile;

	for (profile = run->profiles; profile; profile = profile->next)
		if (strcmp(profile->code, "m") == 0)
			return profile;
	for (task = run->tasks; task; task = task->next)
		if (strcmp(task->code, "m") == 0)
			return profile_of(run, task);

	return NULL;
}

static int compare_samples(const void *a, const void *b)
{
	const struct ssrun_sample *x = a, *y = b;

	if (x->object != y->object)
		return strcmp(x->object->path, y->object->path);

	return (x->address > y->address) - (x->address < y->address);
}

static int sample_add(struct ssrun_profile *profile,
		      const struct ssrun_sample *key)
{
	struct ssrun_sample *sample, **found;

	found = tsearch(key, &profile->tree, compare_samples);
	if (!found)
		return -ENOMEM;
	profile->samples++;
	if (*found != key) {
		(*found)->count++;
		return 0;
	}
	sample = malloc(sizeof(*sample));
	if (sample) {
		*sample = *key;
		sample->count = 1;
		sample->function = strdup(key->function);
	}
	if (!sample || !sample->function) {
		tdelete(key, &profile->tree, compare_samples);
		free(sample);
		return -ENOMEM;
	}
	*found = sample;

	return 0;
}

static const struct map *map_of(const struct space *space, uint64_t address)
{
	const struct map *map;

	for (map = space->maps; map; map = map->next)
		if (address - map->address < map->size)
			return map;

	return NULL;
}

static int run_sample(struct ssrun_run *run, const struct ssrun_line *line)
{
	struct ssrun_task *task = task_of(run, line->tid);
	struct ssrun_sample key = {
		.address = line->address,
		.function = (char *)line->name,
	};
	struct ssrun_profile *profile;
	const struct map *map;

	if (!task || !task->space)
		return 0;
	profile = profile_of(run, task);
	if (!profile)
		return -ENOMEM;
	map = map_of(task->space, line->address);
	key.object = map ? map->object : ssrun_object_get(SPEEDSHOP_UNKNOWN);
	if (!key.object)
		return -ENOMEM;
	if (map)
		key.address = ssrun_object_address(map->object, line->address -
						   map->address + map->offset);
	if (strcmp(line->name, SPEEDSHOP_UNKNOWN))
		key.start = key.address - line->offset;

	return sample_add(profile, &key);
}

/*
 * perf record (Linux 6.1 to 7.2 at least) asks twice how much the kernel has
 * written. It copies up to the second answer but continues from the first, so it
 * records twice what the kernel writes in between. perf script sorts by time,
 * which puts equal lines next to each other, and no thread does the same thing
 * twice in one nanosecond.
 */
static bool is_repeated(struct ssrun_run *run, const struct ssrun_line *line)
{
	const struct ssrun_line last = run->last;

	run->last = *line;

	return line->time && line->time == last.time &&
	       line->kind == last.kind && line->pid == last.pid &&
	       line->tid == last.tid && line->address == last.address &&
	       line->size == last.size;
}

/* A line may have any number, so the sum must not overflow */
static void add_lost(uint64_t *lost, uint64_t number)
{
	if (__builtin_add_overflow(*lost, number, lost))
		*lost = UINT64_MAX;
}

/**
 * ssrun_run_line() - add a line to the run
 * @run: the run
 * @line: the line
 *
 * Return: 0 or -ENOMEM.
 */
int ssrun_run_line(struct ssrun_run *run, const struct ssrun_line *line)
{
	if (is_repeated(run, line))
		return 0;

	switch (line->kind) {
	case SSRUN_SAMPLE:
		return run_sample(run, line);
	case SSRUN_FORK:
		return run->tasks ? run_fork(run, line) : 0;
	case SSRUN_EXEC:
		return run_exec(run, line);
	case SSRUN_MAP:
		return run_map(run, line);
	case SSRUN_LOST:
		add_lost(&run->lost, line->size);
		return 0;
	case SSRUN_LOST_SAMPLES:
		add_lost(&run->lost_samples, line->size);
		return 0;
	default:
		return 0;
	}
}
