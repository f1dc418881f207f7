/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_mips_r10k.c : support for the MIPS R10000, R12000, R14000 and R16000
 *
 * Copyright (c) 2026 The r10kperf authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies
 * of the Software, and to permit persons to whom the Software is furnished to do so,
 * subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
 * INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A
 * PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
 * HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
 * CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
 * OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
#include <sys/types.h>
#include <stdio.h>
#include <string.h>

#include "pfmlib_priv.h"		/* library private */
#include "pfmlib_mips_priv.h"
#include "events/mips_r10000_v2_events.h"	/* event tables */
#include "events/mips_r10000_events.h"
#include "events/mips_r12000_events.h"

/*
 * What the kernel has in /proc/cpuinfo:
 * cpu model		: R10000 V3.4  FPU V0.0
 *
 * Some events of the R10000 have another meaning from revision 3 on.
 */
static int
pfm_mips_detect_r10k(void *this)
{
	pfmlib_pmu_t *pmu = this;
	char name[16], major;
	int ret, found = 0;

	ret = pfm_mips_detect(this);
	if (ret != PFM_SUCCESS)
		return PFM_ERR_NOTSUPP;

	if (sscanf(pfm_mips_cfg.model, "%15s V%c", name, &major) != 2)
		return PFM_ERR_NOTSUPP;

	switch (pmu->pmu) {
	case PFM_PMU_MIPS_R10000:
		found = !strcmp(name, "R10000") && major >= '3';
		break;
	case PFM_PMU_MIPS_R10000_V2:
		found = !strcmp(name, "R10000") && major < '3';
		break;
	case PFM_PMU_MIPS_R12000:
		found = !strcmp(name, "R12000");
		break;
	case PFM_PMU_MIPS_R14000:
		found = !strcmp(name, "R14000") || !strcmp(name, "R16000");
		break;
	default:
		break;
	}
	return found ? PFM_SUCCESS : PFM_ERR_NOTSUPP;
}

/*
 * The number of an event has the counter in it where only one counter counts
 * the event: 16 to 31 are codes 0 to 15 of counter 1.
 */
static unsigned int
r10k_hw_code(const mips_entry_t *pe)
{
	return pe->mask == 0x3 ? pe->code : pe->code & 0xf;
}

/* adds the name and those modifiers that the PMU, not the OS, provides */
void
pfm_mips_r10k_fstr(void *this, pfmlib_event_desc_t *e, unsigned int plm)
{
	const mips_entry_t *pe = this_pe(this);
	pfmlib_event_attr_info_t *p;
	int k;

	evt_strcat(e->fstr, "%s", pe[e->event].name);

	for (k = 0; k < e->npattrs; k++) {
		p = e->pattrs + k;
		if (p->ctrl == PFM_ATTR_CTRL_PMU)
			evt_strcat(e->fstr, ":%s=%d", p->name, !!(plm & (1U << p->idx)));
	}
}

int
pfm_mips_r10k_get_encoding(void *this, pfmlib_event_desc_t *e)
{
	const mips_entry_t *pe = (const mips_entry_t *)this_pe(this) + e->event;
	pfmlib_event_attr_info_t *a;
	unsigned int plm = 0, given = 0, bit;
	pfm_mips_sel_reg_t reg;
	int k;

	for (k = 0; k < e->nattrs; k++) {
		a = attr(e, k);
		if (a->ctrl != PFM_ATTR_CTRL_PMU)
			continue;
		bit = 1U << a->idx;
		given |= bit;
		if (e->attrs[k].ival)
			plm |= bit;
	}

	/* no privilege level was passed: use the default */
	if (!given) {
		if (e->dfl_plm & PFM_PLM0)
			plm |= _MIPS_ATTR_K;
		if (e->dfl_plm & PFM_PLM1)
			plm |= _MIPS_ATTR_S;
		if (e->dfl_plm & PFM_PLM2)
			plm |= _MIPS_ATTR_E;
		if (e->dfl_plm & PFM_PLM3)
			plm |= _MIPS_ATTR_U;
	}

	reg.val = 0;
	reg.perfsel64.sel_event_mask = r10k_hw_code(pe);
	reg.perfsel64.sel_os  = !!(plm & _MIPS_ATTR_K);
	reg.perfsel64.sel_usr = !!(plm & _MIPS_ATTR_U);
	reg.perfsel64.sel_sup = !!(plm & _MIPS_ATTR_S);
	reg.perfsel64.sel_exl = !!(plm & _MIPS_ATTR_E);

	e->codes[0] = reg.val;
	e->codes[1] = pe->mask;
	e->count    = 2;

	pfm_mips_r10k_fstr(this, e, plm);

	return PFM_SUCCESS;
}

#define MIPS_R10K_PLM	(PFM_PLM0|PFM_PLM1|PFM_PLM2|PFM_PLM3|PFM_PLMH)

/* What a PMU of the family has of its own is its name and its table */
#define MIPS_R10K_PMU(d, n, p, t)				\
{								\
	.desc			= d,				\
	.name			= n,				\
	.pmu			= p,				\
	.pme_count		= LIBPFM_ARRAY_SIZE(t),		\
	.type			= PFM_PMU_TYPE_CORE,		\
	.pe			= t,				\
	.supported_plm		= MIPS_R10K_PLM,		\
	/* event encoding + counter bitmask */			\
	.max_encoding		= 2,				\
	.num_cntrs		= 2,				\
								\
	.pmu_detect		= pfm_mips_detect_r10k,		\
	.get_event_encoding[PFM_OS_NONE] = pfm_mips_r10k_get_encoding, \
	 PFMLIB_ENCODE_PERF(pfm_mips_r10k_get_perf_encoding),	\
	.get_event_first	= pfm_mips_get_event_first,	\
	.get_event_next		= pfm_mips_get_event_next,	\
	.event_is_valid		= pfm_mips_event_is_valid,	\
	.validate_table		= pfm_mips_validate_table,	\
	.get_event_info		= pfm_mips_get_event_info,	\
	.get_event_attr_info	= pfm_mips_get_event_attr_info,	\
	 PFMLIB_VALID_PERF_PATTRS(pfm_mips_r10k_perf_validate_pattrs), \
	.get_event_nattrs	= pfm_mips_get_event_nattrs,	\
}

pfmlib_pmu_t mips_r10000_support=MIPS_R10K_PMU(
	"MIPS R10000 (revision 3)", "mips_r10000",
	PFM_PMU_MIPS_R10000, mips_r10000_pe);

pfmlib_pmu_t mips_r10000_v2_support=MIPS_R10K_PMU(
	"MIPS R10000 (revision 2)", "mips_r10000_v2",
	PFM_PMU_MIPS_R10000_V2, mips_r10000_v2_pe);

pfmlib_pmu_t mips_r12000_support=MIPS_R10K_PMU(
	"MIPS R12000", "mips_r12000",
	PFM_PMU_MIPS_R12000, mips_r12000_pe);

pfmlib_pmu_t mips_r14000_support=MIPS_R10K_PMU(
	"MIPS R14000/R16000", "mips_r14000",
	PFM_PMU_MIPS_R14000, mips_r12000_pe);
