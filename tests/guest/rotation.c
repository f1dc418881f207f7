// SPDX-License-Identifier: GPL-2.0-only
/*
 * All 32 events take turns: what is projected from each event's share of the time is
 * what the event counts alone. This shows that the models of the caches and of the
 * branch prediction stay awake while their events wait.
 *
 * The work is the same all the time and uses the same memory, because the addresses of
 * its pages decide which lines share a set of the second-level cache. Turns are longer
 * than the kernel's own 4 ms: at the end of each, the kernel's code evicts some of
 * our lines, which does not happen to an event that counts alone. Virtual time has to
 * be bound to the instruction count. A program that moves to another
 * CPU leaves its lines in that one's cache, and then stores to shared blocks.
 */
#include "tap.h"
#include "pmu.h"
#include "random.h"

#define NR_PAIRS	(PMU_NR_EVENTS / 2)
#define ROUND		12500ul		/* steps, in more memory than caches hold */
#define ALONE		(8 * ROUND)	/* for each pair of events */
#define TOGETHER	(9 * ROUND)	/* and for each of them in turn: some turns */
#define TURN_MS		"20"
#define INTERVAL	"/sys/bus/event_source/devices/cpu/" \
			"perf_event_mux_interval_ms"
#define FEW		1000		/* too few to project from */
#define TOLERANCE	0.02

static struct random_work work;
static double alone[PMU_NR_EVENTS], projected[PMU_NR_EVENTS];

/*
 * The same steps each round, so that all turns see the same work. What each step uses is
 * not on the stack: where a page ends in the copy of one caller and not of the other,
 * that one needs a page more in the TLB, and has up to 2 % more TLB misses.
 */
static void do_steps(unsigned long steps)
{
	static struct random_work again;

	for (; steps > 0; steps -= ROUND) {
		again = work;
		random_steps(&again, ROUND);
	}
}

/*
 * The counts are scaled to the number of steps of count_together(). A round comes before
 * them: a model that no event has needed for a second sleeps and keeps its state, which
 * costs the branch prediction 6 % more mistakes in the first round after that.
 */
static void count_alone(unsigned int event)
{
	const double scale = (double)NR_PAIRS * TOGETHER / ALONE;
	unsigned int other = event + NR_PAIRS;
	struct pmu_pair pair;
	uint64_t before[2], count[2];

	pmu_pair_open(&pair, event, other, PMU_U);
	pmu_enable(pair.fd[0]);
	do_steps(ROUND);
	pmu_pair_read(&pair, before);
	do_steps(ALONE);
	pmu_disable(pair.fd[0]);
	pmu_pair_read(&pair, count);
	pmu_pair_close(&pair);
	alone[event] = scale * (count[0] - before[0]);
	alone[other] = scale * (count[1] - before[1]);
}

static void count_together(void)
{
	struct pmu_pair pair[NR_PAIRS];
	struct pmu_count c;
	unsigned int i, side;

	for (i = 0; i < NR_PAIRS; i++)
		pmu_pair_open(&pair[i], i, i + NR_PAIRS, PMU_U);
	for (i = 0; i < NR_PAIRS; i++)
		pmu_enable(pair[i].fd[0]);
	do_steps(NR_PAIRS * TOGETHER);
	for (i = 0; i < NR_PAIRS; i++)
		pmu_disable(pair[i].fd[0]);
	for (i = 0; i < NR_PAIRS; i++) {
		for (side = 0; side < 2; side++) {
			c = pmu_read(pair[i].fd[side]);
			projected[i + side * NR_PAIRS] =
				(double)c.value * c.enabled / c.running;
		}
		pmu_pair_close(&pair[i]);
	}
}

static void set_turn(void)
{
	FILE *file = fopen(INTERVAL, "w");

	if (!file || fputs(TURN_MS, file) < 0 || fclose(file))
		tap_bail_errno(INTERVAL);
}

static void check_event(unsigned int event)
{
	char what[80];

	snprintf(what, sizeof(what), "event %u in turn with all others is what "
		 "it is alone, +- 2 %%", event);
	if (alone[event] < FEW)
		check_true(what, projected[event] < FEW, "%g, alone %g",
			   projected[event], alone[event]);
	else
		check_near(what, projected[event], alone[event], TOLERANCE);
}

int main(void)
{
	unsigned int i;

	tap_start(PMU_NR_EVENTS);
	pmu_stay_on_cpu0(true);
	set_turn();
	random_init(&work);
	do_steps(ALONE);
	for (i = 0; i < NR_PAIRS; i++)
		count_alone(i);
	count_together();
	for (i = 0; i < NR_PAIRS; i++) {
		check_event(i);
		check_event(i + NR_PAIRS);
	}
	return tap_end();
}
