// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pctr on machines with fake counters, through the door and a real holder; and
 * what functions mean on x86 CPUs.
 */
#include <sched.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/syssgi.h>
#include <irixperf.h>
#include <machine/cpu.h>
#include <pctr.h>
#include "fake.h"
#include "internal.h"
#include "kernel.h"
#include "sysfile.h"
#include "unit.h"
#include "view.h"

#define PATIENCE	100

static const struct pctr_cpu x86 = { .raw = 1, .counters = 4 };

static int rw, ro;

/* Where this program runs: 1, if it may. The fake machine has both */
static int cpu;

static int set(unsigned int ctr, unsigned int fn)
{
	return ioctl(rw, PCIOCS0 + ctr, &fn);
}

static void stay(int wanted)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(wanted, &one);
	if (sched_setaffinity(0, sizeof(one), &one) == 0)
		cpu = wanted;
}

static void begin(const char *model)
{
	stay(0);
	stay(1);
	alarm(PATIENCE);
	fake_install(model);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	rw = open(_PATH_PCTR, O_RDWR);
	ro = open(_PATH_PCTR, O_RDONLY);
}

static int setup(void **state)
{
	(void)state;
	begin(R10000_V34);

	return rw < 0 || ro < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	fake.uid = 0;
	irixperf_syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS, 0, 0, 0);
	close(rw);
	close(ro);

	return 0;
}

FIXTURE(setup, teardown);

/* What a code of an x86 CPU is, by the bits of its register IA32_PERFEVTSELx */

static const struct {
	unsigned int fn;
	unsigned int code;
	unsigned int mode;
} codes[] = {
	{ PCTR_U | 0xc0, 0xc0, HWPERF_CNTEN_U },
	{ PCTR_K | 0x3c, 0x3c, HWPERF_CNTEN_K | HWPERF_CNTEN_E },
	{ PCTR_U | PCTR_K | 0xd1, 0xd1, HWPERF_CNTEN_A },
	{ PCTR_U | 0x24 | 0x3f << PCTR_UM_SHIFT, 0x3f24, HWPERF_CNTEN_U },
	{ PCTR_U | 0x28 | PCTR_UM_M, 0x0828, HWPERF_CNTEN_U },
	{ PCTR_U | 0x28 | PCTR_UM_E, 0x0428, HWPERF_CNTEN_U },
	{ PCTR_U | 0x28 | PCTR_UM_S, 0x0228, HWPERF_CNTEN_U },
	{ PCTR_U | 0x28 | PCTR_UM_I, 0x0128, HWPERF_CNTEN_U },
	{ PCTR_U | 0x28 | PCTR_UM_MESI, 0x0f28, HWPERF_CNTEN_U },
	{ PCTR_U | 0x60 | PCTR_UM_A, 0x2060, HWPERF_CNTEN_U },
	{ PCTR_U | 0x3c | PCTR_E, 0x04003c, HWPERF_CNTEN_U },
	{ PCTR_U | 0xc2 | 2 << PCTR_CM_SHIFT, 0x020000c2, HWPERF_CNTEN_U },
	{ PCTR_U | 0xc2 | 0xffU << PCTR_CM_SHIFT | PCTR_I, 0xff8000c2, HWPERF_CNTEN_U },
};

CASE(functions_of_x86_are_codes)
{
	struct irixperf_system_attr attr;
	unsigned int ctr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		for (ctr = 0; ctr < PCTR_NUM; ctr++) {
			unsigned int fn[PCTR_NUM] = { PCTR_EN };

			fn[ctr] |= codes[i].fn;
			assert_int_equal(pctr_function_check(&x86, ctr, fn[ctr]), 0);
			pctr_functions_to_attr(&attr, true, fn);
			assert_int_equal(attr.code[ctr].kind, IRIXPERF_CODE_RAW);
			assert_int_equal(attr.code[ctr].code, codes[i].code);
			assert_int_equal(attr.mode[ctr], codes[i].mode);
			assert_int_equal(attr.label[ctr], fn[ctr]);
			assert_int_equal(attr.label[PCTR_LABEL_HOW], PCTR_HOW_RAW);
		}
	}
}

CASE(other_bits_of_x86_are_refused)
{
	static const unsigned int bits[] = { 0x080000, 0x100000, 0x200000 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		assert_int_equal(pctr_function_check(&x86, 0, PCTR_U | 0x3c | bits[i]),
				 -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 0, PCTR_U), -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 4, PCTR_U | 0x3c), -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 0, 0), 0);
	assert_int_equal(pctr_function_check(&x86, 0, PCTR_EN), 0);
}

