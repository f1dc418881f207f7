// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The event names that perf(1) knows on every CPU: the kernel's generic ones,
 * software events, and rNNN for a raw code.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "evname.h"
#include "evsysfs.h"
#include "map.h"
#include "pfm.h"

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} generic[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
};

/* A cache event's name is that of a cache and that of an operation: "LLC-loads" */
static const struct {
	const char *name;
	unsigned int id;
} caches[] = {
	{ "L1-dcache-", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache-", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC-", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB-", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB-", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch-", PERF_COUNT_HW_CACHE_BPU },
	{ "node-", PERF_COUNT_HW_CACHE_NODE },
};

static const struct {
	const char *name;
	unsigned int op;
	unsigned int result;
} operations[] = {
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ,
	  PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "load-misses", PERF_COUNT_HW_CACHE_OP_READ,
	  PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE,
	  PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "store-misses", PERF_COUNT_HW_CACHE_OP_WRITE,
	  PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH,
	  PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH,
	  PERF_COUNT_HW_CACHE_RESULT_MISS },
};

#define NR(table)	(sizeof(table) / sizeof((table)[0]))

static void code_set(struct ixp_code *code, uint32_t type, uint64_t config)
{
	*code = (struct ixp_code){ .type = type, .config = { config } };
}

static bool cache_operation(struct ixp_code *code, unsigned int id,
			    const char *name)
{
	size_t i;

	for (i = 0; i < NR(operations); i++) {
		if (strcmp(operations[i].name, name) != 0)
			continue;
		code_set(code, PERF_TYPE_HW_CACHE,
			 id | operations[i].op << 8 |
			 operations[i].result << 16);
		return true;
	}

	return false;
}

static bool name_cache(struct ixp_code *code, const char *name)
{
	size_t i;

	for (i = 0; i < NR(caches); i++) {
		size_t len = strlen(caches[i].name);

		if (strncmp(caches[i].name, name, len) == 0)
			return cache_operation(code, caches[i].id, name + len);
	}

	return false;
}

/* "r" and up to 16 hexadecimal digits */
static bool name_raw(struct ixp_code *code, const char *name)
{
	size_t len = strlen(name);

	if (name[0] != 'r' || len < 2 || len > 17 ||
	    name[1 + strspn(name + 1, "0123456789abcdefABCDEF")])
		return false;
	code_set(code, PERF_TYPE_RAW, strtoull(name + 1, NULL, 16));

	return true;
}

int ixp_name_generic(struct ixp_code *code, const char *name)
{
	size_t i;

	for (i = 0; i < NR(generic); i++) {
		if (strcmp(generic[i].name, name) != 0)
			continue;
		code_set(code, generic[i].type, generic[i].config);
		return 0;
	}

	return name_cache(code, name) || name_raw(code, name) ? 0 : -ENOENT;
}

/*
 * Refuse generic and raw events on a machine with several kinds of CPUs: they count
 * only on one kind, and nothing tells when a program moves to the other.
 */
static int check_cores(const struct ixp_code *code, char *why, size_t size)
{
	char first[64];

	if (code->type != PERF_TYPE_HARDWARE &&
	    code->type != PERF_TYPE_HW_CACHE && code->type != PERF_TYPE_RAW)
		return 0;
	if (ixp_sysfs_cores(first, sizeof(first)) < 2)
		return 0;
	snprintf(why, size, "this machine has more than one kind of CPU: it "
		 "would count on one kind alone; name one, such as %s/.../",
		 first);

	return -ENODEV;
}

/**
 * ixp_name_resolve() - turn the name of an event into a code
 * @code: gets the code
 * @name: the name
 * @pmu: the PMU whose section it is in, or NULL for [any]
 * @why: gets the reason if it fails
 * @size: size of @why
 *
 * perf's names take precedence, because they mean the same on every CPU that knows
 * them.
 *
 * Return: 0 or a negative errno value.
 */
int ixp_name_resolve(struct ixp_code *code, const char *name, const char *pmu,
		     char *why, size_t size)
{
	int ret;

	if (strchr(name, '/'))
		return ixp_sysfs_term(code, name, why, size);

	ret = ixp_name_generic(code, name);
	if (ret == -ENOENT)
		ret = ixp_sysfs_event(code, name, why, size);
	if (ret == -ENOENT)
		ret = ixp_pfm_name(code, name, pmu, why, size);

	return ret < 0 ? ret : check_cores(code, why, size);
}
