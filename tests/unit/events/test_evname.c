// SPDX-License-Identifier: GPL-2.0-only
/* Names of events to what the kernel is asked for. */
#include <linux/perf_event.h>
#include "evname.h"
#include "fake.h"
#include "fakepfm.h"
#include "map.h"
#include "pfm.h"
#include "unit.h"

#define DEVICES	"/sys/bus/event_source/devices/"

static char why[IXP_WHY_SIZE];
static struct ixp_code code;

static int setup(void **state)
{
	(void)state;
	fake_install_other();
	memset(&code, 0xff, sizeof(code));
	memset(why, 0, sizeof(why));

	return 0;
}

FIXTURE(setup, NULL);

static int resolve(const char *name)
{
	return ixp_name_resolve(&code, name, NULL, why, sizeof(why));
}

static void assert_code(const char *name, unsigned int type,
			unsigned long long config)
{
	if (resolve(name) != 0)
		fail_msg("%s: %s", name, why);
	assert_int_equal(code.type, type);
	assert_int_equal(code.config[0], config);
	assert_int_equal(code.config[1], 0);
	assert_int_equal(code.config[2], 0);
}

static void assert_refused(const char *name, const char *reason)
{
	why[0] = '\0';
	if (resolve(name) >= 0 || !strstr(why, reason))
		fail_msg("%s: %s", name, why);
}

