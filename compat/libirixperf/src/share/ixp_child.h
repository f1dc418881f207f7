/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting across fork(2), wait(2) and exit(2): see child.c. The file is not called
 * child.h, because tests/guest has a header of this name.
 */
#ifndef IXP_CHILD_H
#define IXP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>

struct irixperf_set;

unsigned int ixp_child_offer(const struct irixperf_set *set);
void ixp_child_lose(void);
void ixp_child_complete(void);
void ixp_child_commit(unsigned int offer, const hwperf_cntr_t *counts);
bool ixp_child_has_parent(void);
bool ixp_child_any_saved(void);
bool ixp_child_crowd(void);
int ixp_child_take(pid_t pid, hwperf_cntr_t *sum);
int ixp_child_sweep(hwperf_cntr_t *sum);
bool ixp_child_exists(pid_t pid);
int ixp_child_save(pid_t pid);
void ixp_child_save_all(void);
int ixp_child_adopt(pid_t pid, struct irixperf_set *events);
void ixp_child_fork_prepare(void);
bool ixp_child_fork_parent(void);
void ixp_child_fork_child(void);
void ixp_child_forget_all(void);

#endif
