/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pctr(4) names this header. What programs need of it is in <machine/pctr.h>. */
#ifndef _MACHINE_CPU_H
#define _MACHINE_CPU_H

#include <sys/types.h>

#endif
