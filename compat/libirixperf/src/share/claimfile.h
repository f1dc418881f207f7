/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Claims on the counters of all CPUs. */
#ifndef IXP_CLAIMFILE_H
#define IXP_CLAIMFILE_H

#include <stdbool.h>

int ixp_claim_begin(bool shared);

#endif
