// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The hardware inventory: for each processor its board with the clock, the chip
 * and, if it has one, the floating-point chip, from /proc/cpuinfo; then the caches of
 * the first processor, from sysfs, and the memory, from /proc/meminfo.
 *
 * Only MIPS has PRId registers, and only SGI has IPnn boards: on other machines
 * inv_state is 0, for "unknown".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/invent.h>
#include <sys/sbd.h>
#include <irixperf.h>
#include "clock.h"
#include "cpus.h"
#include "kernel.h"
#include "readfile.h"

#define CPU_ENTRIES	3	/* at most, of a processor */
#define MEMORY_ENTRIES	5	/* at most, of caches and memory */

#define KIB	1024

/**
 * struct irixperf_inventory - the table, and how far it has been read
 * @nr: entries
 * @next: the next one to give out
 * @measured: clock rate, for processors whose rate the kernel does not tell; 0 until
 *	it is measured
 * @entry: the entries
 */
struct irixperf_inventory {
	unsigned int nr;
	unsigned int next;
	unsigned int measured;
	inventory_t entry[];
};

/* Board numbers, by Linux's name of the machine and the start of the chip's name */
static const struct {
	const char *system;
	const char *model;
	int board;
} boards[] = {
	{ "SGI Indy", "R", INV_IP22BOARD },
	{ "SGI Indigo2", "R10", INV_IP28BOARD },
	{ "SGI Indigo2", "R4", INV_IP22BOARD },
	{ "SGI Origin", "R", INV_IP27BOARD },
	{ "SGI IP28", "R", INV_IP28BOARD },
	{ "SGI Octane", "R", INV_IP30BOARD },
	{ "SGI O2", "R", INV_IP32BOARD },
};

/* Implementation numbers by the start of Linux's name of the chip: R4000SC, ... */
static const struct {
	const char *model;
	unsigned int cpu;
	unsigned int fpu;
} chips[] = {
	{ "R10000", C0_IMP_R10000, 0x09 },
	{ "R12000", C0_IMP_R12000, 0x09 },
	{ "R14000", C0_IMP_R14000, 0x09 },
	{ "R16000", C0_IMP_R14000, 0x09 },
	{ "R4000", C0_IMP_R4000, 0x05 },
	{ "R4400", C0_IMP_R4000, 0x05 },
	{ "R4600", C0_IMP_R4600, 0x20 },
	{ "R4700", C0_IMP_R4700, 0x21 },
	{ "R5000", C0_IMP_R5000, 0x23 },
	{ "RM7000", C0_IMP_RM7000, 0x27 },
};

static int board_of(const char *system, const char *model)
{
	size_t i;

	for (i = 0; i < sizeof(boards) / sizeof(boards[0]); i++)
		if (strncmp(system, boards[i].system,
			    strlen(boards[i].system)) == 0 &&
		    strncmp(model, boards[i].model,
			    strlen(boards[i].model)) == 0)
			return boards[i].board;

	return 0;
}

static int state_of(unsigned int imp, unsigned int major, unsigned int minor)
{
	return (int)((imp << C0_IMPSHIFT & C0_IMPMASK) |
		     (major << C0_MAJREVSHIFT & C0_MAJREVMASK) |
		     (minor << C0_MINREVSHIFT & C0_MINREVMASK));
}

/* The register FCR0, which any program may read; 0 if there is none */
static unsigned int fpu_register(void)
{
	unsigned int value = 0;

#ifdef __mips_hard_float
	__asm__ volatile("cfc1 %0, $0" : "=r"(value));
#endif

	return value;
}

/*
 * The number of the FPU chip. FCR0 is more exact than the table, but is that of the
 * processor that runs this: it is used if it has the revision in /proc/cpuinfo.
 */
static int fpu_state(unsigned int imp, unsigned int major, unsigned int minor)
{
	unsigned int value = fpu_register();
	int state = state_of(imp, major, minor);

	return value && !((value ^ (unsigned int)state) & C0_REVMASK) ?
	       (int)(value & (C0_IMPMASK | C0_REVMASK)) : state;
}

