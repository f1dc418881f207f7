/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event map says which events of another CPU stand for the R10000's event numbers.
 * The library finds the text file (mapfind.c), parses it (mapparse.c), turns its names
 * into events of perf_event_open(2) (evname.c, evsysfs.c, pfm.c), and keeps the result
 * while the process lives (machine.c).
 *
 * irixperf-eventmap(5) describes the format, and where maps are looked for.
 */
#ifndef IXP_MAP_H
#define IXP_MAP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <irixperf.h>

struct perf_event_attr;

#define IXP_MAP_MAX	65536		/* bytes of a file */
#define IXP_NAME_SIZE	128		/* of an event, with the final 0 */
#define IXP_WHY_SIZE	192
#define IXP_PMUS_MAX	8

/**
 * struct ixp_pmus - the PMUs of this machine's CPUs
 * @nr: how many; 0 if libpfm4 is missing or does not know the CPU
 * @name: the names that libpfm4 has for them
 */
struct ixp_pmus {
	unsigned int nr;
	char name[IXP_PMUS_MAX][32];
};

/**
 * struct ixp_map_row - the line of a map that applies to an event
 * @line: its number, 0 if there is none
 * @name: the right-hand side; points into the parsed text
 * @pmu: the PMU whose section it is in, or NULL for [any]
 */
struct ixp_map_row {
	unsigned int line;
	const char *name;
	const char *pmu;
};

/**
 * struct ixp_map_rows - the part of a map that applies to this machine
 * @holds: there is a section for this machine
 * @row: the line of each event, by event number
 */
struct ixp_map_rows {
	bool holds;
	struct ixp_map_row row[IRIXPERF_EVENTS];
};

/**
 * struct ixp_trouble - an error in a map
 * @line: its line
 * @what: what is wrong, and what to do about it
 */
struct ixp_trouble {
	unsigned int line;
	char what[IXP_WHY_SIZE];
};

/* mapparse.c: modifies @text, which must have room for a 0 at its end */
int ixp_map_parse(struct ixp_map_rows *rows, char *text, size_t size,
		  const struct ixp_pmus *pmus, struct ixp_trouble *trouble);

/**
 * struct ixp_map_file - a map that was found
 * @path: its name
 * @text: its text, which the caller frees; @rows points into it
 * @rows: its lines for this machine
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
 * struct ixp_code - an event, as perf_event_open(2) takes it
 * @type: attr.type
 * @config: attr.config, config1 and config2
 */
struct ixp_code {
	uint32_t type;
	uint64_t config[3];
};

/*
 * Turn the name of an event into its code. Each function is for one kind of names. It
 * returns 0; -ENOENT if the name is of another kind; or another negative errno value,
 * with the reason in @why, if the name is of its kind but wrong.
 */
int ixp_name_generic(struct ixp_code *code, const char *name);
int ixp_sysfs_term(struct ixp_code *code, const char *name, char *why,
		   size_t size);
int ixp_sysfs_event(struct ixp_code *code, const char *name, char *why,
		    size_t size);
int ixp_pfm_name(struct ixp_code *code, const char *name, const char *pmu,
		 char *why, size_t size);

/* Try all of these in turn; after any failure @why has the reason */
int ixp_name_resolve(struct ixp_code *code, const char *name, const char *pmu,
		     char *why, size_t size);

/* evsysfs.c: how many kinds of CPUs have counters; the directory of the first one */
unsigned int ixp_sysfs_cores(char *first, size_t size);

/* pfm.c */
void ixp_pfm_pmus(struct ixp_pmus *pmus);

/**
 * struct ixp_map_event - an event of the map
 * @line: its line in the file, 0 if the map does not have it
 * @there: this machine can count it
 * @code: its code
 * @name: the right-hand side
 * @why: why it cannot be counted
 */
struct ixp_map_event {
	unsigned int line;
	bool there;
	struct ixp_code code;
	char name[IXP_NAME_SIZE];
	char why[IXP_WHY_SIZE];
};

/**
 * struct ixp_machine - the CPU and the event map that this process uses
 * @cpu: the CPU
 * @unmodelled: an emulator's, which does not model how many cycles anything takes
 * @path: the event map; empty if the CPU has R10000 counters
 * @event: the events by number: those of the map, or of the R10000
 */
struct ixp_machine {
	struct irixperf_cpu cpu;
	bool unmodelled;
	char path[PATH_MAX];
	struct ixp_map_event event[IRIXPERF_EVENTS];
};

/*
 * machine.c: NULL, with the reason in @why, if the machine has no counters. Any other
 * result never changes, and can be read without a lock.
 */
const struct ixp_machine *ixp_machine(char *why, size_t size);
void ixp_machine_forget(void);
int ixp_machine_coded(struct ixp_machine *coded,
		      const struct irixperf_code codes[IRIXPERF_CODES]);

/* cpu.c */
int ixp_cpu_r10k(struct irixperf_cpu *cpu);

/* note.c */
bool ixp_cycles_unmodelled(void);

/* mapuse.c */
int ixp_map_check(const struct ixp_machine *machine,
		  const struct irixperf_attr *attr);
void ixp_map_apply(struct perf_event_attr *pea, unsigned int mode);
uint32_t ixp_map_software(const struct ixp_machine *machine);

#endif
