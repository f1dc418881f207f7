// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of "perf script --ns -F comm,pid,tid,cpu,time,event,ip,sym,symoff,dso
 * --show-lost-events". Without stacks a sample is a line,
 *
 *	        wl-split    22/23    [001]     3.565468962: cpcprobe0:     1200012ac thread_work+0x5c (/usr/bin/wl-split)
 *
 * with stacks the name begins in the first column, and the address and what follows it
 * are in lines of their own, up to an empty one. perf does not escape names, and a
 * program can choose any name, even one with the text of another line. A program can thus
 * fake samples; the parser must not let a faked line do any other harm.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "sample.h"

#define LOST		"PERF_RECORD_LOST"

/* Names of kernel threads have up to 63 characters */
#define COLUMNS_MAX	64

/* Keep a name until the sample is complete; one that does not fit is cut off */
static const char *keep(struct samples *s, const char *name)
{
	size_t left = sizeof(s->text) - s->used;
	char *kept = s->text + s->used;

	if (left < 2)
		return "";
	snprintf(kept, left, "%s", name);
	s->used += strlen(kept) + 1;

	return kept;
}

/* "[kernel.kallsyms]" is the kernel, "[ext4]" a module; of a file the last part counts */
static const char *module_of(char *file)
{
	char *slash = strrchr(file, '/'), *end = strrchr(file, ']');

	if (strncmp(file, "[kernel.", 8) == 0 || strncmp(file, "[guest.kernel.", 14) == 0)
		return "vmlinux";
	if (file[0] == '[' && end && strcmp(file, "[unknown]") != 0) {
		*end = '\0';
		return file + 1;
	}

	return strcmp(file, "[unknown]") == 0 ? NULL : slash ? slash + 1 : file;
}

/* "ADDRESS FUNCTION+OFFSET (FILE)": the file is behind the last " (" */
static bool add_frame(struct samples *s, char *text)
{
	struct frame *frame = &s->firing.frame[s->firing.nr];
	char *file, *plus, *name, *end;
	const char *module;

	if (s->firing.nr == D_FRAMES)
		return true;
	memset(frame, 0, sizeof(*frame));
	frame->address = strtoull(text, &name, 16);
	if (name == text || *name != ' ')
		return false;
	name++;
	file = strstr(name, " (");
	for (end = file; end; end = strstr(end + 2, " ("))
		file = end;
	if (file) {
		*file = '\0';
		file += 2;
		end = strrchr(file, ')');
		if (end)
			*end = '\0';
		module = module_of(file);
		frame->module = module ? keep(s, module) : NULL;
	}
	plus = strrchr(name, '+');
	if (plus) {
		frame->offset = strtoull(plus + 1, NULL, 16);
		*plus = '\0';
		frame->function = keep(s, name);
	}
	s->firing.nr++;

	return true;
}

/* What follows the program's name: " PID/TID [CPU] SECONDS.NANOSECONDS: " */
static char *parse_numbers(struct firing *f, char *text)
{
	uint64_t seconds, ns;
	int used = 0;

	if (sscanf(text, " %d/%d [%u] %" SCNu64 ".%9" SCNu64 ": %n", &f->pid, &f->tid,
		   &f->cpu, &seconds, &ns, &used) != 5 || !used)
		return NULL;
	f->time = seconds * 1000000000 + ns;

	return text + used;
}

/*
 * Cut the program's name off, and return what follows the numbers behind it. The kernel
 * keeps 15 characters of a name, too few for numbers and an event that are not the line's.
 */
static char *parse_head(struct firing *f, char *line)
{
	char *at, *rest;

	for (at = strchr(line, ' '); at && at - line < COLUMNS_MAX;
	     at = strchr(at + 1, ' ')) {
		rest = parse_numbers(f, at);
		if (!rest || (strncmp(rest, SAMPLE_EVENT, strlen(SAMPLE_EVENT)) &&
			      strncmp(rest, LOST, strlen(LOST))))
			continue;
		*at = '\0';
		line += strspn(line, " ");
		snprintf(f->comm, sizeof(f->comm), "%.*s", (int)sizeof(f->comm) - 1, line);
		return rest;
	}

	return NULL;
}

static void begin(struct samples *s, char *line)
{
	char *rest;
	int used = 0;

	s->firing.nr = 0;
	s->used = 0;
	rest = parse_head(&s->firing, line);
	if (!rest)
		return;
	if (strncmp(rest, LOST, strlen(LOST)) == 0) {
		rest = strpbrk(rest + strlen(LOST), "0123456789");
		s->lost += rest ? strtoull(rest, NULL, 10) : 0;
		return;
	}
	if (sscanf(rest, SAMPLE_EVENT "%u: %n", &s->probe, &used) != 1 || !used)
		return;
	rest += used;
	s->open = !*rest || add_frame(s, rest);
}

bool sample_line(struct samples *s, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (s->open && *line) {
		line += strspn(line, " \t");
		tool_printable(line, '\0');
		add_frame(s, line);
		return false;
	}
	tool_printable(line, '\0');
	if (!s->open)
		begin(s, line);
	/* An empty line ends a stack; without stacks the sample is complete at once */
	if (!s->open || (*line && s->firing.nr == 0))
		return false;
	s->open = false;

	return true;
}
