/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file "status" of a process; @folder is /proc/PID */
#ifndef IXP_STATUS_H
#define IXP_STATUS_H

#define IXP_STATUS_SIZE		4096

const char *ixp_status_line(int folder, const char *key,
			    char text[IXP_STATUS_SIZE]);
int ixp_status_ids(int folder, const char *key, unsigned int id[3]);

#endif
