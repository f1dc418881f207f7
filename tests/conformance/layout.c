// SPDX-License-Identifier: GPL-2.0-only
/*
 * Structures and constants: pages 11 to 13 and 18 of r10k_evcntrs(5). That the
 * headers are there is shown by the compiler. Prints TAP.
 */
#include <sys/hwperftypes.h>
#include <sys/hwperfmacros.h>
#include <sys/procfs.h>
#include <stddef.h>
#include "../library/check.h"

#define IS(value, type)	_Generic((value), type : true, default : false)

static void headers(void)
{
	check(sizeof(hwperf_ctrl_t) == 2 && sizeof(hwperf_eventctrl_t) == 64 &&
	      sizeof(hwperf_profevctrarg_t) == 196 && sizeof(hwperf_cntr_t) == 256,
	      "8.01 13.01: <sys/hwperftypes.h> has the four structures", " ");
	check(HWPERF_EVENTMAX == 32 && HWPERF_CNTEVENTMAX == 16 &&
	      HWPERF_CNT1BASE == 16,
	      "10.02 10.06 10.12 13.02: <sys/hwperfmacros.h>", " ");
	check(HWPERF_CNTEN_U == 8 && HWPERF_CNTEN_S == 4 &&
	      HWPERF_CNTEN_K == 2 && HWPERF_CNTEN_E == 1,
	      "10.07: the modes are the bits of the control register", " ");
}

static void control_register(void)
{
	struct hwperf_ctrlreg reg = { .hwp_ev = 0xffff & 2047, .hwp_ie = 1,
				      .hwp_mode = 15 };
	hwperf_ctrl_t ctrl = { .hwperf_spec = 0 };

	check(sizeof(reg) == 2, "8.05: the fields fill 16 bits", "%zu bytes",
	      sizeof(reg));
	reg.hwp_ev++;
	reg.hwp_ie++;
	reg.hwp_mode++;
	check(reg.hwp_ev == 0 && reg.hwp_ie == 0 && reg.hwp_mode == 0,
	      "8.02 8.03 8.04: 11, 1 and 4 bits", "%u %u %u", reg.hwp_ev,
	      reg.hwp_ie, reg.hwp_mode);
	reg.hwp_ev--;
	check(reg.hwp_ev == 2047 && IS((ushort_t)0, unsigned short),
	      "8.05: without a sign", "%u", reg.hwp_ev);
	ctrl.hwperf_creg.hwp_ev = 25;
	check(ctrl.hwperf_spec == 25 << 5, "8.02: the event is above bit 4",
	      "%#x", (unsigned int)ctrl.hwperf_spec);
	ctrl.hwperf_creg.hwp_ie = 1;
	check(ctrl.hwperf_spec == (25 << 5 | 1 << 4), "8.03: bit 4 interrupts",
	      "%#x", (unsigned int)ctrl.hwperf_spec);
	ctrl.hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	check(ctrl.hwperf_spec == (25 << 5 | 1 << 4 | 8),
	      "8.04 8.06: the mode is below", "%#x",
	      (unsigned int)ctrl.hwperf_spec);
	check(IS(ctrl.hwperf_spec, short) && sizeof(ctrl) == 2,
	      "8.06: hwperf_spec is a short over the same bits", " ");
}

static void arguments(void)
{
	static hwperf_profevctrarg_t arg;
	static hwperf_eventctrl_t ctrl;
	static hwperf_cntr_t counts;

	check(IS(ctrl.hwp_evctrl[0], hwperf_ctrl_t) &&
	      sizeof(ctrl) == HWPERF_EVENTMAX * sizeof(hwperf_ctrl_t),
	      "8.07: hwperf_eventctrl_t", "%zu bytes", sizeof(ctrl));
	check(IS(arg.hwp_evctrargs, hwperf_eventctrl_t) &&
	      offsetof(hwperf_profevctrarg_t, hwp_evctrargs) == 0,
	      "8.16 8.17 10.03: hwperf_profevctrarg_t begins with the events", " ");
	check(IS(arg.hwp_ovflw_freq[0], int) &&
	      sizeof(arg.hwp_ovflw_freq) == HWPERF_EVENTMAX * sizeof(int) &&
	      offsetof(hwperf_profevctrarg_t, hwp_ovflw_freq) == 64,
	      "8.16 8.18: then the thresholds", " ");
	check(IS(arg.hwp_ovflw_sig, int) && sizeof(arg) == 196 &&
	      offsetof(hwperf_profevctrarg_t, hwp_ovflw_sig) == 192,
	      "8.16 8.19: then the signal", " ");
	check(IS(counts.hwp_evctr[0], __uint64_t) &&
	      sizeof(counts.hwp_evctr[0]) == 8 && sizeof(counts) == 256,
	      "8.24: hwperf_cntr_t", "%zu bytes", sizeof(counts));
}

