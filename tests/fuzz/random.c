// SPDX-License-Identifier: GPL-2.0-only
/* Random numbers (splitmix64), each process with a seed of its own. */
#include "fuzz.h"

static uint64_t state;

void random_seed(uint64_t seed)
{
	state = seed;
}

uint64_t random_bits(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned int random_below(unsigned int limit)
{
	return random_bits() % limit;
}

bool random_once_in(unsigned int n)
{
	return !random_below(n);
}

/* All lengths up to this many bits are equally likely */
uint64_t random_size(unsigned int bits)
{
	return random_bits() >> (64 - 1 - random_below(bits));
}
