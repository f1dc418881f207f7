// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event table against the list that is written by hand, its own rules, and
 * look-ups in it.
 */
#include <ctype.h>
#include <irixperf.h>
#include "fake.h"
#include "unit.h"
#include <sys/hwperfmacros.h>

#define R10K_CHIP_V2	IRIXPERF_R10000_V2
#define R10K_CHIP_V3	IRIXPERF_R10000_V3
#define R10K_CHIP_R10K	(R10K_CHIP_V2 | R10K_CHIP_V3)
#define R10K_CHIP_R12K	IRIXPERF_R12000
#define R10K_CHIP_ALL	(R10K_CHIP_R10K | R10K_CHIP_R12K)

static const struct row {
	unsigned int num;
	unsigned int twin;
	unsigned int chips;
	const char *id;
	const char *name;
	const char *label;
	const char *desc;
} rows[] = {
#define R10K_EVENT(_num, _twin, _chips, _id, _name, _label, _desc)	\
	{ _num, _twin, _chips, #_id, _name, _label, _desc },
#include "events.def"
};

#define V2	IRIXPERF_R10000_V2
#define V3	IRIXPERF_R10000_V3
#define R12	IRIXPERF_R12000

static const struct wanted {
	unsigned int num;
	unsigned int chips;
	const char *name;
	const char *text;
} wanted[] = {
#define IRIX_EVENT(_num, _chips, _name, _text)	{ _num, _chips, _name, _text },
#include "irix-events.h"
};

static const enum irixperf_chip chips[] = {
	IRIXPERF_R10000_V2, IRIXPERF_R10000_V3, IRIXPERF_R12000,
};

static const struct row *find_row(unsigned int chip, unsigned int num)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].num == num && (rows[i].chips & chip))
			return &rows[i];

	return NULL;
}

static const struct wanted *find_wanted(unsigned int chip, unsigned int num)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		if (wanted[i].num == num && (wanted[i].chips & chip))
			return &wanted[i];
	fail_msg("irix-events.h lacks event %u", num);

	return NULL;
}

CASE(the_table_is_the_list_by_hand)
{
	unsigned int num;
	size_t c;

	for (c = 0; c < ARRAY_SIZE(chips); c++)
		for (num = 0; num < 32; num++) {
			const struct wanted *by_hand = find_wanted(chips[c], num);
			const struct row *row = find_row(chips[c], num);

			assert_non_null(row);
			assert_string_equal(row->name, by_hand->name);
			assert_string_equal(row->label, by_hand->text);
		}
	assert_string_equal(find_wanted(V3, HWPERF_C0PRFCNT0_CYCLES)->name,
			    "cycles");
}

CASE(each_chip_has_each_event_once)
{
	unsigned int num;
	size_t c, i;

	for (c = 0; c < ARRAY_SIZE(chips); c++)
		for (num = 0; num < 32; num++) {
			unsigned int nr = 0;

			for (i = 0; i < ARRAY_SIZE(rows); i++)
				nr += rows[i].num == num &&
				      (rows[i].chips & chips[c]);
			assert_int_equal(nr, 1);
		}
}

CASE(names_are_words_for_sysfs)
{
	size_t i;
	const char *p;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(islower((unsigned char)rows[i].name[0]));
		for (p = rows[i].name; *p; p++)
			assert_true(islower((unsigned char)*p) ||
				    isdigit((unsigned char)*p) || *p == '_');
	}
}

CASE(names_are_unique_on_a_chip)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (j = i + 1; j < ARRAY_SIZE(rows); j++)
			assert_true(strcmp(rows[i].name, rows[j].name) != 0 ||
				    !(rows[i].chips & rows[j].chips));
}

CASE(texts_are_there_and_tidy)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(rows[i].label[0] && rows[i].desc[0]);
		assert_true(isupper((unsigned char)rows[i].label[0]));
		assert_true(rows[i].desc[strlen(rows[i].desc) - 1] != '.');
	}
}

