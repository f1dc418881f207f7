// SPDX-License-Identifier: GPL-2.0-only
/*
 * The inventory, sysmp() and syssgi() under their IRIX names, on machines that
 * exist as files only; and the measured clock, on a made-up counter.
 */
#include <invent.h>
#include <sched.h>
#include <sys/cpu.h>
#include <sys/sbd.h>
#include <sys/sysmp.h>
#include <sys/syssgi.h>
#include <time.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include "fake.h"
#include "kernel.h"
#include "unit.h"

#define CPU0	"/sys/devices/system/cpu/cpu0"

static int setup(void **state)
{
	static const char *const files[] = {
		CPU0 "/cpufreq/base_frequency",
		CPU0 "/cpufreq/cpuinfo_max_freq",
		CPU0 "/of_node/clock-frequency",
		"/sys/devices/system/cpu/present",
		"/sys/devices/system/cpu/online",
	};
	size_t i;

	(void)state;
	fake_install(R10000_V34);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		fake_remove_file(files[i]);

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	endinvent();

	return fake_nr_open() == 0 ? 0 : -1;
}

FIXTURE(setup, teardown);

static void assert_entry(int type, unsigned long unit, int state,
			 unsigned long mhz)
{
	inventory_t *entry = getinvent();

	assert_non_null(entry);
	assert_int_equal(entry->inv_class, INV_PROCESSOR);
	assert_int_equal(entry->inv_type, type);
	assert_int_equal(entry->inv_unit, unit);
	assert_int_equal(entry->inv_state, state);
	assert_int_equal(entry->inv_controller, mhz);
}

CASE(board_chip_and_fpu)
{
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	assert_entry(INV_CPUCHIP, 0, 0x934, 0);
	assert_entry(INV_FPUCHIP, 0, 0x900, 0);
	assert_null(getinvent());
	assert_null(getinvent());
}

static void assert_memory(int type, int state)
{
	inventory_t *entry = getinvent();

	assert_non_null(entry);
	assert_int_equal(entry->inv_class, INV_MEMORY);
	assert_int_equal(entry->inv_controller, 0);
	assert_int_equal(entry->inv_unit, 0);
	assert_int_equal(entry->inv_type, type);
	assert_int_equal(entry->inv_state, state);
}

static void cache(const char *index, const char *level, const char *type,
		  const char *size)
{
	char path[96];

	snprintf(path, sizeof(path), CPU0 "/cache/%s/level", index);
	fake_file(path, level);
	snprintf(path, sizeof(path), CPU0 "/cache/%s/type", index);
	fake_file(path, type);
	snprintf(path, sizeof(path), CPU0 "/cache/%s/size", index);
	fake_file(path, size);
}

static void skip_processor(void)
{
	int i;

	for (i = 0; i < 3; i++)
		assert_int_equal(getinvent()->inv_class, INV_PROCESSOR);
}

CASE(caches_and_memory)
{
	cache("index0", "1\n", "Data\n", "32K\n");
	cache("index1", "1\n", "Instruction\n", "64K\n");
	cache("index2", "2\n", "Unified\n", "1024K\n");
	cache("index3", "3\n", "Unified\n", "16384K\n");
	cache("index4", "1\n", "Data\n", "8K\n");
	fake_file("/proc/meminfo", "MemTotal:         255996 kB\nMemFree: 7 kB\n");
	skip_processor();
	assert_memory(INV_DCACHE, 32 << 10);
	assert_memory(INV_ICACHE, 64 << 10);
	assert_memory(INV_SIDCACHE, 1 << 20);
	assert_memory(INV_MAIN, 255996 * 1024);
	assert_memory(INV_MAIN_MB, 249);
	assert_null(getinvent());
}

/* inv_state has 31 bits; and what is not known, or no size, is left out */
CASE(memory_of_any_size)
{
	cache("index0", "1\n", "Data\n", "lots\n");
	cache("index1", "1\n", "Unified\n", "32K\n");
	cache("index2", "2\n", "Unified\n", "99999999999K\n");
	fake_file("/proc/meminfo", "MemTotal:       2097152 kB\n");
	skip_processor();
	assert_memory(INV_MAIN_MB, 2048);
	assert_null(getinvent());
	endinvent();
	fake_file("/proc/meminfo", "MemTotal:       2097151 kB\n");
	skip_processor();
	assert_memory(INV_MAIN, 2147482624);
	assert_memory(INV_MAIN_MB, 2047);
	assert_null(getinvent());
	endinvent();
	fake_file("/proc/meminfo", "MemTotal: -5 kB\n");
	skip_processor();
	assert_null(getinvent());
}

