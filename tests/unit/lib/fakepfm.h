/* SPDX-License-Identifier: GPL-2.0-only */
/* A libpfm4 that knows one CPU and some events, for tests of event maps. */
#ifndef FAKEPFM_H
#define FAKEPFM_H

#include "pfm.h"

/*
 * Its CPU is "fakecpu". The event MISSES has the raw code 0x1234, the config1 0x56
 * and the modifier :u.
 */
extern const struct ixp_pfm fake_pfm4;

#endif