/* As printed, one after the other: name, type, how many */
#define MEMBERS(M)							\
	M(pu_tstamp, timespec_t, 1)	M(pu_starttime, timespec_t, 1)	\
	M(pu_utime, timespec_t, 1)	M(pu_stime, timespec_t, 1)	\
	M(pu_minf, __uint64_t, 1)	M(pu_majf, __uint64_t, 1)	\
	M(pu_utlb, __uint64_t, 1)	M(pu_nswap, __uint64_t, 1)	\
	M(pu_gbread, __uint64_t, 1)	M(pu_bread, __uint64_t, 1)	\
	M(pu_gbwrit, __uint64_t, 1)	M(pu_bwrit, __uint64_t, 1)	\
	M(pu_sigs, __uint64_t, 1)	M(pu_vctx, __uint64_t, 1)	\
	M(pu_ictx, __uint64_t, 1)	M(pu_sysc, __uint64_t, 1)	\
	M(pu_syscr, __uint64_t, 1)	M(pu_syscw, __uint64_t, 1)	\
	M(pu_syscps, __uint64_t, 1)	M(pu_sysci, __uint64_t, 1)	\
	M(pu_graphfifo, __uint64_t, 1)	M(pu_graph_req, __uint64_t, 8)	\
	M(pu_graph_wait, __uint64_t, 8)	M(pu_size, __uint64_t, 1)	\
	M(pu_rss, __uint64_t, 1)	M(pu_inblock, __uint64_t, 1)	\
	M(pu_oublock, __uint64_t, 1)	M(pu_vfault, __uint64_t, 1)	\
	M(pu_ktlb, __uint64_t, 1)	M(pu_cpu_mon, cpu_mon_t, 1)

struct row {
	const char *name;
	size_t offset;
	size_t size;
	size_t expected;
	bool type;
};

#define SIZE(member)	sizeof(((hwperf_prusage_t *)0)->member)
#define FIRST_OF(member)						\
	(*(__typeof__(((hwperf_prusage_t *)0)->member) *)0)
#define TYPE(member, type)						\
	(IS(FIRST_OF(member), type) || IS(&FIRST_OF(member), __typeof__(type[8]) *))
#define ROW(member, type, number)					\
	{ #member, offsetof(hwperf_prusage_t, member), SIZE(member),	\
	  (number) * sizeof(type), TYPE(member, type) },

static void usage(void)
{
	static const struct row rows[] = { MEMBERS(ROW) };
	size_t i, end = 0, nr = sizeof(rows) / sizeof(rows[0]);

	for (i = 0; i < nr; i++) {
		if (rows[i].offset != end || rows[i].size != rows[i].expected ||
		    !rows[i].type)
			break;
		end += rows[i].size;
	}
	check(i == nr, "8.27 8.28: the 30 members of hwperf_prusage_t",
	      "%s at %zu, %zu bytes", rows[i % nr].name, rows[i % nr].offset,
	      rows[i % nr].size);
	check(nr == 30 && end == sizeof(hwperf_prusage_t),
	      "8.28: and no other", "%zu, %zu of %zu bytes", nr, end,
	      sizeof(hwperf_prusage_t));
}

static void requests(void)
{
	static const unsigned int all[] = {
		PIOCENEVCTRS, PIOCGETEVCTRS, PIOCGETPREVCTRS, PIOCGETEVCTRL,
		PIOCSETEVCTRL, PIOCRELEVCTRS, PIOCSAVECCNTRS,
	};
	size_t i, j, same = 0;

	for (i = 0; i < 7; i++)
		for (j = 0; j < i; j++)
			same += all[i] == all[j];
	check_count(same, 0, "9.01: seven requests that differ");
}

/* tests/baremetal/progs/structures.c has its own beginning */
#ifndef BARE
int main(void)
{
	printf("TAP version 13\n");
	headers();
	control_register();
	arguments();
	usage();
	requests();
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
#endif
