// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event map at work: where it is looked for, what is asked of the kernel,
 * and how events that it does not have are refused.
 */
#include <pthread.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <irixperf.h>
#include "fake.h"
#include "fakepfm.h"
#include "machine.h"
#include "set.h"
#include "unit.h"

#define ETC		"/etc/irixperf/eventmap"
#define INSTALLED	IXP_TEST_MAPDIR "/pdp11.map"
#define INSTALLED_ANY	IXP_TEST_MAPDIR "/any.map"

static struct irixperf_attr attr;
static struct irixperf_set *set;
static struct irixperf_cpu cpu;

static int setup(void **state)
{
	(void)state;
	fake_install_other();
	fake.pfm = &fake_pfm4;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	set = NULL;

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	irixperf_set_close(set);
	set = NULL;

	return fake_nr_open() == 0 ? 0 : -1;
}

FIXTURE(setup, teardown);

static void want(unsigned int event, unsigned int mode)
{
	attr.mode[event] = (unsigned char)mode;
}

static int open_set(void)
{
	return irixperf_set_open(&set, &attr);
}

static const char *explain(int err)
{
	static char text[4096];

	return irixperf_set_explain(err, &attr, text, sizeof(text));
}

/* Read the map, and let the test see only what comes after that */
static void load(void)
{
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	fake.nr = 0;
}

static void assert_in_use(const char *path)
{
	ixp_machine_forget();
	if (path)
		assert_string_equal(irixperf_map_file(), path);
	else
		assert_null(irixperf_map_file());
}

/* From the last place to the first: each goes before those found so far */
CASE(lookup_order)
{
	static const char map[] = "[any]\n15 = instructions\n";

	assert_in_use(NULL);
	fake_file(INSTALLED_ANY, map);
	assert_in_use(INSTALLED_ANY);
	fake_file(INSTALLED, map);
	assert_in_use(INSTALLED);
	fake_file(ETC, map);
	assert_in_use(ETC);
	fake_file("/home/a/.config/irixperf/eventmap", map);
	assert_in_use(ETC);
	setenv("HOME", "/home/a", 1);
	assert_in_use("/home/a/.config/irixperf/eventmap");
	fake_file("/config/irixperf/eventmap", map);
	setenv("XDG_CONFIG_HOME", "/config", 1);
	assert_in_use("/config/irixperf/eventmap");
	fake_file("/elsewhere", map);
	setenv("IRIXPERF_EVENTMAP", "/elsewhere", 1);
	assert_in_use("/elsewhere");
	setenv("IRIXPERF_EVENTMAP", "", 1);
	assert_in_use("/config/irixperf/eventmap");
	setenv("XDG_CONFIG_HOME", "relative", 1);
	setenv("HOME", "relative", 1);
	assert_in_use(ETC);
}

/* A program with more rights than its user takes no files from him */
CASE(nothing_of_the_users_in_privileged_programs)
{
	fake_file(ETC, "[any]\n15 = instructions\n");
	fake_file("/mine/irixperf/eventmap", "[any]\n15 = cycles\n");
	setenv("IRIXPERF_EVENTMAP", "/mine/irixperf/eventmap", 1);
	setenv("XDG_CONFIG_HOME", "/mine", 1);
	assert_in_use("/mine/irixperf/eventmap");
	fake.secure = true;
	assert_in_use(ETC);
}

CASE(maps_for_others_are_passed_over)
{
	setenv("HOME", "/home/a", 1);
	fake_file("/home/a/.config/irixperf/eventmap", "[skl]\n1 = a\n");
	fake_file(ETC, "[fakecpu]\n1 = MISSES\n");
	assert_in_use(ETC);
	assert_string_equal(irixperf_event_counterpart(IRIXPERF_MAPPED, 1),
			    "MISSES");
}

