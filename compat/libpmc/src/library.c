// SPDX-License-Identifier: LGPL-2.1-or-later
/* Functions of libpmc(3) that are one call of pmc_control(2) or pmc_get_info(2). */
#include <stddef.h>
#include <pmc.h>

int pmc_start_counter(int ctr)
{
	return pmc_control(ctr, PMC_OP_START, NULL);
}

int pmc_stop_counter(int ctr)
{
	return pmc_control(ctr, PMC_OP_STOP, NULL);
}

int pmc_get_num_counters(void)
{
	int nr;

	return pmc_get_info(0, PMC_INFO_NCOUNTERS, &nr) < 0 ? -1 : nr;
}

int pmc_get_counter_class(void)
{
	int type;

	return pmc_get_info(-1, PMC_INFO_CPUCTR_TYPE, &type) < 0 ? -1 : type;
}

int pmc_get_counter_type(int ctr, int *typep)
{
	return pmc_get_info(ctr, PMC_INFO_CPUCTR_TYPE, typep);
}

int pmc_get_counter_value(int ctr, uint64_t *valp)
{
	return pmc_get_info(ctr, PMC_INFO_COUNTER_VALUE, valp);
}

int pmc_get_accumulated_counter_value(int ctr, uint64_t *valp)
{
	return pmc_get_info(ctr, PMC_INFO_ACCUMULATED_COUNTER_VALUE, valp);
}
