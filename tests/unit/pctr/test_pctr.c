// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pctr on machines with fake counters, through the door and a real holder; and
 * what functions mean on x86 CPUs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include <machine/cpu.h>
#include <pctr.h>
#include "fake.h"
#include "internal.h"
#include "seed.h"
#include "unit.h"

#define PATIENCE	100
#define STEPS		300

static const unsigned long set_request[PCTR_NUM] = {
	PCIOCS0, PCIOCS1, PCIOCS2, PCIOCS3,
};

static const struct pctr_cpu x86 = { .raw = 1, .counters = 4 };

static int rw, ro;

/* libpctr calls this for geteuid(2) */
uid_t pctr_euid(void);
uid_t pctr_euid(void)
{
	return fake.uid;
}

static int set(unsigned int ctr, unsigned int fn)
{
	return ioctl(rw, set_request[ctr], &fn);
}

static void begin(const char *model)
{
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

static void functions_of_x86_are_codes(void **state)
{
	struct irixperf_system_attr attr;
	unsigned int ctr;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		for (ctr = 0; ctr < PCTR_NUM; ctr++) {
			unsigned int fn[PCTR_NUM] = { PCTR_EN };

			fn[ctr] |= codes[i].fn;
			assert_int_equal(pctr_function_check(&x86, ctr, fn[ctr]), 0);
			assert_int_equal(pctr_functions_to_attr(&attr, true, fn), 0);
			assert_int_equal(attr.code[ctr], codes[i].code);
			assert_int_equal(attr.mode[ctr], codes[i].mode);
			assert_int_equal(attr.label[ctr], fn[ctr]);
			assert_int_equal(attr.label[PCTR_LABEL_RAW], 1);
		}
	}
}

static void other_bits_of_x86_are_refused(void **state)
{
	static const unsigned int bits[] = { 0x080000, 0x100000, 0x200000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bits); i++)
		assert_int_equal(pctr_function_check(&x86, 0, PCTR_U | 0x3c | bits[i]),
				 -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 0, PCTR_U), -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 4, PCTR_U | 0x3c), -EINVAL);
	assert_int_equal(pctr_function_check(&x86, 0, 0), 0);
	assert_int_equal(pctr_function_check(&x86, 0, PCTR_EN), 0);
}

static void an_x86_has_an_event_twice(void **state)
{
	const unsigned int fn[PCTR_NUM] = { PCTR_EN | PCTR_U | 0xc0, PCTR_K | 0xc0 };
	struct irixperf_system_attr attr;

	(void)state;
	assert_int_equal(pctr_functions_to_attr(&attr, true, fn), 0);
	assert_int_equal(attr.mode[0], HWPERF_CNTEN_U);
	assert_int_equal(attr.mode[1], HWPERF_CNTEN_K | HWPERF_CNTEN_E);
	assert_int_equal(attr.code[0], attr.code[1]);
}

/* The fake counts base + event + 1000 x CPU */
static void counts_are_cut_to_forty_bits(void **state)
{
	struct pctrst st;
	int cpu;

	(void)state;
	fake.base = 5 * (1ULL << 40) + 7;
	fake_share();
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
	do {
		cpu = irixperf_get_cpu();
		assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	} while (cpu != irixperf_get_cpu());
	assert_int_equal(st.pctr_hwc[0], 7 + 15 + 1000 * cpu);
	assert_int_equal(st.pctr_hwc[1], 0);
	assert_in_range(rdpmc(0), 7 + 15, 7 + 15 + 1000 * 4096);

	fake.base = (1ULL << 40) - 16 - 1000 * (unsigned long long)cpu;
	fake_share();
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 15), 0);
}

static void system_mode_of_others_is_busy(void **state)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	struct pctrst st;

	(void)state;
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

static void an_r12000_has_an_event_in_one_way(void **state)
{
	(void)state;
	teardown(NULL);
	begin(R12000_V35);
	assert_int_equal(set(0, PCTR_EN | PCTR_U | 21), 0);
	assert_int_equal(set(1, PCTR_U | 21), 0);
	assert_fails(set(1, PCTR_K | 21), EINVAL);
	assert_int_equal(set(1, PCTR_K | 22), 0);
}

static void addresses_are_checked(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int ctr;

	(void)state;
	assert_true(two != MAP_FAILED);
	munmap(two + page, page);
	for (ctr = 0; ctr < PCTR_NUM; ctr++) {
		assert_fails(ioctl(rw, set_request[ctr], NULL), EFAULT);
		assert_fails(ioctl(rw, set_request[ctr], two + page - 2), EFAULT);
	}
	assert_fails(ioctl(ro, PCIOCRD, NULL), EFAULT);
	assert_fails(ioctl(ro, PCIOCRD, two + page - 20), EFAULT);
	mprotect(two, page, PROT_READ);
	assert_fails(ioctl(ro, PCIOCRD, two), EFAULT);
	munmap(two, page);
}

