// SPDX-License-Identifier: GPL-2.0-only
/*
 * The maps that are installed: each parses for each CPU that it names, gives a
 * reason with every line, and has no name that libpfm4 does not know.
 */
#include <ctype.h>
#include <linux/perf_event.h>
#include <irixperf.h>
#include "evname.h"
#include "mapparse.h"
#include "pfm.h"
#include "unit.h"

static const char *const maps[] = {
	"any", "x86_64", "aarch64", "software",
};

#define MAX_PMUS	64

static char text[IXP_MAP_MAX + 1];
static size_t size;

/* The CPUs that the map's sections name, each once */
static char pmus[MAX_PMUS][32];
static unsigned int nr_pmus;

static void read_map(const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), MAPS "/%s.map", name);
	f = fopen(path, "r");
	assert_non_null(f);
	size = fread(text, 1, sizeof(text), f);
	fclose(f);
	assert_in_range(size, 1, IXP_MAP_MAX);
}

static void note_pmu(const char *word)
{
	unsigned int i;

	for (i = 0; i < nr_pmus; i++)
		if (strcmp(pmus[i], word) == 0)
			return;
	assert_true(nr_pmus < MAX_PMUS && strlen(word) < sizeof(pmus[0]));
	snprintf(pmus[nr_pmus++], sizeof(pmus[0]), "%s", word);
}

/* Return what comes after it */
static char *note_section(char *line)
{
	char *end = line + strcspn(line, "]");
	char *word;

	*end = '\0';
	while ((word = strsep(&line, " ")))
		note_pmu(word);

	return end + 1;
}

static void find_pmus(const char *name)
{
	char *line;

	nr_pmus = 0;
	read_map(name);
	text[size] = '\0';
	for (line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n");
		if (*line == '[')
			line = note_section(line + 1);
	}
}

static void parse(struct ixp_map_rows *rows, const char *name,
		  const struct ixp_pmus *cpu)
{
	struct ixp_trouble trouble;

	read_map(name);
	if (ixp_map_parse(rows, text, size, cpu, &trouble) < 0)
		fail_msg("%s.map:%u: %s", name, trouble.line, trouble.what);
	assert_true(rows->holds);
}

static void one_cpu(struct ixp_pmus *cpu, const char *pmu)
{
	memset(cpu, 0, sizeof(*cpu));
	if (strcmp(pmu, "any") == 0)
		return;
	cpu->nr = 1;
	snprintf(cpu->name[0], sizeof(cpu->name[0]), "%s", pmu);
}

/* Cycles and instructions are everywhere */
CASE(every_cpu_can_parse_its_map)
{
	struct ixp_map_rows rows;
	struct ixp_pmus cpu;
	unsigned int i;
	size_t m;

	for (m = 0; m < ARRAY_SIZE(maps); m++) {
		find_pmus(maps[m]);
		assert_true(nr_pmus > 0);
		for (i = 0; i < nr_pmus; i++) {
			one_cpu(&cpu, pmus[i]);
			parse(&rows, maps[m], &cpu);
			assert_true(rows.row[0].line && rows.row[15].line &&
				    rows.row[16].line && rows.row[17].line);
			assert_string_equal(rows.row[0].name,
					    rows.row[16].name);
			assert_string_equal(rows.row[15].name,
					    rows.row[17].name);
		}
	}
}

CASE(each_line_has_a_reason)
{
	char *rest, *line;
	size_t m;

	for (m = 0; m < ARRAY_SIZE(maps); m++) {
		read_map(maps[m]);
		text[size] = '\0';
		for (rest = text; (line = strsep(&rest, "\n"));) {
			const char *reason = strchr(line, '#');

			if (!isdigit((unsigned char)line[strspn(line, " ")]))
				continue;
			if (!reason || strlen(reason) < 6)
				fail_msg("%s.map: %s", maps[m], line);
		}
	}
}

/*
 * Nothing on these CPUs counts them: way prediction, requests of other CPUs,
 * errors of one cache alone, quadwords. Documentation/eventmap.rst has a reason
 * for each.
 */
CASE(some_events_have_no_honest_counterpart)
{
	static const unsigned int none[] = {
		1, 7, 8, 11, 12, 13, 14, 20, 21, 22, 27, 28, 29, 30, 31,
	};
	struct ixp_map_rows rows;
	struct ixp_pmus cpu;
	unsigned int i;
	size_t m, e;

	for (m = 0; m < 3; m++) {
		find_pmus(maps[m]);
		for (i = 0; i < nr_pmus; i++) {
			one_cpu(&cpu, pmus[i]);
			parse(&rows, maps[m], &cpu);
			for (e = 0; e < ARRAY_SIZE(none); e++)
				assert_int_equal(rows.row[none[e]].line, 0);
		}
	}
}

CASE(software_events_alone_in_software_map)
{
	struct ixp_map_rows rows;
	struct ixp_pmus cpu;
	struct ixp_code code;
	unsigned int i;

	one_cpu(&cpu, "any");
	parse(&rows, "software", &cpu);
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		assert_int_equal(ixp_name_generic(&code, rows.row[i].name), 0);
		assert_int_equal(code.type, PERF_TYPE_SOFTWARE);
	}
}

/* False if this libpfm4 was made without the CPUs of this architecture */
static bool pfm_has(const struct ixp_pfm *pfm, const char *name)
{
	/* Its structure, with room for what newer versions may add */
	union {
		struct {
			const char *name;
			const char *desc;
			size_t size;
		} head;
		char bytes[128];
	} info;
	int i;

	for (i = 0; i < 1024; i++) {
		memset(&info, 0, sizeof(info));
		if (pfm->pmu_info(i, &info) == 0 && info.head.name &&
		    strcmp(info.head.name, name) == 0)
			return true;
	}

	return false;
}

static unsigned int resolve_rows(const struct ixp_map_rows *rows,
				 const char *map)
{
	char why[IXP_WHY_SIZE];
	struct ixp_code code;
	unsigned int i, nr = 0;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct ixp_map_row *row = &rows->row[i];

		/* Those that the kernel describes need its description */
		if (!row->pmu || strchr(row->name, '/'))
			continue;
		if (ixp_pfm_name(&code, row->name, row->pmu, why,
				 sizeof(why)) < 0)
			fail_msg("%s.map:%u: %s: %s", map, row->line,
				 row->name, why);
		nr++;
	}

	return nr;
}

CASE(libpfm4_knows_the_names)
{
	const struct ixp_pfm *pfm = ixp_pfm_load();
	struct ixp_map_rows rows;
	struct ixp_pmus cpu;
	unsigned int i, nr = 0;
	size_t m;

	if (!pfm) {
		print_message("# libpfm4 is not installed: "
			      "apt-get install libpfm4\n");
		skip();
	}
	for (m = 0; m < ARRAY_SIZE(maps); m++) {
		find_pmus(maps[m]);
		for (i = 0; i < nr_pmus; i++) {
			if (!pfm_has(pfm, pmus[i]))
				continue;
			one_cpu(&cpu, pmus[i]);
			parse(&rows, maps[m], &cpu);
			nr += resolve_rows(&rows, maps[m]);
		}
	}
	print_message("# %u names\n", nr);
	if (nr == 0)
		skip();
}

int main(void)
{
	/* libpfm4 encodes events of other CPUs only if it is told so first */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);

	return run_cases(NULL, NULL);
}
