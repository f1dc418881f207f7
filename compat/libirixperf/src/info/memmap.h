/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory map of a process; @folder is /proc/<pid> */
#ifndef IXP_MEMMAP_H
#define IXP_MEMMAP_H

#include <sys/procfs.h>

int ixp_memmap_count(int folder);
int ixp_memmap_copy(int folder, prmap_t *maps);

#endif
