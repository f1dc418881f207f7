// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts two events by PAPI, and prints them.
 *
 *   agree-papi EVENT EVENT self ROUNDS        the loop of work.S, in this
 *                                             process; the least of some tries
 *   agree-papi EVENT EVENT attach COMMAND...  a command, from its first
 *                                             instruction on
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <papi.h>

#define TRIES 5

void agree_loop(unsigned long n, const double *two);

static void must(const char *what, int ret)
{
	if (ret == PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(ret));
	exit(1);
}

static int new_set(void)
{
	int set = PAPI_NULL;

	must("PAPI_create_eventset", PAPI_create_eventset(&set));
	must("PAPI_assign_eventset_component",
	     PAPI_assign_eventset_component(set, 0));
	return set;
}

static void add(int set, char **names)
{
	must(names[0], PAPI_add_named_event(set, names[0]));
	must(names[1], PAPI_add_named_event(set, names[1]));
}

static void self(char **names, const char *rounds)
{
	static const double two[2];
	const unsigned long n = strtoul(rounds, NULL, 10);
	long long counts[2], least[2] = { LLONG_MAX, LLONG_MAX };
	int i, set = new_set();

	add(set, names);
	for (i = 0; i < TRIES; i++) {
		must("PAPI_start", PAPI_start(set));
		agree_loop(n, two);
		must("PAPI_stop", PAPI_stop(set, counts));
		if (counts[0] < least[0])
			memcpy(least, counts, sizeof(least));
	}
	printf("%lld %lld\n", least[0], least[1]);
}

/* Stopped when exec() has replaced the program, before its first instruction */
static pid_t begin(char **command)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
		fprintf(stderr, "%s does not start\n", command[0]);
		exit(1);
	}
	return pid;
}

static void attach(char **names, char **command)
{
	long long counts[2];
	int status, set = new_set();
	pid_t pid = begin(command);

	must("PAPI_attach", PAPI_attach(set, (unsigned long)pid));
	add(set, names);
	must("PAPI_start", PAPI_start(set));
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	must("PAPI_stop", PAPI_stop(set, counts));
	if (status) {
		fprintf(stderr, "%s: status %d\n", command[0], status);
		exit(1);
	}
	printf("%lld %lld\n", counts[0], counts[1]);
}

int main(int argc, char **argv)
{
	if (argc < 5) {
		fprintf(stderr, "usage: agree-papi EVENT EVENT self|attach ...\n");
		return 2;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		must("PAPI_library_init", PAPI_EINVAL);
	if (!strcmp(argv[3], "self"))
		self(argv + 1, argv[4]);
	else
		attach(argv + 1, argv + 4);
	return 0;
}
