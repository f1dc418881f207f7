// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a configuration as PCP's perfevent agent does, by the agent's own code,
 * and prints what each event has counted on all CPUs while a command ran:
 *
 *	event NAME COUNT TIME-ENABLED TIME-RUNNING
 *	derived NAME VALUE
 *
 * usage: readall CONFIGURATION COMMAND [ARGUMENT...]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfinterface.h"

struct counters {
	perf_counter *all;
	int nr;
	perf_derived_counter *derived;
	int nr_derived;
};

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void print(const struct counters *c)
{
	int i, cpu;

	for (i = 0; i < c->nr; i++) {
		for (cpu = 0; cpu < c->all[i].ninstances; cpu++) {
			const perf_data *data = &c->all[i].data[cpu];

			printf("event %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			       c->all[i].name, data->value, data->time_enabled,
			       data->time_running);
		}
	}
	for (i = 0; i < c->nr_derived; i++) {
		for (cpu = 0; cpu < c->derived[i].ninstances; cpu++)
			printf("derived %s %.0f\n", c->derived[i].name,
			       c->derived[i].data[cpu].value);
	}
}

static int read_all(perfhandle_t *handle, struct counters *c)
{
	return perf_get(handle, &c->all, &c->nr, &c->derived, &c->nr_derived);
}

int main(int argc, char **argv)
{
	struct counters counters = { 0 };
	perfhandle_t *handle;
	int status;

	if (argc < 3)
		return 2;
	handle = perf_event_create(argv[1]);
	if (!handle)
		return 1;
	perf_counter_enable(handle, PERF_COUNTER_ENABLE);
	status = run(argv + 2);
	if (read_all(handle, &counters) < 0)
		return 1;
	print(&counters);
	perf_event_destroy(handle);
	return status;
}
