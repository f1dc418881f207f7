// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what libpfm4 knows of each event of the PMUs named: one line each, of
 * PMU, name, number, the two raw codes, config for perf, what perf's encoding
 * makes of the name with modifiers that libpfm4 itself gives back, and the
 * description, with tabs between.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/pfmlib_perf_event.h>

#define PLM (PFM_PLM0 | PFM_PLM3)

static void die(const char *what, const char *name, int ret)
{
	fprintf(stderr, "%s %s: %s\n", what, name, pfm_strerror(ret));
	exit(1);
}

static void raw(const char *name, unsigned long long codes[2])
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	int ret = pfm_get_os_event_encoding(name, PLM, PFM_OS_NONE, &arg);

	if (ret != PFM_SUCCESS || arg.count != 2)
		die("raw encoding of", name, ret);
	codes[0] = arg.codes[0];
	codes[1] = arg.codes[1];
	free(arg.codes);
}

/* Returns config; the full name, which is the caller's, in *full */
static unsigned long long perf(const char *name, char **full)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int ret = pfm_get_perf_event_encoding(name, PLM, &attr, full, NULL);

	if (ret != PFM_SUCCESS || attr.type != PERF_TYPE_RAW)
		die("perf's encoding of", name, ret);
	return attr.config;
}

static void event(const char *pmu, int index)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	unsigned long long codes[2], config, again;
	char name[128], *full = NULL, *same = NULL;
	int ret = pfm_get_event_info(index, PFM_OS_PERF_EVENT, &info);

	if (ret != PFM_SUCCESS)
		die("an event of", pmu, ret);
	snprintf(name, sizeof(name), "%s::%s", pmu, info.name);
	raw(name, codes);
	config = perf(name, &full);
	again = perf(full, &same);
	printf("%s\t%s\t%llu\t0x%llx\t0x%llx\t0x%llx\t%s\t%s\n", pmu, info.name,
	       (unsigned long long)info.code, codes[0], codes[1], config,
	       config == again && !strcmp(full, same) ? full : "?", info.desc);
	free(full);
	free(same);
}

static void pmu(const char *name)
{
	pfm_pmu_info_t info = { .size = sizeof(info) };
	int i, number;

	for (number = PFM_PMU_NONE; number < PFM_PMU_MAX; number++)
		if (pfm_get_pmu_info(number, &info) == PFM_SUCCESS &&
		    !strcmp(info.name, name))
			break;
	if (number == PFM_PMU_MAX)
		die("no PMU", name, PFM_ERR_NOTFOUND);
	for (i = info.first_event; i != -1; i = pfm_get_event_next(i))
		event(name, i);
}

int main(int argc, char **argv)
{
	int i, ret;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	ret = pfm_initialize();
	if (ret != PFM_SUCCESS)
		die("libpfm4", "cannot start", ret);
	for (i = 1; i < argc; i++)
		pmu(argv[i]);
	return 0;
}
