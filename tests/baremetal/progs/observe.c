// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes commands from the host, one line each, on the first serial port:
 *
 *	s A B	counters 0, control registers A and B
 *	c N V	counter N is V
 *	o OP	the memory operation OP (lib/mem.h)
 *	a OP	prints its physical address
 *	p	prints both counters and both control registers
 *	q	ends
 *
 * All numbers are hexadecimal. The program needs a host (tests/lib/bare.py), so
 * tests/baremetal/run leaves it out.
 */
#include "mem.h"

#define UART		((volatile u8 *)0xffffffffb80003f8)
#define UART_LSR	5
#define LSR_DATA	1

static char line[80];

static void read_line(void)
{
	char *to = line, c;

	do {
		while (!(UART[UART_LSR] & LSR_DATA))
			;
		c = UART[0];
		*to = c == '\n' ? 0 : c;
	} while (*to++ && to < line + sizeof(line) - 1);
	*to = 0;
}

static u32 number(const char **s)
{
	u32 value = 0;

	while (**s == ' ')
		++*s;
	for (; **s > ' '; ++*s)
		value = value << 4 | ((**s & 15) + (**s > '9' ? 9 : 0));
	return value;
}

static void set_control(u32 first, u32 second)
{
	pmu_stop();
	ctl_write(0, first);
	ctl_write(1, second);
}

static void set_counter(u32 n, u32 value)
{
	if (n)
		ctr_write(1, value);
	else
		ctr_write(0, value);
}

static void answer(char command, u32 first, u32 second)
{
	switch (command) {
	case 's':
		set_control(first, second);
		note("done");
		break;
	case 'c':
		set_counter(first, second);
		note("done");
		break;
	case 'o':
		run_ops(&first, 1);
		note("done");
		break;
	case 'a':
		note("%lx", op_physical(first));
		break;
	case 'p':
		note("%x %x %x %x", (u32)ctr_read(0), (u32)ctr_read(1), (u32)ctl_read(0),
		     (u32)ctl_read(1));
		break;
	default:
		note("what is '%c'?", command);
	}
}

static void serve(void)
{
	mem_init();
	note("ready");
	for (;;) {
		const char *rest = line + 1;
		u32 first, second;

		read_line();
		if (line[0] == 'q')
			break;
		first = number(&rest);
		second = number(&rest);
		answer(line[0], first, second);
	}
}

static const struct tap_case cases[] = {
	{ "does what the host says", serve },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
