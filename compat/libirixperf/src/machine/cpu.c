// SPDX-License-Identifier: LGPL-2.1-or-later
/* The types of this machine's CPUs, if they have R10000 counters. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <irixperf.h>
#include "cpu.h"
#include "kernel.h"
#include "readfile.h"

#define PMU_DIR		"/sys/bus/event_source/devices/cpu"

/* Is "cpu" the R10000's PMU? Other PMUs have this name, too, but none of these files */
static bool pmu_present(void)
{
	return ixp_file_exists(PMU_DIR "/format/exl") ||
	       ixp_file_exists(PMU_DIR "/caps/revision");
}

/*
 * Parse the first line like "cpu model : R10000 V3.4  FPU V0.0". The result points just
 * after the words "cpu model", and is NULL if there is no such line. The type of a CPU
 * without these counters is IRIXPERF_CHIP_NONE.
 */
static const char *cpu_parse(struct irixperf_cpu *cpu, const char *cpuinfo)
{
	const char *line = strstr(cpuinfo, "cpu model");
	char one[64];

	memset(cpu, 0, sizeof(*cpu));
	if (!line)
		return NULL;
	line += strlen("cpu model");
	/*
	 * Only this line: of the whole text, sscanf(3) would first find the end, and then
	 * go on in the next line
	 */
	snprintf(one, sizeof(one), "%.*s", (int)strcspn(line, "\n"), line);
	if (sscanf(one, " : %15s V%u.%u", cpu->model, &cpu->major, &cpu->minor) != 3)
		return line;

	if (strcmp(cpu->model, "R10000") == 0)
		cpu->chip = cpu->major < 3 ? IRIXPERF_R10000_V2 : IRIXPERF_R10000_V3;
	else if (strcmp(cpu->model, "R12000") == 0 || strcmp(cpu->model, "R14000") == 0 ||
		 strcmp(cpu->model, "R16000") == 0)
		cpu->chip = IRIXPERF_R12000;

	return line;
}

/* 0 if the first CPU has R10000 counters, and the kernel has a driver for them */
int ixp_cpu_r10k(struct irixperf_cpu *cpu)
{
	char text[1024];

	if (!pmu_present() ||
	    ixp_file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return -ENODEV;

	return cpu_parse(cpu, text) && cpu->chip != IRIXPERF_CHIP_NONE ? 0 : -ENODEV;
}

/* The types of all CPUs: bits of enum irixperf_chip */
unsigned int ixp_cpu_types(void)
{
	struct irixperf_cpu cpu;
	unsigned int types = 0;
	const char *line;
	char *text;

	if (ixp_readfile(&text, "/proc/cpuinfo") < 0)
		return 0;
	for (line = text; (line = cpu_parse(&cpu, line)); )
		types |= cpu.chip;
	free(text);

	return types;
}
