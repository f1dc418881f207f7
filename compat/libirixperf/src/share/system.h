/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Root's requests on system mode: see sysfile.h for how they reach the holder. */
#ifndef IXP_SYSTEM_H
#define IXP_SYSTEM_H

#include <stdbool.h>
#include <sys/hwperftypes.h>

struct ixp_system_view;
struct ixp_system_words;

/* Generation numbers, 0 or -errno */
int ixp_system_folder(const char *path);
int ixp_system_control(void);
bool ixp_system_wanted(const hwperf_profevctrarg_t *arg);
int ixp_system_check(const hwperf_profevctrarg_t *arg, bool kernel);
int ixp_system_acquire(const hwperf_profevctrarg_t *arg,
		       const struct ixp_system_words *words, bool force, int after);
int ixp_system_modify(const hwperf_profevctrarg_t *arg,
		      const struct ixp_system_words *words, int session);
int ixp_system_release(int session, int generation, struct ixp_system_view *last);

#endif
