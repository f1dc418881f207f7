/* SPDX-License-Identifier: GPL-2.0-only */
/* Many small functions, one after the other: functions.S. */
#ifndef R10K_WORKLOAD_FUNCTIONS_H
#define R10K_WORKLOAD_FUNCTIONS_H

/* Each has a line of the second-level cache for itself */
#define FUNCTION_BYTES	128
#define FUNCTIONS	1024

#endif /* R10K_WORKLOAD_FUNCTIONS_H */
