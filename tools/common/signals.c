// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tool blocks signals and takes them one at a time, so it needs no handlers. Its
 * command gets the signal mask and the actions that the tool was started with.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>
#include "tool.h"

static const int taken[] = {
	SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2,
};

#define NR_TAKEN	(sizeof(taken) / sizeof(taken[0]))

static sigset_t set, old_set;
static struct sigaction old[NR_TAKEN];

static bool is_wanted(int sig)
{
	return sig == SIGCHLD || sig == SIGUSR1 || sig == SIGUSR2;
}

/*
 * If SIGCHLD were ignored, the kernel would discard the children's exit statuses; an
 * ignored SIGUSR1 would never arrive. Other signals that the tool's caller ignores
 * (nohup) stay ignored.
 */
void tool_signals_block(void)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < NR_TAKEN; i++) {
		sigaction(taken[i], NULL, &old[i]);
		if (is_wanted(taken[i]))
			sigaction(taken[i], &by_default, NULL);
		else if (old[i].sa_handler == SIG_IGN)
			continue;
		sigaddset(&set, taken[i]);
	}
	sigprocmask(SIG_BLOCK, &set, &old_set);
}

/* Called in the child, before it becomes the command */
void tool_signals_restore(void)
{
	size_t i;

	for (i = 0; i < NR_TAKEN; i++)
		sigaction(taken[i], &old[i], NULL);
	sigprocmask(SIG_SETMASK, &old_set, NULL);
}

/* Return the next signal, or 0 after @seconds; a negative @seconds means no limit */
int tool_signals_wait(siginfo_t *info, double seconds)
{
	struct timespec limit;
	int sig;

	if (seconds < 0) {
		sig = sigwaitinfo(&set, info);
	} else {
		limit.tv_sec = (time_t)seconds;
		limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
		sig = sigtimedwait(&set, info, &limit);
	}

	return sig < 0 ? 0 : sig;
}
