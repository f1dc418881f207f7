// SPDX-License-Identifier: GPL-2.0-only
/* Functions of the guest tests that open and read events of the R10000. */
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tap.h"
#include "pmu.h"

#define SAMPLE_RATE	"/proc/sys/kernel/perf_event_max_sample_rate"

/*
 * On a CPU that is not of this family, the tests are skipped: one build of them runs
 * on many machines. On an R10000 without its PMU they fail.
 */
static void __attribute__((constructor)) skip_other_cpus(void)
{
	if (pmu_chip() != PMU_CHIP_UNKNOWN)
		return;
	printf("TAP version 13\n1..0 # SKIP the CPU is no R10000\n");
	exit(TAP_SKIPPED);
}

/*
 * For those who compare CPU 0 with what they do: all that starts from here on runs
 * there, or anywhere again.
 */
void pmu_stay_on_cpu0(bool stay)
{
	cpu_set_t set;

	memset(&set, stay ? 0 : 0xff, sizeof(set));
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		tap_bail_errno("sched_setaffinity");
}

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

	/* without the field exl, exception level counts with kernel mode */
	if (modes & PMU_EXL && !(modes & PMU_K))
		attr->config |= PMU_EXL_ALWAYS;
	if (!(modes & PMU_EXL) && modes & PMU_K)
		attr->config |= PMU_EXL_NEVER;
}

/* Above this rate perf throttles. It is set for the whole guest, and stays set. */
void pmu_set_sample_rate(unsigned int rate)
{
	FILE *file = fopen(SAMPLE_RATE, "w");

	if (!file || fprintf(file, "%u", rate) < 0 || fclose(file))
		tap_bail_errno(SAMPLE_RATE);
}

int pmu_open_attr(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group,
		       PERF_FLAG_FD_CLOEXEC);
}

int pmu_must_open_attr(struct perf_event_attr *attr, pid_t pid, int cpu,
		       int group, const char *what)
{
	int fd = pmu_open_attr(attr, pid, cpu, group);

	if (fd < 0)
		tap_bail_errno(what);
	return fd;
}

/* An event of this task that is sampled in user mode, stopped */
int pmu_must_sample(unsigned int event, uint64_t period)
{
	struct perf_event_attr attr;

	pmu_attr(&attr, event, PMU_U);
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP;
	return pmu_must_open_attr(&attr, 0, -1, -1, "a sampling event");
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
		tap_bail("event %u does not open: %s\n", event,
			 strerror(errno));
	return fd;
}

void pmu_close(int fd)
{
	if (close(fd))
		tap_bail_errno("close");
}

void pmu_enable(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		tap_bail_errno("PERF_EVENT_IOC_ENABLE");
}

void pmu_disable(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		tap_bail_errno("PERF_EVENT_IOC_DISABLE");
}

struct pmu_count pmu_read(int fd)
{
	struct pmu_count count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		tap_bail_errno("read of an event");
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
		tap_bail("events %u and %u do not open as a group: %s\n",
			 first, second, strerror(errno));
}

/* Counts of a pair; both must have run all the time */
void pmu_pair_read(struct pmu_pair *pair, uint64_t count[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		struct pmu_count c = pmu_read(pair->fd[i]);

		if (c.enabled != c.running)
			tap_bail("a group of two was multiplexed: ran %llu of %llu ns\n",
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
		tap_bail_errno("/proc/cpuinfo");
	if (strstr(buf, "R10000"))
		return PMU_CHIP_R10000;
	if (strstr(buf, "R12000") || strstr(buf, "R14000"))
		return PMU_CHIP_R12000;
	return PMU_CHIP_UNKNOWN;
}

/* The counter that an event is tied to on the R10000 */
unsigned int pmu_counter_of(unsigned int event)
{
	return event >> 4;
}

/* Whether counter 0 has only half of the events, so that no group has two of these */
bool pmu_halves(void)
{
	int first = pmu_must_open(5, PMU_U), second;
	struct perf_event_attr attr;

	pmu_attr(&attr, 6, PMU_U);
	second = pmu_open_attr(&attr, 0, -1, first);
	if (second >= 0)
		pmu_close(second);
	pmu_close(first);
	return second < 0;
}

/* How often this process has left the CPU so far, and its events have been stopped */
unsigned long pmu_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}
