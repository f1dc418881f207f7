// SPDX-License-Identifier: GPL-2.0-only
/* N threads at once; each adds its part to a sum under a lock. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

#define ROUNDS	1000
#define STEPS	200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;

static void *thread_work(void *arg)
{
	uint64_t state = (uintptr_t)arg + 1;
	int round, step;

	for (round = 0; round < ROUNDS; round++) {
		for (step = 0; step < STEPS; step++)
			wl_random(&state);
		pthread_mutex_lock(&lock);
		sum += state;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "threads", 4, 256);
	pthread_t threads[256];
	unsigned long i;

	for (i = 0; i < n; i++) {
		if (pthread_create(&threads[i], NULL, thread_work,
				   (void *)(uintptr_t)i))
			wl_die("pthread_create");
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("threads: %lu threads: sum %016" PRIx64 "\n", n, sum);
	return 0;
}
