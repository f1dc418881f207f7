/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copy from and to addresses that the caller has given */
#ifndef IXP_USER_H
#define IXP_USER_H

#include <stddef.h>

int ixp_user_read(void *to, const void *from, size_t size);
int ixp_user_write(void *to, const void *from, size_t size);

#endif
