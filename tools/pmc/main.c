// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmc: count events while a command runs. A work-alike of NetBSD's command of this
 * name, on libirixperf; the names of events are libpmc's.
 */
#include <string.h>
#include <strings.h>
#include <pmc.h>
#include <sys/hwperfmacros.h>
#include <sys/syssgi.h>
#include "cmdline.h"
#include "pmc.h"

static const char *const help_text =
"Usage: pmc -c EVENT [-c EVENT]... [-u] [-k] COMMAND [ARG]...\n"
"       pmc -h | -C\n"
"Run COMMAND and report how often EVENT occurred in it and in all its descendants,\n"
"on standard error.\n"
"\n"
"  -c EVENT    count EVENT: a name, in any case, or a number from 0 to 31\n"
"  -u          in user mode; this is the default\n"
"  -k          in kernel mode; with -u in either, apart\n"
"  -h          list the events\n"
"  -C          as root, release the counters of all CPUs that ecadmin or pctr has\n"
"              taken\n"
"      --help  show this help and exit\n"
"      --version  show the version and exit\n"
"\n"
"See pmc(1).\n";

static int options_read(struct pmc_options *opt, char ***argv)
{
	const struct cmdline_option options[] = {
		{ "-c", CMDLINE_TEXTS, .text = opt->name, .number = &opt->nr,
		  .max = IRIXPERF_EVENTS, .say = "more than 32 events" },
		{ "-u", CMDLINE_FLAG, .flag = &opt->user },
		{ "-k", CMDLINE_FLAG, .flag = &opt->kernel },
		{ "-h", CMDLINE_FLAG, .flag = &opt->list },
		{ "-C", CMDLINE_FLAG, .flag = &opt->cancel },
		{ "--help", CMDLINE_FLAG, .flag = &opt->help },
		{ "--version", CMDLINE_FLAG, .flag = &opt->version },
	};

	if (cmdline_parse(options, sizeof(options) / sizeof(options[0]), false, argv))
		return TOOL_FAILED;
	opt->command = *argv;
	if (opt->help || opt->version)
		return 0;
	if (opt->list || opt->cancel) {
		if (opt->list != opt->cancel && !opt->nr && !opt->user && !opt->kernel &&
		    !opt->command[0])
			return 0;
		tool_error("%s stands alone; see pmc --help", opt->cancel ? "-C" : "-h");
		return TOOL_FAILED;
	}
	opt->user |= !opt->kernel;
	if (!opt->nr || !opt->command[0]) {
		tool_error("%s; see pmc --help", opt->nr ? "no command given" :
			   "no event given: use -c");
		return TOOL_FAILED;
	}

	return 0;
}

/* What the command line calls an event, in the names of libirixperf or of NetBSD */
static int event_find(unsigned int *num, enum irixperf_chip chip, const char *name)
{
	const struct irixperf_event *event = irixperf_event_find(chip, name);
	const struct pmc_event *entry = pmc_get_counter_event_list();

	while (!event && entry && entry->name) {
		if (strcasecmp(entry->name, name) == 0)
			event = irixperf_event_get(chip, entry->val);
		entry++;
	}
	if (event) {
		*num = event->num;
		return 0;
	}
	tool_event_unknown(chip, name, "pmc -h lists all events");

	return TOOL_FAILED;
}

static int cpu_detect(struct irixperf_cpu *cpu)
{
	char text[2048];
	int ret = irixperf_cpu_detect(cpu);

	if (ret == 0)
		return 0;
	tool_error("PMC counters are not supported by CPU\n%s",
		   irixperf_set_explain(ret, NULL, text, sizeof(text)));

	return TOOL_FAILED;
}

static int events_find(struct pmc_options *opt)
{
	unsigned int i, j;

	for (i = 0; i < opt->nr; i++) {
		if (event_find(&opt->event[i], opt->chip, opt->name[i]))
			return TOOL_FAILED;
		for (j = 0; j < i; j++) {
			if (opt->event[j] == opt->event[i]) {
				tool_error("'%s' and '%s' are the same event",
					   opt->name[j], opt->name[i]);
				return TOOL_FAILED;
			}
		}
	}

	return 0;
}

static int list(enum irixperf_chip chip)
{
	const struct pmc_event *all = pmc_get_counter_event_list(), *entry, *also;

	for (entry = all; entry && entry->name; entry++) {
		const struct irixperf_event *event = irixperf_event_get(chip, entry->val);
		const char *before = " (also";

		if (strcmp(entry->name, event->name) != 0)
			continue;
		printf("%-34s %s", entry->name, event->desc);
		for (also = all; also->name; also++) {
			if (also == entry || also->val != entry->val)
				continue;
			printf("%s %s", before, also->name);
			before = ",";
		}
		puts(*before == ',' ? ")" : "");
	}

	return tool_flush_stdout();
}

static int cancel(void)
{
	char text[1024];
	long ret;

	if (!tool_system_is_on()) {
		tool_error("no counters run for all programs; those of a process end with it");
		return TOOL_OK;
	}
	ret = irixperf_syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS, 0, 0, 0);
	if (ret >= 0)
		return TOOL_OK;
	tool_error("cannot release the counters: %s",
		   tool_system_explain((int)ret, text, sizeof(text)));

	return TOOL_FAILED;
}

int main(int argc, char **argv)
{
	struct pmc_options opt = { .list = false };
	struct irixperf_cpu cpu;

	(void)argc;
	tool_name = "pmc";
	if (options_read(&opt, &argv))
		return TOOL_FAILED;
	if (opt.help || opt.version) {
		fputs(opt.help ? help_text : "pmc (r10kperf) 0.1.0\n", stdout);
		return tool_flush_stdout();
	}
	if (opt.cancel)
		return cancel();
	if (cpu_detect(&cpu))
		return TOOL_FAILED;
	if (opt.list)
		return list(cpu.chip);
	opt.chip = cpu.chip;
	if (events_find(&opt))
		return TOOL_FAILED;

	return pmc_count(&opt);
}
