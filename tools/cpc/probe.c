// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of probes: cpc:::EVENT-MODE-[MASK-]COUNT, BEGIN, END and tick-N. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include "dprog.h"

#define MODE_KERNEL	(HWPERF_CNTEN_K | HWPERF_CNTEN_E)

/* Each tick may need a file of its own, which perf takes some time to begin */
#define TICK_MIN	0.1
#define TICK_MAX	1e6

/* What a listed probe counts; -l shows names that can be used as they are */
#define LIST_COUNT	10000

static const struct {
	const char *name;
	unsigned char mode;
} modes[] = {
	{ "user", HWPERF_CNTEN_U },
	{ "kernel", MODE_KERNEL },
	{ "all", HWPERF_CNTEN_U | MODE_KERNEL },
};

#define MODES	(sizeof(modes) / sizeof(modes[0]))

/* Units of tick-N, in seconds */
static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "s", 1 }, { "sec", 1 }, { "ms", 1e-3 }, { "msec", 1e-3 }, { "m", 60 },
	{ "min", 60 }, { "h", 3600 }, { "hour", 3600 }, { "us", 1e-6 },
	{ "usec", 1e-6 }, { "ns", 1e-9 }, { "nsec", 1e-9 },
};

static bool parse_count(uint64_t *count, const char *text)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);

	return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

/* Without a unit, N is a number of ticks per second */
static const char *parse_tick(struct probe *probe, const char *text)
{
	size_t digits = strspn(text, "0123456789"), i;
	double number = atof(text);

	probe->kind = PROBE_TICK;
	if (digits == 0 || digits > 9 || number == 0)
		return "tick- needs a number from 1, and perhaps a unit: tick-10s";
	text += digits;
	probe->interval = *text ? 0 : 1 / number;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(text, units[i].name) == 0)
			probe->interval = number * units[i].seconds;
	if (probe->interval == 0)
		return "the units of tick- are ns, us, ms, s, m and h";
	if (probe->interval < TICK_MIN || probe->interval > TICK_MAX)
		return "ticks are from 100 ms to 1000000 s apart";

	return NULL;
}

/* Cut the last part of a name off, at its last dash. NULL if there is none */
static char *last_part(char *text)
{
	char *dash = strrchr(text, '-');

	if (!dash)
		return NULL;
	*dash = '\0';

	return dash + 1;
}

static bool is_mask(const char *text)
{
	return strncmp(text, "0x", 2) == 0 && text[2] &&
	       !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
}

static unsigned char find_mode(const char *text)
{
	size_t i;

	for (i = 0; i < MODES; i++)
		if (text && strcmp(modes[i].name, text) == 0)
			return modes[i].mode;

	return 0;
}

static const char *check_event(const struct probe *probe, enum irixperf_chip chip)
{
	if (!probe->event)
		return "no such event: cpustat -h lists all events";
	if (!irixperf_event_counterpart(chip, probe->event->num))
		return "the event map of this machine does not have the event";

	return NULL;
}

static const char *parse_cpc(struct probe *probe, const struct probe_limits *limits,
			     char *text)
{
	char *count = last_part(text), *mode = count ? last_part(text) : NULL;
	bool masked = false;

	probe->kind = PROBE_CPC;
	if (mode && !find_mode(mode)) {
		masked = is_mask(mode);
		if (!masked && mode[0] >= '0' && mode[0] <= '9')
			return "a mask is a hexadecimal number, 0x1f";
		mode = masked ? last_part(text) : mode;
	}
	if (!mode)
		return "a probe of cpc is named EVENT-MODE-COUNT";
	probe->mode = find_mode(mode);
	if (!probe->mode)
		return "the mode is user, kernel or all";
	if (masked)
		return "no event of this machine takes a mask";
	if (!parse_count(&probe->count, count))
		return "the count is a decimal number";
	if (probe->count < limits->min_count)
		return "the count is below the minimum (-x minoverflow=N lowers it)";
	/* A counter of the R10000 interrupts when bit 31 becomes set */
	if (probe->count > INT32_MAX)
		return "the count is above 2147483647";
	probe->event = cpc_event_find(limits->chip, text);

	return check_event(probe, limits->chip);
}

