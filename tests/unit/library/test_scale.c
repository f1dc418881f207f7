// SPDX-License-Identifier: GPL-2.0-only
/* Projection of counts, against the compiler's own 128-bit arithmetic. */
#include <irixperf.h>
#include "seed.h"
#include "unit.h"

__extension__ typedef unsigned __int128 wide;

static uint64_t scale(uint64_t value, uint64_t enabled, uint64_t running)
{
	const struct irixperf_count count = { value, enabled, running };

	return irixperf_count_scale(&count);
}

CASE(full_time_is_exact)
{
	assert_true(scale(12345, 1000, 1000) == 12345);
	assert_true(scale(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

CASE(a_sixteenth_is_times_sixteen)
{
	assert_true(scale(102487630, 160, 10) == 1639802080);
}

CASE(never_run_is_zero)
{
	assert_true(scale(0, 1000, 0) == 0);
	assert_true(scale(0, 0, 0) == 0);
}

CASE(running_above_enabled_is_not_scaled_down)
{
	assert_true(scale(500, 1000, 1001) == 500);
}

CASE(rounds_to_nearest)
{
	assert_true(scale(1, 3, 2) == 2);
	assert_true(scale(1, 4, 3) == 1);
	assert_true(scale(10, 7, 3) == 23);
}

CASE(products_beyond_64_bits)
{
	/* a day at 200 MHz, in nanoseconds and cycles */
	assert_true(scale(UINT64_C(17280000000000), UINT64_C(86400000000000),
			  UINT64_C(43200000000000)) ==
		    UINT64_C(34560000000000));
}

CASE(saturates)
{
	assert_true(scale(UINT64_MAX, UINT64_MAX, 1) == UINT64_MAX);
	assert_true(scale(UINT64_MAX / 2 + 1, 2, 1) == UINT64_MAX);
}

static uint64_t random64(void)
{
	uint64_t a = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^
		     (uint64_t)random();

	return a >> random() % 64;
}

CASE(agrees_with_wide_arithmetic)
{
	int i;

	srandom(test_seed(42));
	for (i = 0; i < 200000; i++) {
		uint64_t value = random64(), enabled = random64();
		uint64_t running = random64() % (enabled + (enabled == 0)) + 1;
		wide expected;

		if (running >= enabled)
			continue;
		expected = ((wide)value * enabled + running / 2) / running;
		if (expected > UINT64_MAX)
			expected = UINT64_MAX;
		assert_true(scale(value, enabled, running) == expected);
	}
}

UNIT_MAIN()
