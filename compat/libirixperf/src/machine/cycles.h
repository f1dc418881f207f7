/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the CPU's clock means anything */
#ifndef IXP_CYCLES_H
#define IXP_CYCLES_H

#include <stdbool.h>

bool ixp_cycles_unmodelled(void);

#endif