CASE(an_x86_has_an_event_twice)
{
	const unsigned int fn[PCTR_NUM] = { PCTR_EN | PCTR_U | 0xc0, PCTR_K | 0xc0 };
	struct irixperf_system_attr attr;

	pctr_functions_to_attr(&attr, true, fn);
	assert_int_equal(attr.mode[0], HWPERF_CNTEN_U);
	assert_int_equal(attr.mode[1], HWPERF_CNTEN_K | HWPERF_CNTEN_E);
	assert_int_equal(attr.code[0].code, attr.code[1].code);
}

/* The fake counts base + event + 1000 x CPU */
CASE(counts_are_cut_to_forty_bits)
{
	struct pctrst st;

	fake.base = 5 * (1ULL << 40) + 7;
	fake_share();
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_hwc[0], 7 + 15 + 1000 * cpu);
	assert_int_equal(st.pctr_hwc[1], 0);
	assert_int_equal(rdpmc(0), 7 + 15 + 1000 * cpu);
}

CASE(system_mode_of_others_is_busy)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	struct pctrst st;

	arg.hwp_evctrargs.hwp_evctrl[15].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	assert_true(irixperf_syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, (uintptr_t)&arg,
				    0, 0) > 0);
	assert_fails(set(0, PCTR_EN | PCTR_U | 15), EBUSY);
	assert_fails(set(0, 0), EBUSY);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[0], 0);
	assert_int_equal(st.pctr_hwc[0], 0);
	assert_int_not_equal(st.pctr_tsc, 0);
}

/* Its labels are its own, whatever they look like */
CASE(labels_of_others_are_no_functions)
{
	struct irixperf_system_attr attr = {
		.size = sizeof(attr), .label = { PCTR_EN | PCTR_U | 15, 0, 0, 0, 1, PCTR_HOW_RAW },
	};
	struct pctrst st;

	attr.mode[15] = HWPERF_CNTEN_U;
	assert_true(irixperf_system_set(&attr) > 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[0], 0);
	assert_fails(set(0, PCTR_EN | PCTR_U | 15), EBUSY);
}

CASE(an_r12000_has_an_event_in_two_ways)
{
	struct pctrst st;

	teardown(NULL);
	begin(R12000_V35);
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 21), 0);
	assert_int_equal(set(1, PCTR_U | 21), 0);
	assert_int_equal(set(1, PCTR_K | 21), 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[1], PCTR_K | 21);
	assert_int_equal(st.pctr_hwc[0] % 1000, 121);
	assert_int_equal(st.pctr_hwc[1] % 1000, 121);
	assert_int_equal(set(1, PCTR_K | 22), 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_hwc[1] % 1000, 122);
}

/* Change the function of a counter often, and end with @last */
static void set_often(unsigned int ctr, unsigned int last)
{
	unsigned int i;

	for (i = 20; i > 0; i--)
		if (set(ctr, last ^ (i % 2)) != 0)
			_exit(1);
	_exit(set(ctr, last) != 0);
}

/* Each has a counter of its own, and the function of the other one stays */
CASE(two_programs_set_at_once)
{
	const unsigned int fn[2] = { PCTR_EN | PCTR_U | 14, PCTR_U | 16 };
	unsigned int round, i;
	struct pctrst st;
	pid_t pid[2];
	int status;

	assert_int_equal(set(0, fn[0]), 0);
	for (round = 0; round < 5; round++) {
		for (i = 0; i < 2; i++) {
			pid[i] = fork();
			if (pid[i] == 0) {
				stay((int)i);
				set_often(i, fn[i]);
			}
		}
		for (i = 0; i < 2; i++)
			assert_true(waitpid(pid[i], &status, 0) == pid[i] && status == 0);
		assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
		assert_int_equal(st.pctr_fn[0], fn[0]);
		assert_int_equal(st.pctr_fn[1], fn[1]);
	}
}

CASE(nobody_can_acquire_counters)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	char name[32];
	int mine;

	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	mine = open(name, O_RDWR);
	arg.hwp_evctrargs.hwp_evctrl[15].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &arg), EBUSY);
	assert_int_equal(set(0, 0), 0);
	assert_true(ioctl(mine, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS, 0), 0);
	close(mine);
}

/* The kernel gives no counts any more: functions can be changed, and cleared */
CASE(lost_counts_keep_no_function)
{
	struct pctrst st;

	fake.read_err = -EIO;
	fake_share();
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	assert_fails(ioctl(ro, PCIOCRD, &st), EIO);
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 14), 0);
	assert_fails(ioctl(ro, PCIOCRD, &st), EIO);
	assert_int_equal(set(0, 0), 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[0], 0);
}

