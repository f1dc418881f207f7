// SPDX-License-Identifier: GPL-2.0-only
/* The parser of event maps: what it takes, and how it refuses. */
#include <irixperf.h>
#include "mapparse.h"
#include "unit.h"

static const struct ixp_pmus skl = { .nr = 2, .name = { "skl", "other" } };
static const struct ixp_pmus unknown = { .nr = 0 };

static char text[8192];
static struct ixp_map_rows rows;
static struct ixp_trouble trouble;

static int parse_for(const struct ixp_pmus *pmus, const char *map, size_t size)
{
	memcpy(text, map, size);
	memset(&trouble, 0, sizeof(trouble));

	return ixp_map_parse(&rows, text, size, pmus, &trouble);
}

static int parse(const char *map)
{
	return parse_for(&skl, map, strlen(map));
}

static unsigned int nr_rows(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		nr += rows.row[i].line != 0;

	return nr;
}

static const struct {
	const char *map;
	unsigned int nr;
	unsigned int event;
	unsigned int line;
	const char *name;
	const char *pmu;
} good[] = {
	{ "[any]\n15 = instructions\n", 1, 15, 2, "instructions", NULL },
	{ "[any]\n15=instructions", 1, 15, 2, "instructions", NULL },
	{ "\n\n \t[ any ]  # all\n\t 015\t=  x # why\n", 1, 15, 4, "x", NULL },
	{ "[any]\r\n0 = cycles\r\n", 1, 0, 2, "cycles", NULL },
	{ "[skl]\n31 = L1D:REPLACEMENT\n", 1, 31, 2, "L1D:REPLACEMENT", "skl" },
	{ "[hsw skl]\n9 = a#b\n", 1, 9, 2, "a", "skl" },
	{ "[hsw\tany]\n9 = a\n", 1, 9, 2, "a", NULL },
	{ "[any skl]\n9 = a\n", 1, 9, 2, "a", "skl" },
	{ "[any]\n26 = cpu/event=0x24,umask=0x23/\n", 1, 26, 2,
	  "cpu/event=0x24,umask=0x23/", NULL },
	/* A section by name goes before [any], wherever it stands */
	{ "[any]\n1 = a\n[skl]\n1 = b\n", 1, 1, 4, "b", "skl" },
	{ "[skl]\n1 = b\n[any]\n1 = a\n", 1, 1, 2, "b", "skl" },
	{ "[any]\n1 = a\n[hsw]\n1 = b\n", 1, 1, 2, "a", NULL },
	{ "[any]\n1 = a\n[skl]\n2 = b\n", 2, 2, 4, "b", "skl" },
	/* What is for others may say the same again */
	{ "[hsw]\n1 = a\n[bdw]\n1 = b\n[skl]\n1 = c\n", 1, 1, 6, "c", "skl" },
};

CASE(good_maps)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		const struct ixp_map_row *row = &rows.row[good[i].event];

		assert_int_equal(parse(good[i].map), 0);
		assert_true(rows.holds);
		assert_int_equal(nr_rows(), good[i].nr);
		assert_int_equal(row->line, good[i].line);
		assert_string_equal(row->name, good[i].name);
		if (good[i].pmu)
			assert_string_equal(row->pmu, good[i].pmu);
		else
			assert_null(row->pmu);
	}
}

CASE(maps_for_others)
{
	static const char *const maps[] = {
		"", "\n", "# nothing\n", "[hsw]\n15 = instructions\n",
		"[skl_x SKL sk]\n15 = instructions\n",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		assert_int_equal(parse(maps[i]), 0);
		assert_false(rows.holds);
		assert_int_equal(nr_rows(), 0);
	}
}

/* A section without events is there: it says that the CPU has none */
CASE(a_section_may_be_empty)
{
	assert_int_equal(parse("[skl]\n"), 0);
	assert_true(rows.holds);
	assert_int_equal(nr_rows(), 0);
}

CASE(an_unknown_cpu_is_any)
{
	static const char map[] = "[any]\n1 = a\n[skl]\n1 = b\n";

	assert_int_equal(parse_for(&unknown, map, strlen(map)), 0);
	assert_string_equal(rows.row[1].name, "a");
}

