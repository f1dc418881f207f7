// SPDX-License-Identifier: GPL-2.0-only
/* libpctr calls this for geteuid(2). */
#include "fake.h"

uid_t fake_euid(void);
uid_t fake_euid(void)
{
	return fake.uid;
}
