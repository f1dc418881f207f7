/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ps(1) shows of a process; @folder is /proc/<pid> */
#ifndef IXP_PSINFO_H
#define IXP_PSINFO_H

#include <sys/procfs.h>

int ixp_psinfo_of(int folder, prpsinfo_t *info);

#endif
