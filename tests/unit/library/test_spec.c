// SPDX-License-Identifier: GPL-2.0-only
/* The argument of PIOCENEVCTRS, and its modes as attributes of perf events. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "fake.h"
#include "mode.h"
#include "spec.h"
#include "unit.h"

static hwperf_profevctrarg_t arg;

static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	memset(&arg, 0, sizeof(arg));

	return 0;
}

static void put(unsigned int place, unsigned int event, unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[place].hwperf_creg;

	reg->hwp_ev = event & 0x7ff;
	reg->hwp_mode = mode & 0xf;
}

static int decode(struct irixperf_attr *attr)
{
	int modes = ixp_spec_decode(attr, &arg);

	if (modes < 0)
		return modes;
	assert_int_equal(modes, ixp_spec_bits(&arg) & HWPERF_MODEMASK);

	return 0;
}

static void the_place_says_which_event(void **state)
{
	struct irixperf_attr attr;
	unsigned int i;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U);
	put(25, 9, HWPERF_CNTEN_U | HWPERF_CNTEN_E);
	put(26, 26, HWPERF_CNTEN_K);
	put(31, 0, HWPERF_CNTEN_U);
	assert_int_equal(decode(&attr), 0);
	for (i = 0; i < 32; i++)
		assert_int_equal(attr.mode[i],
				 i == 9 || i == 31 ? HWPERF_CNTEN_U :
				 i == 25 ? HWPERF_CNTEN_U | HWPERF_CNTEN_E :
				 i == 26 ? HWPERF_CNTEN_K : 0);
}

static void every_place_takes_three_numbers(void **state)
{
	struct irixperf_attr attr;
	unsigned int place, event;

	(void)state;
	for (place = 0; place < 32; place++)
		for (event = 0; event < 2048; event++) {
			int ok = event == 0 || event == place ||
				 event == place % 16;

			memset(&arg, 0, sizeof(arg));
			put(place, event, HWPERF_CNTEN_U);
			assert_int_equal(decode(&attr), ok ? 0 : -EINVAL);
		}
}

static void an_event_needs_a_mode(void **state)
{
	struct irixperf_attr attr;

	(void)state;
	put(9, 9, 0);
	assert_int_equal(decode(&attr), -EINVAL);
}

static void ie_without_frequency_is_plain_counting(void **state)
{
	struct irixperf_attr attr;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U);
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_ie = 1;
	assert_int_equal(decode(&attr), 0);
}

static void supervisor_mode_is_for_root(void **state)
{
	struct irixperf_attr attr;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U | HWPERF_CNTEN_S);
	fake.uid = 1000;
	assert_int_equal(decode(&attr), -EPERM);
	fake.uid = 0;
	assert_int_equal(decode(&attr), 0);
}

/* Whatever perf_event_paranoid is: the fake kernel would allow it */
static void kernel_mode_is_for_root(void **state)
{
	struct irixperf_attr attr;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	fake.uid = 1000;
	assert_int_equal(decode(&attr), -EPERM);
	fake.uid = 0;
	assert_int_equal(decode(&attr), 0);
}

static void thresholds(void **state)
{
	struct irixperf_attr attr;
	unsigned int i;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U);
	for (i = 0; i < 32; i++) {
		arg.hwp_ovflw_freq[i] = -1;
		assert_int_equal(decode(&attr), -EINVAL);
		arg.hwp_ovflw_freq[i] = 1;
		assert_int_equal(decode(&attr), 0);
		arg.hwp_ovflw_freq[i] = INT_MAX;
		assert_int_equal(decode(&attr), 0);
		arg.hwp_ovflw_freq[i] = 0;
	}
}

static void signals(void **state)
{
	struct irixperf_attr attr;
	int sig;

	(void)state;
	put(9, 9, HWPERF_CNTEN_U);
	for (sig = -2; sig < 40; sig++) {
		arg.hwp_ovflw_sig = sig;
		assert_int_equal(decode(&attr),
				 sig >= 0 && sig <= 32 ? 0 : -EINVAL);
	}
}

static void an_empty_block_is_legal(void **state)
{
	struct irixperf_attr attr;

	(void)state;
	assert_int_equal(decode(&attr), 0);
}

/* By the driver's rules, the attributes give the same mode bits U, S, K, E again */
static void modes_become_the_same_register(void **state)
{
	unsigned int mode;

	(void)state;
	for (mode = 1; mode < 16; mode++) {
		struct perf_event_attr attr = { .size = sizeof(attr), .config = 21 };
		unsigned int exl, got;

		ixp_mode_apply(&attr, mode);
		assert_int_equal(attr.config & 0x1f, 21);
		assert_int_equal(attr.config & ~UINT64_C(0x31f), 0);
		exl = attr.config >> 8 & 3;
		assert_in_range(exl, 0, 2);
		got = (attr.exclude_user ? 0 : 8) | (attr.exclude_hv ? 0 : 4) |
		      (attr.exclude_kernel ? 0 : 2) |
		      (exl == 1 || (exl == 0 && !attr.exclude_kernel));
		assert_int_equal(got, mode);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(the_place_says_which_event, setup),
	cmocka_unit_test_setup(every_place_takes_three_numbers, setup),
	cmocka_unit_test_setup(an_event_needs_a_mode, setup),
	cmocka_unit_test_setup(ie_without_frequency_is_plain_counting, setup),
	cmocka_unit_test_setup(supervisor_mode_is_for_root, setup),
	cmocka_unit_test_setup(kernel_mode_is_for_root, setup),
	cmocka_unit_test_setup(thresholds, setup),
	cmocka_unit_test_setup(signals, setup),
	cmocka_unit_test_setup(an_empty_block_is_legal, setup),
	cmocka_unit_test_setup(modes_become_the_same_register, setup),
};

UNIT_MAIN(tests)
