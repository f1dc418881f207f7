/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* NetBSD's libpmc(3): the counters of a process, with the events by their names. */
#ifndef _PMC_H
#define _PMC_H

#include <sys/pmc.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmc_event {
	const char *name;
	pmc_evid_t val;
};

int pmc_configure_counter(int ctr, const char *evname, pmc_ctr_t reset_val,
			  uint32_t flags);
int pmc_start_counter(int ctr);
int pmc_stop_counter(int ctr);
int pmc_get_num_counters(void);
int pmc_get_counter_class(void);
int pmc_get_counter_type(int ctr, int *typep);
int pmc_get_counter_value(int ctr, uint64_t *valp);
int pmc_get_accumulated_counter_value(int ctr, uint64_t *valp);
const char *pmc_get_counter_class_name(int classval);
const char *pmc_get_counter_type_name(int type);
const char *pmc_get_counter_event_name(pmc_evid_t event);
const struct pmc_event *pmc_get_counter_event_list(void);

#ifdef __cplusplus
}
#endif

#endif
