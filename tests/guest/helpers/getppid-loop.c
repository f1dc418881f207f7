// SPDX-License-Identifier: GPL-2.0-only
/* getppid-loop N: N thousand system calls. For tests/bench. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, i;

	if (!n) {
		fprintf(stderr, "usage: getppid-loop THOUSANDS\n");
		return 2;
	}
	for (i = 0; i < n * 1000; i++)
		getppid();
	return 0;
}