/* A twin is mutual, has the same text and sits on the other counter */
CASE(twins_are_mutual)
{
	unsigned int num, other;
	size_t c, i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *twin = find_row(rows[i].chips, rows[i].twin);

		if (!twin) {
			fail_msg("event %u has no twin", rows[i].num);
			return;
		}
		assert_int_equal(twin->twin, rows[i].num);
		assert_string_equal(twin->id, rows[i].id);
		if (twin->num != rows[i].num)
			assert_true(twin->num / 16 != rows[i].num / 16);
	}
	for (c = 0; c < ARRAY_SIZE(chips); c++)
		for (num = 0; num < 32; num++)
			for (other = 0; other < 32; other++)
				if (num != other)
					assert_int_equal(
						find_row(chips[c], num)->twin == other,
						!strcmp(find_wanted(chips[c], num)->text,
							find_wanted(chips[c], other)->text));
}

CASE(the_library_has_the_table)
{
	const struct irixperf_event *event;
	size_t i, c;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (c = 0; c < ARRAY_SIZE(chips); c++) {
			if (!(rows[i].chips & chips[c]))
				continue;
			event = irixperf_event_get(chips[c], rows[i].num);
			assert_string_equal(event->name,
					    find_wanted(chips[c], event->num)->name);
			assert_string_equal(event->label,
					    find_wanted(chips[c], event->num)->text);
			assert_string_equal(event->desc, rows[i].desc);
		}
	assert_null(irixperf_event_get(IRIXPERF_R12000, 32));
	assert_null(irixperf_event_get(IRIXPERF_CHIP_NONE, 0));
}

CASE(finds_numbers_and_names)
{
	static const struct {
		enum irixperf_chip chip;
		const char *text;
		int num;
	} cases[] = {
		{ IRIXPERF_R10000_V3, "0", 0 },
		{ IRIXPERF_R10000_V3, "31", 31 },
		{ IRIXPERF_R10000_V3, "007", 7 },
		{ IRIXPERF_R10000_V3, "tlb_misses", 23 },
		{ IRIXPERF_R10000_V3, "TLB-Misses", 23 },
		{ IRIXPERF_R10000_V2, "decoded_branches", 6 },
		{ IRIXPERF_R12000, "executed_prefetches", 16 },
		{ IRIXPERF_R10000_V3, "decoded_branches", -1 },
		{ IRIXPERF_R10000_V3, "executed_prefetches", -1 },
		{ IRIXPERF_R10000_V3, "32", -1 },
		{ IRIXPERF_R10000_V3, "4294967296", -1 },
		{ IRIXPERF_R10000_V3, "99999999999999999999", -1 },
		{ IRIXPERF_R10000_V3, "-1", -1 },
		{ IRIXPERF_R10000_V3, "+1", -1 },
		{ IRIXPERF_R10000_V3, " 1", -1 },
		{ IRIXPERF_R10000_V3, "1 ", -1 },
		{ IRIXPERF_R10000_V3, "0x1", -1 },
		{ IRIXPERF_R10000_V3, "", -1 },
		{ IRIXPERF_R10000_V3, "cycle", -1 },
		{ IRIXPERF_R10000_V3, "cycless", -1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct irixperf_event *event =
			irixperf_event_find(cases[i].chip, cases[i].text);

		assert_int_equal(event ? (int)event->num : -1, cases[i].num);
	}
}

CASE(conflicts_are_of_one_half)
{
	unsigned int a, b;

	for (a = 0; a < 32; a++)
		for (b = 0; b < 32; b++) {
			assert_int_equal(
				irixperf_event_conflict(IRIXPERF_R10000_V3, a, b),
				a / 16 == b / 16);
			assert_int_equal(
				irixperf_event_conflict(IRIXPERF_R12000, a, b),
				a == b);
		}
}

CASE(detects_the_cpu)
{
	static const struct {
		const char *model;
		enum irixperf_chip chip;
	} cases[] = {
		{ R10000_V26, IRIXPERF_R10000_V2 },
		{ R10000_V34, IRIXPERF_R10000_V3 },
		{ R12000_V35, IRIXPERF_R12000 },
		{ "R14000 V1.4  FPU V0.0", IRIXPERF_R12000 },
		{ "R16000 V2.1  FPU V0.0", IRIXPERF_R12000 },
	};
	struct irixperf_cpu cpu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fake_install(cases[i].model);
		assert_int_equal(irixperf_cpu_detect(&cpu), 0);
		assert_int_equal(cpu.chip, cases[i].chip);
		assert_int_equal(strncmp(cpu.model, cases[i].model, 6), 0);
	}
	assert_int_equal(cpu.major, 2);
	assert_int_equal(cpu.minor, 1);
}

