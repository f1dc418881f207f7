/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event map, by which the R10000's event numbers reach another CPU: a text
 * file is found (mapfind.c) and taken apart (mapparse.c), its names become
 * events of perf_event_open(2) (evname.c, evsysfs.c, pfm.c), and what came out
 * is kept as long as the process lives (machine.c).
 *
 * irixperf-eventmap(5) has the format and the places where maps are looked for.
 */
#ifndef IXP_MAP_H
#define IXP_MAP_H

#include <limits.h>
#include "internal.h"

#define IXP_MAP_MAX	65536		/* bytes of a file */
#define IXP_NAME_SIZE	128		/* of an event, with the final 0 */
#define IXP_WHY_SIZE	192
#define IXP_PMUS_MAX	8

/**
 * struct ixp_pmus - the PMUs of this machine's CPUs, as libpfm4 calls them
 * @nr: how many; 0 where libpfm4 is missing or does not know the CPU
 * @name: their names
 */
struct ixp_pmus {
	unsigned int nr;
	char name[IXP_PMUS_MAX][32];
};

/**
 * struct ixp_map_row - the line of a map that holds for an event
 * @line: its number, 0 if there is none
 * @name: the right-hand side, part of the text that was parsed
 * @pmu: the PMU whose section it stands in, or NULL for any
 */
struct ixp_map_row {
	unsigned int line;
	const char *name;
	const char *pmu;
};

/**
 * struct ixp_map_rows - a map, as far as it is for this machine
 * @holds: there is a section for it
 * @row: by event number
 */
struct ixp_map_rows {
	bool holds;
	struct ixp_map_row row[IRIXPERF_EVENTS];
};

/**
 * struct ixp_trouble - what is wrong with a map
 * @line: where
 * @what: what it is, and what to do about it
 */
struct ixp_trouble {
	unsigned int line;
	char what[IXP_WHY_SIZE];
};

/* mapparse.c: @text is modified, and has room for a 0 at its end */
int ixp_map_parse(struct ixp_map_rows *rows, char *text, size_t size,
		  const struct ixp_pmus *pmus, struct ixp_trouble *trouble);

/**
 * struct ixp_map_file - a map that was found
 * @path: its name
 * @text: its text, which the caller frees; @rows points into it
 * @rows: what it says
 */
struct ixp_map_file {
	char path[PATH_MAX];
	char *text;
	struct ixp_map_rows rows;
};

/* mapfind.c */
int ixp_map_find(struct ixp_map_file *file, const struct ixp_pmus *pmus,
		 char *why, size_t size);

/**
 * struct ixp_code - an event, as perf_event_open(2) is asked for it
 * @type: attr.type
 * @config: attr.config, config1 and config2
 */
struct ixp_code {
	uint32_t type;
	uint64_t config[3];
};

/*
 * Names to codes. Each returns 0; -ENOENT if it does not know the name; or
 * another negative errno value, with the reason in @why, if the name is its
 * own and wrong.
 */
int ixp_name_generic(struct ixp_code *code, const char *name);
int ixp_sysfs_term(struct ixp_code *code, const char *name, char *why,
		   size_t size);
int ixp_sysfs_event(struct ixp_code *code, const char *name, char *why,
		    size_t size);
int ixp_pfm_name(struct ixp_code *code, const char *name, const char *pmu,
		 char *why, size_t size);

/* All of them in turn; @why is always filled on failure */
int ixp_name_resolve(struct ixp_code *code, const char *name, const char *pmu,
		     char *why, size_t size);

/* evsysfs.c: how many kinds of CPUs have counters; the first one's folder */
unsigned int ixp_sysfs_cores(char *first, size_t size);

/* pfm.c */
void ixp_pfm_pmus(struct ixp_pmus *pmus);

/**
 * struct ixp_map_event - an event by the map
 * @line: its line in the file, 0 if the map does not have it
 * @there: it can be counted on this machine
 * @code: how
 * @name: the right-hand side
 * @why: why it cannot
 */
struct ixp_map_event {
	unsigned int line;
	bool there;
	struct ixp_code code;
	char name[IXP_NAME_SIZE];
	char why[IXP_WHY_SIZE];
};

/**
 * struct ixp_machine - what this process counts on
 * @cpu: the CPU
 * @path: the event map; empty on a CPU of its own
 * @event: the map's events, by number
 */
struct ixp_machine {
	struct irixperf_cpu cpu;
	char path[PATH_MAX];
	struct ixp_map_event event[IRIXPERF_EVENTS];
};

/*
 * machine.c: the machine is looked at once; what was found never changes, and
 * needs no lock to read. NULL with the reason in @why if it has no counters.
 */
const struct ixp_machine *ixp_machine(char *why, size_t size);
void ixp_machine_forget(void);

/* cpu.c */
int ixp_cpu_r10k(struct irixperf_cpu *cpu);

/* mapuse.c */
int ixp_map_check(const struct ixp_machine *machine,
		  const struct irixperf_attr *attr);
void ixp_map_apply(const struct ixp_machine *machine,
		   struct perf_event_attr *pea, unsigned int event,
		   unsigned int mode);
uint32_t ixp_map_software(const struct ixp_machine *machine);

#endif
