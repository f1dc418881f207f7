// SPDX-License-Identifier: GPL-2.0-only
/*
 * libperfex with real counters, used like in IRIX programs: with prototypes in the
 * program, and -lperfex alone. Prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "additions.h"
#include "check.h"

int start_counters(int e0, int e1);
int read_counters(int e0, long long *c0, int e1, long long *c1);
int print_counters(int e0, long long c0, int e1, long long c1);
int print_costs(int e0, long long c0, int e1, long long c1);
int load_costs(char *file);

#define CYCLES		0
#define INSNS		15	/* counter 0 on the R10000 */
#define FP		ADDITION
#define STEPS		1000000L

static long long c0, c1;

static long long count_steps(int e0, int e1, long steps)
{
	int start = start_counters(e0, e1);

	run_steps(steps - 1);

	return read_counters(e0, &c0, e1, &c1) == start && start > 0 ? c1 : -1;
}

static void exact(void)
{
	int i, start, good = 0;

	check_count(count_steps(INSNS, FP, STEPS), STEPS,
		    "additions are counted exactly");
	check(c0 >= STEPS * STEP_INSNS && c0 < STEPS * STEP_INSNS + 10000,
	      "instructions are those of the loop and of two calls",
	      "expected: %ld and less than 10000, got: %lld",
	      STEPS * STEP_INSNS, c0);

	/* Like a program that counts each call of a function */
	for (i = 0; i < 100; i++)
		good += count_steps(CYCLES, FP, 100 + i) == 100 + i;
	check_count(good, 100, "a hundred times from zero");

	start = start_counters(FP, CYCLES);
	run_steps(STEPS - 1);
	check(read_counters(FP, &c0, CYCLES, &c1) == start && c0 == STEPS &&
	      c1 > STEPS, "events in any order",
	      "got: %lld additions, %lld cycles", c0, c1);
	run_steps(STEPS - 1);
	read_counters(FP, &c0, CYCLES, &c1);
	check_count(c0, STEPS, "nothing is counted after read_counters()");
}

/* As TAU does by default */
static void one_event(void)
{
	long long first = -1, second = -1;
	int start = start_counters(CYCLES, CYCLES);

	run_steps(STEPS - 1);
	check(start > 0 && read_counters(CYCLES, &first, CYCLES, &second) == start &&
	      first > STEPS && first == second, "cycles twice",
	      "got: %d, %lld and %lld cycles", start, first, second);
	check_count(count_steps(FP, FP, STEPS), STEPS, "additions twice");
	check_count(c0, STEPS, "... both counts are theirs");
	check(count_steps(INSNS, INSNS, STEPS) >= STEPS * STEP_INSNS && c0 == c1,
	      "instructions twice", "got: %lld and %lld", c0, c1);
}

static void environment(void)
{
	setenv("T5_EVENT0", "21", 1);
	check(start_counters(CYCLES, CYCLES) > 0,
	      "T5_EVENT0 replaces one of two equal events", "it does not");
	run_steps(STEPS - 1);
	read_counters(CYCLES, &c0, CYCLES, &c1);
	check_count(c0, STEPS, "... and is counted in the first one's place");
	unsetenv("T5_EVENT0");
	setenv("T5_EVENT1", "graduated_fp_instructions", 1);
	check_count(count_steps(CYCLES, 26, STEPS), STEPS,
		    "T5_EVENT1 may have a name");
	unsetenv("T5_EVENT1");
}

/* Return a function's result, and what it writes to stderr */
static int run_quietly(int (*f)(void), char *text, size_t size)
{
	int saved = dup(STDERR_FILENO), ret;
	FILE *file = tmpfile();
	size_t n;

	dup2(fileno(file), STDERR_FILENO);
	ret = f();
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(text, 1, size - 1, file);
	text[n] = '\0';
	fclose(file);

	return ret;
}

static int same_half(void)
{
	return start_counters(FP, 26);
}

static int print_two(void)
{
	return print_counters(CYCLES, 5, FP, 1234567);
}

/* The clocks of the emulated machines, in MHz, by what /proc/cpuinfo calls them */
static const struct machine {
	const char *name;
	long mhz;
} machines[] = {
	{ "MIPS Malta", 320 },
	{ "SGI Octane", 250 },
};

static long machine_mhz(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[128] = "";
	size_t i;

	if (!file || !fgets(line, sizeof(line), file))
		perror("/proc/cpuinfo");
	if (file)
		fclose(file);
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strstr(line, machines[i].name))
			return machines[i].mhz;

	return 0;
}

/* A second of cycles, and half a second of additions, by the nominal clock */
static int print_two_costs(void)
{
	return print_costs(CYCLES, machine_mhz() * 1000000, FP,
			   machine_mhz() * 500000);
}

