// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of "perf script --ns -F pid,tid,time,ip,sym,symoff --show-task-events
 * --show-mmap-events --show-lost-events":
 *
 *    23/27  3.565468962:     1200012ac thread_work+0x5c
 *    23/23  3.553758937: PERF_RECORD_FORK(23:27):(23:23)
 *    22/22  3.530912268: PERF_RECORD_COMM exec: wl-split:22/22
 *    22/22  3.539942262: PERF_RECORD_MMAP2 22/22: [0x120000000(0xc000) @ 0 00:02 4 1]: r-xp /usr/bin/wl-split
 *    22/22  3.579463674: PERF_RECORD_LOST lost 17
 *
 * perf does not escape names, and a program can choose any name, even one with
 * the text of another line. A program can thus fake lines about what it does. The
 * parser must not let a faked line do any other harm.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "ssrun.h"

#define RECORD	"PERF_RECORD_"

static void parse_fork(struct ssrun_line *line, const char *text)
{
	if (sscanf(text, "(%d:%d):(%d:", &line->pid, &line->tid,
		   &line->parent) == 3)
		line->kind = SSRUN_FORK;
}

/* The name may contain colons, so the last one is the separator */
static void parse_exec(struct ssrun_line *line, char *text)
{
	char *colon = strrchr(text, ':');

	if (!colon || sscanf(colon, ":%d/%d", &line->pid, &line->tid) != 2)
		return;
	*colon = '\0';
	/* The name becomes part of a file name. No name from the kernel has a "/" */
	if (strchr(text, '/'))
		return;
	line->name = text;
	line->kind = SSRUN_EXEC;
}

/* The name follows the protection. Only code, which has an x there, matters */
static void parse_map(struct ssrun_line *line, char *text)
{
	char *name = strstr(text, "]: ");
	int fields = sscanf(text, "%d/%d: [%" SCNx64 "(%" SCNx64 ") @ %" SCNx64,
			    &line->pid, &line->tid, &line->address, &line->size,
			    &line->offset);

	if (fields != 5 || !name || strlen(name) < sizeof("]: r-xp ") ||
	    name[5] != 'x')
		return;
	line->name = name + sizeof("]: r-xp ") - 1;
	line->kind = SSRUN_MAP;
}

static void parse_lost(struct ssrun_line *line, const char *text,
		       enum ssrun_kind kind)
{
	const char *number = strpbrk(text, "0123456789");

	if (!number)
		return;
	line->size = strtoull(number, NULL, 10);
	line->kind = kind;
}

static char *after(char *text, const char *start)
{
	size_t len = strlen(start);

	return strncmp(text, start, len) == 0 ? text + len : NULL;
}

static void parse_record(struct ssrun_line *line, char *text)
{
	char *rest = after(text, "FORK");

	if (rest)
		return parse_fork(line, rest);
	rest = after(text, "COMM exec: ");
	if (rest)
		return parse_exec(line, rest);
	rest = after(text, "MMAP2 ");
	if (rest)
		return parse_map(line, rest);
	rest = after(text, "LOST_SAMPLES");
	if (rest)
		return parse_lost(line, rest, SSRUN_LOST_SAMPLES);
	rest = after(text, "LOST ");
	if (rest)
		parse_lost(line, rest, SSRUN_LOST);
}

static void parse_sample(struct ssrun_line *line, char *text)
{
	char *name, *plus;

	line->address = strtoull(text, &name, 16);
	if (name == text)
		return;
	while (*name == ' ')
		name++;
	plus = strrchr(name, '+');
	line->offset = plus ? strtoull(plus + 1, NULL, 16) : 0;
	if (plus)
		*plus = '\0';
	line->name = plus ? name : SPEEDSHOP_UNKNOWN;
	line->kind = SSRUN_SAMPLE;
}

/**
 * ssrun_line_parse() - take a line apart
 * @line: the result; an unknown line is SSRUN_OTHER
 * @text: the line, which is modified
 */
void ssrun_line_parse(struct ssrun_line *line, char *text)
{
	uint64_t seconds, ns;
	int used = 0;
	char *record;

	memset(line, 0, sizeof(*line));
	text[strcspn(text, "\n")] = '\0';
	tool_printable(text, '\0');
	if (sscanf(text, "%d/%d%n", &line->pid, &line->tid, &used) != 2)
		return;
	text += used;
	used = 0;
	if (sscanf(text, " %" SCNu64 ".%9" SCNu64 ":%n", &seconds, &ns,
		   &used) == 2 && used)
		line->time = seconds * 1000000000 + ns;
	text += used;
	text += strspn(text, " ");
	record = after(text, RECORD);
	if (record)
		parse_record(line, record);
	else
		parse_sample(line, text);
}
