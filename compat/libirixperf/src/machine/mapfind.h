/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the event map of this machine */
#ifndef IXP_MAPFIND_H
#define IXP_MAPFIND_H

#include <limits.h>
#include <stddef.h>
#include "mapparse.h"

/**
 * struct ixp_map_file - a map that was found
 * @path: its name
 * @text: its text, which the caller frees; @rows points into it
 * @rows: its lines for this machine
 */
struct ixp_map_file {
	char path[PATH_MAX];
	char *text;
	struct ixp_map_rows rows;
};

int ixp_map_find(struct ixp_map_file *file, const struct ixp_pmus *pmus,
		 char *why, size_t size);

#endif
