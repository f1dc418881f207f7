/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the perfevent agent's reading of events wants of PCP's library, so that
 * it builds without it.
 */
#ifndef TEST_PMAPI_H
#define TEST_PMAPI_H

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define pmsprintf	snprintf

#endif /* TEST_PMAPI_H */
