/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read text files of /proc and /sys, of any length; paths are below ixp_kernel.root
 */
#ifndef IXP_READFILE_H
#define IXP_READFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int ixp_readfile_at(char **text, size_t *len, int folder, const char *name);
int ixp_readfile(char **text, const char *path);
const char *ixp_line_value(const char *text, const char *key);
bool ixp_line_number(uint64_t *number, const char *text, const char *key);

#endif
