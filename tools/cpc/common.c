// SPDX-License-Identifier: GPL-2.0-or-later
/* The CPU, the columns of the counters, and notes. */
#include <inttypes.h>
#include "cpc.h"

int cpc_cpu(struct irixperf_cpu *cpu)
{
	int ret = irixperf_cpu_detect(cpu);

	if (ret < 0)
		*cpu = (struct irixperf_cpu){
			.chip = IRIXPERF_R10000_V3, .model = "R10000",
		};

	return ret;
}

void cpc_explain(const char *what, int err)
{
	char text[4096];

	tool_error("%s: %s", what, irixperf_set_explain(err, NULL, text, sizeof(text)));
}

unsigned int cpc_pics(const struct cpc_set *set, unsigned int nr)
{
	unsigned int i, pic, pics = 0;

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

/* A counter that counts nothing, or did not count, has no number: 0 would be one */
void cpc_print_counts(FILE *out, const struct cpc_set *set, unsigned int pics,
		      const uint64_t count[CPC_PICS], bool named)
{
	unsigned int pic;

	for (pic = 0; pic < pics; pic++)
		if (set->used[pic] && count[pic] != CPC_NONE)
			fprintf(out, "%9" PRIu64 " ", count[pic]);
		else
			fprintf(out, "%9s ", "-");
	fprintf(out, named ? " # %s\n" : "\n", set->text);
}

void cpc_note(const struct cpc_set *set, unsigned int nr, enum irixperf_chip chip)
{
	const char *text = NULL;
	unsigned int i, pic;

	for (i = 0; i < nr; i++)
		for (pic = 0; pic < CPC_PICS && !text; pic++)
			if (set[i].used[pic])
				text = irixperf_event_note(chip, set[i].event[pic]);
	if (text)
		tool_error("NOTE: %s.", text);
}
