/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* HWPERF_PROFENABLE of syssgi(2), by which a program profiles itself. */
#ifndef IXP_PROFENABLE_H
#define IXP_PROFENABLE_H

#include <stdint.h>

int ixp_profile_enable(uintptr_t arg, uintptr_t profp, uintptr_t profcnt);

#endif
