// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what libpfm4 knows of each event of the PMUs named: one line each, of
 * PMU, name, number, the two raw codes, config for perf, the name with modifiers
 * that perf's encoding gives back, and the description, with tabs between.
 * Instead of that name there is a "?" if, with some modifiers, the name that
 * comes back has another encoding or name than what was asked for.
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

/* Returns the full name, which is the caller's */
static char *perf(const char *name, struct perf_event_attr *attr)
{
	char *full = NULL;
	int ret;

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	ret = pfm_get_perf_event_encoding(name, PLM, attr, &full, NULL);
	if (ret != PFM_SUCCESS || attr->type != PERF_TYPE_RAW)
		die("perf's encoding of", name, ret);
	return full;
}

/* Name -> encoding -> name -> encoding: is there always the same? */
static int comes_back(const char *event, const char *modifiers)
{
	struct perf_event_attr attr, again;
	char name[128], *full, *same;
	int good;

	snprintf(name, sizeof(name), "%s%s", event, modifiers);
	full = perf(name, &attr);
	same = perf(full, &again);
	good = !strncmp(full, event, strlen(event)) && !strcmp(full, same) &&
	       !memcmp(&attr, &again, sizeof(attr));
	free(full);
	free(same);
	return good;
}

static int all_come_back(const char *event)
{
	static const char *const modifiers[] = {
		"", ":u", ":k", ":h", ":u:k", ":u:e", ":k:e=0", ":u:k:e=0",
		":u=0:k=0:e", ":u:k:h",
	};
	size_t i;

	for (i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
		if (!comes_back(event, modifiers[i]))
			return 0;
	return 1;
}

static void event(const char *pmu, int index)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	struct perf_event_attr attr;
	unsigned long long codes[2];
	char name[100], *full;
	int ret = pfm_get_event_info(index, PFM_OS_PERF_EVENT, &info);

	if (ret != PFM_SUCCESS)
		die("an event of", pmu, ret);
	snprintf(name, sizeof(name), "%s::%s", pmu, info.name);
	raw(name, codes);
	full = perf(name, &attr);
	printf("%s\t%s\t%llu\t0x%llx\t0x%llx\t0x%llx\t%s\t%s\n", pmu, info.name,
	       (unsigned long long)info.code, codes[0], codes[1],
	       (unsigned long long)attr.config,
	       all_come_back(name) ? full : "?", info.desc);
	free(full);
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
