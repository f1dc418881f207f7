// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the guest tests share: opening R10000 events and reporting results.
 *
 * Every failing check says what was expected and what came, in "# expected:"
 * and "# got:" lines before its "not ok" line; tests/run shows them.
 */
#include <fcntl.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "tap.h"
#include "pmu.h"

void pmu_attr(struct perf_event_attr *attr, unsigned int event,
	      unsigned int modes)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = PERF_TYPE_RAW;
	attr->size = sizeof(*attr);
	attr->config = event;
	attr->disabled = 1;
	attr->exclude_user = !(modes & PMU_U);
	attr->exclude_kernel = !(modes & PMU_K);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;

	/* by itself EXL goes with the kernel */
	if (modes & PMU_EXL && !(modes & PMU_K))
		attr->config |= PMU_EXL_ALWAYS;
	if (!(modes & PMU_EXL) && modes & PMU_K)
		attr->config |= PMU_EXL_NEVER;
}

int pmu_open_attr(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group,
		       PERF_FLAG_FD_CLOEXEC);
}

/* An event of this task, stopped; -1 with errno if it is refused */
int pmu_open(unsigned int event, unsigned int modes)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, event, modes);
	return pmu_open_attr(&attr, 0, -1, -1);
}

int pmu_must_open(unsigned int event, unsigned int modes)
{
	int fd = pmu_open(event, modes);

	if (fd < 0)
		ksft_exit_fail_msg("event %u does not open: %s\n", event,
				   strerror(errno));
	return fd;
}

void pmu_close(int fd)
{
	if (close(fd))
		ksft_exit_fail_perror("close");
}

void pmu_enable(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		ksft_exit_fail_perror("PERF_EVENT_IOC_ENABLE");
}

void pmu_disable(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		ksft_exit_fail_perror("PERF_EVENT_IOC_DISABLE");
}

struct pmu_count pmu_read(int fd)
{
	struct pmu_count count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		ksft_exit_fail_perror("read of an event");
	return count;
}

void pmu_pair_open(struct pmu_pair *pair, unsigned int first,
		   unsigned int second, unsigned int modes)
{
	struct perf_event_attr attr;

	pair->fd[0] = pmu_must_open(first, modes);
	pmu_attr(&attr, second, modes);
	attr.disabled = 0;
	pair->fd[1] = pmu_open_attr(&attr, 0, -1, pair->fd[0]);
	if (pair->fd[1] < 0)
		ksft_exit_fail_msg("events %u and %u do not open as a group: %s\n",
				   first, second, strerror(errno));
}

/* Counts of a stopped pair; both must have run all the time */
void pmu_pair_read(struct pmu_pair *pair, uint64_t count[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		struct pmu_count c = pmu_read(pair->fd[i]);

		if (c.enabled != c.running)
			ksft_exit_fail_msg("a group of two was multiplexed: ran %llu of %llu ns\n",
					   (unsigned long long)c.running,
					   (unsigned long long)c.enabled);
		count[i] = c.value;
	}
}

void pmu_pair_close(struct pmu_pair *pair)
{
	pmu_close(pair->fd[1]);
	pmu_close(pair->fd[0]);
}

/* The whole of a small file as a string without its last newline */
bool pmu_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, buf, size - 1);
	close(fd);
	if (len < 0)
		return false;
	if (len > 0 && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return true;
}

enum pmu_chip pmu_chip(void)
{
	char buf[4096];

	if (!pmu_file("/proc/cpuinfo", buf, sizeof(buf)))
		ksft_exit_fail_perror("/proc/cpuinfo");
	if (strstr(buf, "R10000"))
		return PMU_CHIP_R10000;
	if (strstr(buf, "R12000"))
		return PMU_CHIP_R12000;
	return PMU_CHIP_UNKNOWN;
}

/* The counter that an event is tied to on the R10000 */
unsigned int pmu_counter_of(unsigned int event)
{
	return event >> 4;
}

void check_equal(const char *what, uint64_t got, uint64_t expected)
{
	if (got != expected) {
		ksft_print_msg("expected: %llu\n", (unsigned long long)expected);
		ksft_print_msg("got: %llu (difference %lld)\n",
			       (unsigned long long)got,
			       (long long)(got - expected));
	}
	ksft_test_result(got == expected, "%s\n", what);
}

/* tolerance is relative: 0.01 is one per cent */
void check_near(const char *what, double got, double expected,
		double tolerance)
{
	bool ok = fabs(got - expected) <= tolerance * fabs(expected);

	ksft_print_msg("expected: %.6g +- %g %%\n", expected, tolerance * 100);
	ksft_print_msg("got: %.6g (%+.4f %%)\n", got,
		       expected ? (got / expected - 1) * 100 : INFINITY);
	ksft_test_result(ok, "%s\n", what);
}

/* fmt says what came; it is printed only if the check fails */
void check_true(const char *what, bool ok, const char *fmt, ...)
{
	va_list args;

	if (!ok) {
		printf("# got: ");
		va_start(args, fmt);
		vprintf(fmt, args);
		va_end(args);
		printf("\n");
	}
	ksft_test_result(ok, "%s\n", what);
}
