/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parse an event map */
#ifndef IXP_MAPPARSE_H
#define IXP_MAPPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <irixperf.h>
#include "map.h"

/**
 * struct ixp_map_row - the line of a map that applies to an event
 * @line: its number, 0 if there is none
 * @name: the right-hand side; points into the parsed text
 * @pmu: the PMU whose section it is in, or NULL for [any]
 */
struct ixp_map_row {
	unsigned int line;
	const char *name;
	const char *pmu;
};

/**
 * struct ixp_map_rows - the part of a map that applies to this machine
 * @holds: there is a section for this machine
 * @row: the line of each event, by event number
 */
struct ixp_map_rows {
	bool holds;
	struct ixp_map_row row[IRIXPERF_EVENTS];
};

/**
 * struct ixp_trouble - an error in a map
 * @line: its line
 * @what: what is wrong, and what to do about it
 */
struct ixp_trouble {
	unsigned int line;
	char what[IXP_WHY_SIZE];
};

/* Modifies @text, which must have room for a 0 at its end */
int ixp_map_parse(struct ixp_map_rows *rows, char *text, size_t size,
		  const struct ixp_pmus *pmus, struct ixp_trouble *trouble);

#endif
