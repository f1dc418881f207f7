// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of "perf script". Those of samples, -G -F SAMPLE_FIELDS --show-lost-events, are
 *
 *	        wl-split    22/23    [001]     3.565468962: cpcprobe0: 1200012ac work+0x5c (/bin/wl)
 *
 * and those of a stack, -F STACK_FIELDS,
 *
 *	     23     3.565468962:
 *		       1200012ac work+0x5c (/bin/wl)
 *		       120001300 main+0x20 (/bin/wl)
 *
 * up to an empty line. perf does not escape names, and a program can choose any name, even
 * one with the text of another line. A program can thus fake samples; the parser must not
 * let a faked line do any other harm. The kernel cuts the name of a program off after 15
 * characters, and perf writes it into the first 16 columns, so it cannot look like the
 * numbers that follow it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "sample.h"

#define COMM_COLUMNS	16
#define LOST		"PERF_RECORD_LOST"
#define LOST_SAMPLES	"PERF_RECORD_LOST_SAMPLES"

/* What the kernel adds to the name of a file that is not there any more */
#define DELETED		" (deleted)"

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
	end = strstr(name, DELETED);
	if (end)
		*end = '\0';
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

/* The names of some kernel threads are longer than 16 columns */
static char *parse_head(struct firing *f, char *line)
{
	size_t len = strlen(line);
	char *at = len > COMM_COLUMNS ? line + COMM_COLUMNS : NULL, *rest = NULL;

	while (at && !(rest = parse_numbers(f, at)))
		at = strchr(at + 1, ' ');
	if (!rest)
		return NULL;
	*at = '\0';
	line += strspn(line, " ");
	snprintf(f->comm, sizeof(f->comm), "%.*s", (int)sizeof(f->comm) - 1, line);

	return rest;
}

/* Names must control no terminal */
static void clean(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	tool_printable(line, '\t');
}

/*
 * perf record (Linux 6.1 to 7.2 at least) records twice what the kernel writes while perf
 * asks how much there is. The two can be in the same file, or in one and the next.
 */
static bool is_repeated(struct samples *s, uint64_t number)
{
	const struct firing *f = &s->firing;
	unsigned int i;

	for (i = 0; i < SAMPLE_RECENT; i++)
		if (s->recent[i].time == f->time && s->recent[i].number == number &&
		    s->recent[i].tid == f->tid && s->recent[i].cpu == f->cpu)
			return true;
	s->recent[s->next].time = f->time;
	s->recent[s->next].number = number;
	s->recent[s->next].tid = f->tid;
	s->recent[s->next].cpu = f->cpu;
	s->next = (s->next + 1) % SAMPLE_RECENT;

	return false;
}

bool sample_line(struct samples *s, char *line)
{
	uint64_t lost;
	char *rest, *number;
	int used = 0;

	clean(line);
	s->firing.nr = 0;
	s->used = 0;
	rest = parse_head(&s->firing, line);
	/* What tells of lost samples may have no time */
	if (!rest)
		rest = strstr(line, LOST);
	if (rest && strncmp(rest, LOST, strlen(LOST)) == 0) {
		number = strpbrk(rest, "0123456789");
		lost = number ? strtoull(number, NULL, 10) : 0;
		if (is_repeated(s, lost))
			return false;
		/* Samples are among the records, if the kernel says how many they are */
		if (strncmp(rest, LOST_SAMPLES, strlen(LOST_SAMPLES)) == 0)
			s->lost_samples += lost;
		else
			s->lost += lost;
		return false;
	}
	if (!rest || sscanf(rest, SAMPLE_EVENT "%u: %n", &s->probe, &used) != 1 || !used ||
	    !add_frame(s, rest + used)) {
		s->unknown++;
		return false;
	}

	return !is_repeated(s, s->firing.frame[0].address + s->probe);
}

bool stack_line(struct samples *s, char *line)
{
	struct firing *f = &s->firing;
	uint64_t seconds, ns;
	int tid;

	clean(line);
	if (line[0] == '\t') {
		add_frame(s, line + strspn(line, "\t "));
	} else if (sscanf(line, "%d %" SCNu64 ".%9" SCNu64 ":", &tid, &seconds, &ns) == 3) {
		f->nr = 0;
		s->used = 0;
		f->tid = tid;
		f->time = seconds * 1000000000 + ns;
	}

	return !*line;
}

/* perf may print an address in a stack as an offset in the file */
static bool same_place(const struct frame *a, const struct frame *b)
{
	return a->address == b->address ||
	       (a->function && b->function && strcmp(a->function, b->function) == 0 &&
		a->offset == b->offset);
}

/* The first frame is where the probe has fired, which is not in each stack */
void sample_add_stack(struct firing *firing, const struct firing *stack)
{
	unsigned int first, i;

	if (stack->tid != firing->tid || stack->time != firing->time)
		return;
	first = stack->nr && same_place(&stack->frame[0], &firing->frame[0]);
	for (i = first; i < stack->nr && firing->nr < D_FRAMES; i++)
		firing->frame[firing->nr++] = stack->frame[i];
}
