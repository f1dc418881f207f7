// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes commands from the host, one line each, on the first serial port:
 *
 *	s A B	counters 0, control registers A and B
 *	c N V	counter N is V
 *	o OP	the memory operation OP (lib/mem.h)
 *	a OP	prints its physical address
 *	w OP	writes the dirty block of OP and the next two back, in three instructions
 *		with interrupts enabled; prints after how many of them the counters
 *		interrupt, which stops them; "none" if they do not
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

#define BLOCK		128

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

/* Instructions from the first of a list to the interrupted one; -1 if there is none */
static u64 from;
static long at;

static enum exc_answer interrupted(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return EXC_LEAVE;
	at = (f->epc - from) / 4;
	ctl_write(0, 0);
	ctl_write(1, 0);
	return EXC_RESUME;
}

static long write_back(u32 op)
{
	u64 label;

	at = -1;
	exc_hook_fn = interrupted;
	asm volatile(".set push; .set noreorder\n\t"
		     "dla %0, 1f\n\t"
		     "sd %0, %1\n\t"
		     "mtc0 %2, $12; nop; nop; nop; nop\n"
		     "1: cache 0x17, 0(%4); cache 0x17, 0(%5); cache 0x17, 0(%6)\n\t"
		     "nop; nop; nop; nop\n\t"
		     "mtc0 %3, $12; nop; nop; nop; nop\n\t"
		     ".set pop"
		     : "=&r"(label), "=m"(from)
		     : "r"(ST_NORMAL | ST_IE | ST_IM7), "r"(ST_NORMAL), "r"(op_address(op)),
		       "r"(op_address(op + BLOCK)), "r"(op_address(op + 2 * BLOCK))
		     : "memory");
	exc_hook_fn = exc_default;
	return at;
}

static void answer(char command, u32 first, u32 second)
{
	long after;

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
	case 'w':
		after = write_back(first);
		if (after < 0)
			note("none");
		else
			note("%lx", after);
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
