/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ECADMIN_H
#define ECADMIN_H

#include "ec.h"

/**
 * struct admin_change - one -a, -d or -e
 * @enable: or disable
 * @list: the events, as they were typed
 */
struct admin_change {
	bool enable;
	const char *list;
};

/**
 * struct admin_options - the command line of ecadmin
 * @change: the changes, in the order of the command line
 * @nr: number of changes
 * @list: print what is enabled
 * @mixed: CPUs may be of several types
 * @release: end system mode
 * @check: change nothing, and say how the events would share the counters
 * @help: print help and do nothing else
 * @version: print the version and do nothing else
 */
struct admin_options {
	struct admin_change *change;
	unsigned int nr;
	bool list;
	bool mixed;
	bool release;
	bool check;
	bool help;
	bool version;
};

/* admin_options.c; the caller frees @change */
int admin_options_parse(struct admin_options *opt, int argc, char **argv);
void admin_help(FILE *out);

#endif
