// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU in sysfs: it has exactly the events that irix-events.h lists for this CPU,
 * each with its name and number; the format describes config, and the caps describe
 * the CPU. Each event can be opened and read.
 */
#include <dirent.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define DEVICE	"/sys/bus/event_source/devices/cpu"

#define V2	1u
#define V3	2u
#define R12	4u

struct row {
	unsigned int num;
	unsigned int chips;
	const char *name;
};

static const struct row rows[] = {
#define IRIX_EVENT(_num, _chips, _name, _text) \
	{ .num = _num, .chips = _chips, .name = _name },
#include "irix-events.h"
};

/* The emulated R10000 is revision 3.4 */
static unsigned int this_chip(void)
{
	return pmu_chip() == PMU_CHIP_R12000 ? R12 : V3;
}

static void check_name(const struct row *row)
{
	char path[256], got[64], expected[64], what[96];

	snprintf(path, sizeof(path), DEVICE "/events/%s", row->name);
	snprintf(what, sizeof(what), "event %u is %s", row->num, row->name);
	snprintf(expected, sizeof(expected), "event=0x%02x", row->num);
	if (!pmu_file(path, got, sizeof(got)))
		snprintf(got, sizeof(got), "%s", strerror(errno));
	if (strcmp(got, expected))
		tap_note("expected: %s\n", expected);
	check_true(what, !strcmp(got, expected), "%s", got);
}

static void check_file(const char *name, const char *expected)
{
	char path[256], got[64], what[96];

	snprintf(path, sizeof(path), DEVICE "/%s", name);
	snprintf(what, sizeof(what), "%s is %s", name, expected);
	if (!pmu_file(path, got, sizeof(got)))
		snprintf(got, sizeof(got), "%s", strerror(errno));
	check_true(what, !strcmp(got, expected), "%s", got);
}

/* The kernel writes "cpu model : R10000 V3.4  FPU V3.4" */
static void check_caps(void)
{
	char text[4096], name[32], revision[32], *at;

	if (!pmu_file("/proc/cpuinfo", text, sizeof(text)))
		tap_bail_errno("/proc/cpuinfo");
	at = strstr(text, "cpu model");
	if (!at || sscanf(strchr(at, ':'), ": %31s V%31s", name, revision) != 2)
		tap_bail("no model in /proc/cpuinfo\n");
	check_file("caps/counters", "2");
	check_file("caps/pmu_name", name);
	check_file("caps/revision", revision);
}

static bool is_in_table(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].chips & this_chip() && !strcmp(rows[i].name, name))
			return true;
	return false;
}

static void check_nothing_else(void)
{
	char strange[256] = "";
	struct dirent *entry;
	DIR *dir = opendir(DEVICE "/events");

	if (!dir)
		tap_bail_errno(DEVICE "/events");
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && !is_in_table(entry->d_name))
			snprintf(strange, sizeof(strange), "%s", entry->d_name);
	closedir(dir);
	check_true("no event is named that the list does not have",
		   !*strange, "%s", strange);
}

/* Opens, runs, and reads back with both times running */
static void check_counts(unsigned int event)
{
	int fd = pmu_open(event, PMU_ALL);
	struct pmu_count c = { 0 };
	char what[64];

	snprintf(what, sizeof(what), "raw event %u opens and reads", event);
	if (fd >= 0) {
		pmu_enable(fd);
		loop_run(&loops[LOOP_MIX], 1000);
		pmu_disable(fd);
		c = pmu_read(fd);
		pmu_close(fd);
	}
	check_true(what, fd >= 0 && c.running && c.running == c.enabled,
		   "%s, ran %llu of %llu ns", fd < 0 ? strerror(errno) : "open",
		   (unsigned long long)c.running,
		   (unsigned long long)c.enabled);
}

static unsigned int rows_here(void)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		nr += !!(rows[i].chips & this_chip());
	return nr;
}

int main(void)
{
	unsigned int event;
	size_t i;

	tap_start(rows_here() + PMU_NR_EVENTS + 8);
	check_true("the list has 32 events for this CPU",
		   rows_here() == PMU_NR_EVENTS, "%u", rows_here());
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].chips & this_chip())
			check_name(&rows[i]);
	check_nothing_else();
	check_file("type", "4");	/* PERF_TYPE_RAW */
	check_file("format/event", "config:0-4");
	check_file("format/exl", "config:8-9");
	check_caps();
	for (event = 0; event < PMU_NR_EVENTS; event++)
		check_counts(event);
	return tap_end();
}
