// SPDX-License-Identifier: GPL-2.0-only
/*
 * modes-once u|k|x|a: counts graduated instructions of a fixed piece of work
 * in user mode, kernel mode, at exception level, or in all three, and prints the
 * count. For tests/accept/modes, which boots four times with another letter.
 *
 * The four runs execute the same instructions up to the control word: each opens
 * all four events and enables only the chosen one, and even looks the letter up
 * without a branch. One more instruction before the start would move the timer's
 * interrupts, and thus what they interrupt: an LL/SC pair of the kernel, for
 * example, which is then repeated.
 */
#include <sys/mman.h>
#include <time.h>

#include "../tap.h"
#include "../loops.h"
#include "../pmu.h"

#define PAGES	256
#define PAGE	4096

static const char letters[] = { 'u', 'k', 'x', 'a' };
static const unsigned int modes[] = { PMU_U, PMU_K, PMU_EXL, PMU_ALL };

/* The index of a letter plus one, or 0 if it is none of them */
static unsigned int place_of(char letter)
{
	unsigned int place = 0, i;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		place += (i + 1) * (letters[i] == letter);
	return place;
}

/* User loops, system calls, page faults, TLB refills, floating point */
static void work(void)
{
	volatile char *map;
	int pass, i;

	loop_run(&loops[LOOP_MIX], 200000);
	loop_run(&loops[LOOP_SC_SYSCALL], 2000);
	map = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		tap_bail_errno("mmap");
	for (pass = 0; pass < 20; pass++)
		for (i = 0; i < PAGES; i++)
			map[i * PAGE]++;
	munmap((void *)map, PAGES * PAGE);
	loop_run(&loops[LOOP_FP], 50000);
}

/*
 * Wait for the next full second of the guest's clock: the moment at which the host
 * sends the command differs between boots.
 */
static void wait_for_full_second(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec += 2;
	now.tv_nsec = 0;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL);
}

int main(int argc, char **argv)
{
	unsigned int place = argc == 2 ? place_of(*argv[1]) : 0;
	int fds[ARRAY_SIZE(modes)], fd;
	size_t i;

	if (!place) {
		fprintf(stderr, "usage: %s u|k|x|a\n", argv[0]);
		return 2;
	}
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		fds[i] = pmu_must_open(EV_INSNS, modes[i]);
	fd = fds[place - 1];
	work();		/* all code and data have been used once */
	wait_for_full_second();
	pmu_enable(fd);
	work();
	pmu_disable(fd);
	printf("%llu\n", (unsigned long long)pmu_read(fd).value);
	return 0;
}
