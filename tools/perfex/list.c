// SPDX-License-Identifier: GPL-2.0-or-later
/* --list: the events of a CPU, and what counts them on this machine. */
#include <string.h>
#include <strings.h>
#include "perfex.h"

static const struct {
	const char *name;
	enum irixperf_chip chip;
} models[] = {
	{ "R10000-v2.6", IRIXPERF_R10000_V2 },
	{ "R10000", IRIXPERF_R10000_V3 },
	{ "R12000", IRIXPERF_R12000 },
	{ "R14000", IRIXPERF_R12000 },
	{ "R16000", IRIXPERF_R12000 },
};

/**
 * struct listing - what to list
 * @chip: the kind of CPU
 * @here: this machine has such a CPU
 */
struct listing {
	enum irixperf_chip chip;
	bool here;
};

/* Without --cpu: this CPU's events, or the R10000's if this CPU has no counters */
static int listing_of(struct listing *listing, const char *model)
{
	struct irixperf_cpu cpu = { .chip = IRIXPERF_CHIP_NONE };
	size_t i;

	irixperf_cpu_detect(&cpu);
	listing->here = !model && cpu.chip != IRIXPERF_CHIP_NONE;
	listing->chip = listing->here ? cpu.chip : IRIXPERF_R10000_V3;
	for (i = 0; model && i < sizeof(models) / sizeof(models[0]); i++) {
		if (strcasecmp(model, models[i].name) == 0) {
			listing->chip = models[i].chip;
			listing->here = cpu.chip == models[i].chip;
			return 0;
		}
	}
	if (!model)
		return 0;
	tool_error("unknown CPU model '%s': R10000-v2.6, R10000 (3.x), R12000, R14000 or R16000",
		   model);

	return TOOL_FAILED;
}

/* Name of what counts the event on this machine, or NULL */
static const char *counted_by(const struct listing *listing, unsigned int event)
{
	return listing->here ?
	       irixperf_event_counterpart(listing->chip, event) : NULL;
}

static const char *counter_of(const struct listing *listing, unsigned int event)
{
	if (listing->chip == IRIXPERF_R12000 ||
	    listing->chip == IRIXPERF_MAPPED)
		return "any";

	return event < IRIXPERF_EVENTS / 2 ? "0" : "1";
}

static void list_text(const struct listing *listing,
		      const struct irixperf_event *event)
{
	const char *by = counted_by(listing, event->num);

	printf("%2u %-34s %-7s %-5s %s\n", event->num, event->name,
	       counter_of(listing, event->num), by ? "yes" : "no", event->desc);
	if (by && strcmp(by, event->name) != 0)
		printf("   counted by %s\n", by);
}

static void list_csv(const struct listing *listing,
		     const struct irixperf_event *event)
{
	const char *by = counted_by(listing, event->num);

	printf("%u,%s,", event->num, event->name);
	perfex_csv_text(stdout, event->label);
	printf(",%s,", counter_of(listing, event->num));
	if (by)
		perfex_csv_text(stdout, by);
	fputc(',', stdout);
	perfex_csv_text(stdout, event->desc);
	fputc('\n', stdout);
}

static void json_pair(const char *name, const char *value, const char *after)
{
	printf("\"%s\": ", name);
	if (value)
		perfex_json_text(stdout, value);
	else
		fputs("null", stdout);
	fputs(after, stdout);
}

static void list_json(const struct listing *listing,
		      const struct irixperf_event *event)
{
	printf("%s\n {\"event\": %u, ", event->num ? "," : "", event->num);
	json_pair("name", event->name, ", ");
	json_pair("label", event->label, ", ");
	json_pair("counter", counter_of(listing, event->num), ", ");
	json_pair("counted_by", counted_by(listing, event->num), ", ");
	json_pair("description", event->desc, "}");
}

static void list_head(const struct perfex_options *opt,
		      const struct listing *listing)
{
	if (opt->json)
		printf("{\"schema\": 1, \"events\": [");
	else if (opt->csv)
		printf("event,name,label,counter,counted_by,description\n");
	else if (!listing->here && !opt->cpu)
		printf("This machine has no R10000 counters and no event map.\n"
		       "These are the events of the R10000. To count them, run r10kvm -- perfex ...\n");
	if (!opt->json && !opt->csv)
		printf("   %-34s %-7s %-5s %s\n", "name", "counter", "here",
		       "description");
}

int perfex_list(const struct perfex_options *opt)
{
	struct listing listing;
	unsigned int i;
	int ret = listing_of(&listing, opt->cpu);

	if (ret)
		return ret;
	list_head(opt, &listing);
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_event *event =
			irixperf_event_get(listing.chip, i);

		if (!event)
			continue;
		if (opt->json)
			list_json(&listing, event);
		else if (opt->csv)
			list_csv(&listing, event);
		else
			list_text(&listing, event);
	}
	if (opt->json)
		printf("\n]}\n");

	return tool_flush_stdout();
}
