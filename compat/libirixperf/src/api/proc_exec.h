/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters that survive execve(2) */
#ifndef IXP_PROC_EXEC_H
#define IXP_PROC_EXEC_H

int ixp_proc_keep(int fd);

#endif