static const struct {
	const char *map;
	unsigned int line;
	const char *what;
} bad[] = {
	{ "15 = instructions\n", 1, "the line is in no section" },
	{ "[any\n", 1, "never closed" },
	{ "[any # ]\n", 1, "never closed" },
	{ "[]\n", 1, "no CPU is named" },
	{ "[ \t ]\n", 1, "no CPU is named" },
	{ "[any] 1 = a\n", 1, "something follows the ]" },
	{ "[any]]\n", 1, "something follows the ]" },
	{ "[skl,skx]\n", 1, "letters, digits and _" },
	{ "[[any]\n", 1, "letters, digits and _" },
	{ "[amd64_fam19h_zen*]\n", 1, "letters, digits and _" },
	{ "[any]\n32 = a\n", 2, "numbered 0 to 31" },
	{ "[any]\n4294967296 = a\n", 2, "numbered 0 to 31" },
	{ "[any]\n99999999999999999999999 = a\n", 2, "numbered 0 to 31" },
	{ "[any]\n-1 = a\n", 2, "not understood" },
	{ "[any]\n+1 = a\n", 2, "not understood" },
	{ "[any]\n0x1 = a\n", 2, "not understood" },
	{ "[any]\n= a\n", 2, "not understood" },
	{ "[any]\n1\n", 2, "not understood" },
	{ "[any]\n1 a\n", 2, "not understood" },
	{ "[any]\n1 1 = a\n", 2, "not understood" },
	{ "[any]\ncycles = a\n", 2, "not understood" },
	{ "[any]\n1 : a\n", 2, "not understood" },
	{ "[any]\n1 =\n", 2, "no event follows" },
	{ "[any]\n1 = # a\n", 2, "no event follows" },
	{ "[any]\n1 = a b\n", 2, "something follows the event" },
	{ "[any]\n1 = a\rb\n", 2, "something follows the event" },
	{ "[any]\n1 = a\x01\n", 2, "something follows the event" },
	{ "[any]\n1 = a\xc3\xa9\n", 2, "something follows the event" },
	{ "[any]\n1 = \x7f\n", 2, "no event follows" },
	{ "[any]\n1 = a\n\n01 = b\n", 4, "is at line 2 already" },
	{ "[hsw]\n1 = a\n1 = b\n", 3, "is at line 2 already" },
	{ "[any]\n1 = a\n[any]\n1 = b\n", 4, "for this CPU already, line 2" },
	{ "[skl]\n1 = a\n[other]\n1 = b\n", 4, "for this CPU already, line 2" },
	/* A mistake in what is for others is one all the same */
	{ "[any]\n1 = a\n[hsw]\n77 = b\n", 4, "numbered 0 to 31" },
};

CASE(bad_maps)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(parse(bad[i].map), -EINVAL);
		assert_int_equal(trouble.line, bad[i].line);
		if (!strstr(trouble.what, bad[i].what))
			fail_msg("%s: %s", bad[i].map, trouble.what);
		assert_true(strlen(trouble.what) + 1 < sizeof(trouble.what));
	}
}

CASE(zero_bytes_are_refused)
{
	static const char map[] = "[any]\n1 = a\0b\n";

	assert_int_equal(parse_for(&skl, map, sizeof(map) - 1), -EINVAL);
	assert_int_equal(trouble.line, 2);
	assert_non_null(strstr(trouble.what, "0 byte"));
	assert_int_equal(parse_for(&skl, "\0", 1), -EINVAL);
}

CASE(names_have_a_longest_length)
{
	char map[512] = "[any]\n1 = ";
	size_t start = strlen(map);

	memset(map + start, 'x', IXP_NAME_SIZE - 1);
	assert_int_equal(parse(map), 0);
	assert_int_equal(strlen(rows.row[1].name), IXP_NAME_SIZE - 1);
	map[start + IXP_NAME_SIZE - 1] = 'x';
	assert_int_equal(parse(map), -EINVAL);
	assert_non_null(strstr(trouble.what, "at most 127"));
}

/* Cut anywhere, a map is refused or means what is left of it */
CASE(maps_cut_short)
{
	static const char map[] = "# c\n[any skl]\n0 = cycles # x\n15=b\n[hsw]\n";
	size_t size;

	for (size = 0; size < sizeof(map); size++) {
		char *exact = malloc(size + 1);
		int ret;

		memcpy(exact, map, size);
		ret = ixp_map_parse(&rows, exact, size, &skl, &trouble);
		assert_true(ret == 0 || ret == -EINVAL);
		assert_true(nr_rows() <= 2);
		free(exact);
	}
}

UNIT_MAIN()