/* As perf_event_open(2) numbers them */
CASE(names_of_perf)
{
	static const struct {
		const char *name;
		unsigned int type;
		unsigned long long config;
	} cases[] = {
		{ "cycles", 0, 0 },
		{ "cpu-cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "cache-references", 0, 2 },
		{ "cache-misses", 0, 3 },
		{ "branches", 0, 4 },
		{ "branch-instructions", 0, 4 },
		{ "branch-misses", 0, 5 },
		{ "bus-cycles", 0, 6 },
		{ "stalled-cycles-frontend", 0, 7 },
		{ "idle-cycles-backend", 0, 8 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "task-clock", 1, 1 },
		{ "page-faults", 1, 2 },
		{ "faults", 1, 2 },
		{ "context-switches", 1, 3 },
		{ "cs", 1, 3 },
		{ "cpu-migrations", 1, 4 },
		{ "minor-faults", 1, 5 },
		{ "major-faults", 1, 6 },
		{ "alignment-faults", 1, 7 },
		{ "emulation-faults", 1, 8 },
		{ "dummy", 1, 9 },
		{ "L1-dcache-loads", 3, 0x00000 },
		{ "L1-dcache-load-misses", 3, 0x10000 },
		{ "L1-dcache-stores", 3, 0x00100 },
		{ "L1-dcache-store-misses", 3, 0x10100 },
		{ "L1-dcache-prefetch-misses", 3, 0x10200 },
		{ "L1-icache-load-misses", 3, 0x10001 },
		{ "LLC-loads", 3, 0x00002 },
		{ "dTLB-load-misses", 3, 0x10003 },
		{ "iTLB-load-misses", 3, 0x10004 },
		{ "branch-load-misses", 3, 0x10005 },
		{ "node-prefetches", 3, 0x00206 },
		{ "r1a2", 4, 0x1a2 },
		{ "rFFFFffffFFFFffff", 4, 0xffffffffffffffff },
		{ "r0", 4, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_code(cases[i].name, cases[i].type, cases[i].config);
}

CASE(names_of_nobody)
{
	static const char *const names[] = {
		"r", "r0x1", "rg", "r12345678901234567", "R1a2", "Cycles",
		"cycles:u", "cycle", "L1-dcache-", "L1-dcache-load",
		"L1-dcache-loads ", "LLC", "dtlb-load-misses", "..", ".",
		"type", "MISSES",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		assert_refused(names[i], "libpfm4");
}

/* A count that stops when the program moves is no count */
CASE(two_kinds_of_cpus)
{
	static const char *const names[] = {
		"cycles", "L1-dcache-loads", "r12", "MISSES",
	};
	size_t i;

	fake.pfm = &fake_pfm4;
	fake_file(DEVICES "cpu_core/type", "4\n");
	fake_file(DEVICES "cpu_core/cpus", "0-7\n");
	fake_file(DEVICES "cpu_core/format/event", "config:0-7\n");
	fake_file(DEVICES "uncore/cpumask", "0\n");
	assert_int_equal(resolve("cycles"), 0);
	fake_file(DEVICES "cpu_atom/cpus", "8-15\n");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		assert_refused(names[i], "more than one kind of CPU");
	assert_refused("cycles", "cpu_atom/.../");
	assert_code("page-faults", 1, 2);
	assert_code("cpu_core/event=1/", 4, 1);
}

static void make_pmu(void)
{
	fake_file(DEVICES "cpu/type", "4\n");
	fake_file(DEVICES "cpu/format/event", "config:0-7,32-35\n");
	fake_file(DEVICES "cpu/format/umask", "config:8-15\n");
	fake_file(DEVICES "cpu/format/inv", "config:23\n");
	fake_file(DEVICES "cpu/format/ldlat", "config1:0-15\n");
	fake_file(DEVICES "cpu/format/all", "config2:0-63\n");
	fake_file(DEVICES "cpu/format/strange", "config9:0-1\n");
	fake_file(DEVICES "cpu/format/broken", "config:7-0\n");
	fake_file(DEVICES "cpu/format/wide", "config:60-70\n");
	fake_file(DEVICES "cpu/events/mem-loads",
		  "event=0xcd,umask=0x1,ldlat=3\n");
	fake_file(DEVICES "cpu/events/nested", "mem-loads\n");
	fake_file(DEVICES "cpu/events/asks", "event=?\n");
	fake_file(DEVICES "cpu/events/l1d_cache_refill", "event=0x0003\n");
}

CASE(events_of_sysfs)
{
	make_pmu();
	assert_code("cpu/event=0x3c/", 4, 0x3c);
	assert_code("cpu/event=0x24,umask=0x23/", 4, 0x2324);
	assert_code("cpu/event=60,inv/", 4, 0x80003c);
	assert_code("cpu/event=0x18e/", 4, 0x10000008eull);
	assert_code("cpu/config=0x1ffffffff/", 4, 0x1ffffffffull);
	assert_code("cpu/l1d_cache_refill/", 4, 3);
	assert_code("l1d_cache_refill", 4, 3);
	assert_int_equal(resolve("cpu/mem-loads/"), 0);
	assert_int_equal(code.config[0], 0x1cd);
	assert_int_equal(code.config[1], 3);
	/* What comes later goes before */
	assert_int_equal(resolve("cpu/mem-loads,ldlat=30/"), 0);
	assert_int_equal(code.config[1], 30);
	assert_int_equal(resolve("cpu/all=0xffffffffffffffff/"), 0);
	assert_int_equal(code.config[2], UINT64_MAX);
}

CASE(mistakes_in_sysfs_events)
{
	static const struct {
		const char *name;
		const char *reason;
	} cases[] = {
		{ "cpu/", "write PMU/TERM" },
		{ "cpu//", "write PMU/TERM" },
		{ "/event=1/", "no PMU of this name" },
		{ "cpu/event=1", "write PMU/TERM" },
		{ "cpu/event=1/u", "the program chooses the modes" },
		{ "cpu/event=1/umask=1/", "write PMU/TERM" },
		{ "gpu/event=1/", "no PMU of this name" },
		{ "../event=1/", "no PMU of this name" },
		{ "./event=1/", "no PMU of this name" },
		{ "cpu/none/", "no event and no term called none" },
		{ "cpu/none=1/", "no event and no term called none" },
		{ "cpu/,/", "misspelt" },
		{ "cpu/event=1,/", "misspelt" },
		{ "cpu/=1/", "misspelt" },
		{ "cpu/..=1/", "misspelt" },
		{ "cpu/event/", "" },
		{ "cpu/event=/", "not a number" },
		{ "cpu/event=x/", "not a number" },
		{ "cpu/event=1x/", "not a number" },
		{ "cpu/event=-1/", "not a number" },
		{ "cpu/event=0x10000000000000000/", "not a number" },
		{ "cpu/event=0x1000/", "too large" },
		{ "cpu/inv=2/", "too large" },
		{ "cpu/strange=1/", "not understood" },
		{ "cpu/broken=1/", "not understood" },
		{ "cpu/wide=1/", "not understood" },
		{ "cpu/asks/", "not a number" },
		{ "cpu/nested/", "no event and no term called mem-loads" },
		{ "asks", "not a number" },
	};
	size_t i;

	make_pmu();
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (strcmp(cases[i].name, "cpu/event/") != 0)
			assert_refused(cases[i].name, cases[i].reason);
	/* A term without a value is 1, as in perf */
	assert_code("cpu/event/", 4, 1);
}

/* Half a definition would be another one */
CASE(long_files_are_not_cut)
{
	char text[600];

	make_pmu();
	memset(text, '0', sizeof(text));
	memcpy(text, "event=0x", 8);
	text[sizeof(text) - 1] = '\0';
	fake_file(DEVICES "cpu/events/long", text);
	assert_refused("long", "libpfm4");
	assert_refused("cpu/long/", "no event and no term");
}

CASE(events_of_libpfm4)
{
	fake.pfm = &fake_pfm4;
	assert_int_equal(resolve("MISSES"), 0);
	assert_int_equal(code.type, PERF_TYPE_RAW);
	assert_int_equal(code.config[0], 0x1234);
	assert_int_equal(code.config[1], 0x56);
	assert_int_equal(ixp_name_resolve(&code, "MISSES", "fakecpu", why,
					  sizeof(why)), 0);
	assert_int_equal(ixp_name_resolve(&code, "fakecpu::MISSES", "fakecpu",
					  why, sizeof(why)), 0);
	assert_int_equal(ixp_name_resolve(&code, "MISSES", "absent", why,
					  sizeof(why)), -ENOENT);
	assert_refused("HITS", "event not found");
	assert_refused("MISSES:u", "the program chooses the modes");
	/* perf's names go first: this one would be refused */
	assert_code("cycles", PERF_TYPE_HARDWARE, 0);
}

CASE(libpfm4_says_which_cpu_it_is)
{
	struct ixp_pmus pmus = { .nr = 7 };

	ixp_pfm_pmus(&pmus);
	assert_int_equal(pmus.nr, 0);
	fake.pfm = &fake_pfm4;
	ixp_pfm_pmus(&pmus);
	assert_int_equal(pmus.nr, 1);
	assert_string_equal(pmus.name[0], "fakecpu");
}

UNIT_MAIN()
