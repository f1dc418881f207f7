// SPDX-License-Identifier: GPL-2.0-only
/* Malta's first serial port, polled, and the board's reset register. */
#include "bm.h"

#define UART		((volatile u8 *)0xffffffffb80003f8)
#define UART_LSR	5
#define LSR_THRE	0x20

#define SOFTRES		((volatile u32 *)0xffffffffbf000500)
#define SOFTRES_GO	0x42

void put_char(char c)
{
	if (c == '\n')
		put_char('\r');
	while (!(UART[UART_LSR] & LSR_THRE))
		;
	UART[0] = c;
}

/* With -no-reboot, the emulator exits when the board is reset. */
void power_off(void)
{
	for (;;)
		*SOFTRES = SOFTRES_GO;
}