/* Neither of these may silently become another map */
CASE(unusable_maps_are_not_passed_over)
{
	fake_file(ETC, "[any]\n15 = instructions\n");
	fake_file("/bad", "[any]\n\n15 instructions\n");
	setenv("IRIXPERF_EVENTMAP", "/bad", 1);
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	assert_non_null(strstr(explain(-ENODEV), "\n/bad:3: not understood"));
	setenv("IRIXPERF_EVENTMAP", "/none", 1);
	assert_non_null(strstr(explain(-ENODEV),
			       "/none: No such file or directory\n"
			       "IRIXPERF_EVENTMAP names it"));
	fake_file("/others", "[skl]\n1 = a\n");
	setenv("IRIXPERF_EVENTMAP", "/others", 1);
	assert_non_null(strstr(explain(-ENODEV),
			       "/others: no section is for this CPU (fakecpu)"));
	setenv("IRIXPERF_EVENTMAP", "/etc/irixperf", 1);
	assert_non_null(strstr(explain(-ENODEV),
			       "/etc/irixperf: this is not a regular file"));
	unsetenv("IRIXPERF_EVENTMAP");
	setenv("HOME", "/home/a", 1);
	fake_file("/home/a/.config/irixperf/eventmap", "[");
	assert_non_null(strstr(explain(-ENODEV), "eventmap:1: the list"));
	assert_int_equal(open_set(), -EINVAL);
	want(15, HWPERF_CNTEN_U);
	assert_int_equal(open_set(), -ENODEV);
	assert_int_equal(fake.nr, 0);
}

CASE(large_files_are_no_maps)
{
	char *bytes = malloc(IXP_MAP_MAX + 1);

	memset(bytes, '\n', IXP_MAP_MAX + 1);
	memcpy(bytes, "[any]\n15=cs", 11);
	fake_file_bytes(ETC, bytes, IXP_MAP_MAX);
	assert_in_use(ETC);
	fake_file_bytes(ETC, bytes, IXP_MAP_MAX + 1);
	assert_in_use(NULL);
	assert_non_null(strstr(explain(-ENODEV), "too large"));
	free(bytes);
}

CASE(no_map_at_all)
{
	char text[4096];

	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	assert_non_null(strstr(explain(-ENODEV), "r10kvm"));
	assert_non_null(strstr(explain(-ENODEV),
			       "\nthere is no event map for this CPU (fakecpu)"));
	fake.pfm = NULL;
	irixperf_set_explain(-ENODEV, NULL, text, sizeof(text));
	assert_non_null(strstr(text, "\nthere is no event map for this CPU"));
}

/* Counters of its own go before a map that was left somewhere */
CASE(an_r10000_needs_no_map)
{
	fake_install(R10000_V34);
	fake_file(ETC, "[any]\n25 = page-faults\n");
	setenv("IRIXPERF_EVENTMAP", ETC, 1);
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_int_equal(cpu.chip, IRIXPERF_R10000_V3);
	assert_null(irixperf_map_file());
	assert_string_equal(irixperf_event_counterpart(cpu.chip, 25),
			    "l1d_misses");
	want(25, HWPERF_CNTEN_U);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.event[0].attr.type, PERF_TYPE_RAW);
	assert_int_equal(fake.event[0].attr.config, 25);
}

CASE(says_what_it_is)
{
	unsigned int i;

	fake_file(ETC, "[any]\n15 = instructions\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_int_equal(cpu.chip, IRIXPERF_MAPPED);
	assert_int_equal(irixperf_cpu_types(), IRIXPERF_MAPPED);
	assert_string_equal(cpu.model, "pdp11");
	assert_int_equal(cpu.major, 0);
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_event *event =
			irixperf_event_get(IRIXPERF_MAPPED, i);

		assert_ptr_equal(event,
				 irixperf_event_get(IRIXPERF_R10000_V3, i));
		assert_ptr_equal(event, irixperf_event_find(IRIXPERF_MAPPED,
							    event->name));
		assert_int_equal(irixperf_event_counterpart(IRIXPERF_MAPPED, i)
				 != NULL, i == 15);
	}
	assert_null(irixperf_event_counterpart(IRIXPERF_MAPPED, 32));
	assert_null(irixperf_event_counterpart(IRIXPERF_CHIP_NONE, 0));
	assert_false(irixperf_event_conflict(IRIXPERF_MAPPED, 0, 1));
	assert_true(irixperf_event_conflict(IRIXPERF_MAPPED, 1, 1));
}

