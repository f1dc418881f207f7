// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look up the source lines of addresses with addr2line(1). Programs of another
 * machine need that machine's addr2line; the variable ADDR2LINE names it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "prof.h"

static const char *addr2line_name(void)
{
	const char *name = getenv("ADDR2LINE");

	return name && *name ? name : "addr2line";
}

static void be_addr2line(const char *object, int in, int out)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	execlp(addr2line_name(), addr2line_name(), "-e", object, (char *)NULL);
	_exit(TOOL_NOT_FOUND);
}

/* Start addr2line, which answers each line with one. NULL if it cannot be started */
static FILE *ask(const char *object, FILE *questions, pid_t *pid)
{
	FILE *answers;
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return NULL;
	answers = fdopen(pipes[0], "r");
	*pid = answers ? fork() : -1;
	if (*pid == 0)
		be_addr2line(object, fileno(questions), pipes[1]);
	close(pipes[1]);
	if (*pid > 0)
		return answers;
	if (answers)
		fclose(answers);
	else
		close(pipes[0]);

	return NULL;
}

/* "/src/x.c:12 (discriminator 3)" or "??:0". Return true if the line is known */
static bool parse_place(struct prof_place *place, char *text)
{
	char *colon, *slash;

	text[strcspn(text, "\n")] = '\0';
	tool_printable(text, '\0');
	colon = strstr(text, " (");
	if (colon)
		*colon = '\0';
	colon = strrchr(text, ':');
	if (!colon || text[0] == '?')
		return false;
	*colon = '\0';
	slash = strrchr(text, '/');
	place->file = strdup(slash ? slash + 1 : text);
	place->line = (unsigned int)strtoul(colon + 1, NULL, 10);

	return place->file && place->line;
}

static void write_questions(FILE *out, const struct prof_sample *sample,
			    size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		fprintf(out, "0x%" PRIx64 "\n0x%" PRIx64 "\n",
			sample[i].address, sample[i].start);
	fflush(out);
	rewind(out);
}

static bool read_answers(FILE *in, struct prof_sample *sample, size_t nr)
{
	bool known = false;
	char *text = NULL;
	size_t size = 0, i;

	for (i = 0; i < nr; i++) {
		if (getline(&text, &size, in) <= 0)
			break;
		known |= parse_place(&sample[i].place, text);
		if (getline(&text, &size, in) <= 0)
			break;
		parse_place(&sample[i].begin, text);
	}
	free(text);

	return known;
}

/* Look up the samples of one object. Return why no line is known, or NULL */
static const char *source_of(const char *object, bool named,
			     struct prof_sample *sample, size_t nr)
{
	FILE *questions, *answers;
	bool known;
	pid_t pid;
	struct stat st;

	if (access(object, R_OK) < 0 || stat(object, &st) < 0)
		return "it does not exist: name the program, prof EXECUTABLE FILE...";
	if (!S_ISREG(st.st_mode))
		return "it is not an executable";
	/* Another user may have written the samples' file, which names the object */
	if (!named && st.st_uid != 0 && st.st_uid != geteuid())
		return "it belongs to another user: name it, prof EXECUTABLE FILE...";
	questions = tmpfile();
	if (!questions)
		return strerror(errno);
	write_questions(questions, sample, nr);
	answers = ask(object, questions, &pid);
	fclose(questions);
	if (!answers)
		return strerror(errno);
	known = read_answers(answers, sample, nr);
	fclose(answers);
	if (tool_wait(pid) == TOOL_NOT_FOUND)
		return "addr2line is not found: see prof(1), section LINES";

	return known ? NULL : "it has no line numbers: compile it with -g and "
			      "do not strip it";
}

/**
 * prof_source() - look up the source lines of all samples
 * @data: the samples, merged
 * @executable: the file to use instead of the program's own, or NULL
 *
 * Return: NULL, or why no line of the program is known.
 */
const char *prof_source(struct prof_data *data, const char *executable)
{
	const char *program = data->files[0].value[PROF_PROGRAM];
	const char *reason = NULL;
	size_t from, to;

	for (from = 0; from < data->nr; from = to) {
		const char *dso = data->sample[from].dso;
		bool own = strcmp(dso, program) == 0;
		const char *why = NULL;

		for (to = from; to < data->nr; to++)
			if (strcmp(dso, data->sample[to].dso))
				break;
		if (dso[0] == '/')
			why = source_of(own && executable ? executable : dso,
					own && executable, &data->sample[from],
					to - from);
		if (own)
			reason = why;
	}

	return reason;
}
