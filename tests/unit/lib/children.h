/* SPDX-License-Identifier: GPL-2.0-only */
/* Children that tests start, and what processes do that can be seen or counted. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <fcntl.h>
#include <sched.h>
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

/* What this file of a process tells; "" if it cannot be read */
static inline void read_of_process(pid_t pid, const char *file, char *text, size_t size)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY);
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
}

/* Wait until the process sleeps, and so has done all that it does before, or has ended */
static inline void wait_asleep(pid_t pid)
{
	char text[256], *state;

	do {
		sched_yield();
		read_of_process(pid, "stat", text, sizeof(text));
		state = strrchr(text, ')');
	} while (state && !strchr("SZ", state[2]));
	/* A process that is about to sleep is shown as S while it is still on its CPU */
	do
		read_of_process(pid, "syscall", text, sizeof(text));
	while (strncmp(text, "running", 7) == 0);
}

/* A child that sleeps from now on */
static inline pid_t start_sleeper(void)
{
	pid_t pid = start_child(sleep_for_ever);

	if (pid > 0)
		wait_asleep(pid);

	return pid;
}

/* A child that runs from now on, or waits for a CPU */
static inline pid_t start_spinner(void)
{
	int there[2];
	char byte;
	pid_t pid;

	if (pipe(there) < 0)
		abort();
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(there[1], "", 1) != 1)
			_exit(1);
		for (;;)
			__asm__ volatile("" : : : "memory");
	}
	close(there[1]);
	if (read(there[0], &byte, 1) != 1)
		abort();
	close(there[0]);

	return pid;
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
