/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks on bytes of files. */
#ifndef IXP_LOCK_H
#define IXP_LOCK_H

#include <sys/types.h>

int ixp_lock_wait(int fd);
int ixp_lock_try(int fd, off_t byte);
void ixp_lock_close(int fd);
int ixp_lock_held(int fd, off_t byte);
int ixp_lock_file(const char *path, off_t byte);
int ixp_lock_publish(int fd, const char *from, const char *to);

#endif
