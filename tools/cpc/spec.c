// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event specifications, [picN=]EVENT[,ATTR[N]]...: which events are counted at one
 * time, each on which counter and in which modes.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/hwperfmacros.h>
#include "cpc.h"

/* Solaris' system mode is all that is not user mode */
#define MODE_SYS	(HWPERF_CNTEN_K | HWPERF_CNTEN_E)

#define ANY		(-1)

/**
 * struct wish - an event that a specification names
 * @name: its name, for messages
 * @event: the event
 * @pic: the counter that is asked for, or ANY
 */
struct wish {
	const char *name;
	const struct irixperf_event *event;
	int pic;
};

struct spec {
	enum irixperf_chip chip;
	const char *text;
	unsigned int nr;
	struct wish wish[CPC_PICS];
	bool nouser[CPC_PICS], sys[CPC_PICS];
};

/* The number at the end of "pic1" or "sys0"; ANY if there is none, -2 if it is bad */
static int pic_number(const char *digits)
{
	if (!*digits)
		return ANY;

	return digits[0] >= '0' && digits[0] < '0' + CPC_PICS && !digits[1] ?
	       digits[0] - '0' : -2;
}

static int bad_pic(const char *word)
{
	tool_error("'%s': the counters are numbered 0 to %d", word, CPC_PICS - 1);

	return CPC_USAGE;
}

static int add_event(struct spec *spec, const char *name, int pic)
{
	struct wish *wish = &spec->wish[spec->nr];

	if (spec->nr == CPC_PICS) {
		tool_error("'%s': the CPU counts %d events at a time; give option -c "
			   "again for others", spec->text, CPC_PICS);
		return CPC_USAGE;
	}
	wish->name = name;
	wish->pic = pic;
	wish->event = cpc_event_find(spec->chip, name);
	if (!wish->event) {
		cpc_event_unknown(spec->chip, name);
		return CPC_USAGE;
	}
	if (!irixperf_event_counterpart(spec->chip, wish->event->num)) {
		tool_error("%s cannot be counted on this machine with the event map "
			   "%s", name, irixperf_map_file());
		return CPC_USAGE;
	}
	spec->nr++;

	return CPC_OK;
}

/* True if the word is this attribute, for all counters or for one: "sys", "sys1=1" */
static bool is_attribute(const char *word, const char *name, int *pic, bool *on)
{
	size_t len = strlen(name);
	char digits[4];
	unsigned long number = 1;
	const char *value;
	char *end;

	if (strncmp(word, name, len) != 0)
		return false;
	value = word + len + strcspn(word + len, "=");
	snprintf(digits, sizeof(digits), "%.*s", (int)(value - word - len), word + len);
	*pic = pic_number(digits);
	if (*value) {
		number = strtoul(value + 1, &end, 0);
		if (*end || !isdigit((unsigned char)value[1]))
			return false;
	}
	*on = number != 0;

	return *pic >= ANY;
}

static void set_attribute(bool attribute[CPC_PICS], int pic, bool on)
{
	int i;

	for (i = 0; i < CPC_PICS; i++)
		if (pic == ANY || pic == i)
			attribute[i] = on;
}

static int add_word(struct spec *spec, char *word)
{
	char *equals = strchr(word, '=');
	bool on;
	int pic;

	if (strncmp(word, "pic", 3) == 0 && equals) {
		*equals = '\0';
		pic = pic_number(word + 3);
		return pic < 0 ? bad_pic(word) : add_event(spec, equals + 1, pic);
	}
	if (is_attribute(word, "nouser", &pic, &on))
		set_attribute(spec->nouser, pic, on);
	else if (is_attribute(word, "sys", &pic, &on))
		set_attribute(spec->sys, pic, on);
	else if (equals) {
		tool_error("'%s': the attributes are nouser and sys; =0 clears one", word);
		return CPC_USAGE;
	} else
		return add_event(spec, word, ANY);

	return CPC_OK;
}

/* Give a wish this counter, if that is free and can count it */
static bool give(struct cpc_set *set, const struct spec *spec,
		 const struct wish *wish, unsigned int pic)
{
	const struct irixperf_event *event;

	event = cpc_event_on(spec->chip, wish->event, pic);
	if (set->used[pic] || !event)
		return false;
	set->used[pic] = true;
	set->event[pic] = event->num;
	set->mode[pic] = (unsigned char)((spec->nouser[pic] ? 0 : HWPERF_CNTEN_U) |
					 (spec->sys[pic] ? MODE_SYS : 0));

	return true;
}

static bool give_any(struct cpc_set *set, const struct spec *spec,
		     const struct wish *wish)
{
	unsigned int pic;

	for (pic = 0; pic < CPC_PICS; pic++)
		if (give(set, spec, wish, pic))
			return true;

	return false;
}

static int no_counter(const struct spec *spec, const struct wish *wish)
{
	if (wish->pic != ANY)
		tool_error("'%s': pic%d cannot count %s, or counts another event "
			   "already\ncpustat -h lists the events of each counter",
			   spec->text, wish->pic, wish->name);
	else
		tool_error("'%s': no counter is left that can count %s\n"
			   "cpustat -h lists the events of each counter; give option "
			   "-c again to count it at another time",
			   spec->text, wish->name);

	return CPC_USAGE;
}

/*
 * Events with a counter of their choice come first. Of the others the first one tries
 * its counters in order, so it can be in the way of the second: then they change places.
 */
