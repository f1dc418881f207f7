/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The requests of /proc that do not concern counters */
#ifndef IXP_INFO_H
#define IXP_INFO_H

int ixp_info_ioctl(int fd, unsigned int request, void *arg);

#endif
