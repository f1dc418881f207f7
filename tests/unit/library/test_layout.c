// SPDX-License-Identifier: GPL-2.0-only
/*
 * The structures are those of r10k_evcntrs(5). The compiler checks most of that;
 * test_headers.sh compiles this file for other machines.
 */
#include <invent.h>
#include <time.h>
#include <sys/procfs.h>
#include <sys/sbd.h>
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

/* PIOCUSAGE's structure is the start of PIOCGETPREVCTRS's */
_Static_assert(sizeof(prusage_t) == offsetof(hwperf_prusage_t, pu_cpu_mon),
	       "prusage_t");
#define SAME(member)							\
	AT(prusage_t, member, offsetof(hwperf_prusage_t, member))
SAME(pu_tstamp); SAME(pu_starttime); SAME(pu_utime); SAME(pu_stime);
SAME(pu_minf); SAME(pu_majf); SAME(pu_utlb); SAME(pu_nswap); SAME(pu_gbread);
SAME(pu_bread); SAME(pu_gbwrit); SAME(pu_bwrit); SAME(pu_sigs); SAME(pu_vctx);
SAME(pu_ictx); SAME(pu_sysc); SAME(pu_syscr); SAME(pu_syscw); SAME(pu_syscps);
SAME(pu_sysci); SAME(pu_graphfifo); SAME(pu_graph_req); SAME(pu_graph_wait);
SAME(pu_size); SAME(pu_rss); SAME(pu_inblock); SAME(pu_oublock);
SAME(pu_vfault); SAME(pu_ktlb);

/* IRIX's names in prpsinfo_t do not change Linux's own structure */
_Static_assert(sizeof(((prpsinfo_t *)0)->pr_psargs) == PRARGSZ, "pr_psargs");
_Static_assert(sizeof(((prpsinfo_t *)0)->pr_fname) == PRCOMSIZ, "pr_fname");
_Static_assert(sizeof(((struct elf_prpsinfo *)0)->pr_fname) == 16, "ELF");

/* R10000 manual: implementation in bits 15 to 8, revision in 7 to 0 */
_Static_assert((C0_IMPMASK | C0_MAJREVMASK | C0_MINREVMASK) == 0xffff, "PRId");
_Static_assert((0x0934 & C0_IMPMASK) >> C0_IMPSHIFT == C0_IMP_R10000, "imp");
_Static_assert((0x0934 & C0_MAJREVMASK) >> C0_MAJREVSHIFT == 3, "major");
_Static_assert((0x0934 & C0_MINREVMASK) >> C0_MINREVSHIFT == 4, "minor");

/* Numbers that other systems know, too */
_Static_assert(SGI_INVENT == 5 && SGI_QUERY_CYCLECNTR == 13 &&
	       SGI_SPROFIL == 55 && SGI_RUSAGE == 56 &&
	       SGI_CYCLECNTR_SIZE == 165 && SGI_EVENTCTR == 174 &&
	       SGI_GETPRUSAGE == 175, "syssgi");
_Static_assert(CLOCK_SGI_CYCLE == CLOCK_MONOTONIC_RAW, "CLOCK_SGI_CYCLE");

/* gdb and other programs ask for these with #ifdef */
#if !defined(PIOCENEVCTRS) || !defined(PIOCGETEVCTRS) || \
	!defined(PIOCGETPREVCTRS) || !defined(PIOCGETEVCTRL) || \
	!defined(PIOCSETEVCTRL) || !defined(PIOCRELEVCTRS) || \
	!defined(PIOCSAVECCNTRS) || !defined(SGI_EVENTCTR) || \
	!defined(PIOCGETPTIMER) || !defined(PIOCUSAGE) || \
	!defined(INV_IP30BOARD) || !defined(INV_IP35BOARD) || \
	!defined(C0_IMP_R14000) || !defined(SGI_CYCLECNTR_SIZE)
#error "the requests must be macros"
#endif

CASE(spec_is_the_control_register)
{
	hwperf_ctrl_t ctrl;

	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.hwperf_creg.hwp_ev = 25;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5);
	ctrl.hwperf_creg.hwp_ie = 1;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5 | 1 << 4);
	ctrl.hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	assert_int_equal(ctrl.hwperf_spec, 25 << 5 | 1 << 4 | 8);
}

CASE(spec_gives_the_fields)
{
	hwperf_ctrl_t ctrl = { .hwperf_spec = 9 << 5 | HWPERF_CNTEN_K };

	assert_int_equal(ctrl.hwperf_creg.hwp_ev, 9);
	assert_int_equal(ctrl.hwperf_creg.hwp_ie, 0);
	assert_int_equal(ctrl.hwperf_creg.hwp_mode, HWPERF_CNTEN_K);
}

CASE(modes_are_the_enable_bits)
{
	assert_int_equal(HWPERF_CNTEN_U, 1 << 3);
	assert_int_equal(HWPERF_CNTEN_S, 1 << 2);
	assert_int_equal(HWPERF_CNTEN_K, 1 << 1);
	assert_int_equal(HWPERF_CNTEN_E, 1 << 0);
}

CASE(requests_differ)
{
	static const int requests[] = {
		PIOCENEVCTRS, PIOCGETEVCTRS, PIOCGETPREVCTRS, PIOCGETEVCTRL,
		PIOCSETEVCTRL, PIOCRELEVCTRS, PIOCSAVECCNTRS,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++)
		assert_int_equal(requests[i], PIOCENEVCTRS + (int)i);
}

UNIT_MAIN()
