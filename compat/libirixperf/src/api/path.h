/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Translate the names of IRIX's process files to those of Linux */
#ifndef IXP_PATH_H
#define IXP_PATH_H

#include <stddef.h>

int ixp_proc_path(const char *path, char *buf, size_t size);

#endif