static int assign(struct cpc_set *set, const struct spec *spec)
{
	const struct wish *first = &spec->wish[0], *second = &spec->wish[1];
	struct cpc_set start = *set;
	unsigned int i;

	for (i = 0; i < spec->nr; i++)
		if (spec->wish[i].pic != ANY &&
		    !give(set, spec, &spec->wish[i], (unsigned int)spec->wish[i].pic))
			return no_counter(spec, &spec->wish[i]);
	start = *set;
	for (i = 0; i < spec->nr; i++) {
		if (spec->wish[i].pic != ANY || give_any(set, spec, &spec->wish[i]))
			continue;
		*set = start;
		if (i == 0 || first->pic != ANY || !give_any(set, spec, second) ||
		    !give_any(set, spec, first))
			return no_counter(spec, &spec->wish[i]);
	}

	return CPC_OK;
}

static int check(const struct cpc_set *set, const struct spec *spec)
{
	unsigned int pic;

	if (spec->nr == 0) {
		tool_error("'%s' names no event", spec->text);
		return CPC_USAGE;
	}
	if (set->used[0] && set->used[1] && set->event[0] == set->event[1]) {
		tool_error("'%s': the same event twice would count the same",
			   spec->text);
		return CPC_USAGE;
	}
	for (pic = 0; pic < CPC_PICS; pic++)
		if (set->used[pic] && !set->mode[pic]) {
			tool_error("'%s': with nouser, pic%u counts nothing without "
				   "sys", spec->text, pic);
			return CPC_USAGE;
		}

	return CPC_OK;
}

int cpc_set_parse(struct cpc_set *set, enum irixperf_chip chip, const char *text)
{
	struct spec spec = { .chip = chip, .text = text };
	char *copy = strdup(text), *rest = copy, *word;
	int ret = CPC_OK;

	if (!copy) {
		tool_error("out of memory");
		return CPC_FAILED;
	}
	*set = (struct cpc_set){ .text = text };
	while (ret == CPC_OK && (word = strsep(&rest, ",")))
		ret = add_word(&spec, word);
	if (ret == CPC_OK)
		ret = assign(set, &spec);
	if (ret == CPC_OK)
		ret = check(set, &spec);
	free(copy);

	return ret;
}

void cpc_set_modes(const struct cpc_set *set, unsigned char mode[IRIXPERF_EVENTS])
{
	unsigned int pic;

	memset(mode, 0, IRIXPERF_EVENTS);
	for (pic = 0; pic < CPC_PICS; pic++)
		if (set->used[pic])
			mode[set->event[pic]] = set->mode[pic];
}

int cpc_cpu(struct irixperf_cpu *cpu, bool must)
{
	char text[4096];
	int ret = irixperf_cpu_detect(cpu);

	if (ret == 0)
		return CPC_OK;
	*cpu = (struct irixperf_cpu){ .chip = IRIXPERF_R10000_V3, .model = "R10000" };
	if (must)
		tool_error("%s", irixperf_set_explain(ret, NULL, text, sizeof(text)));

	return CPC_FAILED;
}

/* How many columns of counters some sets need */
unsigned int cpc_pics(const struct cpc_set *set, unsigned int nr)
{
	unsigned int i, pic, pics = 1;

	for (i = 0; i < nr; i++)
		for (pic = pics; pic < CPC_PICS; pic++)
			if (set[i].used[pic])
				pics = pic + 1;

	return pics;
}

void cpc_print_title(FILE *out, unsigned int pics)
{
	unsigned int pic;

	for (pic = 0; pic < pics; pic++)
		fprintf(out, "     pic%u ", pic);
	putc('\n', out);
}

/* A counter that does not count has no number: only 0 can be read as one */
void cpc_print_counts(FILE *out, const struct cpc_set *set, unsigned int pics,
		      const uint64_t count[CPC_PICS], bool named)
{
	unsigned int pic;

	for (pic = 0; pic < pics; pic++)
		if (set->used[pic])
			fprintf(out, "%9" PRIu64 " ", count[pic]);
		else
			fprintf(out, "%9s ", "-");
	if (named)
		fprintf(out, " # %s", set->text);
	putc('\n', out);
}

void cpc_claim_error(const char *what, int err)
{
	char text[1024];

	switch (err) {
	case -EPERM:
		tool_error("cannot %s: only root can use the counters of all CPUs", what);
		break;
	case -EBUSY:
		tool_error("cannot %s: the counters of all CPUs are in use by cpustat, "
			   "cpctrace, pctr or ecadmin\n"
			   "end that command, or as root, run ecadmin -r", what);
		break;
	case -ENOSPC:
		tool_error("cannot %s: the counters have no room for these events "
			   "beside those that are counted already", what);
		break;
	case -ENOSYS:
		tool_error("cannot %s: irixperf-holder, which keeps the counters, is "
			   "not installed, or the kernel is older than 5.6\n"
			   "see irixperf-holder(8)", what);
		break;
	case -EPIPE:
		tool_error("cannot %s: another process has released the counters", what);
		break;
	default:
		tool_error("cannot %s: %s", what,
			   irixperf_strerror(err, HWPERF_CNTEN_A, text, sizeof(text)));
	}
}

double cpc_seconds(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return *text >= '0' && *text <= '9' && !*end && isfinite(value) &&
	       value <= 1e6 ? value : -1;
}
