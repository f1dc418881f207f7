// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The parser of event maps. A map may come from anyone, so the parser checks all that
 * is in it. The first line that it does not understand is an error.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <irixperf.h>
#include "mapparse.h"

#define BLANKS	" \t\r\f\v"
#define WORD	"abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/**
 * struct parser - state of the parser
 * @rows: the lines found so far
 * @pmus: this machine's PMUs
 * @trouble: the error
 * @line: number of the current line
 * @in_section: a section has started
 * @any: the section is for any CPU
 * @pmu: the PMU of this machine that the section is for, or NULL
 * @seen: number of each event's line in the section; 0: none so far
 */
struct parser {
	struct ixp_map_rows *rows;
	const struct ixp_pmus *pmus;
	struct ixp_trouble *trouble;
	unsigned int line;
	bool in_section;
	bool any;
	const char *pmu;
	unsigned int seen[IRIXPERF_EVENTS];
};

__attribute__((format(printf, 2, 3)))
static int refuse(struct parser *p, const char *format, ...)
{
	va_list args;

	p->trouble->line = p->line;
	va_start(args, format);
	vsnprintf(p->trouble->what, sizeof(p->trouble->what), format, args);
	va_end(args);

	return -EINVAL;
}

static const char *pmu_find(const struct ixp_pmus *pmus, const char *word)
{
	unsigned int i;

	for (i = 0; i < pmus->nr; i++)
		if (strcmp(pmus->name[i], word) == 0)
			return pmus->name[i];

	return NULL;
}

static int section_word(struct parser *p, const char *word)
{
	if (word[strspn(word, WORD)])
		return refuse(p, "a CPU's name has letters, digits and _ alone; "
			      "put blanks between names");
	if (strcmp(word, "any") == 0)
		p->any = true;
	else if (!p->pmu)
		p->pmu = pmu_find(p->pmus, word);

	return 0;
}

/* Parse "[skl skx]" */
static int parse_section(struct parser *p, char *text)
{
	char *end = strchr(text, ']');
	unsigned int nr = 0;
	char *word;
	int ret = 0;

	if (!end)
		return refuse(p, "the list of CPUs is never closed: put ] at "
			      "its end");
	if (end[1])
		return refuse(p, "something follows the ]: begin a new line");
	*end = '\0';

	p->in_section = true;
	p->any = false;
	p->pmu = NULL;
	memset(p->seen, 0, sizeof(p->seen));
	for (text++; (word = strsep(&text, BLANKS)) && ret == 0;)
		if (*word) {
			ret = section_word(p, word);
			nr++;
		}
	if (ret == 0 && nr == 0)
		return refuse(p, "no CPU is named: write [any], or a name that "
			      "libpfm4 has for it");
	if (p->any || p->pmu)
		p->rows->holds = true;

	return ret;
}

/* Store a line if its section is for this CPU; a section with its name has priority */
static int row_set(struct parser *p, unsigned int event, const char *name)
{
	struct ixp_map_row *row = &p->rows->row[event];

	if (!p->any && !p->pmu)
		return 0;
	if (row->line && !row->pmu == !p->pmu)
		return refuse(p, "event %u has a line for this CPU already, "
			      "line %u: delete one of them", event, row->line);
	if (row->line && row->pmu)
		return 0;

	*row = (struct ixp_map_row){
		.line = p->line,
		.name = name,
		.pmu = p->pmu,
	};

	return 0;
}

static int event_set(struct parser *p, unsigned int event, const char *name)
{
	if (p->seen[event])
		return refuse(p, "event %u is at line %u already: delete one of "
			      "them", event, p->seen[event]);
	p->seen[event] = p->line;

	return row_set(p, event, name);
}

static int check_name(struct parser *p, const char *name)
{
	size_t len = 0;

	/* Not isgraph(3), which depends on the locale */
	while (name[len] > ' ' && name[len] <= '~')
		len++;
	if (len == 0)
		return refuse(p, "no event follows the =: put its name there, or "
			      "delete the line");
	if (name[len])
		return refuse(p, "something follows the event: put # before a "
			      "comment");
	if (len >= IXP_NAME_SIZE)
		return refuse(p, "the event's name is too long: at most %d "
			      "letters", IXP_NAME_SIZE - 1);

	return 0;
}

/* Parse "15 = instructions" */
static int parse_event(struct parser *p, char *text)
{
	size_t digits = strspn(text, "0123456789");
	unsigned int event = 0;
	size_t i;
	int ret;

	for (i = 0; i < digits; i++)
		if (event < IRIXPERF_EVENTS)
			event = event * 10 + (unsigned int)(text[i] - '0');
	text += digits + strspn(text + digits, BLANKS);
	if (digits == 0 || *text != '=')
		return refuse(p, "not understood: a line reads NUMBER = EVENT, "
			      "such as 15 = instructions");
	if (event >= IRIXPERF_EVENTS)
		return refuse(p, "there is no such event: the R10000's are "
			      "numbered 0 to 31");
	if (!p->in_section)
		return refuse(p, "the line is in no section: put [any] before "
			      "it, or the CPU's name");
	text += 1 + strspn(text + 1, BLANKS);
	ret = check_name(p, text);

	return ret < 0 ? ret : event_set(p, event, text);
}

static void strip(char *text)
{
	size_t len;

	text[strcspn(text, "#")] = '\0';
	len = strlen(text);
	while (len > 0 && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
}

static int parse_line(struct parser *p, char *text)
{
	strip(text);
	text += strspn(text, BLANKS);
	if (!*text)
		return 0;

	return *text == '[' ? parse_section(p, text) : parse_event(p, text);
}

/**
 * ixp_map_parse() - parse an event map
 * @rows: gets the lines for this machine
 * @text: the text, @size bytes and room for one more; it is modified
 * @size: its length
 * @pmus: the PMUs of this machine
 * @trouble: gets the error
 *
 * Return: 0, or -EINVAL with @trouble filled.
 */
int ixp_map_parse(struct ixp_map_rows *rows, char *text, size_t size,
		  const struct ixp_pmus *pmus, struct ixp_trouble *trouble)
{
	struct parser p = { .rows = rows, .pmus = pmus, .trouble = trouble };
	char *end = text + size;
	int ret = 0;

	memset(rows, 0, sizeof(*rows));
	while (text < end && ret == 0) {
		char *next = memchr(text, '\n', (size_t)(end - text));

		if (!next)
			next = end;
		*next = '\0';
		p.line++;
		if (strlen(text) != (size_t)(next - text))
			return refuse(&p, "a 0 byte: this is not a text file");
		ret = parse_line(&p, text);
		text = next + 1;
	}

	return ret;
}
