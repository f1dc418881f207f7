/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What elfutils' configure would have found for libelf on musl: no locks,
 * because perf links it statically and guards it itself.
 */
#define HAVE_DECL_MEMRCHR	1
#define HAVE_DECL_MEMPCPY	1
#define HAVE_DECL_POWEROF2	1
#define HAVE_DECL_REALLOCARRAY	1
#define HAVE_DECL_RAWMEMCHR	0
#define HAVE_ERR_H		1
#define HAVE_FALLTHROUGH	1
#define HAVE_MREMAP		1
#define HAVE_STDATOMIC_H	1
#define HAVE_VISIBILITY		1

#include <eu-config.h>
