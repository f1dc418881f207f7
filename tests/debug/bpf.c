// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs on overflow: PERF_EVENT_IOC_SET_BPF on a sampling event. The
 * program is assembled here and counts into a map, so that every run shows.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"
#include "ring.h"

#define N	2000000ul
#define PERIOD	10007

/* What the program leaves in the map */
enum { RUNS, PERIODS, LAST_COUNT, NR_CELLS };

#define INSN(_code, _dst, _src, _off, _imm) ((struct bpf_insn) {	\
	.code = _code, .dst_reg = _dst, .src_reg = _src, .off = _off,	\
	.imm = _imm })
#define MOV(dst, src)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOVI(dst, imm)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define ADDI(dst, imm)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define LOAD(dst, src, off)	INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define STORE(dst, off, src)	INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define ATOMIC_ADD(dst, src)	INSN(BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, 0, BPF_ADD)
#define KEY(imm)	INSN(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, imm)
#define MAP(dst, fd)	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd), \
			INSN(0, 0, 0, 0, 0)
#define CALL(func)	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##func)
#define IF_NULL(reg, skip)	INSN(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, skip, 0)
#define EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* r0 = address of a cell; the verifier wants it compared with NULL */
#define CELL(fd, cell)	KEY(cell), MOV(BPF_REG_2, BPF_REG_10),		\
			ADDI(BPF_REG_2, -4), MAP(BPF_REG_1, fd),	\
			CALL(map_lookup_elem)

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int new_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = NR_CELLS,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		tap_bail_errno("BPF_MAP_CREATE");
	return fd;
}

static uint64_t cell(int map, uint32_t key)
{
	uint64_t value;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		tap_bail_errno("BPF_MAP_LOOKUP_ELEM");
	return value;
}

static int load(const struct bpf_insn *insn, size_t count)
{
	static char log[4096];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = (uintptr_t)insn,
		.insn_cnt = count,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		tap_bail("BPF_PROG_LOAD: %s: %s\n", strerror(errno), log);
	return fd;
}

/* Counts its runs, adds up their periods, keeps the event's count of the last */
static int new_program(int map, int verdict)
{
	const struct bpf_insn program[] = {
		MOV(BPF_REG_6, BPF_REG_1),
		CELL(map, RUNS),
		IF_NULL(BPF_REG_0, 2),
		MOVI(BPF_REG_1, 1),
		ATOMIC_ADD(BPF_REG_0, BPF_REG_1),
		LOAD(BPF_REG_7, BPF_REG_6,
		     offsetof(struct bpf_perf_event_data, sample_period)),
		CELL(map, PERIODS),
		IF_NULL(BPF_REG_0, 1),
		ATOMIC_ADD(BPF_REG_0, BPF_REG_7),
		MOV(BPF_REG_1, BPF_REG_6),
		MOV(BPF_REG_2, BPF_REG_10),
		ADDI(BPF_REG_2, -32),
		MOVI(BPF_REG_3, sizeof(struct bpf_perf_event_value)),
		CALL(perf_prog_read_value),
		LOAD(BPF_REG_7, BPF_REG_10, -32),
		CELL(map, LAST_COUNT),
		IF_NULL(BPF_REG_0, 1),
		STORE(BPF_REG_0, 0, BPF_REG_7),
		MOVI(BPF_REG_0, verdict),
		EXIT(),
	};

	return load(program, ARRAY_SIZE(program));
}

static void count_sample(const struct perf_event_header *header, void *arg)
{
	*(uint64_t *)arg += header->type == PERF_RECORD_SAMPLE;
}

static int open_sampling(unsigned int event)
{
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, event, PMU_U);
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = pmu_open_attr(&attr, 0, -1, -1);
	if (fd < 0)
		tap_bail_errno("a sampling event");
	return fd;
}

/* verdict 1: a sample as well; 0: none */
static void check_overflow(unsigned int event, const char *name, int verdict)
{
	int map = new_map(), program = new_program(map, verdict);
	int fd = open_sampling(event);
	uint64_t count, overflows, samples = 0;
	struct ring ring;
	char what[80];

	ring_map(&ring, fd, 16);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program))
		tap_bail_errno("PERF_EVENT_IOC_SET_BPF");
	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(fd);
	count = pmu_read(fd).value;
	overflows = count / PERIOD;
	ring_drain(&ring, count_sample, &samples);
	tap_note("%s: count %llu, %llu runs\n", name, (unsigned long long)count,
		 (unsigned long long)cell(map, RUNS));

	snprintf(what, sizeof(what), "%s, verdict %d: one run each overflow", name, verdict);
	check_equal(what, cell(map, RUNS), overflows);
	snprintf(what, sizeof(what), "%s, verdict %d: the periods add up", name, verdict);
	check_equal(what, cell(map, PERIODS), overflows * PERIOD);
	snprintf(what, sizeof(what), "%s, verdict %d: samples", name, verdict);
	check_equal(what, samples, verdict ? overflows : 0);
	snprintf(what, sizeof(what), "%s, verdict %d: the count as read by the last run",
		 name, verdict);
	check_true(what, cell(map, LAST_COUNT) >= overflows * PERIOD &&
		   cell(map, LAST_COUNT) <= count, "%llu",
		   (unsigned long long)cell(map, LAST_COUNT));
	ring_unmap(&ring);
	pmu_close(fd);
	close(program);
	close(map);
}

/* Two events with a program each, into one map: both counters interrupt */
static void check_two(void)
{
	int map = new_map(), program = new_program(map, 0);
	int a = open_sampling(EV_STORES), b = open_sampling(EV_BRANCHES);
	uint64_t expected;

	if (ioctl(a, PERF_EVENT_IOC_SET_BPF, program) ||
	    ioctl(b, PERF_EVENT_IOC_SET_BPF, program))
		tap_bail_errno("PERF_EVENT_IOC_SET_BPF");
	pmu_enable(a);
	pmu_enable(b);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(b);
	pmu_disable(a);
	expected = pmu_read(a).value / PERIOD + pmu_read(b).value / PERIOD;
	check_equal("two events, one program", cell(map, RUNS), expected);
	check_true("two events have overflown", expected > 2 * (N / PERIOD) - 2,
		   "%llu", (unsigned long long)expected);
	pmu_close(a);
	pmu_close(b);
	close(program);
	close(map);
}

/* A program goes with its event, not with who loaded it */
static void check_closed(void)
{
	int map = new_map(), program = new_program(map, 0);
	int fd = open_sampling(EV_STORES);
	uint64_t runs;

	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program))
		tap_bail_errno("PERF_EVENT_IOC_SET_BPF");
	check_true("a second program is refused",
		   ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) && errno == EEXIST,
		   "%s", strerror(errno));
	close(program);
	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(fd);
	runs = cell(map, RUNS);
	check_equal("it runs on after its descriptor is closed", runs,
		    pmu_read(fd).value / PERIOD);
	pmu_close(fd);
	loop_run(&loops[LOOP_MIX], N);
	check_equal("and ends with the event", cell(map, RUNS), runs);
	close(map);
}

int main(void)
{
	tap_start(17);
	check_overflow(EV_STORES, "stores", 1);
	check_overflow(EV_INSNS, "instructions", 1);
	check_overflow(EV_FP, "floating point", 0);
	check_two();
	check_closed();
	return tap_end();
}
