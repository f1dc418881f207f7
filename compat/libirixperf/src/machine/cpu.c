// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which CPU is this, and what counts on it? */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <irixperf.h>
#include "kernel.h"
#include "map.h"

#define PMU_DIR		"/sys/bus/event_source/devices/cpu"

/* Is "cpu" the R10000's PMU? Other PMUs have this name, too, but none of these files */
static bool pmu_present(void)
{
	return ixp_file_exists(PMU_DIR "/format/exl") ||
	       ixp_file_exists(PMU_DIR "/caps/revision");
}

static enum irixperf_chip cpu_chip(const struct irixperf_cpu *cpu)
{
	if (strcmp(cpu->model, "R10000") == 0)
		return cpu->major < 3 ? IRIXPERF_R10000_V2 : IRIXPERF_R10000_V3;
	if (strcmp(cpu->model, "R12000") == 0 ||
	    strcmp(cpu->model, "R14000") == 0 ||
	    strcmp(cpu->model, "R16000") == 0)
		return IRIXPERF_R12000;
	return IRIXPERF_CHIP_NONE;
}

/* Parse the line "cpu model : R10000 V3.4  FPU V0.0" */
static int cpu_parse(struct irixperf_cpu *cpu, const char *cpuinfo)
{
	const char *line = strstr(cpuinfo, "cpu model");
	const char *value = line ? strchr(line, ':') : NULL;

	memset(cpu, 0, sizeof(*cpu));
	if (!value || sscanf(value, ": %15s V%u.%u", cpu->model, &cpu->major,
			     &cpu->minor) != 3)
		return -ENODEV;

	cpu->chip = cpu_chip(cpu);

	return cpu->chip == IRIXPERF_CHIP_NONE ? -ENODEV : 0;
}

/* 0 if the CPU has R10000 counters, and the kernel has a driver for them */
int ixp_cpu_r10k(struct irixperf_cpu *cpu)
{
	char text[1024];

	if (!pmu_present() ||
	    ixp_file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return -ENODEV;

	return cpu_parse(cpu, text);
}