/* @model is "R10000 V3.4  FPU V0.0"; a CPU without an FPU has only the first half */
static bool chips_of(inventory_t *cpu, inventory_t *fpu, const char *model)
{
	unsigned int rev[4] = { 0 };
	size_t i;
	int nr;

	nr = sscanf(model, "%*s V%u.%u FPU V%u.%u", &rev[0], &rev[1], &rev[2],
		    &rev[3]);
	for (i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		if (strncmp(model, chips[i].model, strlen(chips[i].model)) != 0)
			continue;
		cpu->inv_state = state_of(chips[i].cpu, rev[0], rev[1]);
		fpu->inv_state = fpu_state(chips[i].fpu, rev[2], rev[3]);
	}

	return nr == 4;
}

/* The lines in which x86 and Arm say that they have floating point */
static bool has_fpu(const char *cpuinfo)
{
	const char *x86 = ixp_line_value(cpuinfo, "fpu");
	const char *arm = ixp_line_value(cpuinfo, "Features");

	return (x86 && strncmp(x86, "yes", 3) == 0) ||
	       (arm && (strncmp(arm, "fp ", 3) == 0 || strstr(arm, " fp ") ||
			strstr(arm, " vfp")));
}

static inventory_t *entry_add(struct irixperf_inventory *inv, int class, int type,
			      unsigned long unit)
{
	inventory_t *entry = &inv->entry[inv->nr++];

	entry->inv_class = class;
	entry->inv_type = type;
	entry->inv_unit = unit;
	if (inv->nr > 1)
		entry[-1].inv_next = entry;

	return entry;
}

/* Measure once, for all processors: it takes some milliseconds */
static unsigned int clock_of(struct irixperf_inventory *inv, unsigned int cpu,
			     const char *cpuinfo)
{
	unsigned int mhz = ixp_clock_mhz(cpu, cpuinfo);

	if (!mhz && !inv->measured)
		inv->measured = ixp_clock_measure();

	return mhz ? mhz : inv->measured;
}

/* @cpuinfo is this processor's part of /proc/cpuinfo, @system the machine's name */
static void cpu_add(struct irixperf_inventory *inv, unsigned int cpu,
		    const char *system, const char *cpuinfo)
{
	const char *model = ixp_line_value(cpuinfo, "cpu model");
	inventory_t fpu = { 0 };
	inventory_t *entry;
	bool has;

	entry = entry_add(inv, INV_PROCESSOR, INV_CPUBOARD, cpu);
	entry->inv_state = board_of(system, model ? model : "");
	entry->inv_controller = clock_of(inv, cpu, cpuinfo);

	entry = entry_add(inv, INV_PROCESSOR, INV_CPUCHIP, cpu);
	has = model ? chips_of(entry, &fpu, model) : false;

	if (has || has_fpu(cpuinfo))
		entry_add(inv, INV_PROCESSOR, INV_FPUCHIP, cpu)->inv_state =
			fpu.inv_state;
}

/* Find the next line "processor : 1" and its number */
static char *next_cpu(char *line, unsigned int *cpu)
{
	while (line) {
		if (sscanf(line, "processor : %u", cpu) == 1)
			return line;
		line = strchr(line, '\n');
		if (line)
			line++;
	}

	return NULL;
}

static unsigned int count_cpus(char *cpuinfo)
{
	unsigned int cpu, nr = 0;
	char *line;

	for (line = next_cpu(cpuinfo, &cpu); line;
	     line = next_cpu(line + 1, &cpu))
		nr++;

	return nr;
}

static void add_listed(struct irixperf_inventory *inv, char *cpuinfo)
{
	const char *value = ixp_line_value(cpuinfo, "system type");
	char system[32] = "";
	char *next, *part;
	unsigned int cpu, after;

	if (value)
		snprintf(system, sizeof(system), "%s", value);

	for (part = next_cpu(cpuinfo, &cpu); part; part = next, cpu = after) {
		next = next_cpu(part + 1, &after);
		if (next)
			next[-1] = '\0';
		cpu_add(inv, cpu, system, part);
	}
}

