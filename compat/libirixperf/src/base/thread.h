/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a thread, and its CPU time */
#ifndef IXP_THREAD_H
#define IXP_THREAD_H

#include <stdint.h>
#include <sys/types.h>

/* @task is a descriptor of the directory /proc/PID/task */
char ixp_thread_state(int task, pid_t tid);
int ixp_thread_clock_open(pid_t tid);
int ixp_thread_clock(int fd, uint64_t *ns);

#endif
