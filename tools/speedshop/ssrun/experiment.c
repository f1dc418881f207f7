// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The experiments: which event each records on which chip, and how often.
 * Intervals are primes, so the samples of a loop do not all hit the same place.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "ssrun.h"

#define SUFFIX		"_hwc"
#define TIME_SUFFIX	"time"
#define FLAT_MAX	16	/* room for the longest name */
#define PROF		"prof_hwc"
#define PROF_EVENT	9
#define PROF_INTERVAL	2053

/* A counter of the R10000 interrupts when bit 31 becomes set */
#define INTERVAL_MAX	INT32_MAX

/**
 * struct experiment - a row of the table
 * @name: without f for fast and without _hwc
 * @event: the event's number
 * @r12k: the event's number on the R12000 and later, if it differs
 * @interval: interval of the plain form
 * @fast: interval of the fast form
 * @counter: the event's name in reports
 */
struct experiment {
	const char *name;
	unsigned int event;
	unsigned int r12k;
	unsigned int interval;
	unsigned int fast;
	const char *counter;
};

static const struct experiment experiments[] = {
	{ "gi", 17, 15, 32771, 6553, "Graduated instructions" },
	{ "cy", 16, 0, 16411, 3779, "Cycles" },
	{ "ic", 9, 9, 2053, 419, "Primary instruction-cache misses" },
	{ "isc", 10, 10, 131, 29, "Secondary instruction-cache misses" },
	{ "dc", 25, 25, 2053, 419, "Primary data-cache misses" },
	{ "dsc", 26, 26, 131, 29, "Secondary data-cache misses" },
	{ "tlb", 23, 23, 257, 53, "TLB misses" },
	{ "gfp", 21, 21, 32771, 6553, "Graduated floating-point instructions" },
	{ "fsc", 5, 5, 2003, 401, "Failed store conditionals" },
};

#define NR_EXPERIMENTS	(sizeof(experiments) / sizeof(experiments[0]))

static unsigned int event_of(const struct experiment *exp,
			     enum irixperf_chip chip)
{
	return chip == IRIXPERF_R12000 ? exp->r12k : exp->event;
}

static bool is_named(const struct experiment *exp, const char *name)
{
	size_t len = strlen(exp->name);

	return strncmp(name, exp->name, len) == 0 &&
	       strcmp(name + len, SUFFIX) == 0;
}

static const struct experiment *find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_EXPERIMENTS; i++)
		if (is_named(&experiments[i], name))
			return &experiments[i];

	return NULL;
}

static const struct experiment *find_fast(const char *name)
{
	return name[0] == 'f' ? find(name + 1) : NULL;
}

static bool is_supported(const char *name)
{
	return find(name) || find_fast(name) || strcmp(name, PROF) == 0;
}

/* The value of the first variable that is set; *name becomes its name */
static const char *get_either(const char **name, const char *other)
{
	const char *value = getenv(*name);

	if (value)
		return value;
	*name = other;

	return getenv(other);
}

/* The interval of the experiment for this event, PROF_INTERVAL if there is none */
static unsigned int usual_interval(enum irixperf_chip chip, unsigned int event)
{
	size_t i;

	for (i = 0; i < NR_EXPERIMENTS; i++)
		if (event_of(&experiments[i], chip) == event)
			return experiments[i].interval;

	return PROF_INTERVAL;
}

static int parse_interval(uint64_t *interval, const char *name, const char *text)
{
	char *end;

	errno = 0;
	*interval = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && !*end && !errno &&
	    *interval >= 1 && *interval <= INTERVAL_MAX)
		return 0;
	tool_error("%s is '%s': it must be a number from 1 to %d", name, text,
		   INTERVAL_MAX);

	return TOOL_FAILED;
}

