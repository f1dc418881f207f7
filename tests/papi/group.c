// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts N additions of doubles by a preset and one native event, and prints
 * both counts, how many calls of read(2) PAPI made to get them, and what adding
 * two events of one counter says. The linker puts the read() below in the place
 * of the C library's (--wrap).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <papi.h>

#define N 100000

static int reads;

ssize_t __real_read(int fd, void *data, size_t size);
ssize_t __wrap_read(int fd, void *data, size_t size);

ssize_t __wrap_read(int fd, void *data, size_t size)
{
	reads++;
	return __real_read(fd, data, size);
}

static void must(const char *what, int ret)
{
	if (ret < 0) {
		printf("%s: %s\n", what, PAPI_strerror(ret));
		exit(1);
	}
}

static void add(int set, const char *name)
{
	int ret = PAPI_add_named_event(set, name);

	if (ret != PAPI_OK)
		printf("cannot add %s: %s\n", name, PAPI_strerror(ret));
}

static double additions(void)
{
	volatile double one = 1, sum = 0;
	int i;

	for (i = 0; i < N; i++)
		sum = sum + one;
	return sum;
}

int main(int argc, char **argv)
{
	long long counts[8] = { 0 }, ends[8] = { 0 };
	int set = PAPI_NULL, i, ret = PAPI_library_init(PAPI_VER_CURRENT);
	double sum;

	must("PAPI_library_init", ret == PAPI_VER_CURRENT ? 0 : PAPI_EINVAL);
	must("PAPI_create_eventset", PAPI_create_eventset(&set));
	for (i = 1; i < argc; i++)
		add(set, argv[i]);
	must("PAPI_start", PAPI_start(set));
	sum = additions();
	reads = 0;
	must("PAPI_read", PAPI_read(set, counts));
	i = reads;
	must("PAPI_stop", PAPI_stop(set, ends));
	printf("events %d sum %.0f first %lld second %lld reads %d\n",
	       PAPI_num_events(set), sum, counts[0], counts[1], i);
	return 0;
}
