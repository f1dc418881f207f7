// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pctr: a program of the device's own interface, as it is on OpenBSD. libpctr and the
 * door of libirixperf put /dev/pctr in front of the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include <machine/cpu.h>
#include <sys/hwperfmacros.h>
#include "command.h"

/* One pctr at a time changes functions: that may take several requests */
#ifndef PCTR_RUN
#define PCTR_RUN	"/run/"
#endif
#define LOCK		PCTR_RUN "pctr-command.lock"
#define LOCK_SECONDS	2

/* As many as a Linux kernel may have */
#define CPUS_MAX	8192

static const unsigned long set_request[PCTR_NUM] = {
	PCIOCS0, PCIOCS1, PCIOCS2, PCIOCS3,
};

static int explain(const char *what)
{
	char text[4096];

	if (errno == EACCES || errno == EPERM)
		snprintf(text, sizeof(text),
			 "permission denied: only root can set functions");
	else if (errno == EBUSY)
		snprintf(text, sizeof(text), "system mode counts events of another program\n"
			 "to end it: ecadmin -r");
	else if (errno == EAGAIN)
		snprintf(text, sizeof(text), "another program is changing functions: try again");
	else if (errno == ENODEV)
		irixperf_set_explain(-ENODEV, NULL, text, sizeof(text));
	else
		irixperf_strerror(-errno, HWPERF_CNTEN_A, text, sizeof(text));
	tool_error("cannot %s: %s", what, text);

	return PCTR_FAILED;
}

static int read_state(struct pctrst *st, int device)
{
	return ioctl(device, PCIOCRD, st) < 0 ? explain("read the counters") : PCTR_OK;
}

/* Without counters there is the time stamp alone */
static void print_counters(const struct pctrst *st, const struct pctr_cpu *cpu)
{
	unsigned int ctr;

	for (ctr = 0; ctr < cpu->counters; ctr++) {
		if (!(st->pctr_fn[ctr] & (PCTR_U | PCTR_K))) {
			printf("ctr%u %20s  off\n", ctr, "-");
			continue;
		}
		printf("ctr%u %20" PRIu64 "  ", ctr, st->pctr_hwc[ctr]);
		function_print(st->pctr_fn[ctr], cpu);
		printf("%s\n", st->pctr_fn[0] & PCTR_EN ? "" :
		       "  (stopped: counter 0 has no PCTR_EN)");
	}
}

static int show(int device, const struct pctr_cpu *cpu)
{
	struct pctrst st;
	int status = read_state(&st, device);

	if (status)
		return status;
	printf("tsc  %20" PRIu64 "\n", st.pctr_tsc);
	print_counters(&st, cpu);

	return PCTR_OK;
}

/* The device reads the counters of the CPU that runs the caller: so run on each */
static int show_all(int device, const struct pctr_cpu *cpu)
{
	static cpu_set_t allowed[CPUS_MAX / CPU_SETSIZE], one[CPUS_MAX / CPU_SETSIZE];
	int i, status = PCTR_OK;

	if (sched_getaffinity(0, sizeof(allowed), allowed) < 0)
		return explain("find out which CPUs there are");
	for (i = 0; i < CPUS_MAX && status == PCTR_OK; i++) {
		if (!CPU_ISSET_S(i, sizeof(allowed), allowed))
			continue;
		CPU_ZERO_S(sizeof(one), one);
		CPU_SET_S(i, sizeof(one), one);
		if (sched_setaffinity(0, sizeof(one), one) < 0)
			continue;
		printf("cpu%d\n", i);
		status = show(device, cpu);
	}

	return status;
}

static int set_function(int device, int counter, unsigned int fn)
{
	return ioctl(device, set_request[counter], &fn);
}

/* Counter 0 enables all others, even if it counts nothing itself */
static int set_one(int device, int counter, unsigned int fn)
{
	struct pctrst st;

	if (ioctl(device, PCIOCRD, &st) < 0)
		return -1;
	if (counter != 0 && !(st.pctr_fn[0] & PCTR_EN) &&
	    set_function(device, 0, st.pctr_fn[0] | PCTR_EN) < 0)
		return -1;

	return set_function(device, counter, fn);
}

static int set(int device, const struct pctr_options *opt,
	       const struct pctr_cpu *cpu)
{
	unsigned int fn = 0;
	int status = function_parse(&fn, opt, cpu);

	if (status)
		return status;
	if (set_one(device, opt->counter, fn) == 0)
		return PCTR_OK;
	if (errno == EINVAL && !cpu->raw) {
		tool_error("the other counter counts this event in other modes, and an event "
			   "counts in one way at a time\nclear all functions first: pctr -r");
		return PCTR_FAILED;
	}
	if (errno == EINVAL) {
		tool_error("this CPU cannot count that; pctr -l lists all events");
		return PCTR_FAILED;
	}

	return explain("set the function");
}

static int release(int device, const struct pctr_cpu *cpu)
{
	unsigned int ctr;

	/* Counter 0 last: then all others are off, and the counters are released */
	for (ctr = cpu->counters; ctr-- > 0;)
		if (set_function(device, (int)ctr, 0) < 0)
			return explain("clear the functions");

	return PCTR_OK;
}

/* Where there can be no lock, this goes on without one */
static int change(int device, const struct pctr_options *opt, const struct pctr_cpu *cpu)
{
	int lock = tool_lock(LOCK, LOCK_SECONDS), status;

	if (lock < 0 && lock != -ENOENT) {
		errno = -lock;
		return explain("change functions");
	}
	status = opt->release ? release(device, cpu) : set(device, opt, cpu);
	if (lock >= 0)
		close(lock);

	return status;
}

static int no_counters(void)
{
	errno = ENODEV;

	return explain("count");
}

static int run(const struct pctr_options *opt)
{
	bool writes = opt->release || opt->counter >= 0;
	struct pctr_cpu cpu = { .counters = 0 };
	bool counts = pctr_cpu_look(&cpu) == 0;
	int device, status;

	if (!counts && (writes || opt->list))
		return no_counters();
	if (opt->list)
		return list_events(&cpu);
	if (!counts)
		cpu.counters = 0;

	device = open(_PATH_PCTR, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (device < 0)
		return explain("open " _PATH_PCTR);
	if (writes)
		status = change(device, opt, &cpu);
	else
		status = opt->all ? show_all(device, &cpu) : show(device, &cpu);
	close(device);

	return status;
}

int main(int argc, char **argv)
{
	struct pctr_options opt;
	int status;

	tool_name = "pctr";
	status = options_parse(&opt, argc, argv);
	if (status == PCTR_OK) {
		if (opt.help)
			options_help(stdout);
		else if (opt.version)
			printf("pctr (r10kperf) %s\n", PCTR_VERSION);
		else
			status = run(&opt);
	}

	return tool_flush_stdout() ? PCTR_FAILED : status;
}
