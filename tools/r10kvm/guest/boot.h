/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef R10KVM_BOOT_H
#define R10KVM_BOOT_H

#include <stdint.h>

int boot_machine(void);
void boot_log(const char *what, int err);
_Noreturn void boot_end(void);
uint32_t boot_milliseconds(void);

#endif