/* If the file does not list each processor, treat all as the one that it describes */
static void add_unlisted(struct irixperf_inventory *inv, unsigned int nr,
			 const char *cpuinfo)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr; cpu++)
		cpu_add(inv, cpu, "", cpuinfo);
}

/* The caches that are listed */
static const struct {
	const char *level;
	const char *kind;
	int type;
} caches[] = {
	{ "1", "Instruction", INV_ICACHE },
	{ "1", "Data", INV_DCACHE },
	{ "2", "Unified", INV_SIDCACHE },
};

#define CACHES	(sizeof(caches) / sizeof(caches[0]))

/* The first line of a file in the directory of a cache; false if there is no such file */
static bool cache_word(char *word, size_t size, unsigned long cpu, unsigned int index,
		       const char *name)
{
	char path[96];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%lu/cache/index%u/%s", cpu, index,
		 name);
	if (ixp_file_read(path, word, size) <= 0)
		return false;
	word[strcspn(word, "\n")] = '\0';

	return true;
}

/* The size is "32K". Of each type there is one entry: MEMORY_ENTRIES are enough */
static void caches_add(struct irixperf_inventory *inv, unsigned long cpu)
{
	char level[16], kind[32], size[32];
	unsigned int index, i;
	bool found[CACHES] = { false };

	for (index = 0; cache_word(level, sizeof(level), cpu, index, "level"); index++) {
		long kib;

		if (!cache_word(kind, sizeof(kind), cpu, index, "type") ||
		    !cache_word(size, sizeof(size), cpu, index, "size"))
			continue;
		kib = strtol(size, NULL, 10);
		for (i = 0; i < CACHES; i++) {
			if (found[i] || strcmp(level, caches[i].level) != 0 ||
			    strcmp(kind, caches[i].kind) != 0 || kib <= 0 ||
			    kib > INT_MAX / KIB)
				continue;
			found[i] = true;
			entry_add(inv, INV_MEMORY, caches[i].type, cpu)->inv_state =
				(int)kib * KIB;
		}
	}
}

/* A size in bytes that inv_state cannot hold is left out: programs look for both */
static void memory_add(struct irixperf_inventory *inv)
{
	uint64_t kib = 0;
	char *meminfo;

	if (ixp_readfile(&meminfo, "/proc/meminfo") < 0)
		return;
	if (ixp_line_number(&kib, meminfo, "MemTotal") && kib > 0 &&
	    kib / KIB <= INT_MAX) {
		if (kib <= INT_MAX / KIB)
			entry_add(inv, INV_MEMORY, INV_MAIN, 0)->inv_state =
				(int)kib * KIB;
		entry_add(inv, INV_MEMORY, INV_MAIN_MB, 0)->inv_state =
			(int)(kib / KIB);
	}
	free(meminfo);
}

int irixperf_inventory_open(struct irixperf_inventory **inv)
{
	struct irixperf_inventory *table;
	unsigned int listed, nr;
	char *cpuinfo;
	int ret;

	ret = ixp_readfile(&cpuinfo, "/proc/cpuinfo");
	if (ret < 0)
		return ret;

	listed = count_cpus(cpuinfo);
	nr = listed ? listed : 1;
	if (!listed && ixp_cpus("online", NULL, 0) > 0)
		nr = (unsigned int)ixp_cpus("online", NULL, 0);

	table = calloc(1, sizeof(*table) +
		       ((size_t)nr * CPU_ENTRIES + MEMORY_ENTRIES) *
		       sizeof(table->entry[0]));
	if (table && listed)
		add_listed(table, cpuinfo);
	else if (table)
		add_unlisted(table, nr, cpuinfo);
	free(cpuinfo);
	if (!table)
		return -ENOMEM;
	caches_add(table, table->entry[0].inv_unit);
	memory_add(table);
	*inv = table;

	return 0;
}

struct inventory_s *irixperf_inventory_next(struct irixperf_inventory *inv)
{
	return inv->next < inv->nr ? &inv->entry[inv->next++] : NULL;
}

void irixperf_inventory_rewind(struct irixperf_inventory *inv)
{
	inv->next = 0;
}

void irixperf_inventory_close(struct irixperf_inventory *inv)
{
	free(inv);
}
