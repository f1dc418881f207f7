// SPDX-License-Identifier: GPL-2.0-only
/*
 * The structures are those that r10k_evcntrs(5) prints. Most of it is decided
 * when this file is compiled; test_headers.sh compiles it for other machines.
 */
#include <stddef.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include "unit.h"

#define AT(type, member, offset)					\
	_Static_assert(offsetof(type, member) == (offset), #member)

_Static_assert(sizeof(struct hwperf_ctrlreg) == 2, "hwperf_ctrlreg");
_Static_assert(sizeof(hwperf_ctrl_t) == 2, "hwperf_ctrl_t");
_Static_assert(sizeof(hwperf_eventctrl_t) == 64, "hwperf_eventctrl_t");
_Static_assert(sizeof(hwperf_profevctrarg_t) == 196, "hwperf_profevctrarg_t");
_Static_assert(sizeof(hwperf_cntr_t) == 256, "hwperf_cntr_t");
AT(hwperf_profevctrarg_t, hwp_evctrargs, 0);
AT(hwperf_profevctrarg_t, hwp_ovflw_freq, 64);
AT(hwperf_profevctrarg_t, hwp_ovflw_sig, 192);
AT(hwperf_prusage_t, pu_tstamp, 0);
AT(hwperf_prusage_t, pu_minf, 4 * sizeof(struct timespec));
AT(hwperf_prusage_t, pu_graph_req, 4 * sizeof(struct timespec) + 17 * 8);
AT(hwperf_prusage_t, pu_size, 4 * sizeof(struct timespec) + 33 * 8);
AT(hwperf_prusage_t, pu_cpu_mon, 4 * sizeof(struct timespec) + 39 * 8);

/* gdb and other programs ask for these with #ifdef */
#if !defined(PIOCENEVCTRS) || !defined(PIOCGETEVCTRS) || \
	!defined(PIOCGETPREVCTRS) || !defined(PIOCGETEVCTRL) || \
	!defined(PIOCSETEVCTRL) || !defined(PIOCRELEVCTRS) || \
	!defined(PIOCSAVECCNTRS) || !defined(SGI_EVENTCTR)
#error "the requests must be macros"
#endif

static void spec_is_the_control_register(void **state)
{
	hwperf_ctrl_t ctrl;

	(void)state;
	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.hwperf_creg.hwp_ev = 25;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5);
	ctrl.hwperf_creg.hwp_ie = 1;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5 | 1 << 4);
	ctrl.hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5 | 1 << 4 | 8);
}

static void spec_gives_the_fields(void **state)
{
	hwperf_ctrl_t ctrl = { .hwperf_spec = 9 << 5 | HWPERF_CNTEN_K };

	(void)state;
	assert_int_equal(ctrl.hwperf_creg.hwp_ev, 9);
	assert_int_equal(ctrl.hwperf_creg.hwp_ie, 0);
	assert_int_equal(ctrl.hwperf_creg.hwp_mode, HWPERF_CNTEN_K);
}

static void modes_are_the_enable_bits(void **state)
{
	(void)state;
	assert_int_equal(HWPERF_CNTEN_U, 1 << 3);
	assert_int_equal(HWPERF_CNTEN_S, 1 << 2);
	assert_int_equal(HWPERF_CNTEN_K, 1 << 1);
	assert_int_equal(HWPERF_CNTEN_E, 1 << 0);
}

static void requests_differ(void **state)
{
	static const int requests[] = {
		PIOCENEVCTRS, PIOCGETEVCTRS, PIOCGETPREVCTRS, PIOCGETEVCTRL,
		PIOCSETEVCTRL, PIOCRELEVCTRS, PIOCSAVECCNTRS,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		assert_int_equal(requests[i], PIOCENEVCTRS + (int)i);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(spec_is_the_control_register),
	cmocka_unit_test(spec_gives_the_fields),
	cmocka_unit_test(modes_are_the_enable_bits),
	cmocka_unit_test(requests_differ),
};

UNIT_MAIN(tests)
