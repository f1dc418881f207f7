// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The built-in costs. Figures have been published only for the IP27 with an R10000 of
 * 196 MHz: the sample report in SGI's tuning guide for the Origin has times and counts,
 * and their quotients are the costs. Costs that depend on the board are in nanoseconds,
 * because only then does the report have all the digits that SGI printed.
 */
#include <invent.h>
#include <string.h>
#include <sys/sbd.h>
#include "costs.h"

#define CHIP_R10000	(IRIXPERF_R10000_V2 | IRIXPERF_R10000_V3 | IRIXPERF_MAPPED)
#define CHIP_ALL	(CHIP_R10000 | IRIXPERF_R12000)

#define COSTS(unit, typical, minimum, maximum) \
	{ true, { { typical, unit }, { minimum, unit }, { maximum, unit } } }
#define CLKS(typical, minimum, maximum) \
	COSTS(COST_CLKS, typical, minimum, maximum)
#define NSEC(typical, minimum, maximum) \
	COSTS(COST_NSEC, typical, minimum, maximum)

#define ONE_CLOCK	CLKS(1, 1, 1)
#define L2_MISS		NSEC(377.51, 246.81, 419.94)

/* Other events include the cost of this one: it comes last */
#define SUMMARY		CLKS(0, 0, 1)

static const struct {
	unsigned int event;
	unsigned int chips;
	struct cost_row row;
} ip27[] = {
	{ 0, CHIP_ALL, ONE_CLOCK },
	{ 1, CHIP_ALL, SUMMARY },
	{ 2, CHIP_ALL, ONE_CLOCK },
	{ 3, CHIP_ALL, ONE_CLOCK },
	{ 6, CHIP_ALL, ONE_CLOCK },
	{ 7, CHIP_ALL, NSEC(31.98, 21.16, 31.98) },
	{ 9, CHIP_ALL, CLKS(18.03, 5.64, 18.03) },
	{ 10, CHIP_ALL, L2_MISS },
	{ 15, CHIP_ALL, SUMMARY },
	{ 16, CHIP_R10000, ONE_CLOCK },
	{ 17, CHIP_R10000, SUMMARY },
	{ 18, CHIP_ALL, ONE_CLOCK },
	{ 19, CHIP_ALL, ONE_CLOCK },
	{ 21, CHIP_ALL, CLKS(1, 0.5, 52) },
	{ 22, CHIP_ALL, CLKS(3.85, 3.14, 4.45) },
	{ 23, CHIP_ALL, CLKS(68.09, 68.09, 68.09) },
	{ 24, CHIP_ALL, CLKS(1.42, 0.64, 5.22) },
	{ 25, CHIP_ALL, CLKS(9.01, 2.82, 9.01) },
	{ 26, CHIP_ALL, L2_MISS },
};

static const struct {
	int state;
	const char *name;
} boards[] = {
	{ INV_IP22BOARD, "IP22" }, { INV_IP25BOARD, "IP25" },
	{ INV_IP27BOARD, "IP27" }, { INV_IP28BOARD, "IP28" },
	{ INV_IP30BOARD, "IP30" }, { INV_IP32BOARD, "IP32" },
	{ INV_IP35BOARD, "IP35" },
};

static void set_board(struct cost_machine *machine, const inventory_t *board)
{
	size_t i;

	machine->mhz = board->inv_controller;
	for (i = 0; i < sizeof(boards) / sizeof(boards[0]); i++)
		if (boards[i].state == board->inv_state)
			snprintf(machine->board, sizeof(machine->board), "%s",
				 boards[i].name);
}

static void look_at_board(struct cost_machine *machine)
{
	struct irixperf_inventory *inv;
	const inventory_t *entry;

	if (irixperf_inventory_open(&inv) < 0)
		return;
	while ((entry = irixperf_inventory_next(inv)) &&
	       !(entry->inv_class == INV_PROCESSOR && entry->inv_type == INV_CPUBOARD))
		;
	if (entry)
		set_board(machine, entry);
	irixperf_inventory_close(inv);
}

int costs_machine(struct cost_machine *machine)
{
	struct irixperf_cpu cpu = { .chip = IRIXPERF_R10000_V3 };
	int ret = irixperf_cpu_detect(&cpu);

	*machine = (struct cost_machine){
		.chip = cpu.chip, .major = cpu.major, .minor = cpu.minor,
	};
	memcpy(machine->model, cpu.model, sizeof(machine->model));
	look_at_board(machine);

	return ret;
}

void costs_builtin(struct cost_table *table, const struct cost_machine *machine)
{
	size_t i;

	memset(table, 0, sizeof(*table));
	table->machine = *machine;
	table->board = machine->chip & CHIP_R10000 ? "IP27" : "IP27 (R10000)";
	for (i = 0; i < sizeof(ip27) / sizeof(ip27[0]); i++)
		if (ip27[i].chips & machine->chip)
			table->row[ip27[i].event] = ip27[i].row;
}

double costs_seconds(const struct cost_table *table, unsigned int event,
		     enum cost_kind kind, double count)
{
	const struct cost *cost = &table->row[event].cost[kind];

	if (cost->unit == COST_NSEC)
		return cost->value * count * 1e-9;

	return table->machine.mhz > 0 ?
	       cost->value * count / (table->machine.mhz * 1e6) : 0;
}

double costs_shown(const struct cost_table *table, unsigned int event,
		   enum cost_kind kind, double count)
{
	const struct cost_row *row = &table->row[event];
	bool clocks = row->cost[kind].unit == COST_CLKS;
	bool time = !irixperf_time_note();
	double mhz = table->machine.mhz;

	if (!row->known || irixperf_event_note(table->machine.chip, event))
		return -1;
	if (clocks && !time)
		return row->cost[kind].value * count;
	if (mhz <= 0 && (clocks || !time))
		return -1;

	return costs_seconds(table, event, kind, count) *
	       (time ? 1 : mhz * 1e6);
}