static void other_descriptors_are_not_the_device(void **state)
{
	unsigned int fn = 0;
	struct pctrst st;
	int fds[] = {
		open("/dev/null", O_RDWR), memfd_create("pctr2", 0), open("/proc/self", O_RDONLY),
		socket(AF_UNIX, SOCK_STREAM, 0), 9999, -1,
	};
	size_t i;

	(void)state;
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

static void paths(void **state)
{
	static const char *const good[] = { "//dev/pctr", "/dev///pctr" };
	static const char *const bad[] = {
		"/dev/pctr/", "/dev/pctr0", "dev/pctr", "/dev/pct", "pctr", "/dev/Pctr", "",
	};
	FILE *stream;
	size_t i;
	int fd;

	(void)state;
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

/* A model of the device: what each request must do */

static unsigned int functions[PCTR_NUM];

static int expected(unsigned int ctr, unsigned int fn, bool writes)
{
	if (!writes)
		return EPERM;
	if (ctr > 1 || (fn & ~(PCTR_EN | PCTR_U | PCTR_K | 0x1fU)))
		return EINVAL;
	if ((fn & (PCTR_U | PCTR_K | 0x1f)) && (fn & 0x1f) / 16 != ctr)
		return EINVAL;

	return 0;
}

static void two_programs_set_their_functions(void **state)
{
	const unsigned int own = PCTR_EN | PCTR_U | 15, other = PCTR_EN | PCTR_U | 17;
	struct pctrst st;
	int i, status;
	pid_t pid;

	(void)state;
	for (i = 0; i < 8; i++) {
		pid = fork();
		if (pid == 0)
			_exit(set(1, other) < 0);
		assert_int_equal(set(0, own), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
		assert_int_equal(st.pctr_fn[0], own);
		assert_int_equal(st.pctr_fn[1], other);
		assert_int_equal(set(0, 0), 0);
		assert_int_equal(set(1, 0), 0);
	}
}

/* Mostly sensible, as words of chance are all refused */
static unsigned int some_function(void)
{
	unsigned int fn = (unsigned int)random() & (PCTR_EN | PCTR_U | PCTR_K | 0x1f);

	if (random() % 4 == 0)
		fn |= 1U << random() % 32;

	return random() % 8 ? fn : random() % 2 ? 0 : (unsigned int)random();
}

static void check_state(void)
{
	unsigned int ctr;
	struct pctrst st;

	assert_int_equal(ioctl(ro, PCIOCRD, &st), 0);
	for (ctr = 0; ctr < PCTR_NUM; ctr++) {
		bool counts = (functions[0] & PCTR_EN) &&
			      (functions[ctr] & (PCTR_U | PCTR_K));

		assert_int_equal(st.pctr_fn[ctr], functions[ctr]);
		assert_int_equal(st.pctr_hwc[ctr] != 0, counts);
	}
}

static void any_sequence_of_requests(void **state)
{
	unsigned int ctr, fn, i;
	bool writes;
	int err;

	(void)state;
	srandom(test_seed(42));
	memset(functions, 0, sizeof(functions));
	for (i = 0; i < STEPS; i++) {
		ctr = (unsigned int)random() % (random() % 4 ? 2 : PCTR_NUM);
		fn = some_function();
		writes = random() % 8 != 0;
		err = expected(ctr, fn, writes);
		errno = 0;
		if (ioctl(writes ? rw : ro, set_request[ctr], &fn) != (err ? -1 : 0) ||
		    (err && errno != err))
			fail_msg("step %u: counter %u, function %x: %s, not %s", i, ctr,
				 fn, strerror(errno), strerror(err));
		if (!err)
			functions[ctr] = fn;
		check_state();
	}
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(functions_of_x86_are_codes),
	TEST(other_bits_of_x86_are_refused),
	TEST(an_x86_has_an_event_twice),
	TEST(counts_are_cut_to_forty_bits),
	TEST(system_mode_of_others_is_busy),
	TEST(an_r12000_has_an_event_in_one_way),
	TEST(addresses_are_checked),
	TEST(other_descriptors_are_not_the_device),
	TEST(paths),
	TEST(two_programs_set_their_functions),
	TEST(any_sequence_of_requests),
};

UNIT_MAIN(tests)