/* The command line is an emulator's, and is for an R10000 alone */
CASE(software_events_have_a_note)
{
	fake_file(ETC, "[any]\n0 = cycles\n15 = instructions\n"
		  "18 = minor-faults\n25 = page-faults\n");
	fake_file("/proc/cmdline", "r10kperf.cycles=unmodelled\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_null(irixperf_event_note(cpu.chip, 0));
	assert_null(irixperf_event_note(cpu.chip, 15));
	assert_null(irixperf_event_note(cpu.chip, 26));
	assert_non_null(irixperf_event_note(cpu.chip, 25));
	assert_ptr_equal(irixperf_event_note(cpu.chip, 18),
			 irixperf_event_note(cpu.chip, 25));
}

/* The map is read once; until there is one, each call looks again */
CASE(what_was_found_is_kept)
{
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	fake_file(ETC, "[any]\n15 = instructions\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	setenv("IRIXPERF_EVENTMAP", "/none", 1);
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_string_equal(irixperf_map_file(), ETC);
}

CASE(asks_for_what_the_map_says)
{
	const struct perf_event_attr *pea = &fake.event[0].attr;

	fake_file(ETC, "[fakecpu]\n25 = MISSES\n");
	load();
	want(25, HWPERF_CNTEN_U);
	attr.flags = IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC;
	attr.pid = 4711;
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 1);
	assert_int_equal(fake.event[0].pid, 4711);
	assert_int_equal(pea->type, PERF_TYPE_RAW);
	assert_int_equal(pea->config, 0x1234);
	assert_int_equal(pea->config1, 0x56);
	assert_int_equal(pea->size, sizeof(*pea));
	assert_int_equal(pea->inherit, 1);
	assert_int_equal(pea->enable_on_exec, 1);
	assert_int_equal(pea->exclude_guest, 0);
	assert_int_equal(pea->pinned, 0);
}

static const struct {
	unsigned int mode;
	int ret;
	unsigned int no_user, no_kernel;
} modes[] = {
	{ HWPERF_CNTEN_U, 0, 0, 1 },
	{ HWPERF_CNTEN_K, 0, 1, 0 },
	{ HWPERF_CNTEN_U | HWPERF_CNTEN_K, 0, 0, 0 },
	{ HWPERF_CNTEN_K | HWPERF_CNTEN_E, 0, 1, 0 },
	{ HWPERF_CNTEN_U | HWPERF_CNTEN_K | HWPERF_CNTEN_E, 0, 0, 0 },
	{ HWPERF_CNTEN_S, 0, 1, 1 },
	{ HWPERF_MODEMASK, 0, 0, 0 },
	{ HWPERF_CNTEN_E, -EINVAL, 0, 0 },
	{ HWPERF_CNTEN_U | HWPERF_CNTEN_E, -EINVAL, 0, 0 },
	{ HWPERF_CNTEN_S | HWPERF_CNTEN_E, -EINVAL, 0, 0 },
	{ 0x10, -EINVAL, 0, 0 },
};

CASE(modes_of_a_map)
{
	const struct perf_event_attr *pea = &fake.event[0].attr;
	size_t i;

	fake_file(ETC, "[any]\n15 = instructions\n");
	load();
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		fake.nr = 0;
		want(15, modes[i].mode);
		assert_int_equal(open_set(), modes[i].ret);
		if (modes[i].ret < 0)
			continue;
		assert_int_equal(pea->exclude_user, modes[i].no_user);
		assert_int_equal(pea->exclude_kernel, modes[i].no_kernel);
		assert_int_equal(pea->exclude_hv, 1);
		irixperf_set_close(set);
		set = NULL;
	}
	fake.uid = 1;
	want(15, HWPERF_CNTEN_S);
	assert_int_equal(open_set(), -EPERM);
}

CASE(exception_level_is_explained)
{
	fake_file(ETC, "[any]\n15 = instructions\n");
	want(15, HWPERF_CNTEN_E | HWPERF_CNTEN_U);
	assert_int_equal(open_set(), -EINVAL);
	assert_string_equal(explain(-EINVAL),
			    "exception level is part of kernel mode on this "
			    "CPU: ask for both");
}

