// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzzer of perf_event_open() with a bias towards our PMU.
 *
 * usage: fuzz --module FILE [--seed N] [--seconds N]
 *
 * Rounds of processes of several roles: all kinds of operations, sampling
 * without a break, fork storms, a module that comes and goes, and a witness
 * that counts a known loop. Processes are killed at any time, and all of them
 * at the end of a round; then the module must be free.
 */
#include <getopt.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "fuzz.h"
#include "pmu.h"
#include "tap.h"

#define ROUND_SECONDS	5		/* at most */
#define PROCESSES	6
#define PATIENCE	120
#define END_TRIES	500		/* of 20 ms */

/*
 * An interrupt takes the debug kernel so long that the default of 100000 a
 * second would leave no time for anything else.
 */
#define SLOW_RATE	2000

struct fuzz_shared *fuzz_shared;
const char *fuzz_self, *fuzz_module;
int fuzz_nr_cpus;

static uint64_t seed = 1;
static time_t seconds = 20;

/* In rounds of the second kind the module comes and goes */
static const fuzz_role roles[2][PROCESSES] = {
	{ role_fuzzer, role_fuzzer, role_sampler, role_forker, role_witness,
	  role_fuzzer },
	{ role_gentle, role_gentle, role_gentle, role_plugger, role_witness,
	  role_gentle },
};

static const char *const names[NR_COUNTS] = {
	[COUNT_OPEN_TRIED] = "events tried",
	[COUNT_OPENED] = "events opened",
	[COUNT_OPENED_OURS] = "events of our PMU opened",
	[COUNT_OPENED_LAST_CPU] = "events of the last CPU opened",
	[COUNT_CLOSED] = "events closed one by one",
	[COUNT_IOCTLS] = "ioctls",
	[COUNT_READS] = "reads",
	[COUNT_MAPPED] = "buffers mapped",
	[COUNT_RECORDS] = "buffers with records",
	[COUNT_SIGNALS] = "signals",
	[COUNT_FORKS] = "forks",
	[COUNT_KILLS] = "kills",
	[COUNT_EXECS] = "execs",
	[COUNT_SAMPLINGS] = "sampling loops",
	[COUNT_LOADED] = "times the module loaded",
	[COUNT_UNLOADED] = "times it unloaded",
	[COUNT_UNLOAD_BUSY] = "times unloading was refused",
	[COUNT_MUX_SET] = "times the multiplexing timer was started",
	[COUNT_WITNESSED] = "counts of the witness",
	[COUNT_MULTIPLEXED] = "more that shared a counter",
};

static pid_t spawn(fuzz_role role)
{
	pid_t pid;

	random_bits();
	pid = fork();
	if (pid < 0)
		tap_bail_errno("fork");
	if (pid)
		return pid;
	setpgid(0, 0);
	random_seed(random_bits());
	role();
}

/* The process and all that it has started */
static void end(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
}

/* A process that cannot be killed hangs in the kernel */
static bool reap(pid_t pid)
{
	int i;

	for (i = 0; i < END_TRIES; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		usleep(20000);
	}
	return false;
}

/* Say where in the kernel the process is, and end the test */
static void tap_bail_hangs(pid_t pid)
{
	static const char *const files[] = { "stat", "wchan", "stack" };
	char path[32], text[2048];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		if (!pmu_file(path, text, sizeof(text)))
			snprintf(text, sizeof(text), "%s", strerror(errno));
		tap_note("%s: %s\n", path, text);
	}
	tap_bail("process %d cannot be killed\n", pid);
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Any of them can be killed and started again at any time */
static void disturb(pid_t *pid, const fuzz_role *role)
{
	unsigned int i = random_below(PROCESSES);

	usleep(300000 + random_below(700000));
	end(pid[i]);
	if (!reap(pid[i]))
		tap_bail_hangs(pid[i]);
	pid[i] = spawn(role[i]);
}

static void round_of(const fuzz_role *role)
{
	/* Two make a short run: one of each kind */
	time_t until = now() + (seconds / 2 < ROUND_SECONDS ? seconds / 2 :
							      ROUND_SECONDS);
	pid_t pid[PROCESSES];
	int i;

	for (i = 0; i < PROCESSES; i++)
		pid[i] = spawn(role[i]);
	while (now() < until)
		disturb(pid, role);
	for (i = 0; i < PROCESSES; i++)
		end(pid[i]);
	for (i = 0; i < PROCESSES; i++)
		if (!reap(pid[i]))
			tap_bail_hangs(pid[i]);
}

/* Events go some time after their process: grandchildren are init's */
static bool unload_at_last(void)
{
	int i;

	for (i = 0; i < END_TRIES; i++) {
		if (plug_unload())
			return true;
		usleep(20000);
	}
	return false;
}

/* On a busy host the time may not suffice for a bit of everything */
static bool enough(time_t since)
{
	time_t taken = now() - since;
	int i;

	if (taken < seconds || taken > seconds + PATIENCE)
		return taken >= seconds;
	for (i = 0; i < COUNT_MULTIPLEXED; i++)
		if (!fuzz_shared->count[i])
			return false;
	return true;
}

static unsigned int rounds(void)
{
	time_t since = now();
	unsigned int i;

	for (i = 0; !enough(since); i++) {
		round_of(roles[i % 2]);
		if (!unload_at_last())
			tap_bail("round %u: the module stays in use\n", i);
		if (!plug_load())
			tap_bail_errno("loading the module again");
	}
	return i;
}

static void report(unsigned int count)
{
	int i;

	tap_note("seed %llu, %u rounds in %lld s\n", (unsigned long long)seed,
		 count, (long long)seconds);
	for (i = 0; i < COUNT_WRONG; i++)
		tap_note("%llu %s\n", (unsigned long long)fuzz_shared->count[i],
			 names[i]);
	for (i = 0; i < COUNT_MULTIPLEXED; i++)
		check_true(names[i], fuzz_shared->count[i] > 0, "none");
	check_true("the witness counts exactly", !fuzz_shared->count[COUNT_WRONG],
		   "%llu times not; the last was %llu instead of %llu",
		   (unsigned long long)fuzz_shared->count[COUNT_WRONG],
		   (unsigned long long)fuzz_shared->wrong_got,
		   (unsigned long long)fuzz_shared->wrong_expected);
}

static void options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "module", required_argument, NULL, 'm' },
		{ "seed", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "nothing", no_argument, NULL, 'n' },
		{ }
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0)
		switch (option) {
		case 'm':
			fuzz_module = optarg;
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			seconds = strtoul(optarg, NULL, 0);
			break;
		default:
			exit(option != 'n');
		}
}

int main(int argc, char **argv)
{
	fuzz_self = argv[0];
	options(argc, argv);
	fuzz_shared = mmap(NULL, sizeof(*fuzz_shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fuzz_shared == MAP_FAILED || !fuzz_module)
		tap_bail("no memory, or no --module\n");
	fuzz_nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	random_seed(seed);
	tap_start(COUNT_MULTIPLEXED + 1);
	if (!plug_load())
		tap_bail_errno("loading the module");
	pmu_set_sample_rate(SLOW_RATE);
	witness_learn();
	report(rounds());
	return tap_end();
}
