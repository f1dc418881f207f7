/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copy descriptors of other processes; list and close descriptors */
#ifndef IXP_DESCRIPTOR_H
#define IXP_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

int ixp_descriptor_process(pid_t pid);
int ixp_descriptor_take(int process, int number);
bool ixp_descriptor_is_event(int fd);
int ixp_descriptor_each(int folder, const char *target,
			int (*found)(int number, void *data), void *data);
void ixp_descriptors_close(int first, int last);

#endif
