// SPDX-License-Identifier: GPL-2.0-only
/* guest/modes.c with fake counters: more rounds in less time, and sanitizers. */
#define _GNU_SOURCE
#include <stdlib.h>
#include "fake.h"

/* This replaces the machine that the program runs on */
#define MACHINE
#define HOLDER_NAME	"holder-fake"
#define ROOT_FOLDER	ixp_kernel.root
/* The fake kernel does not know who may count in kernel mode */
#define USER_OPS	OP_ENABLE_KERNEL

static void machine_install(void)
{
	fake_install(R10000_V34);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
}

static int become_user(void)
{
	fake.uid = 1000;

	return 0;
}

#include "guest/modes.c"
