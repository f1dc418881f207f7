/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the process of a descriptor */
#ifndef IXP_IDENT_H
#define IXP_IDENT_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/**
 * struct ixp_ident - identifies a process
 * @dev: file system of the directory /proc/<pid>
 * @ino: inode number of the directory; it changes if the PID is used again
 */
struct ixp_ident {
	dev_t dev;
	ino_t ino;
};

int ixp_ident_of_fd(struct ixp_ident *id, int fd);
bool ixp_ident_alive(int fd);
void ixp_ident_mark(int fd);
ino_t ixp_ident_marked(int fd);
pid_t ixp_ident_pid(int fd);

/* PID of this process; 0 if it is not known, or may have changed */
extern pid_t ixp_caller;

/**
 * ixp_ident_caller() - getpid(2), for callers that hold the lock
 *
 * Each process makes the system call once: in a new process, ixp_caller becomes 0 when
 * a thread takes the lock.
 *
 * Return: the PID.
 */
static inline pid_t ixp_ident_caller(void)
{
	if (!ixp_caller)
		ixp_caller = getpid();

	return ixp_caller;
}

#endif