CASE(caches_are_the_first_processors)
{
	inventory_t *entry;

	fake_file("/proc/cpuinfo", "processor\t: 2\ncpu model\t: R10000 V3.4  FPU V0.0\n");
	cache("index0", "1\n", "Data\n", "16K\n");
	fake_file("/sys/devices/system/cpu/cpu2/cache/index0/level", "1\n");
	fake_file("/sys/devices/system/cpu/cpu2/cache/index0/type", "Data\n");
	fake_file("/sys/devices/system/cpu/cpu2/cache/index0/size", "32K\n");
	skip_processor();
	entry = getinvent();
	assert_non_null(entry);
	assert_int_equal(entry->inv_type, INV_DCACHE);
	assert_int_equal(entry->inv_unit, 2);
	assert_int_equal(entry->inv_state, 32 << 10);
}

/* How programs decode inv_state, and the chip that they must get */
CASE(chips_decode_with_the_masks)
{
	static const struct {
		const char *model;
		int imp, major, minor;
	} cases[] = {
		{ "R10000 V2.6  FPU V0.0", C0_IMP_R10000, 2, 6 },
		{ "R12000 V3.5  FPU V0.0", C0_IMP_R12000, 3, 5 },
		{ "R14000 V1.4  FPU V0.0", C0_IMP_R14000, 1, 4 },
		{ "R16000 V3.0  FPU V0.0", C0_IMP_R14000, 3, 0 },
		{ "R4400SC V6.0  FPU V0.0", C0_IMP_R4000, 6, 0 },
		{ "R5000 V2.1  FPU V1.0", C0_IMP_R5000, 2, 1 },
		{ "R9999 V15.15  FPU V0.0", 0, 0, 0 },
	};
	inventory_t *chip;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fake_install(cases[i].model);
		endinvent();
		getinvent();
		chip = getinvent();
		assert_non_null(chip);
		assert_int_equal((chip->inv_state & C0_IMPMASK) >> C0_IMPSHIFT,
				 cases[i].imp);
		assert_int_equal((chip->inv_state & C0_MAJREVMASK) >>
				 C0_MAJREVSHIFT, cases[i].major);
		assert_int_equal((chip->inv_state & C0_MINREVMASK) >>
				 C0_MINREVSHIFT, cases[i].minor);
	}
}

CASE(fpu_has_its_own_revision)
{
	fake_install("R5000 V2.1  FPU V1.0");
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	assert_entry(INV_CPUCHIP, 0, 0x2321, 0);
	assert_entry(INV_FPUCHIP, 0, 0x2310, 0);
	fake_install("R4600 V2.0");
	endinvent();
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	assert_entry(INV_CPUCHIP, 0, 0x2020, 0);
	assert_null(getinvent());
}

CASE(boards_have_their_numbers)
{
	static const struct {
		const char *system;
		const char *model;
		int board;
	} cases[] = {
		{ "SGI Indy", "R4400SC V6.0  FPU V0.0", INV_IP22BOARD },
		{ "SGI Indigo2", "R4400SC V6.0  FPU V0.0", INV_IP22BOARD },
		{ "SGI Indigo2", "R10000 V2.5  FPU V0.0", INV_IP28BOARD },
		{ "SGI IP28", "R10000 V2.5  FPU V0.0", INV_IP28BOARD },
		{ "SGI Origin", "R12000 V2.3  FPU V0.0", INV_IP27BOARD },
		{ "SGI Octane", "R14000 V2.4  FPU V0.0", INV_IP30BOARD },
		{ "SGI O2", "R10000 V2.7  FPU V0.0", INV_IP32BOARD },
		{ "MIPS Malta", "R10000 V2.7  FPU V0.0", 0 },
	};
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(text, sizeof(text),
			 "system type\t\t: %s\nprocessor\t\t: 0\n"
			 "cpu model\t\t: %s\nBogoMIPS\t\t: 389.12\n",
			 cases[i].system, cases[i].model);
		fake_file("/proc/cpuinfo", text);
		endinvent();
		assert_entry(INV_CPUBOARD, 0, cases[i].board, 0);
	}
}

