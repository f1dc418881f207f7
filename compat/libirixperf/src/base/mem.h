/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that can be allocated while the lock is held */
#ifndef IXP_MEM_H
#define IXP_MEM_H

#include <stddef.h>

void *ixp_alloc(size_t size);
void *ixp_alloc_begun(size_t size, size_t zero);
void ixp_free(void *memory);

#endif