CASE(refusals_name_events_and_list_what_is_there)
{
	fake_file(ETC, "[any]\n0 = cycles\n15 = instructions\n\n18 = HITS\n");
	load();
	want(0, HWPERF_CNTEN_U);
	want(27, HWPERF_CNTEN_U);
	want(8, HWPERF_CNTEN_U);
	assert_int_equal(open_set(), -EINVAL);
	assert_int_equal(fake.nr, 0);
	assert_string_equal(explain(-EINVAL),
		"no counterpart on this CPU: 8 (l2_ecc_errors), 27 "
		"(l2_data_way_mispredictions)\n"
		ETC " has: 0 (cycles), 15 (graduated_instructions)");
	want(8, 0);
	want(27, 0);
	want(18, HWPERF_CNTEN_U);
	assert_int_equal(open_set(), -EINVAL);
	assert_string_equal(explain(-EINVAL),
		"cannot be counted: 18 (graduated_loads)\n"
		ETC ":5: HITS: neither perf nor libpfm4 has this event "
		"(libpfm4: event not found)\n"
		ETC " has: 0 (cycles), 15 (graduated_instructions)");
	/* Other reasons are told as ever */
	assert_non_null(strstr(explain(-ESRCH), "no such process"));
	want(18, 0);
	assert_non_null(strstr(explain(-EINVAL), "invalid event"));
}

CASE(explanations_fit_any_buffer)
{
	char buf[5000];
	size_t size, i;

	fake_file(ETC, "[any]\n15 = instructions\n18 = HITS\n");
	memset(attr.mode, HWPERF_CNTEN_U, sizeof(attr.mode));
	for (size = 0; size < 2000; size++) {
		memset(buf, 'x', sizeof(buf));
		assert_ptr_equal(irixperf_set_explain(-EINVAL, &attr, buf,
						      size), buf);
		assert_int_equal(buf[size], 'x');
		assert_true(size == 0 || strlen(buf) < size);
	}
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		assert_non_null(strstr(buf, irixperf_event_get(IRIXPERF_MAPPED,
							       i)->name));
	fake_remove_file(ETC);
	for (size = 0; size < 500; size++) {
		memset(buf, 'x', sizeof(buf));
		irixperf_set_explain(-ENODEV, NULL, buf, size);
		assert_int_equal(buf[size], 'x');
	}
}

/* What the kernel does not count is not there, whatever the map says */
CASE(events_that_the_kernel_refuses)
{
	fake_file(ETC, "[any]\n0 = cycles\n15 = instructions\n");
	fake.refuse = PERF_COUNT_HW_INSTRUCTIONS;
	load();
	assert_non_null(irixperf_event_counterpart(IRIXPERF_MAPPED, 0));
	assert_null(irixperf_event_counterpart(IRIXPERF_MAPPED, 15));
	want(15, HWPERF_CNTEN_U);
	assert_int_equal(open_set(), -EINVAL);
	assert_non_null(strstr(explain(-EINVAL),
			       ETC ":3: instructions: this CPU, or its kernel, "
			       "does not count it\n"));
	fake_file(ETC, "[any]\n15 = instructions\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	assert_non_null(strstr(explain(-ENODEV),
			       ETC ": no event of it can be counted here\n"
			       ETC ":2: instructions: this CPU"));
	fake_file(ETC, "[any]\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), -ENODEV);
	assert_non_null(strstr(explain(-ENODEV), "there is no event in it"));
}

/* Permission is asked for when the event is wanted, and has its own text */
CASE(a_lack_of_rights_is_no_lack_of_events)
{
	static const int errors[] = { -EACCES, -EPERM, -EMFILE, -EBUSY };
	size_t i;

	fake_file(ETC, "[any]\n15 = instructions\n");
	want(15, HWPERF_CNTEN_U);
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		ixp_machine_forget();
		fake.open_fail_at = (int)fake.nr;
		fake.open_err = errors[i];
		assert_int_equal(irixperf_cpu_detect(&cpu), 0);
		assert_int_equal(open_set(), errors[i] == -EACCES ? -EPERM :
				 errors[i]);
	}
}

static void assert_group(unsigned int event, unsigned long long config,
			 int group)
{
	assert_int_equal(fake.event[event].attr.config, config);
	assert_int_equal(fake.event[event].group, group);
	assert_int_equal(fake.event[event].attr.disabled, group < 0);
}

