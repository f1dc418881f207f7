// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a test on the host that injects ECC errors (event 8) and requests of other CPUs
 * (12, 13) through QMP. For each round and each event the program prepares a block,
 * selects the event, prints
 *
 *	# inject ROUND PA
 *
 * and waits for a byte on the serial port; meanwhile the host injects into the line
 * at PA (decimal). Then the program does the rest of the round, prints
 *
 *	# counted ROUND EVENT N
 *
 * and continues with the next event; the byte "q" ends the program. Without "-append
 * wait" it does not wait: nothing is injected, and these events must be 0.
 */
#include "mem.h"

#define UART		((volatile u8 *)0xffffffffb80003f8)
#define UART_LSR	5
#define LSR_READY	1
/* Ticks of Count: 27 s */
#define PATIENCE	0xffffffff

#define A		0x2000
#define NEXT		32

struct round {
	const char *name;
	u32 before[2], after[2];
};

static const struct round rounds[] = {
	{ "refill", { LOAD(0, A) }, { LOAD(0, A ^ NEXT) } },
	{ "modified", { STORE(0, A) }, { LOAD(0, A) } },
	{ "clean", { LOAD(0, A) }, { STORE(0, A) } },
	{ "writeback", { STORE(0, A) }, { CACHE(S_HIT_WRITEBACK, 0, A) } },
	{ "fetch", { LOAD(0, A) }, { FETCH(0, A & ~63) } },
};

static const u8 events[] = { 7, 8, 12, 13, 22, 25, 26, 27, 28, 29, 30, 31 };

/* A byte from the host, or 0 if none comes in time */
static char listen(void)
{
	u32 began = c0_read(C0_COUNT);

	while (bm_argument("wait") && (u32)c0_read(C0_COUNT) - began < PATIENCE)
		if (UART[UART_LSR] & LSR_READY)
			return UART[0];
	return 0;
}

static u32 length(const u32 *ops)
{
	return !ops[0] ? 0 : !ops[1] ? 1 : 2;
}

/* Returns false if the host ends the program. */
static int run_event(const struct round *r, u32 event)
{
	u32 second = !is_r12000() && event >= 16, ctl = ctl_event(event, MODE_K), n;

	clean_ops(r->before, length(r->before));
	clean_ops(r->after, length(r->after));
	pmu_stop();
	ctl_write(0, second ? 0 : ctl);
	ctl_write(1, second ? ctl : 0);
	run_ops(r->before, length(r->before));
	ctr_write(0, 0);
	ctr_write(1, 0);
	note("inject %s %lu", r->name, op_physical(r->after[0]) & ~31UL);
	if (listen() == 'q')
		return 0;
	run_ops(r->after, length(r->after));
	n = second ? ctr_read(1) : ctr_read(0);
	pmu_stop();
	note("counted %s %u %u", r->name, event, n);
	if (!bm_argument("wait") && event >= 8 && event <= 29 && (event <= 13 || event >= 28))
		expect("without injection", 0, n);
	return 1;
}

static void run_rounds(void)
{
	mem_init();
	for (u32 i = 0; i < ARRAY_SIZE(rounds); i++)
		for (u32 e = 0; e < ARRAY_SIZE(events) - is_r12000(); e++)
			if (!run_event(&rounds[i], events[e]))
				return;
}

static const struct tap_case cases[] = {
	{ "injected errors and requests", run_rounds },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