/* The holder is killed while it writes the state: no function is set */
CASE(a_killed_holder_has_no_functions)
{
	struct ixp_system_page page;
	struct pctrst st;
	int file;

	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	file = ixp_file_open(IXP_RUN_SYSTEM, O_RDWR);
	assert_int_equal(pread(file, &page, sizeof(page), 0), sizeof(page));
	assert_int_equal(kill(page.holder, SIGKILL), 0);
	while (ixp_system_on() > 0)
		sched_yield();
	page.seq = 1;
	assert_int_equal(pwrite(file, &page, sizeof(page), 0), sizeof(page));
	close(file);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[0], 0);
	assert_int_not_equal(st.pctr_tsc, 0);
	assert_int_equal(set(1, PCTR_U | 17), 0);
	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	assert_int_equal(st.pctr_fn[0], 0);
	assert_int_equal(st.pctr_fn[1], PCTR_U | 17);
}

/* A user names an event map only now: the first program has codes, and so do all */
CASE(functions_mean_what_the_first_program_meant)
{
	struct irixperf_system_attr attr;
	struct pctr_cpu cpu;

	teardown(NULL);
	fake_install_other();
	fake_share();
	pctr_functions_to_attr(&attr, true, (unsigned int[]){ PCTR_EN | PCTR_U | 0xc0, 0, 0, 0 });
	assert_true(irixperf_system_set(&attr) > 0);
	setenv("IRIXPERF_EVENTMAP", "/no/such/map", 1);
	assert_int_equal(pctr_cpu_look(&cpu), 0);
	assert_true(cpu.raw);
	rw = open(_PATH_PCTR, O_RDWR);
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 0xc4), 0);
	/* Without PCTR_EN nothing counts, and without an event map there is no event */
	assert_int_equal(set(0, PCTR_U | 0xc4), 0);
	assert_int_equal(set(0, 0), 0);
	unsetenv("IRIXPERF_EVENTMAP");
}

/* Other users of perf have the counters: 0 would be no count */
CASE(a_function_without_a_counter_is_busy)
{
	struct pctrst st;

	fake.time_running = 0;
	fake_share();
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	assert_fails(ioctl(ro, PCIOCRD, &st), EBUSY);
	assert_int_equal(rdpmc(0), ~(pctrval)0);
	assert_int_equal(set(0, 0), 0);
}

CASE(addresses_are_checked)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int ctr;

	assert_true(two != MAP_FAILED);
	munmap(two + page, page);
	for (ctr = 0; ctr < PCTR_NUM; ctr++) {
		assert_fails(ioctl(rw, PCIOCS0 + ctr, NULL), EFAULT);
		assert_fails(ioctl(rw, PCIOCS0 + ctr, two + page - 2), EFAULT);
	}
	assert_fails(ioctl(ro, PCIOCRD, NULL), EFAULT);
	assert_fails(ioctl(ro, PCIOCRD, two + page - 20), EFAULT);
	mprotect(two, page, PROT_READ);
	assert_fails(ioctl(ro, PCIOCRD, two), EFAULT);
	munmap(two, page);
}

CASE(other_descriptors_are_not_the_device)
{
	unsigned int fn = 0;
	struct pctrst st;
	int fds[] = {
		open("/dev/null", O_RDWR), memfd_create("pctr2", 0), open("/proc/self", O_RDONLY),
		socket(AF_UNIX, SOCK_STREAM, 0), 9999, -1,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		assert_int_equal(ioctl(fds[i], PCIOCRD, &st), -1);
		assert_true(errno == ENOTTY || errno == EBADF);
		assert_int_equal(ioctl(fds[i], PCIOCS0, &fn), -1);
		assert_true(errno == ENOTTY || errno == EBADF);
		if (fds[i] >= 0)
			close(fds[i]);
	}
	assert_fails(ioctl(rw, _IO('c', 2), 0), ENOTTY);
}

CASE(paths)
{
	static const char *const good[] = { "//dev/pctr", "/dev///pctr" };
	static const char *const bad[] = {
		"/dev/pctr/", "/dev/pctr0", "dev/pctr", "/dev/pct", "pctr", "/dev/Pctr", "",
	};
	FILE *stream;
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		fd = open(good[i], O_RDONLY);
		assert_true(fd >= 0);
		close(fd);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(open(bad[i], O_RDONLY), -1);
	assert_int_equal(open(_PATH_PCTR, O_PATH), -1);
	stream = fopen(_PATH_PCTR, "r+");
	assert_non_null(stream);
	assert_int_equal(fcntl(fileno(stream), F_GETFL) & O_ACCMODE, O_RDWR);
	fclose(stream);
	assert_true(fcntl(rw, F_GETFD) == 0);
	fd = open(_PATH_PCTR, O_RDONLY | O_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	assert_int_equal(write(rw, "x", 1), -1);
	fake.uid = 1000;
	assert_fails(open(_PATH_PCTR, O_WRONLY), EACCES);
	assert_fails(set(0, PCTR_EN | PCTR_U | 15), EPERM);
}

UNIT_MAIN()
