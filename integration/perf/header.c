// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPU by its name and revision in /proc/cpuinfo, which is all that the
 * kernel tells of PRId: "R10000 V3.4  FPU V0.0" is R10000-V3.4.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include "../../util/header.h"

#define CPUINFO		"/proc/cpuinfo"
#define CPU_MODEL	"cpu model"
#define FPU		"  FPU "

static char *cpuid_of(char *line)
{
	char *name = strchr(line, ':');
	char *end, *cpuid;

	if (!name)
		return NULL;
	end = strstr(name, FPU);
	if (end)
		*end = '\0';
	cpuid = strdup(strim(name + 1));
	if (cpuid)
		strreplace(cpuid, ' ', '-');
	return cpuid;
}

static char *read_cpuid(void)
{
	char *line = NULL, *cpuid = NULL;
	FILE *file = fopen(CPUINFO, "r");
	size_t size = 0;

	if (!file)
		return NULL;
	while (!cpuid && getline(&line, &size, file) != -1) {
		if (strstarts(line, CPU_MODEL))
			cpuid = cpuid_of(line);
	}
	free(line);
	fclose(file);
	return cpuid;
}

int get_cpuid(char *buffer, size_t sz)
{
	char *cpuid = read_cpuid();
	int ret = 0;

	if (!cpuid)
		return ENOENT;
	if (strlen(cpuid) >= sz)
		ret = ENOBUFS;
	else
		strcpy(buffer, cpuid);
	free(cpuid);
	return ret;
}

char *get_cpuid_str(struct perf_pmu *pmu __maybe_unused)
{
	return read_cpuid();
}