CASE(each_processor_has_entries_of_its_own)
{
	fake_file("/proc/cpuinfo",
		  "system type\t\t: SGI Origin\nprocessor\t\t: 0\n"
		  "cpu model\t\t: R10000 V3.4  FPU V0.0\nBogoMIPS\t: 1.0\n\n"
		  "processor\t\t: 2\ncpu model\t\t: R12000 V3.5  FPU V0.0\n");
	assert_entry(INV_CPUBOARD, 0, INV_IP27BOARD, 0);
	assert_entry(INV_CPUCHIP, 0, 0x934, 0);
	assert_entry(INV_FPUCHIP, 0, 0x900, 0);
	assert_entry(INV_CPUBOARD, 2, INV_IP27BOARD, 0);
	assert_entry(INV_CPUCHIP, 2, 0xe35, 0);
	assert_entry(INV_FPUCHIP, 2, 0x900, 0);
	assert_null(getinvent());
}

/* A machine without PRId and IP number. Its clock is still right */
CASE(other_machines_are_not_lied_about)
{
	fake_file("/proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 17\n"
		  "model name\t: R10000 V2.6  FPU V0.0 (not)\n"
		  "cpu MHz\t\t: 2596.732\nfpu\t\t: yes\nbogomips\t: 5192.26\n");
	assert_entry(INV_CPUBOARD, 0, 0, 2597);
	assert_entry(INV_CPUCHIP, 0, 0, 0);
	assert_entry(INV_FPUCHIP, 0, 0, 0);
	assert_null(getinvent());
}

