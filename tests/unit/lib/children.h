/* SPDX-License-Identifier: GPL-2.0-only */
/* Children that tests start, and what processes do that can be seen or counted. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that is gone if its parent is */
static inline pid_t start_child(void (*run)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run();
		_exit(0);
	}

	return pid;
}

static inline void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static inline void sleep_for_ever(void)
{
	for (;;)
		pause();
}

/* Wait until the process sleeps */
static inline void wait_asleep(pid_t pid)
{
	char path[32], text[256], *state;
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	do {
		file = open(path, O_RDONLY);
		n = read(file, text, sizeof(text) - 1);
		close(file);
		text[n > 0 ? n : 0] = '\0';
		state = strrchr(text, ')');
	} while (state && strncmp(state, ") S", 3) != 0);
}

/* So many page faults, and some of the code around */
#define PAGES		500

__attribute__((no_sanitize("address", "thread"), unused))
static void touch_pages(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), i;
	char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		abort();
	madvise(pages, PAGES * size, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		((volatile char *)pages)[i * size] = 1;
	munmap(pages, PAGES * size);
}

#endif