CASE(refuses_other_cpus)
{
	struct irixperf_cpu cpu = { .chip = IRIXPERF_R12000 };

	fake_install("R4400SC V6.0  FPU V0.0");
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	fake_install("nonsense");
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	fake_install(R10000_V34);
	fake_remove_pmu();
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	assert_int_equal(cpu.chip, IRIXPERF_R12000);
}

static const char *note_with(const char *cmdline, unsigned int num)
{
	struct irixperf_cpu cpu;

	fake_file("/proc/cmdline", cmdline);
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);

	return irixperf_event_note(cpu.chip, num);
}

#define UNMODELLED	"panic=-1 r10kperf.cycles=unmodelled console=ttyS0\n"

CASE(cycles_of_an_emulator_have_a_note)
{
	unsigned int num;

	fake_install(R10000_V34);
	assert_non_null(note_with(UNMODELLED, 0));
	for (num = 1; num <= IRIXPERF_EVENTS; num++)
		assert_ptr_equal(note_with(UNMODELLED, num),
				 num == 16 ? note_with(UNMODELLED, 0) : NULL);
	fake_install(R12000_V35);
	assert_non_null(note_with(UNMODELLED, 0));
	assert_null(note_with(UNMODELLED, 16));
}

CASE(with_a_clock_there_is_no_note)
{
	static const char *const lines[] = {
		"", "\n", "panic=-1\n", "r10kperf.cycles=modelled\n",
		"r10kperf.cycles\n", "r10kperf.cycles=\n",
		"r10kperf.cycles=unmodelled2\n", "xr10kperf.cycles=unmodelled\n",
		"r10kperf.cycles=unmodelled quiet r10kperf.cycles=modelled\n",
	};
	struct irixperf_cpu cpu;
	size_t i;

	fake_install(R10000_V34);
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_null(irixperf_event_note(cpu.chip, 0));
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		assert_null(note_with(lines[i], 0));
	assert_non_null(note_with("r10kperf.cycles=unmodelled", 0));
}

CASE(tells_the_types_of_all_cpus)
{
	fake_install(R10000_V34);
	assert_int_equal(irixperf_cpu_types(), IRIXPERF_R10000_V3);
	fake_file("/proc/cpuinfo", "system type\t\t: SGI Origin\n"
		  "cpu model\t\t: " R10000_V34 "\ncpu model\t\t: " R12000_V35 "\n");
	assert_int_equal(irixperf_cpu_types(), IRIXPERF_R10000_V3 | IRIXPERF_R12000);
	fake_install(R10000_V26);
	fake_file("/proc/cpuinfo", "cpu model\t\t: " R10000_V26 "\n"
		  "cpu model\t\t: R10000 V2.5\ncpu model\t\t: R4400SC V6.0\n"
		  "cpu model");
	assert_int_equal(irixperf_cpu_types(), IRIXPERF_R10000_V2);
	fake_install_other();
	assert_int_equal(irixperf_cpu_types(), 0);
}

UNIT_MAIN()
