// SPDX-License-Identifier: GPL-2.0-only
/*
 * Failed store conditionals (event 5) and graduated ones (20) are exact, for
 * programs that know how many of their SCs fail. A system call between LL and SC
 * makes each SC fail, because the return from an exception breaks the link. An
 * interrupt between them makes an SC fail now and then; each SC returns whether it
 * succeeded and the loops add that up, so the counts are always equal.
 */
#include "tap.h"
#include "loops.h"
#include "pmu.h"

struct llsc_result {
	uint64_t failed;	/* event 5 */
	uint64_t graduated;	/* event 20 */
	uint64_t succeeded;	/* what the program saw */
};

static struct llsc_result measure(const struct loop *loop, unsigned long n)
{
	struct llsc_result result;
	uint64_t count[2];
	struct pmu_pair pair;

	pmu_pair_open(&pair, EV_FAILED_SC, EV_SC, PMU_U);
	pmu_enable(pair.fd[0]);
	result.succeeded = loop_run(loop, n);
	pmu_disable(pair.fd[0]);
	pmu_pair_read(&pair, count);
	pmu_pair_close(&pair);
	result.failed = count[0];
	result.graduated = count[1];
	return result;
}

/* forced: SCs per iteration that cannot succeed */
static void check_loop(enum loop_id id, unsigned long from, unsigned long to,
		       unsigned int forced)
{
	const struct loop *loop = &loops[id];
	struct llsc_result a = measure(loop, from), b = measure(loop, to);
	uint64_t sc = loop->sc * (to - from);
	uint64_t failed = sc - (b.succeeded - a.succeeded);
	uint64_t in_b = loop->sc * to - b.succeeded;
	char what[80];

	snprintf(what, sizeof(what), "%s: graduated SC, %lu to %lu iterations",
		 loop->name, from, to);
	check_equal(what, b.graduated - a.graduated, sc);
	snprintf(what, sizeof(what), "%s: failed SC, %lu to %lu iterations",
		 loop->name, from, to);
	check_equal(what, b.failed - a.failed, failed);
	snprintf(what, sizeof(what), "%s: %lu SCs were made to fail",
		 loop->name, forced * to);
	/* a tick each millisecond or so may break a link; not one in a thousand */
	check_true(what, in_b >= forced * to && in_b <= forced * to + to / 1000 + 2,
		   "%llu failed", (unsigned long long)in_b);
}

int main(void)
{
	tap_start(15);
	check_loop(LOOP_SC, 1000, 1000000, 0);
	check_loop(LOOP_SC, 1000000, 10000000, 0);
	check_loop(LOOP_SCD, 1000, 1000000, 0);
	check_loop(LOOP_SC_SYSCALL, 1, 1000, 1);
	check_loop(LOOP_SC_SYSCALL, 1000, 1000000, 1);
	return tap_end();
}
