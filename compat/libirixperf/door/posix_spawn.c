// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door for posix_spawn(3). The C library's posix_spawn() starts the program, but is
 * called in another thread: see src/api/spawn.c.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <irixperf.h>
#include "door.h"

typedef int (*spawn_fn)(pid_t *pid, const char *name,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[],
			char *const envp[]);

int __real_posix_spawn(pid_t *pid, const char *path,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const envp[]);
int __real_posix_spawnp(pid_t *pid, const char *file,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[],
			char *const envp[]);
int __wrap_posix_spawn(pid_t *pid, const char *path,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const envp[]);
int __wrap_posix_spawnp(pid_t *pid, const char *file,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[],
			char *const envp[]);

/* The arguments of posix_spawn() or posix_spawnp(), and the function to call */
struct call {
	spawn_fn run;
	const char *name;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attr;
	char *const *argv;
	char *const *envp;
};

static int call_run(pid_t *pid, void *arg)
{
	const struct call *c = arg;

	return -c->run(pid, c->name, c->actions, c->attr, c->argv, c->envp);
}

/* That thread blocks all signals: let the program start with the caller's mask */
static void keep_mask(posix_spawnattr_t *attr)
{
	sigset_t mask;
	short flags;

	posix_spawnattr_getflags(attr, &flags);
	if (flags & POSIX_SPAWN_SETSIGMASK)
		return;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	posix_spawnattr_setsigmask(attr, &mask);
	posix_spawnattr_setflags(attr, (short)(flags | POSIX_SPAWN_SETSIGMASK));
}

static int spawn(pid_t *pid, struct call c)
{
	posix_spawnattr_t attr;

	if (c.attr)
		attr = *c.attr;
	else
		posix_spawnattr_init(&attr);
	keep_mask(&attr);
	c.attr = &attr;

	return -irixperf_spawn(pid, call_run, &c);
}

int __wrap_posix_spawn(pid_t *pid, const char *path,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const envp[])
{
	struct call c = { REAL(posix_spawn), path, actions, attr, argv, envp };

	return spawn(pid, c);
}

int __wrap_posix_spawnp(pid_t *pid, const char *file,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[],
			char *const envp[])
{
	struct call c = { REAL(posix_spawnp), file, actions, attr, argv, envp };

	return spawn(pid, c);
}