/* The user's own event and interval */
static int choose_prof(struct ssrun_choice *choice, enum irixperf_chip chip)
{
	const char *number_name = "_SPEEDSHOP_HWC_COUNTER_NUMBER";
	const char *overflow_name = "_SPEEDSHOP_HWC_COUNTER_OVERFLOW";
	const char *number = get_either(&number_name,
					"_SPEEDSHOP_HWC_COUNTER_PROF_NUMBER");
	const char *overflow = get_either(&overflow_name,
					  "_SPEEDSHOP_HWC_COUNTER_PROF_OVERFLOW");
	const struct irixperf_event *event;

	event = number ? irixperf_event_find(chip, number) :
			 irixperf_event_get(chip, PROF_EVENT);
	if (!event) {
		tool_error("%s is '%s': it must be the number of an event, 0 to "
			   "31, or its name", number_name, number);
		return TOOL_FAILED;
	}
	choice->event = event->num;
	choice->counter = event->label;
	choice->interval = usual_interval(chip, event->num);

	return overflow ? parse_interval(&choice->interval, overflow_name,
					 overflow) : 0;
}

static void fill(struct ssrun_choice *choice, enum irixperf_chip chip,
		 const struct experiment *exp, bool fast)
{
	choice->event = event_of(exp, chip);
	choice->counter = exp->counter;
	choice->interval = fast ? exp->fast : exp->interval;
}

/* SpeedShop's other experiments, which ssrun does not have */
static bool is_other(const char *name)
{
	static const char *const others[] = {
		"usertime", "totaltime", "pcsamp", "fpcsamp", "pcsampx",
		"fpcsampx", "ideal", "bbcounts", "fpe", "io", "heap", "mpi",
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(name, others[i]) == 0)
			return true;

	return false;
}

/* Is it gi_hwctime, which needs call stacks? @flat becomes gi_hwc */
static bool with_stacks(const char *name, char *flat, size_t size)
{
	size_t len = strlen(name), suffix = strlen(TIME_SUFFIX);

	if (len < suffix || len - suffix >= size ||
	    strcmp(name + len - suffix, TIME_SUFFIX) != 0)
		return false;
	snprintf(flat, size, "%.*s", (int)(len - suffix), name);

	return is_supported(flat);
}

static int unknown(const char *name)
{
	char flat[FLAT_MAX];

	if (with_stacks(name, flat, sizeof(flat)))
		tool_error("experiment %s is not supported, because it needs call "
			   "stacks; %s samples the same event", name, flat);
	else if (is_other(name))
		tool_error("experiment %s is not supported: it counts no "
			   "hardware events; cy_hwc shows where time goes",
			   name);
	else
		tool_error("unknown experiment '%s'; see ssrun --list", name);

	return TOOL_FAILED;
}

int ssrun_choose(struct ssrun_choice *choice, enum irixperf_chip chip,
		 const char *name)
{
	const struct experiment *exp = find(name);
	const struct experiment *fast = find_fast(name);
	int ret = 0;

	memset(choice, 0, sizeof(*choice));
	choice->experiment = name;
	if (strcmp(name, PROF) == 0)
		ret = choose_prof(choice, chip);
	else if (exp || fast)
		fill(choice, chip, exp ? exp : fast, !exp);
	else
		ret = unknown(name);

	/* Like IRIX, sample user mode only */
	if (ret == 0)
		tool_perf_event(choice->perf_event, sizeof(choice->perf_event), chip,
				choice->event, "", "u");

	return ret;
}

/* Is it one of IRIX's experiments, whether ssrun has it or not? */
bool ssrun_is_experiment(const char *name)
{
	char flat[FLAT_MAX];

	return is_supported(name) || is_other(name) ||
	       with_stacks(name, flat, sizeof(flat));
}

void ssrun_list(FILE *out, enum irixperf_chip chip)
{
	size_t i;

	fprintf(out, "experiment  event  interval   fast form  interval  samples are taken of\n");
	for (i = 0; i < NR_EXPERIMENTS; i++) {
		const struct experiment *exp = &experiments[i];
		char name[16], fast[16];

		snprintf(name, sizeof(name), "%s" SUFFIX, exp->name);
		snprintf(fast, sizeof(fast), "f%s" SUFFIX, exp->name);
		fprintf(out, "%-10s  %5u  %8u   %-9s  %8u  %s%s\n", name,
			event_of(exp, chip), exp->interval, fast, exp->fast,
			exp->counter,
			irixperf_event_counterpart(chip, event_of(exp, chip)) ?
			"" : " (not on this machine)");
	}
	fprintf(out, "%-10s  %5s  %8s   %-9s  %8s  %s\n", PROF, "any", "any",
		"", "", "the event in _SPEEDSHOP_HWC_COUNTER_NUMBER");
}
