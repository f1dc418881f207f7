// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event table lookup and chip identification for the R10000 family.
 */
#include "events.h"

#define R10K_EVENT(_num, _twin, _chips, _id, _name, ...) \
	{ .num = _num, .twin = _twin, .chips = _chips, .id = #_id, .name = _name },

static const struct r10k_event r10k_event_rows[] = {
#include "events.def"
	{ .name = NULL }
};

#undef R10K_EVENT

/*
 * PRId:  31    24 23    16 15     8 7     4 3     0
 *       | options| company|  imp   | major | minor |
 *
 * Company and options are 0 on these chips: they are older than both fields.
 */
#define PRID_IMP(prid)		(((prid) >> 8) & 0xff)
#define PRID_MAJOR(prid)	(((prid) >> 4) & 0xf)

#define IMP_R10000	0x09
#define IMP_R12000	0x0e
#define IMP_R14000	0x0f	/* R16000 as well, from major revision 3 */

/**
 * r10k_chip() - find out which event table a CPU has
 * @prid: the CPU's PRId register
 *
 * Return: one of the R10K_CHIP_* bits, 0 for a CPU of another family.
 */
unsigned int r10k_chip(u32 prid)
{
	if (prid >> 16)
		return 0;

	switch (PRID_IMP(prid)) {
	case IMP_R10000:
		return PRID_MAJOR(prid) >= 3 ? R10K_CHIP_V3 : R10K_CHIP_V2;
	case IMP_R12000:
	case IMP_R14000:
		return R10K_CHIP_R12K;
	default:
		return 0;
	}
}

/**
 * r10k_chip_name() - the model name of a chip
 * @prid: PRId register of a CPU for which r10k_chip() is not 0
 *
 * Return: a constant string.
 */
const char *r10k_chip_name(u32 prid)
{
	switch (PRID_IMP(prid)) {
	case IMP_R10000:
		return "R10000";
	case IMP_R12000:
		return "R12000";
	default:
		return PRID_MAJOR(prid) >= 3 ? "R16000" : "R14000";
	}
}

/**
 * r10k_event_find() - look up an event by its number
 * @chip: one of the R10K_CHIP_* bits
 * @num: the number, as in perf's config
 *
 * Return: the row of the table, NULL if this chip has no such event.
 */
const struct r10k_event *r10k_event_find(unsigned int chip, unsigned int num)
{
	const struct r10k_event *row;

	for (row = r10k_event_rows; row->name; row++)
		if (row->num == num && (row->chips & chip))
			return row;
	return NULL;
}
