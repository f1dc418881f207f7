/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults, to count on this machine's own kernel. On any CPU, each page that a
 * program touches for the first time is one fault.
 */
#ifndef PAGES_H
#define PAGES_H

#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>
#include "unit.h"

#define FAULTS_MAX	8192

static char *faults_pages;

/* The only instruction that faults. The compiler must not add others before it */
__attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))
static void faults_touch(volatile char *page, size_t size, unsigned int nr)
{
	for (; nr > 0; nr--, page += size)
		*page = 1;
}

/* Sanitizers would touch pages of their own for each of these */
__attribute__((no_sanitize("address", "thread"), unused))
static void faults(unsigned int nr)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	syscall(SYS_madvise, faults_pages, nr * size, MADV_DONTNEED);
	faults_touch(faults_pages, size, nr);
}

/* Without large pages: one would be a single fault */
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

/* Containers and perf_event_paranoid 3 forbid even page faults */
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
