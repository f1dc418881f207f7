// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling: the number of samples times the period is the count, and the samples are
 * where the instructions were executed: 3 : 1 in the two functions of split.S. The
 * registers of a sample are those at its place.
 */
#include "tap.h"
#include "pmu.h"
#include "ring.h"

#define PERIOD	100000ul
#define TURN	1000000ul	/* 10 instructions each */
#define TURNS	10

void split_heavy(unsigned long n);
void split_light(unsigned long n);

struct samples {
	unsigned long heavy;
	unsigned long light;
	unsigned long other;
	unsigned long lost;
	unsigned long throttled;
};

/* The code of split.S is one piece: heavy, then light, then nothing */
#define FUNCTION_BYTES	64

static void add_sample(struct samples *s, uint64_t ip)
{
	if (ip - (uintptr_t)split_heavy < FUNCTION_BYTES)
		s->heavy++;
	else if (ip - (uintptr_t)split_light < FUNCTION_BYTES)
		s->light++;
	else
		s->other++;
}

static void add_record(const struct perf_event_header *header, void *arg)
{
	const struct {
		struct perf_event_header header;
		uint64_t word[2];
	} *record = (const void *)header;
	struct samples *s = arg;

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		add_sample(s, record->word[0]);
		break;
	case PERF_RECORD_LOST:
		s->lost += record->word[1];
		break;
	case PERF_RECORD_THROTTLE:
		s->throttled++;
		break;
	}
}

static struct samples sample(unsigned int event, uint64_t *count)
{
	struct samples s = { 0 };
	int fd = pmu_must_sample(event, PERIOD), i;
	struct ring ring;

	ring_map(&ring, fd, 16);
	pmu_enable(fd);
	for (i = 0; i < TURNS; i++) {
		split_heavy(3 * TURN);
		split_light(TURN);
	}
	pmu_disable(fd);
	ring_drain(&ring, add_record, &s);
	*count = pmu_read(fd).value;
	ring_unmap(&ring);
	pmu_close(fd);
	return s;
}

static void check_event(unsigned int event)
{
	uint64_t count;
	struct samples s = sample(event, &count);
	unsigned long nr = s.heavy + s.light + s.other;
	long long rest = (long long)(count - nr * PERIOD);
	double heavy = 100.0 * s.heavy / (nr ? nr : 1);
	char what[80];

	tap_note("event %u: %lu samples: %lu heavy, %lu light, %lu elsewhere; count %llu\n",
		 event, nr, s.heavy, s.light, s.other,
		 (unsigned long long)count);
	snprintf(what, sizeof(what), "event %u: no sample is lost or throttled",
		 event);
	check_true(what, !s.lost && !s.throttled, "%lu lost, throttled %lu times",
		   s.lost, s.throttled);
	snprintf(what, sizeof(what),
		 "event %u: samples x period is the count within one period",
		 event);
	check_true(what, rest >= 0 && rest < (long long)PERIOD,
		   "%lld more than %lu samples", rest, nr);
	snprintf(what, sizeof(what), "event %u: 75 %% +- 1 in split_heavy",
		 event);
	check_true(what, heavy >= 74 && heavy <= 76, "%.2f %%", heavy);
	snprintf(what, sizeof(what), "event %u: nothing elsewhere", event);
	check_true(what, s.other <= 2, "%lu samples", s.other);
}

/* Their places in a sample, as in the kernel's asm/perf_regs.h for programs */
#define REG_PC		0
#define REG_K0		26
#define REG_K1		27
#define REGS		32

struct registers {
	unsigned long samples;
	unsigned long elsewhere;	/* not at the sample's instruction */
	unsigned long kernels;		/* k0 or k1 of the kernel */
};

static void add_registers(const struct perf_event_header *header, void *arg)
{
	const struct {
		struct perf_event_header header;
		uint64_t ip, abi, reg[REGS];
	} *record = (const void *)header;
	struct registers *r = arg;

	if (header->type != PERF_RECORD_SAMPLE)
		return;
	r->samples++;
	r->elsewhere += record->reg[REG_PC] != record->ip;
	r->kernels += record->reg[REG_K0] || record->reg[REG_K1];
}

/* All of them, as perf record --call-graph=dwarf does */
static void check_registers(void)
{
	struct registers r = { 0 };
	struct perf_event_attr attr;
	struct ring ring;
	int fd;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = (1ull << REGS) - 1;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event with registers");
	ring_map(&ring, fd, 16);
	pmu_enable(fd);
	split_heavy(TURN);
	pmu_disable(fd);
	ring_drain(&ring, add_registers, &r);
	ring_unmap(&ring);
	pmu_close(fd);
	check_true("all registers in samples: the PC is the sample's, no kernel's k0 and k1",
		   r.samples >= 90 && !r.elsewhere && !r.kernels,
		   "%lu samples, %lu with another PC, %lu with k0 or k1", r.samples,
		   r.elsewhere, r.kernels);
}

int main(void)
{
	bool r12000 = pmu_chip() == PMU_CHIP_R12000;

	tap_start(9);
	check_event(EV_INSNS);
	/* the same on the other counter; on the R12000 by what it has of its own */
	check_event(r12000 ? EV_INSNS : EV_INSNS_CTR1);
	check_registers();
	return tap_end();
}