CASE(no_fpu_where_none_is_named)
{
	fake_file("/proc/cpuinfo", "processor\t: 0\nFeatures\t: half thumb\n");
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	assert_entry(INV_CPUCHIP, 0, 0, 0);
	assert_null(getinvent());
	fake_file("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
	endinvent();
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	assert_entry(INV_CPUCHIP, 0, 0, 0);
	assert_entry(INV_FPUCHIP, 0, 0, 0);
}

/* /proc/cpuinfo of S/390 has another form: the number of CPUs comes from sysfs */
CASE(processors_that_are_not_listed)
{
	fake_file("/proc/cpuinfo", "vendor_id : IBM/S390\n"
		  "processor 0: version = FF\ncpu MHz static : 5504\n");
	fake_file("/sys/devices/system/cpu/online", "0-1\n");
	assert_entry(INV_CPUBOARD, 0, 0, 5504);
	assert_entry(INV_CPUCHIP, 0, 0, 0);
	assert_entry(INV_CPUBOARD, 1, 0, 5504);
	assert_entry(INV_CPUCHIP, 1, 0, 0);
	assert_null(getinvent());
}

CASE(no_cpuinfo_no_inventory)
{
	fake_remove_file("/proc/cpuinfo");
	errno = 0;
	assert_int_equal(setinvent(), -1);
	assert_int_equal(errno, ENOENT);
	assert_null(getinvent());
	assert_int_equal(scaninvent(NULL, NULL), -1);
}

CASE(set_goes_back_to_the_start)
{
	inventory_t *first;

	assert_int_equal(setinvent(), 0);
	first = getinvent();
	assert_ptr_equal(first->inv_next, getinvent());
	assert_int_equal(setinvent(), 0);
	assert_ptr_equal(getinvent(), first);
	endinvent();
	endinvent();
}

CASE(states_do_not_disturb_each_other)
{
	inv_state_t *one = NULL, *two = NULL;

	assert_int_equal(setinvent_r(&one), 0);
	assert_int_equal(setinvent_r(&two), 0);
	assert_int_equal(getinvent_r(one)->inv_type, INV_CPUBOARD);
	assert_int_equal(getinvent_r(one)->inv_type, INV_CPUCHIP);
	assert_int_equal(getinvent_r(two)->inv_type, INV_CPUBOARD);
	assert_int_equal(setinvent_r(&one), 0);
	assert_int_equal(getinvent_r(one)->inv_type, INV_CPUBOARD);
	assert_int_equal(getinvent_r(two)->inv_type, INV_CPUCHIP);
	endinvent_r(one);
	endinvent_r(two);
}

static int count_or_stop(inventory_t *entry, void *arg)
{
	int *nr = arg;

	(*nr)++;

	return entry->inv_type == INV_CPUCHIP && *nr > 100 ? 77 : 0;
}

CASE(scan_visits_all_until_told_to_stop)
{
	int nr = 0;

	assert_int_equal(scaninvent(count_or_stop, &nr), 0);
	assert_int_equal(nr, 3);
	nr = 100;
	assert_int_equal(scaninvent(count_or_stop, &nr), 77);
	assert_int_equal(nr, 102);
}

/* The clock */

static const char x86[] = "processor\t: 0\ncpu MHz\t\t: 1996.5\n";

CASE(a_nominal_clock_comes_first)
{
	fake_file("/proc/cpuinfo", x86);
	fake_file(CPU0 "/cpufreq/cpuinfo_max_freq", "3700000\n");
	assert_entry(INV_CPUBOARD, 0, 0, 3700);
	fake_file(CPU0 "/cpufreq/base_frequency", "2400000\n");
	endinvent();
	assert_entry(INV_CPUBOARD, 0, 0, 2400);
}

CASE(device_trees_are_big_endian)
{
	static const char narrow[] = { 0x0b, (char)0x9f, 0x65, 0x40 };
	static const char wide[] = { 0, 0, 0, 0, 0x2f, (char)0xaf, 0x08, 0x00 };

	fake_file("/proc/cpuinfo", "processor\t: 0\n");
	fake_file_bytes(CPU0 "/of_node/clock-frequency", narrow, sizeof(narrow));
	assert_entry(INV_CPUBOARD, 0, 0, 195);
	fake_file_bytes(CPU0 "/of_node/clock-frequency", wide, sizeof(wide));
	endinvent();
	assert_entry(INV_CPUBOARD, 0, 0, 800);
}

/*
 * A counter of 195 cycles a microsecond. Between two reads the program spends 30 us
 * in the kernel, and 200 us more if there is an interrupt. First come 8 windows of
 * 100 us, then empty and long windows alternate.
 */
static struct {
	unsigned int reads;
	unsigned long long cycles;
	unsigned long long ns;
	bool dead;
	bool shared;
} counter;

static unsigned int counter_us(unsigned int window)
{
	if (window < 8)
		return 100;

	return window % 2 == 0 ? 1 : 700;
}

static ssize_t counter_read(int fd, void *buf, size_t size)
{
	unsigned int us = counter_us(counter.reads / 2);
	unsigned long long values[3];

	(void)fd;
	if (counter.reads % 2 == 1 &&
	    !(counter.shared && counter.reads / 2 % 7 < 4)) {
		counter.cycles += 195ULL * us;
		counter.ns += (us + 30) * 1000ULL;
		if (counter.reads / 2 % 3 != 1)
			counter.ns += 200000;
	}
	counter.reads++;
	values[0] = counter.dead ? 0 : counter.cycles;
	values[1] = counter.ns;
	values[2] = counter.ns;
	if (size < sizeof(values))
		return -ENOSPC;
	memcpy(buf, values, sizeof(values));

	return sizeof(values);
}

CASE(the_clock_is_measured_if_nothing_tells)
{
	memset(&counter, 0, sizeof(counter));
	ixp_kernel.perf_read = counter_read;
	assert_entry(INV_CPUBOARD, 0, 0, 195);
	assert_int_equal(fake.nr, 1);
	assert_int_equal(fake.event[0].attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(fake.event[0].attr.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_true(fake.event[0].attr.exclude_kernel);
}

/* Others have the counters in four windows of seven */
CASE(the_clock_is_measured_beside_others)
{
	memset(&counter, 0, sizeof(counter));
	counter.shared = true;
	ixp_kernel.perf_read = counter_read;
	assert_entry(INV_CPUBOARD, 0, 0, 195);
}

CASE(no_counter_no_clock)
{
	fake.open_fail_at = 0;
	fake.open_err = -EACCES;
	assert_entry(INV_CPUBOARD, 0, 0, 0);
	fake.open_fail_at = -1;
	memset(&counter, 0, sizeof(counter));
	counter.dead = true;
	ixp_kernel.perf_read = counter_read;
	endinvent();
	assert_entry(INV_CPUBOARD, 0, 0, 0);
}

/* sysmp() */

CASE(processors_are_counted)
{
	fake_file("/sys/devices/system/cpu/present", "0-7\n");
	fake_file("/sys/devices/system/cpu/online", "0,2-3,6\n");
	assert_int_equal(sysmp(MP_NPROCS), 8);
	assert_int_equal(sysmp(MP_NAPROCS), 4);
	assert_int_equal(sysmp(MP_PGSIZE), sysconf(_SC_PAGESIZE));
}

CASE(a_list_that_makes_no_sense_is_not_counted)
{
	static const char *const lists[] = { "", "\n", "x", "3-1", "0-2,5-4" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		fake_file("/sys/devices/system/cpu/present", lists[i]);
		assert_int_equal(sysmp(MP_NPROCS),
				 sysconf(_SC_NPROCESSORS_CONF));
	}
	fake_remove_file("/sys/devices/system/cpu/present");
	assert_int_equal(sysmp(MP_NPROCS), sysconf(_SC_NPROCESSORS_CONF));
	assert_int_equal(sysmp(MP_NAPROCS), sysconf(_SC_NPROCESSORS_ONLN));
}

CASE(unknown_commands_are_refused)
{
	errno = 0;
	assert_int_equal(sysmp(0), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(sysmp(99, 1, 2, 3), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(syssgi(0), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(syssgi(SGI_INVENT, 1, 2, 3), -1);
	assert_int_equal(errno, EINVAL);
}

CASE(the_processor_is_the_one_that_runs_us)
{
	cpu_set_t one, all;
	int cpu, last = -1;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		assert_int_equal(get_cpu(), cpu);
		last = cpu;
	}
	assert_true(last >= 0);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* syssgi() */

CASE(there_is_no_counter_to_map)
{
	unsigned int picoseconds = 4711;

	assert_int_equal(syssgi(SGI_CYCLECNTR_SIZE), 64);
	errno = 0;
	assert_int_equal(syssgi(SGI_QUERY_CYCLECNTR, &picoseconds), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(picoseconds, 4711);
}

/* The linker replaces the library's own function by this one */
int __wrap_ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			       uintptr_t arg3);

static struct {
	int cmd;
	uintptr_t arg[3];
	int ret;
} asked;

int __wrap_ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			       uintptr_t arg3)
{
	asked.cmd = cmd;
	asked.arg[0] = arg1;
	asked.arg[1] = arg2;
	asked.arg[2] = arg3;

	return asked.ret;
}

CASE(event_counters_get_all_arguments)
{
	hwperf_cntr_t counts;
	static int buckets[4];

	asked.ret = 17;
	assert_int_equal(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 3, &counts),
			 17);
	assert_int_equal(asked.cmd, HWPERF_GET_CPUCNTRS);
	assert_int_equal((int)asked.arg[0], 3);
	assert_ptr_equal((void *)asked.arg[1], &counts);
	asked.ret = -EBUSY;
	errno = 0;
	assert_int_equal(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &counts,
				buckets, 4), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(asked.cmd, HWPERF_PROFENABLE);
	assert_ptr_equal((void *)asked.arg[0], &counts);
	assert_ptr_equal((void *)asked.arg[1], buckets);
	assert_int_equal((int)asked.arg[2], 4);
	asked.ret = 0;
	assert_int_equal(syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS), 0);
}

static long long ns_now(clockid_t clock)
{
	struct timespec now;

	assert_int_equal(clock_gettime(clock, &now), 0);

	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* For two milliseconds, by the clock that it is */
CASE(the_cycle_clock_goes_on)
{
	long long one, two, before, after, first, last;
	struct timespec res;

	assert_int_equal(clock_getres(CLOCK_SGI_CYCLE, &res), 0);
	assert_true(res.tv_sec == 0 && res.tv_nsec <= 1000);
	before = ns_now(CLOCK_MONOTONIC_RAW);
	one = ns_now(CLOCK_SGI_CYCLE);
	first = ns_now(CLOCK_MONOTONIC_RAW);
	do {
		last = ns_now(CLOCK_MONOTONIC_RAW);
		two = ns_now(CLOCK_SGI_CYCLE);
		after = ns_now(CLOCK_MONOTONIC_RAW);
	} while (last - first < 2000000);
	assert_in_range(two - one, last - first, after - before);
}

UNIT_MAIN()
