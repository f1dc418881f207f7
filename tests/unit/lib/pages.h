/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults to count on this machine's own kernel: each page that a program
 * touches for the first time is one fault, whoever makes the CPU.
 */
#ifndef PAGES_H
#define PAGES_H

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "unit.h"

#define FAULTS_MAX	8192

static char *faults_pages;

/* The one instruction that faults; nothing of the compiler's before it */
__attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))
static void faults_touch(volatile char *page, size_t size, unsigned int nr)
{
	for (; nr > 0; nr--, page += size)
		*page = 1;
}

/* Sanitizers have pages of their own for these: they must not notice */
__attribute__((no_sanitize("address", "thread"), unused))
static void faults(unsigned int nr)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	syscall(SYS_madvise, faults_pages, nr * size, MADV_DONTNEED);
	faults_touch(faults_pages, size, nr);
}

/* A large page would be one fault */
static inline int faults_make(void **state)
{
	size_t size = FAULTS_MAX * (size_t)sysconf(_SC_PAGESIZE);

	(void)state;
	faults_pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (faults_pages == MAP_FAILED)
		return -1;
	madvise(faults_pages, size, MADV_NOHUGEPAGE);
	faults(FAULTS_MAX);

	return 0;
}

/* Containers and perf_event_paranoid 3 forbid even this */
static inline int faults_count(void)
{
	struct perf_event_attr pea = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(pea),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.exclude_kernel = 1,
	};
	long fd = syscall(SYS_perf_event_open, &pea, 0, -1, -1, 0);

	if (fd < 0) {
		print_message("# perf_event_open: errno %d: nothing may be "
			      "counted\n", errno);
		return 0;
	}
	close((int)fd);

	return 1;
}

#define NEEDS_FAULTS()				\
	do {					\
		if (!faults_count())		\
			skip();			\
	} while (0)

#endif
