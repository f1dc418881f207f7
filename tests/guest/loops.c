// SPDX-License-Identifier: GPL-2.0-only
/* What one iteration of each loop in loops.S executes. */
#include <sys/ioctl.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

unsigned long loop_int(unsigned long n, void *buf);
unsigned long loop_mix(unsigned long n, void *buf);
unsigned long loop_loads(unsigned long n, void *buf);
unsigned long loop_stores(unsigned long n, void *buf);
unsigned long loop_muldiv(unsigned long n, void *buf);
unsigned long loop_fp(unsigned long n, void *buf);
unsigned long loop_branches(unsigned long n, void *buf);
unsigned long loop_sc(unsigned long n, void *buf);
unsigned long loop_scd(unsigned long n, void *buf);
unsigned long loop_sc_syscall(unsigned long n, void *buf);
unsigned long loop_between(int fd, unsigned long on, unsigned long off,
			   unsigned long (*run)(unsigned long n, void *buf),
			   unsigned long n, void *buf);

const struct loop loops[NR_LOOPS] = {
	[LOOP_INT] = {
		.name = "int", .run = loop_int,
		.insns = 8, .branches = 1,
	},
	[LOOP_MIX] = {
		.name = "mix", .run = loop_mix,
		.insns = 10, .muldiv = 1, .loads = 2, .stores = 1, .fp = 1,
		.branches = 1,
	},
	[LOOP_LOADS] = {
		.name = "loads", .run = loop_loads,
		.insns = 25, .loads = 16, .branches = 1,
	},
	[LOOP_STORES] = {
		.name = "stores", .run = loop_stores,
		.insns = 20, .stores = 14, .branches = 1,
	},
	[LOOP_MULDIV] = {
		.name = "muldiv", .run = loop_muldiv,
		.insns = 20, .muldiv = 8, .branches = 1,
	},
	[LOOP_FP] = {
		.name = "fp", .run = loop_fp,
		.insns = 25, .loads = 1, .stores = 1, .fp = 12, .branches = 2,
	},
	[LOOP_BRANCHES] = {
		.name = "branches", .run = loop_branches,
		.insns = 26, .branches = 9,
	},
	[LOOP_SC] = {
		.name = "sc", .run = loop_sc,
		.insns = 8, .loads = 1, .stores = 1, .sc = 1, .branches = 1,
	},
	[LOOP_SCD] = {
		.name = "scd", .run = loop_scd,
		.insns = 8, .loads = 1, .stores = 1, .sc = 1, .branches = 1,
	},
	[LOOP_SC_SYSCALL] = {
		.name = "sc_syscall", .run = loop_sc_syscall,
		.insns = 10, .loads = 1, .stores = 1, .sc = 1, .branches = 1,
	},
};

/* Per iteration, in user mode; without failed SCs, which depend on interrupts */
uint64_t loop_expect(const struct loop *loop, unsigned int event)
{
	switch (event) {
	case EV_INSNS:
	case EV_INSNS_CTR1:
		return loop->insns + loop->muldiv;
	case EV_LOADS:
		return loop->loads;
	case EV_STORES:
		return loop->stores;
	case EV_SC:
		return loop->sc;
	case EV_FP:
		return loop->fp;
	case EV_BRANCHES:
		return loop->branches;
	default:
		tap_bail("event %u has no expectation\n", event);
	}
}

/* The loops read this: two doubles, then integers; accessed here before counting */
static union {
	double d[2];
	unsigned char b[64];
} buf __attribute__((aligned(64)));

static void touch_buf(void)
{
	buf.d[0] = 1.5;
	buf.d[1] = 2.25;
}

unsigned long loop_run(const struct loop *loop, unsigned long n)
{
	touch_buf();
	return loop->run(n, &buf);
}

unsigned long loop_count(const struct loop *loop, unsigned long n, int fd)
{
	touch_buf();
	return loop_between(fd, PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE,
			    loop->run, n, &buf);
}
