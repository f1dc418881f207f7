// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the files, one for each process and thread that has samples. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "ssrun.h"

/* The process' rank under MPI. Each launcher has its own variable for it */
static const char *mpi_rank(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MPI_RANK",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && value[0] && !value[strspn(value, "0123456789")])
			return value;
	}

	return NULL;
}

int ssrun_file_name(char *buf, size_t size, const char *name,
		    const char *experiment, const char *code, pid_t id)
{
	const char *rank = mpi_rank();

	return snprintf(buf, size, "%s.%s.%s%s%s%s%d", name, experiment,
			rank ? "R" : "", rank ? rank : "", rank ? "." : "",
			code, (int)id);
}

/* The file that write_sample() writes to: twalk(3) cannot pass it on */
static FILE *to;

static void write_sample(const void *node, VISIT visit, int depth)
{
	const struct ssrun_sample *sample;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	sample = *(struct ssrun_sample *const *)node;
	fprintf(to, "sample\t%" PRIu64 "\t%" PRIx64 "\t%" PRIx64 "\t%s\t%s\n",
		sample->count, sample->address, sample->start,
		sample->object->path, sample->function);
}

static void write_command(char *const *word)
{
	fputs("command\t", to);
	for (; *word; word++) {
		const char *c;

		/* No control characters: they could break the line */
		for (c = *word; *c; c++)
			fputc((unsigned char)*c < ' ' ? '?' : *c, to);
		fputc(word[1] ? ' ' : '\n', to);
	}
}

static void write_machine(const struct ssrun_about *about)
{
	const struct irixperf_cpu *cpu = &about->cpu;

	if (cpu->chip == IRIXPERF_MAPPED)
		fprintf(to, "cpu\t%s\n", cpu->model);
	else
		fprintf(to, "cpu\t%s\nfpu\t%.4s10\nrevision\t%u.%u\n",
			cpu->model, cpu->model, cpu->major, cpu->minor);
	fprintf(to, "cpus\t%ld\nmhz\t%u\n", sysconf(_SC_NPROCESSORS_ONLN),
		about->mhz);
	if (irixperf_map_file())
		fprintf(to, "map\t%s\n", irixperf_map_file());
}

static void write_head(const struct ssrun_run *run,
		       const struct ssrun_profile *profile,
		       const struct ssrun_about *about)
{
	const struct ssrun_choice *choice = about->choice;
	const char *note = irixperf_event_note(about->cpu.chip, choice->event);
	time_t now = time(NULL);
	char date[64];

	strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", localtime(&now));
	fprintf(to, SPEEDSHOP_MAGIC "\ndate\t%s\nname\t%s\nprogram\t%s\n", date,
		profile->name, profile->program);
	write_command(about->command);
	fprintf(to, "code\t%s\nid\t%d\npid\t%d\n", profile->code,
		(int)profile->id, (int)profile->pid);
	write_machine(about);
	fprintf(to, "experiment\t%s\nevent\t%u\ncounter\t%s\n"
		"interval\t%" PRIu64 "\nperf\t%s\n", choice->experiment,
		choice->event, choice->counter, choice->interval,
		choice->perf_event);
	if (note)
		fprintf(to, "note\t%s\n", note);
	fprintf(to, "lost\t%" PRIu64 "\nthrottled\t%" PRIu64 "\nstarved\t%d\n",
		run->lost_samples ? run->lost_samples : run->lost,
		run->throttled, run->starved);
}

static int write_profile(const struct ssrun_run *run,
			 const struct ssrun_profile *profile,
			 const struct ssrun_about *about, bool verbose)
{
	char name[4096];
	int failed, fd;

	ssrun_file_name(name, sizeof(name), profile->name,
			about->choice->experiment, profile->code, profile->id);
	fd = tool_create(name, 0666);
	to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!to) {
		tool_error("cannot write %s: %s", name, strerror(errno));
		return TOOL_FAILED;
	}
	write_head(run, profile, about);
	twalk(profile->tree, write_sample);
	fprintf(to, "end\t%" PRIu64 "\n", profile->samples);
	failed = ferror(to);
	failed |= fclose(to);
	if (failed) {
		tool_error("cannot write %s: %s", name, strerror(errno));
		return TOOL_FAILED;
	}
	if (verbose)
		tool_error("%s: %" PRIu64 " samples", name, profile->samples);

	return 0;
}

/* Write the oldest first, which are the last of the list */
static struct ssrun_profile *reversed(struct ssrun_profile *list)
{
	struct ssrun_profile *first = NULL, *next;

	for (; list; list = next) {
		next = list->next;
		list->next = first;
		first = list;
	}

	return first;
}

int ssrun_write(struct ssrun_run *run, const struct ssrun_about *about,
		bool verbose)
{
	const struct ssrun_profile *profile;
	int ret = 0;

	run->profiles = reversed(run->profiles);
	for (profile = run->profiles; profile && ret == 0; profile = profile->next)
		if (!profile->forgotten &&
		    (profile->samples || strcmp(profile->code, "m") == 0))
			ret = write_profile(run, profile, about, verbose);
	run->profiles = reversed(run->profiles);

	return ret;
}
