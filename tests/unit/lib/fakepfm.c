// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <linux/perf_event.h>
#include "fakepfm.h"
#include "pfm.h"

/* Declared as in <perfmon/pfmlib.h>, independently of pfm.c */
struct info {
	const char *name;
	const char *desc;
	size_t size;
	int pmu;
	int type;
	int numbers[5];
	unsigned int present:1;
};

struct arg {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int numbers[4];
};

static int initialize(void)
{
	return 0;
}

/* This machine's CPU, another CPU, and a PMU that is no CPU */
static int pmu_info(int pmu, void *data)
{
	static const struct {
		int pmu;
		const char *name;
		int type;
		unsigned int present;
	} pmus[] = {
		{ 3, "absent", 1, 0 },
		{ 200, "fakecpu", 1, 1 },
		{ 300, "uncore", 2, 1 },
		{ 301, "perf", 3, 1 },
	};
	struct info *info = data;
	size_t i;

	if (info->size != sizeof(*info))
		return -2;
	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (pmus[i].pmu == pmu) {
			info->name = pmus[i].name;
			info->type = pmus[i].type;
			info->present = pmus[i].present;
			return 0;
		}

	return -1;
}

static int encode(const char *name, int modes, int os, void *data)
{
	struct arg *arg = data;

	if (arg->size != sizeof(*arg) || modes != 9 || os != 1)
		return -2;
	if (strncmp(name, "fakecpu::", 9) == 0)
		name += 9;
	arg->attr->exclude_guest = 1;
	arg->attr->type = PERF_TYPE_RAW;
	arg->attr->config = 0x1234;
	arg->attr->config1 = 0x56;
	if (strcmp(name, "MISSES:u") == 0)
		arg->attr->exclude_kernel = 1;
	else if (strcmp(name, "MISSES") != 0)
		return -4;

	return 0;
}

static const char *error_text(int err)
{
	return err == -4 ? "event not found" : "something else";
}

const struct ixp_pfm fake_pfm4 = {
	.initialize = initialize,
	.pmu_info = pmu_info,
	.encode = encode,
	.strerror = error_text,
};