static int load_none(void)
{
	return load_costs("/no/such/file");
}

static int start_two(void)
{
	return start_counters(CYCLES, FP);
}

/* A million misses of the secondary cache, whose costs are known in nanoseconds */
#define MISSES		1000000
#define MISS_NSEC	377.51

static int print_misses(void)
{
	return print_costs(FP, 1, 26, MISSES);
}

/* Are these the clocks after a count? The library knows the clock in whole MHz */
static bool costs(const char *text, const char *count, double clocks)
{
	const char *row = strstr(text, count);
	double cost;

	return row && sscanf(row + strlen(count), "%lf", &cost) == 1 &&
	       cost > clocks * 0.995 && cost < clocks * 1.005;
}

static void messages(void)
{
	static const char two[] =
		" 0 Cycles.....................................................                5\n"
		"21 Graduated floating point instructions......................          1234567\n";
	char text[4096], cycles[32], additions[32];
	int ret;

	ret = run_quietly(same_half, text, sizeof(text));
	if (ret > 0) {
		check(read_counters(FP, &c0, 26, &c1) == ret,
		      "two of any number on this CPU", "they are not read");
	} else {
		check(strstr(text, "both need counter 1") != NULL,
		      "two events of one counter are a conflict", "got: %s",
		      text);
	}
	ret = run_quietly(print_two, text, sizeof(text));
	check(ret == 0 && strcmp(text, two) == 0, "print_counters()",
	      "expected: %s, got: %s", two, text);
	ret = run_quietly(print_two_costs, text, sizeof(text));
	snprintf(cycles, sizeof(cycles), " %ld ", machine_mhz() * 1000000);
	snprintf(additions, sizeof(additions), " %ld ", machine_mhz() * 500000);
	check(ret == 0 && costs(text, additions, machine_mhz() * 500000.0),
	      "print_costs() in clocks", "got: %s", text);
	check(strstr(text, cycles) && strchr(strstr(text, cycles), '-') &&
	      strstr(text, "NOTE: cycles and seconds are the emulator's"),
	      "... has none of cycles, and says so", "got: %s", text);
	ret = run_quietly(print_misses, text, sizeof(text));
	check(ret == 0 && costs(text, " 1000000 ",
				MISSES * MISS_NSEC * machine_mhz() / 1000),
	      "... has clocks of costs in nanoseconds", "got: %s", text);
	ret = run_quietly(load_none, text, sizeof(text));
	check(ret < 0 && strstr(text, "/no/such/file"),
	      "load_costs() of no file fails", "got: %d, %s", ret, text);
}

/* A child counts for itself */
static void forked(void)
{
	int status = -1;
	pid_t pid;

	start_counters(CYCLES, FP);
	pid = fork();
	if (pid == 0)
		_exit(count_steps(CYCLES, FP, 1000) != 1000);
	waitpid(pid, &status, 0);
	run_steps(STEPS - 1);
	read_counters(CYCLES, &c0, FP, &c1);
	check(status == 0 && c1 == STEPS, "parent and child count their own",
	      "status %d, the parent counted %lld", status, c1);
}

static void lost(void)
{
	char text[4096];
	int start = start_counters(CYCLES, FP);
	int ret;

	run_steps(STEPS - 1);
	if (system("ecadmin -e 0") != 0) {
		check(false, "ecadmin takes the counters", "it fails");
		return;
	}
	run_steps(STEPS - 1);
	ret = read_counters(CYCLES, &c0, FP, &c1);
	check(ret > 0 && ret != start && c1 < 2 * STEPS,
	      "lost counters show by another generation",
	      "started with %d, read %d, counted %lld", start, ret, c1);
	ret = run_quietly(start_two, text, sizeof(text));
	check(ret < 0 && strstr(text, "prioctl PIOCENEVCTRS returns error: ") ==
	      text && strstr(text, "ecadmin -r"),
	      "they cannot be had until they are released", "got: %d, %s", ret,
	      text);
	if (system("ecadmin -r") != 0)
		return;
	check_count(count_steps(CYCLES, FP, STEPS), STEPS,
		    "then they count again");
}

/* Print the two events of the environment, or else cycles and additions */
static int count_once(void)
{
	int start = start_counters(CYCLES, FP);

	run_steps(STEPS - 1);
	if (start <= 0 || read_counters(CYCLES, &c0, FP, &c1) != start)
		return 1;

	return print_counters(CYCLES, c0, FP, c1) != 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "once") == 0)
		return count_once();

	exact();
	one_event();
	environment();
	messages();
	forked();
	lost();
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
