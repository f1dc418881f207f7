// SPDX-License-Identifier: GPL-2.0-only
/* The texts of errors. */
#include <sys/resource.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "fake.h"
#include "unit.h"

static const char *text(int err, unsigned int mode)
{
	static char buf[512];

	return irixperf_strerror(err, mode, buf, sizeof(buf));
}

CASE(permission_names_level_and_remedy)
{
	fake_install(R10000_V34);
	fake_set_paranoid("3\n");
	assert_string_equal(text(-EPERM, HWPERF_CNTEN_U),
		"permission denied\n"
		"kernel.perf_event_paranoid is 3; counting one's own programs "
		"needs 2 or less, or CAP_PERFMON\n"
		"as root: sysctl kernel.perf_event_paranoid=2");
	fake_set_paranoid("2\n");
	assert_string_equal(text(-EACCES, HWPERF_CNTEN_U | HWPERF_CNTEN_K),
		"permission denied\n"
		"kernel.perf_event_paranoid is 2; counting kernel or exception "
		"level needs 1 or less, or CAP_PERFMON\n"
		"as root: sysctl kernel.perf_event_paranoid=1");
	assert_non_null(strstr(text(-EPERM, HWPERF_CNTEN_U | HWPERF_CNTEN_E),
			       "needs 1 or less"));
}

/* The text names a level of perf_event_paranoid only if the level is the reason */
CASE(permission_without_a_level_to_blame)
{
	fake_install(R10000_V34);
	fake_set_paranoid("2\n");
	assert_non_null(strstr(text(-EPERM, HWPERF_CNTEN_U), "another user's"));
	assert_null(strstr(text(-EPERM, HWPERF_CNTEN_U), "sysctl"));
	fake_set_paranoid("-1\n");
	assert_non_null(strstr(text(-EPERM, HWPERF_CNTEN_K), "another user's"));
	assert_non_null(strstr(text(-EPERM, HWPERF_CNTEN_S), "root"));
}

CASE(no_pmu_names_r10kvm)
{
	assert_non_null(strstr(text(-ENODEV, 0), "r10kvm"));
}

static void limit_on(rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { .rlim_cur = soft, .rlim_max = hard };

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* The text must not advise a lower limit */
CASE(open_files_name_both_limits)
{
	limit_on(100, 900);
	assert_string_equal(text(-EMFILE, 0),
		"too many open files\n"
		"the limit is 100; raise it, up to 900: ulimit -n");
	limit_on(900, 900);
	assert_string_equal(text(-EMFILE, 0),
		"too many open files\n"
		"the limit is 900, and only root can raise it: ulimit -n");
}

CASE(every_error_has_a_text)
{
	static const int errors[] = {
		EINVAL, ENOTSUP, ESRCH, EBUSY, EMFILE, EIO, ENOMEM, EFAULT,
		ENOENT, ENOSYS,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		assert_true(strlen(text(-errors[i], 0)) > 5);
}

CASE(small_buffers_are_filled_and_ended)
{
	char buf[300];
	size_t size;

	fake_install(R10000_V34);
	fake_set_paranoid("4\n");
	for (size = 1; size < 250; size++) {
		memset(buf, 'x', sizeof(buf));
		irixperf_strerror(-EPERM, HWPERF_CNTEN_U, buf, size);
		assert_true(strlen(buf) < size);
		assert_int_equal(buf[size], 'x');
	}
	buf[0] = 'x';
	irixperf_strerror(-EPERM, HWPERF_CNTEN_U, buf, 0);
	assert_int_equal(buf[0], 'x');
}

UNIT_MAIN()