/* Three hardware events make a pair and a single; software stays by itself */
CASE(groups_of_two)
{
	fake_file(ETC, "[any]\n0 = r100\n1 = r101\n2 = r102\n3 = task-clock\n"
		       "4 = page-faults\n");
	load();
	memset(attr.mode, HWPERF_CNTEN_U, 5);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 5);
	assert_group(0, 0x100, -1);
	assert_group(1, 0x102, FAKE_FD);
	assert_group(2, 0x101, -1);
	assert_group(3, PERF_COUNT_SW_TASK_CLOCK, -1);
	assert_group(4, PERF_COUNT_SW_PAGE_FAULTS, -1);
	assert_int_equal(fake_nr_enabled(), 5);
	assert_int_equal(irixperf_set_disable(set), 0);
	assert_int_equal(fake_nr_enabled(), 0);
}

CASE(pmus_that_refuse_groups_get_single_events)
{
	struct irixperf_count count;

	fake_file(ETC, "[any]\n0 = r1\n1 = r2\n");
	load();
	fake.group_err = -EINVAL;
	memset(attr.mode, HWPERF_CNTEN_U, 2);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 2);
	assert_group(0, 1, -1);
	assert_group(1, 2, -1);
	assert_int_equal(fake_nr_enabled(), 2);
	assert_int_equal(irixperf_set_read(set, 1, &count), 0);
	assert_int_equal(count.value, 102);
	irixperf_set_close(set);
	set = NULL;
	fake.group_err = -EMFILE;
	assert_int_equal(open_set(), -EMFILE);
}

/* All 32, whatever mixture: nothing overflows, each is open once */
CASE(all_events)
{
	unsigned int software, i;

	for (software = 0; software <= 32; software++) {
		char map[1024] = "[any]\n";

		fake_install_other();
		for (i = 0; i < 32; i++)
			sprintf(map + strlen(map), "%u = %s\n", i,
				i < software ? "page-faults" : "instructions");
		fake_file(ETC, map);
		load();
		memset(attr.mode, HWPERF_CNTEN_U, sizeof(attr.mode));
		assert_int_equal(open_set(), 0);
		assert_int_equal(fake.nr, 32);
		assert_int_equal(fake_nr_enabled(), 32);
		irixperf_set_close(set);
		set = NULL;
	}
}

CASE(the_proc_requests_use_the_map)
{
	hwperf_profevctrarg_t arg = { 0 };
	hwperf_cntr_t counts;
	char name[32];
	int fd, generation;

	fake_file(ETC, "[any]\n15 = page-faults\n");
	load();
	fd = irixperf_proc_open("/proc/self/../1", 0);
	assert_int_equal(fd, -ENOTTY);
	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	fd = irixperf_proc_open(name, 0);
	assert_true(fd >= 0);
	arg.hwp_evctrargs.hwp_evctrl[15].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	generation = irixperf_proc_ioctl(fd, PIOCENEVCTRS, &arg);
	assert_true(generation > 0);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCGETEVCTRS, &counts),
			 generation);
	assert_int_equal(counts.hwp_evctr[15],
			 100 + PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(counts.hwp_evctr[14], 0);
	/* A refused request changes nothing */
	arg.hwp_evctrargs.hwp_evctrl[14].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCSETEVCTRL, &arg), -EINVAL);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCGETEVCTRS, &counts),
			 generation);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCRELEVCTRS, NULL), 0);
	close(fd);
}

static void *detect(void *arg)
{
	struct irixperf_cpu found;

	(void)arg;

	return irixperf_cpu_detect(&found) == 0 ? (void *)irixperf_map_file() :
						  NULL;
}

CASE(threads_read_one_map)
{
	pthread_t thread[8];
	void *result;
	size_t i;

	fake_file(ETC, "[any]\n15 = MISSES\n");
	for (i = 0; i < ARRAY_SIZE(thread); i++)
		assert_int_equal(pthread_create(&thread[i], NULL, detect, NULL),
				 0);
	for (i = 0; i < ARRAY_SIZE(thread); i++) {
		pthread_join(thread[i], &result);
		assert_string_equal(result, ETC);
	}
}

CASE(children_have_the_map)
{
	int status;
	pid_t pid;

	fake_file(ETC, "[any]\n15 = instructions\n");
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	pid = fork();
	if (pid == 0)
		_exit(!detect(NULL));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

UNIT_MAIN()