/* The four parts of a description; a description of one part is the name */
static const char *split(char *text, char *part[4])
{
	unsigned int nr = 0, i;
	char *rest = text, *found[4] = { NULL };

	while (rest && nr < 4)
		found[nr++] = strsep(&rest, ":");
	if (rest)
		return "a probe description has at most four parts";
	for (i = 0; i < 4; i++)
		part[i] = i + nr >= 4 ? found[i + nr - 4] : "";

	return NULL;
}

static bool is_provider(const char *part, const char *name)
{
	return !*part || strcmp(part, name) == 0;
}

const char *probe_parse(struct probe *probe, const struct probe_limits *limits,
			const char *text)
{
	char copy[sizeof(probe->name)], *part[4];
	const char *wrong;

	memset(probe, 0, sizeof(*probe));
	if (strlen(text) >= sizeof(copy))
		return "the description is too long";
	snprintf(copy, sizeof(copy), "%s", text);
	wrong = split(copy, part);
	if (wrong)
		return wrong;
	if (*part[1] || *part[2])
		return "no probe has a module or a function";
	snprintf(probe->name, sizeof(probe->name), "%s", part[3]);

	if (is_provider(part[0], "dtrace") && strcmp(part[3], "END") == 0)
		probe->kind = PROBE_END;
	else if (is_provider(part[0], "dtrace") && strcmp(part[3], "BEGIN") == 0)
		probe->kind = PROBE_BEGIN;
	else if (is_provider(part[0], "profile") && strncmp(part[3], "tick-", 5) == 0)
		return parse_tick(probe, part[3] + 5);
	else if (strcmp(part[0], "cpc") == 0)
		return parse_cpc(probe, limits, part[3]);
	else
		return "cpctrace has the probes cpc:::EVENT-MODE-COUNT, BEGIN, END "
		       "and tick-N";

	return NULL;
}

void probe_list_head(FILE *out)
{
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE",
		"FUNCTION", "NAME");
}

const char *probe_provider(const struct probe *probe)
{
	static const char *const provider[] = {
		[PROBE_BEGIN] = "dtrace", [PROBE_END] = "dtrace",
		[PROBE_TICK] = "profile", [PROBE_CPC] = "cpc",
	};

	return provider[probe->kind];
}

void probe_list_one(FILE *out, unsigned int id, const struct probe *probe)
{
	fprintf(out, "%5u %10s %17s %33s %s\n", id, probe_provider(probe), "", "",
		probe->name);
}

/* The stability of the provider's parts, as the cpc provider's guide has it */
static const char stability[] =
"\n"
"\tElement         Name stability  Data stability  Dependency class\n"
"\tProvider        Evolving        Evolving        Common\n"
"\tModule          Private         Private         Unknown\n"
"\tFunction        Private         Private         Unknown\n"
"\tName            Evolving        Evolving        CPU\n"
"\tArguments       Evolving        Evolving        Common\n";

static unsigned int list_event(FILE *out, unsigned int id, const char *event)
{
	struct probe probe = { .kind = PROBE_CPC };
	size_t i;

	for (i = 0; i < MODES; i++) {
		snprintf(probe.name, sizeof(probe.name), "%s-%s-%d", event,
			 modes[i].name, LIST_COUNT);
		probe_list_one(out, id++, &probe);
	}

	return id;
}

void probe_list(FILE *out, enum irixperf_chip chip, bool verbose)
{
	unsigned int id = 1, i;
	const char *name;

	probe_list_head(out);
	for (i = 0; (name = cpc_generic(i, chip)); i++)
		if (*name)
			id = list_event(out, id, name);
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (irixperf_event_counterpart(chip, i))
			id = list_event(out, id, irixperf_event_get(chip, i)->name);
	if (verbose)
		fputs(stability, out);
}
