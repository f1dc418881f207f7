// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events: those of the event table, and the generic ones of Solaris. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/hwperfmacros.h>
#include "cpc.h"

#define WIDTH	78

/* Solaris' generic names, which are PAPI's, and the events with the same meaning */
static const struct {
	const char *generic;
	const char *name;
} generics[] = {
	{ "PAPI_tot_cyc", "cycles" },
	{ "PAPI_tot_ins", "graduated_instructions" },
	{ "PAPI_tot_iis", "issued_instructions" },
	{ "PAPI_ld_ins", "graduated_loads" },
	{ "PAPI_sr_ins", "graduated_stores" },
	{ "PAPI_fp_ins", "graduated_fp_instructions" },
	{ "PAPI_br_cn", "resolved_branches" },
	{ "PAPI_br_msp", "mispredicted_branches" },
	{ "PAPI_l1_icm", "l1i_misses" },
	{ "PAPI_l1_dcm", "l1d_misses" },
	{ "PAPI_l2_icm", "l2_instruction_misses" },
	{ "PAPI_l2_dcm", "l2_data_misses" },
	{ "PAPI_tlb_tl", "tlb_misses" },
	{ "PAPI_csr_tot", "graduated_store_conditionals" },
	{ "PAPI_csr_fal", "failed_store_conditionals" },
	{ "PAPI_ca_itv", "external_interventions" },
	{ "PAPI_ca_inv", "external_invalidations" },
};

#define GENERICS	(sizeof(generics) / sizeof(generics[0]))

const struct irixperf_event *cpc_event_find(enum irixperf_chip chip, const char *name)
{
	size_t i;

	for (i = 0; i < GENERICS; i++)
		if (strcasecmp(generics[i].generic, name) == 0)
			return irixperf_event_find(chip, generics[i].name);

	return irixperf_event_find(chip, name);
}

/* Can this counter count the event? */
static bool fits(enum irixperf_chip chip, unsigned int num, unsigned int pic)
{
	if (!irixperf_event_counterpart(chip, num))
		return false;

	return chip == IRIXPERF_R12000 || chip == IRIXPERF_MAPPED ||
	       num / HWPERF_CNT1BASE == pic;
}

const struct irixperf_event *cpc_event_on(enum irixperf_chip chip,
					  const struct irixperf_event *event,
					  unsigned int pic)
{
	if (!fits(chip, event->num, pic))
		event = irixperf_event_get(chip, event->twin);

	return fits(chip, event->num, pic) ? event : NULL;
}

/* Add a word to a line, or begin another one below the first word */
static void list_word(FILE *out, int *column, int left, const char *word)
{
	int len = (int)strlen(word);

	if (*column + 1 + len > WIDTH) {
		fprintf(out, "\n%*s", left, "");
		*column = left;
	}
	*column += fprintf(out, " %s", word);
}

static void list_pic(FILE *out, enum irixperf_chip chip, unsigned int pic)
{
	int left = fprintf(out, "        event%u:", pic), column = left;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (fits(chip, i, pic))
			list_word(out, &column, left,
				  irixperf_event_get(chip, i)->name);
	putc('\n', out);
}

const char *cpc_generic(unsigned int index, enum irixperf_chip chip)
{
	const struct irixperf_event *event;

	if (index >= GENERICS)
		return NULL;
	event = irixperf_event_find(chip, generics[index].name);

	return event && irixperf_event_counterpart(chip, event->num) ?
	       generics[index].generic : "";
}

void cpc_event_list(FILE *out, const struct irixperf_cpu *cpu)
{
	const char *generic;
	int left, column;
	unsigned int i;

	fprintf(out, "\n\tCPU performance counter interface: %s", cpu->model);
	if (cpu->chip == IRIXPERF_MAPPED)
		fprintf(out, ", by the event map %s", irixperf_map_file());
	fprintf(out, "\n\n\tevent specification syntax:\n"
		"\t[picn=]<eventn>[,attr[n]][,[picn=]<eventn>[,attr[n]],...]\n\n");
	for (i = 0; i < CPC_PICS; i++)
		list_pic(out, cpu->chip, i);

	left = column = fprintf(out, "\n        generic:") - 1;
	for (i = 0; (generic = cpc_generic(i, cpu->chip)); i++)
		if (*generic)
			list_word(out, &column, left, generic);
	fprintf(out, "\n\n\tattributes: nouser sys\n\n"
		"\tThe events' numbers, and what they count: perfex --list\n");
}
