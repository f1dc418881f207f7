/* SPDX-License-Identifier: GPL-2.0-only */
/* The PMU's directory in sysfs. */
#ifndef _MIPS_R10K_SYSFS_H
#define _MIPS_R10K_SYSFS_H

#include <linux/sysfs.h>

const struct attribute_group **r10k_sysfs_init(void);

#endif /* _MIPS_R10K_SYSFS_H */
