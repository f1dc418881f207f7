/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* List processors; @list is the name of a list in sysfs. */
#ifndef IXP_CPUS_H
#define IXP_CPUS_H

#define IXP_CPUS_MAX	8192	/* the most that Linux can have */

int ixp_cpus(const char *list, int *cpu, int room);

#endif
