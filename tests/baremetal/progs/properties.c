// SPDX-License-Identifier: GPL-2.0-only
/*
 * The properties that the guest can see. The kernel's argument has the expected values:
 * Config.SS, Config.SB and the CPU clock in MHz. The program measures the clock with
 * the board's interval timer.
 *
 * @run way=icount qemu=-append 1,1,320
 * @run way=plain props=l2-size=512K,l2-line=64 qemu=-append 0,0,0
 * @run way=plain props=l2-size=2M qemu=-append 2,1,0
 * @run way=plain cpu=R10000 props=l2-size=4M qemu=-append 3,1,0
 * @run way=plain cpu=R12000 props=l2-size=8M,l2-line=128 qemu=-append 4,1,0
 * @run way=plain cpu=R14000 props=l2-size=16M,l2-line=64 qemu=-append 5,0,0
 * @run way=icount cpu=R10000 props=clock=195000000 qemu=-append 1,1,195
 * @run way=icount cpu=R12000 props=clock=10000000 qemu=-append 1,1,10
 * @run way=icount cpu=R14000 props=clock=600000000,l2-size=8M qemu=-append 4,1,600
 */
#include "bm.h"

/* argv[1] where the board's loader puts it, a 32-bit pointer */
#define ARGUMENT	(*(volatile s32 *)0xffffffff80002004)

/* 8254: counter 2, mode 0, both bytes; port 61 has its gate */
#define IO		((volatile u8 *)0xffffffffb8000000)
#define PIT_2		0x42
#define PIT_CONTROL	0x43
#define PIT_MODE	0xb0
#define PIT_LATCH	0x80
#define PORT_B		0x61
#define PIT_HZ		1193182
#define PIT_TICKS	20000

static const char *next;

static u32 number(void)
{
	u32 n = 0;

	while (*next >= '0' && *next <= '9')
		n = n * 10 + *next++ - '0';
	if (*next)
		next++;
	return n;
}

static u32 pit_read(void)
{
	u32 low;

	IO[PIT_CONTROL] = PIT_LATCH;
	low = IO[PIT_2];
	return low | IO[PIT_2] << 8;
}

/* Count's frequency, by some 17 ms of the timer */
static u64 count_hz(void)
{
	u32 start, from, to;

	IO[PORT_B] = 1;
	IO[PIT_CONTROL] = PIT_MODE;
	IO[PIT_2] = 0xff;
	IO[PIT_2] = 0xff;
	from = pit_read();
	start = c0_read(C0_COUNT);
	do
		to = pit_read();
	while (from - to < PIT_TICKS);
	return (u64)((u32)c0_read(C0_COUNT) - start) * PIT_HZ / (from - to);
}

static u32 want_ss, want_sb, want_mhz;

static void l2(void)
{
	u32 config = c0_read(C0_CONFIG);

	expect("Config.SS", want_ss, config >> 16 & 7);
	expect("Config.SB", want_sb, config >> 13 & 1);
}

static void clock(void)
{
	u64 want = want_mhz * 500000UL;

	expect_range("Hz of Count", want - want / 100, want + want / 100, count_hz());
}

static const struct tap_case cases[] = {
	{ "Config tells the level 2 cache", l2 },
	{ "Count runs at half the clock", clock },
};

void tests(void)
{
	next = (const char *)(s64)ARGUMENT;
	want_ss = number();
	want_sb = number();
	want_mhz = number();
	tap_run(cases, ARRAY_SIZE(cases) - !want_mhz);
}
