// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event specifications, [picN=]EVENT[,ATTR[N]]...: which events are counted at one
 * time, each on which counter and in which modes.
 */
#include <errno.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include "cpc.h"

/* Solaris' system mode is all that is not user mode */
#define MODE_SYS	(HWPERF_CNTEN_K | HWPERF_CNTEN_E)

#define ANY		(-1)

#define LIST_HINT	"cpustat -h lists the events of each counter"

/**
 * struct wish - an event that a specification names
 * @event: the event
 * @pic: the counter that is asked for, or ANY
 */
struct wish {
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
		tool_error("'%s' names more than %d events\nto count others in turn, give "
			   "option -c again", spec->text, CPC_PICS);
		return CPC_USAGE;
	}
	wish->pic = pic;
	wish->event = cpc_event_find(spec->chip, name);
	if (!wish->event) {
		tool_event_unknown(spec->chip, name, LIST_HINT);
		return CPC_USAGE;
	}
	if (!irixperf_event_counterpart(spec->chip, wish->event->num)) {
		tool_error("%s cannot be counted on this machine with the event map %s\n"
			   LIST_HINT, name, irixperf_map_file());
		return CPC_USAGE;
	}
	spec->nr++;

	return CPC_OK;
}

static int set_attribute(bool attribute[CPC_PICS], const char *word, int pic,
			 const char *value)
{
	int i;

	if (pic < ANY)
		return bad_pic(word);
	if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
		tool_error("'%s=%s': the value of an attribute is 0 or 1", word, value);
		return CPC_USAGE;
	}
	for (i = 0; i < CPC_PICS; i++)
		if (pic == ANY || pic == i)
			attribute[i] = !value || *value == '1';

	return CPC_OK;
}

/* picN=EVENT, or an attribute, for one counter or for all, or an event */
static int add_word(struct spec *spec, char *word)
{
	size_t letters = strcspn(word, "0123456789=");
	char *value = strchr(word, '=');
	int pic;

	if (value)
		*value++ = '\0';
	pic = pic_number(word + letters);
	if (letters == 6 && strncmp(word, "nouser", 6) == 0)
		return set_attribute(spec->nouser, word, pic, value);
	if (letters == 3 && strncmp(word, "sys", 3) == 0)
		return set_attribute(spec->sys, word, pic, value);
	if (!value)
		return add_event(spec, word, ANY);
	if (letters == 3 && strncmp(word, "pic", 3) == 0)
		return pic < 0 ? bad_pic(word) : add_event(spec, value, pic);
	tool_error("'%s=%s': the attributes are nouser and sys", word, value);

	return CPC_USAGE;
}

/* Give the first event this counter, and the second one the other */
static bool assign(struct cpc_set *set, const struct spec *spec, unsigned int first)
{
	unsigned int i, pic = first;

	*set = (struct cpc_set){ .text = spec->text };
	for (i = 0; i < spec->nr; i++, pic = !pic) {
		const struct wish *wish = &spec->wish[i];
		const struct irixperf_event *event =
			cpc_event_on(spec->chip, wish->event, pic);

		if (!event || (wish->pic != ANY && wish->pic != (int)pic))
			return false;
		set->used[pic] = true;
		set->event[pic] = event->num;
		set->mode[pic] = (unsigned char)((spec->nouser[pic] ? 0 : HWPERF_CNTEN_U) |
						 (spec->sys[pic] ? MODE_SYS : 0));
	}

	return true;
}

static int make_set(struct cpc_set *set, const struct spec *spec)
{
	unsigned int pic;

	if (spec->nr == 0) {
		tool_error("'%s' names no event", spec->text);
		return CPC_USAGE;
	}
	if (!assign(set, spec, 0) && !assign(set, spec, 1)) {
		bool named = spec->wish[0].pic != ANY || spec->wish[1].pic != ANY;

		tool_error("'%s': %s\n" LIST_HINT, spec->text, named ?
			   "these counters cannot count these events" :
			   "the counters cannot count these events at the same time; to "
			   "count them in turn, give option -c for each");
		return CPC_USAGE;
	}
	for (pic = 0; pic < CPC_PICS; pic++)
		if (set->used[pic] && !set->mode[pic]) {
			tool_error("'%s': with nouser and without sys, pic%u counts "
				   "nothing", spec->text, pic);
			return CPC_USAGE;
		}

	return CPC_OK;
}

int cpc_set_add(struct cpc_set set[CPC_SETS], unsigned int *nr, enum irixperf_chip chip,
		const char *text)
{
	struct spec spec = { .chip = chip, .text = text };
	char *copy, *rest, *word;
	int ret = CPC_OK;

	if (*nr == CPC_SETS) {
		tool_error("-c may be given up to %d times", CPC_SETS);
		return CPC_USAGE;
	}
	copy = rest = strdup(text);
	if (!copy) {
		tool_error("out of memory");
		return CPC_FAILED;
	}
	while (ret == CPC_OK && (word = strsep(&rest, ",")))
		ret = add_word(&spec, word);
	if (ret == CPC_OK)
		ret = make_set(&set[(*nr)++], &spec);
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

int cpc_slot(unsigned char mode[IRIXPERF_EVENTS], struct irixperf_code code[IRIXPERF_CODES],
	     unsigned int event, unsigned char modes)
{
	unsigned int slot = event;

	if (mode[slot]) {
		slot = 0;
		while (slot < IRIXPERF_CODES && mode[slot])
			slot++;
		if (slot == IRIXPERF_CODES)
			return -ENOSPC;
		code[slot] = (struct irixperf_code){ IRIXPERF_CODE_EVENT, event };
	}
	mode[slot] = modes;

	return (int)slot;
}
