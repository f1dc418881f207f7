/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a process has used; @folder is /proc/<pid> */
#ifndef IXP_USAGE_H
#define IXP_USAGE_H

#include <sys/procfs.h>

int ixp_usage_of(int folder, hwperf_prusage_t *usage);

#endif
