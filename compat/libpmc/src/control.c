// SPDX-License-Identifier: LGPL-2.1-or-later
/* pmc_control(2) and pmc_get_info(2), which are system calls of NetBSD. */
#include <errno.h>
#include <irixperf.h>
#include "internal.h"

static int configure(int ctr, const void *argp)
{
	struct pmc_counter_cfg cfg;
	int ret = irixperf_copy_from(&cfg, argp, sizeof(cfg));

	if (ret < 0)
		return ret;
	if (!libpmc_counts(ctr, cfg.event_id))
		return -ENODEV;

	return libpmc_configure(ctr, cfg.event_id);
}

static int control(int ctr, int op, const void *argp)
{
	if (ctr < 0 || ctr >= libpmc_nr_counters())
		return -EINVAL;
	switch (op) {
	case PMC_OP_START:
		return libpmc_run(ctr, true);
	case PMC_OP_STOP:
		return libpmc_run(ctr, false);
	case PMC_OP_CONFIGURE:
		return configure(ctr, argp);
	case PMC_OP_PROFSTART:
	case PMC_OP_PROFSTOP:
		/* A profile of the kernel is the kernel's: pmc_start_profiling(9) */
		return -EOPNOTSUPP;
	}

	return -EINVAL;
}

static int get_value(int ctr, bool children, void *argp)
{
	uint64_t value;
	int ret;

	if (ctr < 0 || ctr >= libpmc_nr_counters())
		return -EINVAL;
	ret = libpmc_value(ctr, children, &value);

	return ret < 0 ? ret : irixperf_copy_to(argp, &value, sizeof(value));
}

static int get_info(int ctr, int op, void *argp)
{
	int number;

	switch (op) {
	case PMC_INFO_NCOUNTERS:
		number = libpmc_nr_counters();
		break;
	case PMC_INFO_CPUCTR_TYPE:
		number = ctr == -1 ? libpmc_class() : libpmc_type(ctr);
		break;
	case PMC_INFO_COUNTER_VALUE:
		return get_value(ctr, false, argp);
	case PMC_INFO_ACCUMULATED_COUNTER_VALUE:
		return get_value(ctr, true, argp);
	default:
		return -EINVAL;
	}

	return number < 0 ? number : irixperf_copy_to(argp, &number, sizeof(number));
}

/* -1 and errno, as programs expect it */
static int result(int ret)
{
	if (ret >= 0)
		return 0;
	errno = -ret;

	return -1;
}

int pmc_control(int ctr, int op, void *argp)
{
	return result(control(ctr, op, argp));
}

int pmc_get_info(int ctr, int op, void *argp)
{
	return result(get_info(ctr, op, argp));
}
