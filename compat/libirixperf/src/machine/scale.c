// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Project a count to the time in which its event was enabled. value x enabled does not
 * fit into 64 bits (a second is 10^9 ns, and counts reach 10^9 per second). The product
 * has 128 bits, in two halves, because not every compiler has a type for that.
 */
#include <stdbool.h>
#include <stdint.h>
#include <irixperf.h>

struct u128 {
	uint64_t high;
	uint64_t low;
};

static struct u128 u128_product(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32;
	uint64_t b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0;
	uint64_t mid = a1 * b0 + (low >> 32);
	uint64_t mid2 = a0 * b1 + (uint32_t)mid;

	return (struct u128){
		.high = a1 * b1 + (mid >> 32) + (mid2 >> 32),
		.low = (mid2 << 32) | (uint32_t)low,
	};
}

static struct u128 u128_add(struct u128 a, uint64_t b)
{
	a.low += b;
	a.high += a.low < b;

	return a;
}

/* Long division, a bit at a time; UINT64_MAX if the quotient is larger than that */
static uint64_t u128_divide(struct u128 a, uint64_t divisor)
{
	uint64_t rest = a.high, quotient = 0;
	int i;

	if (rest >= divisor)
		return UINT64_MAX;

	for (i = 63; i >= 0; i--) {
		bool carry = rest >> 63;

		rest = rest << 1 | (a.low >> i & 1);
		quotient <<= 1;
		if (carry || rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
	}

	return quotient;
}

uint64_t irixperf_count_scale(const struct irixperf_count *count)
{
	struct u128 product;

	if (count->running == 0)
		return 0;
	if (count->running >= count->enabled)
		return count->value;

	product = u128_product(count->value, count->enabled);

	return u128_divide(u128_add(product, count->running / 2),
			   count->running);
}
