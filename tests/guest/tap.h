/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own TAP printer, from the kernel tree that the guest runs. */
#ifndef R10K_TEST_TAP_H
#define R10K_TEST_TAP_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "kselftest.h"
#pragma GCC diagnostic pop

#endif /* R10K_TEST_TAP_H */
