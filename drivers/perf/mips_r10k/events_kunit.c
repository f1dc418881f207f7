// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the event table and of chip identification.
 */
#include <kunit/test.h>
#include <linux/ctype.h>
#include <linux/string.h>

#include "events.h"

static const unsigned int chips[] = { R10K_CHIP_V2, R10K_CHIP_V3, R10K_CHIP_R12K };

static void every_chip_has_all_events(struct kunit *test)
{
	unsigned int c, num;

	for (c = 0; c < ARRAY_SIZE(chips); c++)
		for (num = 0; num < R10K_EVENTS; num++) {
			const struct r10k_event *event = r10k_event_find(chips[c], num);

			KUNIT_ASSERT_NOT_NULL_MSG(test, event, "chip %#x event %u", chips[c], num);
			KUNIT_EXPECT_EQ(test, event->num, num);
		}
}

static void other_numbers_are_no_events(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, r10k_event_find(R10K_CHIP_V3, R10K_EVENTS));
	KUNIT_EXPECT_NULL(test, r10k_event_find(R10K_CHIP_R12K, 255));
	KUNIT_EXPECT_NULL(test, r10k_event_find(0, 0));
}

static bool name_is_clean(const char *name)
{
	const char *c;

	if (!islower(name[0]))
		return false;
	for (c = name; *c; c++)
		if (!islower(*c) && !isdigit(*c) && *c != '_')
			return false;
	return true;
}

static void names_are_clean_and_differ(struct kunit *test)
{
	const char *a, *b;
	unsigned int c, i, j;

	for (c = 0; c < ARRAY_SIZE(chips); c++)
		for (i = 0; i < R10K_EVENTS; i++) {
			a = r10k_event_find(chips[c], i)->name;
			KUNIT_EXPECT_TRUE_MSG(test, name_is_clean(a), "%s", a);
			for (j = 0; j < i; j++) {
				b = r10k_event_find(chips[c], j)->name;
				KUNIT_EXPECT_STRNEQ(test, a, b);
			}
		}
}

static void twins_are_mutual_and_on_the_other_counter(struct kunit *test)
{
	const struct r10k_event *event, *twin;
	unsigned int num, pairs = 0;

	for (num = 0; num < R10K_EVENTS; num++) {
		event = r10k_event_find(R10K_CHIP_V3, num);
		if (event->twin == num)
			continue;
		twin = r10k_event_find(R10K_CHIP_V3, event->twin);
		KUNIT_EXPECT_EQ(test, twin->twin, num);
		KUNIT_EXPECT_STREQ(test, twin->id, event->id);
		KUNIT_EXPECT_NE(test, twin->num >> 4, num >> 4);
		pairs++;
	}
	/* 0 with 16 and 15 with 17, each seen from both sides */
	KUNIT_EXPECT_EQ(test, pairs, 4);
}

static void r12000_has_no_twins(struct kunit *test)
{
	unsigned int num;

	for (num = 0; num < R10K_EVENTS; num++)
		KUNIT_EXPECT_EQ(test, r10k_event_find(R10K_CHIP_R12K, num)->twin, num);
}

static void revision_decides_what_branches_are(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, r10k_event_find(R10K_CHIP_V2, 6)->name, "decoded_branches");
	KUNIT_EXPECT_STREQ(test, r10k_event_find(R10K_CHIP_V3, 6)->name, "resolved_branches");
	KUNIT_EXPECT_STREQ(test, r10k_event_find(R10K_CHIP_R12K, 6)->name, "resolved_branches");
}

struct prid_case {
	u32 prid;
	unsigned int chip;
	const char *name;
};

/* Values seen in boot logs of real machines, and neighbours that are not ours */
static const struct prid_case prid_cases[] = {
	{ 0x00000926, R10K_CHIP_V2, "R10000" },
	{ 0x00000927, R10K_CHIP_V2, "R10000" },
	{ 0x00000930, R10K_CHIP_V3, "R10000" },
	{ 0x00000934, R10K_CHIP_V3, "R10000" },
	{ 0x00000e23, R10K_CHIP_R12K, "R12000" },
	{ 0x00000e35, R10K_CHIP_R12K, "R12000" },
	{ 0x00000f14, R10K_CHIP_R12K, "R14000" },
	{ 0x00000f24, R10K_CHIP_R12K, "R14000" },
	{ 0x00000f30, R10K_CHIP_R12K, "R16000" },
	{ 0x00000450, 0, NULL },	/* R4000 */
	{ 0x00002321, 0, NULL },	/* R5000 */
	{ 0x00010934, 0, NULL },	/* another company */
};

static void prid_case_name(const struct prid_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%#x", c->prid);
}

KUNIT_ARRAY_PARAM(prid, prid_cases, prid_case_name);

static void prid_names_the_chip(struct kunit *test)
{
	const struct prid_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, r10k_chip(c->prid), c->chip);
	if (c->chip)
		KUNIT_EXPECT_STREQ(test, r10k_chip_name(c->prid), c->name);
}

static struct kunit_case r10k_events_cases[] = {
	KUNIT_CASE(every_chip_has_all_events),
	KUNIT_CASE(other_numbers_are_no_events),
	KUNIT_CASE(names_are_clean_and_differ),
	KUNIT_CASE(twins_are_mutual_and_on_the_other_counter),
	KUNIT_CASE(r12000_has_no_twins),
	KUNIT_CASE(revision_decides_what_branches_are),
	KUNIT_CASE_PARAM(prid_names_the_chip, prid_gen_params),
	{ }
};

static struct kunit_suite r10k_events_suite = {
	.name = "mips_r10k_events",
	.test_cases = r10k_events_cases,
};

kunit_test_suite(r10k_events_suite);

MODULE_DESCRIPTION("KUnit tests of the R10000 performance counter driver");
MODULE_LICENSE("GPL");
