// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions as users type and read them, with the names of events. */
#include <string.h>
#include "command.h"

#define FN_EVENT	0x000000ffu
#define FN_UNIT_MASK	(0xffu << PCTR_UM_SHIFT)
#define FN_MODES	((unsigned int)(PCTR_U | PCTR_K))
#define FN_X86		(FN_UNIT_MASK | 0xffu << PCTR_CM_SHIFT | PCTR_E | PCTR_I)

/* At the end of a message about an event */
#define EVENTS_HINT	"pctr -l lists all events"

/* "f", "0f", "0x0f": no event has such a name */
static bool parse_code(unsigned int *code, const char *text)
{
	size_t len = strspn(text, "0123456789abcdefABCDEF");

	if (strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0) {
		text += 2;
		len = strspn(text, "0123456789abcdefABCDEF");
	}
	if (len == 0 || len > 8 || text[len])
		return false;
	*code = (unsigned int)strtoul(text, NULL, 16);

	return true;
}

static int unknown_event(const struct pctr_cpu *cpu, const char *text)
{
	const struct irixperf_event *near = cpu->raw ? NULL :
					    tool_event_nearest(cpu->chip, text);

	if (near)
		tool_error("unknown event '%s': did you mean %s (%02x)?\n"
			   EVENTS_HINT, text, near->name, near->num);
	else if (cpu->raw)
		tool_error("unknown event '%s': events of this CPU are hexadecimal "
			   "numbers from 0 to ff\n" EVENTS_HINT, text);
	else
		tool_error("unknown event '%s'\n" EVENTS_HINT, text);

	return PCTR_USAGE;
}

static int unknown_code(const struct pctr_cpu *cpu, unsigned int code)
{
	unsigned int digits = code / 16 * 10 + code % 16;

	if (cpu->raw)
		tool_error("unknown event %x: numbers end at ff\n" EVENTS_HINT, code);
	else if (code % 16 < 10 && digits < IRIXPERF_EVENTS)
		tool_error("unknown event %x: numbers are hexadecimal and end at 1f; "
			   "event %u is %x\n" EVENTS_HINT, code, digits, digits);
	else
		tool_error("unknown event %x: numbers are hexadecimal and end at 1f\n"
			   EVENTS_HINT, code);

	return PCTR_USAGE;
}

static int parse_event(unsigned int *code, const char *text,
		       const struct pctr_cpu *cpu)
{
	const struct irixperf_event *event;

	if (parse_code(code, text)) {
		if (*code <= FN_EVENT && (cpu->raw || *code < IRIXPERF_EVENTS))
			return PCTR_OK;
		return unknown_code(cpu, *code);
	}
	event = cpu->raw ? NULL : irixperf_event_find(cpu->chip, text);
	if (!event)
		return unknown_event(cpu, text);
	*code = event->num;

	return PCTR_OK;
}

/* Why the CPU cannot count a function that is valid in itself */
static int unfit(const struct pctr_cpu *cpu, unsigned int ctr, unsigned int fn)
{
	unsigned int event = fn & FN_EVENT;

	if (cpu->raw)
		tool_error("event 0 needs a unit mask (-m)");
	else if (fn & FN_X86)
		tool_error("only x86 CPUs have unit masks, thresholds and edges: leave out "
			   "-A, -E, -e, -I, -i, -M, -m, -S and -t");
	else if (!irixperf_event_counterpart(cpu->chip, event))
		tool_error("event %02x (%s) cannot be counted on this machine with the "
			   "event map %s\n" EVENTS_HINT, event,
			   irixperf_event_get(cpu->chip, event)->name,
			   irixperf_map_file());
	else
		tool_error("counter %u cannot count event %02x (%s): set counter %u (-s %u)",
			   ctr, event, irixperf_event_get(cpu->chip, event)->name,
			   1 - ctr, 1 - ctr);

	return PCTR_USAGE;
}

/* PCTR_EN is set in each counter, as pctr(4) recommends */
int function_parse(unsigned int *fn, const struct pctr_options *opt,
		   const struct pctr_cpu *cpu)
{
	unsigned int code = 0;
	int status = parse_event(&code, opt->event, cpu);

	if (status)
		return status;
	*fn = opt->fn | PCTR_EN | code;

	return pctr_function_check(cpu, (unsigned int)opt->counter, *fn) < 0 ?
	       unfit(cpu, (unsigned int)opt->counter, *fn) : PCTR_OK;
}

/* "0f u   graduated_instructions", "c4 uk  umask=04 cmask=1 edge inv" */
void function_print(unsigned int fn, const struct pctr_cpu *cpu)
{
	const struct irixperf_event *event = cpu->raw ? NULL :
		irixperf_event_get(cpu->chip, fn & FN_EVENT);

	printf("%02x %-2s", fn & FN_EVENT, (fn & FN_MODES) == FN_MODES ? "uk" :
	       (fn & PCTR_U) ? "u" : "k");
	if (event)
		printf("  %s", event->name);
	if (fn & FN_UNIT_MASK)
		printf("  umask=%02x", (fn & FN_UNIT_MASK) >> PCTR_UM_SHIFT);
	if (fn >> PCTR_CM_SHIFT)
		printf("  cmask=%u", fn >> PCTR_CM_SHIFT);
	printf("%s%s", fn & PCTR_E ? "  edge" : "", fn & PCTR_I ? "  inv" : "");
}
