/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * struct prof of IRIX's sprofil(2), which HWPERF_PROFENABLE takes. C libraries
 * that have sprofil() declare it themselves; for the others it is declared here.
 */
#pragma GCC system_header
#ifndef _IRIXPERF_SYS_PROFIL_H
#define _IRIXPERF_SYS_PROFIL_H

#if __has_include_next("sys/profil.h")
#include_next <sys/profil.h>
#else

#include <stddef.h>

struct prof {
	void *pr_base;			/* buckets, 16 bits each */
	size_t pr_size;			/* their size in bytes */
	size_t pr_off;			/* address where the region starts */
	unsigned long pr_scale;		/* bytes of buckets per 65536 of code */
};

#endif
#endif
