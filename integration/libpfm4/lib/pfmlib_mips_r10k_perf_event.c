/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_mips_r10k_perf_event.c : perf_event support for the MIPS R10000 family
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
#include <string.h>
#include <stdlib.h>

#include "pfmlib_priv.h"
#include "pfmlib_mips_priv.h"
#include "pfmlib_perf_event_priv.h"

/*
 * perf_event_attr.config, as in format/ of the kernel's PMU: bits 0-4 the
 * number of the event, bits 8-9 what is done at exception level.
 */
#define R10K_EXL_ON	(1ULL << 8)	/* count, whatever exclude_kernel says */
#define R10K_EXL_OFF	(2ULL << 8)	/* never count */

/* Will perf_events count at kernel level? The OS layer asks the same later. */
static int
r10k_counts_kernel(pfmlib_event_desc_t *e)
{
	int i, given = 0, k = 0;

	for (i = 0; i < e->nattrs; i++) {
		pfmlib_event_attr_info_t *a = attr(e, i);

		if (a->ctrl != PFM_ATTR_CTRL_PERF_EVENT)
			continue;
		if (a->idx == PERF_ATTR_U || a->idx == PERF_ATTR_K || a->idx == PERF_ATTR_H)
			given = 1;
		if (a->idx == PERF_ATTR_K && e->attrs[i].ival)
			k = 1;
	}
	return given ? k : !!(e->dfl_plm & PFM_PLM0);
}

/*
 * Exception level goes with kernel level, unless the event says otherwise.
 */
int
pfm_mips_r10k_get_perf_encoding(void *this, pfmlib_event_desc_t *e)
{
	const mips_entry_t *pe = this_pe(this);
	struct perf_event_attr *attr = e->os_data;
	int i, k, exl;

	k = exl = r10k_counts_kernel(e);
	for (i = 0; i < e->nattrs; i++) {
		pfmlib_event_attr_info_t *a = attr(e, i);

		if (a->ctrl == PFM_ATTR_CTRL_PMU && a->idx == MIPS_ATTR_E)
			exl = !!e->attrs[i].ival;
	}

	attr->type = PERF_TYPE_RAW;
	attr->config = pe[e->event].code;
	if (exl != k)
		attr->config |= exl ? R10K_EXL_ON : R10K_EXL_OFF;

	pfm_mips_r10k_fstr(this, e, exl ? _MIPS_ATTR_E : 0);

	return PFM_SUCCESS;
}

/* what perf_events has itself, and what nobody has */
static int
r10k_perf_hides(const pfmlib_event_attr_info_t *p)
{
	if (p->ctrl == PFM_ATTR_CTRL_PMU)
		return p->idx != MIPS_ATTR_E;

	if (p->ctrl != PFM_ATTR_CTRL_PERF_EVENT)
		return 0;

	/* neither precise nor hardware sampling, and no guests */
	return p->idx == PERF_ATTR_PR || p->idx == PERF_ATTR_HWS
		|| p->idx == PERF_ATTR_MG || p->idx == PERF_ATTR_MH;
}

void
pfm_mips_r10k_perf_validate_pattrs(void *this, pfmlib_event_desc_t *e)
{
	int i;

	for (i = 0; i < e->npattrs; i++) {
		if (r10k_perf_hides(e->pattrs + i)) {
			pfmlib_compact_pattrs(e, i);
			i--;
		}
	}
}
