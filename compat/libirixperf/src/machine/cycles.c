// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Does the CPU's clock mean anything? The emulator tells by a word on the kernel's
 * command line whether it models how long instructions take: neither the CPU nor the
 * driver looks different without a model of time.
 */
#define _GNU_SOURCE
#include <string.h>
#include "cycles.h"
#include "kernel.h"

#define WORD		"r10kperf.cycles="
#define UNMODELLED	"unmodelled"

/* As for the kernel's own parameters, the last of several words applies */
bool ixp_cycles_unmodelled(void)
{
	char text[4096], *rest = text, *word;	/* as long as the line can be on MIPS */
	bool unmodelled = false;

	if (ixp_file_read("/proc/cmdline", text, sizeof(text)) <= 0)
		return false;
	while ((word = strsep(&rest, "\n ")))
		if (strncmp(word, WORD, strlen(WORD)) == 0)
			unmodelled = strcmp(word + strlen(WORD), UNMODELLED) == 0;

	return unmodelled;
}
