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
#include "command.h"

static int explain(const char *what)
{
	char text[4096];

	if (errno == ENODEV)
		irixperf_set_explain(-ENODEV, NULL, text, sizeof(text));
	else if (errno == EIO)
		snprintf(text, sizeof(text), "the kernel has stopped counting: the counts are "
			 "lost\nset the functions again");
	else
		tool_system_explain(errno == EACCES ? -EPERM : -errno, text, sizeof(text));
	tool_error("cannot %s: %s", what, text);

	return PCTR_FAILED;
}

static int read_state(struct pctrst *st, int device)
{
	char names[512];

	if (ioctl(device, PCIOCRD, st) == 0)
		return PCTR_OK;
	if (errno != EBUSY || tool_counters_claimed())
		return explain("read the counters");
	tool_error("cannot read the counters: a function has had no counter since it was set\n"
		   "there are too many functions, or other users of perf have the counters%s",
		   tool_neighbours(names, sizeof(names), "\n"));

	return PCTR_FAILED;
}

/* Without counters there is the time stamp alone */
static void print_counters(const struct pctrst *st, const struct pctr_cpu *cpu)
{
	unsigned int ctr;

	for (ctr = 0; ctr < cpu->counters; ctr++) {
		if (!(st->pctr_fn[ctr] & (PCTR_U | PCTR_K))) {
			printf("ctr%u %20s  %s\n", ctr, "-", st->pctr_fn[ctr] ?
			       "on, and counts nothing" : "off");
			continue;
		}
		printf("ctr%u %20" PRIu64 "  ", ctr, st->pctr_hwc[ctr]);
		function_print(st->pctr_fn[ctr], cpu);
		printf("%s\n", st->pctr_fn[0] & PCTR_EN ? "" :
		       "  (stopped: counter 0 has no PCTR_EN)");
	}
}

/*
 * For how long it was counted, in tenths of a percent. Integers alone: pctr may have set a
 * counter to floating-point instructions, and would count its own.
 */
static unsigned int share_of(const struct irixperf_count *count)
{
	if (count->running > UINT64_MAX / 1000)
		return (unsigned int)(count->running / (count->enabled / 1000));

	return (unsigned int)(1000 * count->running / count->enabled);
}

/* The device has no place for it: a count of a part of the time is a projection */
static void print_share(const struct pctrst *st, const struct pctr_cpu *cpu)
{
	struct irixperf_system system = { .size = sizeof(system) };
	unsigned int i, share, least = 1000, counting = 0;

	for (i = 0; i < cpu->counters; i++)
		counting |= st->pctr_fn[i] & (PCTR_U | PCTR_K);
	/* Else the counters are off, or ecadmin's */
	if (!counting || irixperf_system_read_cpu(&system, sched_getcpu()) < 0 || !system.on)
		return;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_count *count = &system.count[i];

		if (count->running >= count->enabled)
			continue;
		share = share_of(count);
		least = share < least ? share : least;
	}
	if (least < 1000)
		printf("NOTE: projected from %u.%u %% of the time or more\n",
		       least / 10, least % 10);
}

/* The device reads the counters of the CPU that runs the caller */
static bool stay_on(int number)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(number, &one);

	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

static int show(int device, const struct pctr_cpu *cpu)
{
	struct pctrst st;
	int status = read_state(&st, device);

	if (status)
		return status;
	printf("tsc  %20" PRIu64 "\n", st.pctr_tsc);
	print_counters(&st, cpu);
	print_share(&st, cpu);

	return PCTR_OK;
}

static int show_all(int device, const struct pctr_cpu *cpu)
{
	cpu_set_t allowed;
	int i, status = PCTR_OK;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return explain("find out which CPUs there are");
	for (i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &allowed) || !stay_on(i))
			continue;
		printf("cpu%d\n", i);
		if (show(device, cpu) != PCTR_OK)
			status = PCTR_FAILED;
	}

	return status;
}

static int show_one(int device, const struct pctr_cpu *cpu)
{
	stay_on(sched_getcpu());

	return show(device, cpu);
}

static int set_function(int device, int counter, unsigned int fn)
{
	return ioctl(device, PCIOCS0 + (unsigned int)counter, &fn);
}

/*
 * Counter 0 enables all others, even if it counts nothing itself. EBUSY: a function has
 * no counter, so they are enabled.
 */
static int set_one(int device, int counter, unsigned int fn)
{
	struct pctrst st = { .pctr_fn = { PCTR_EN } };
	int err;

	if (ioctl(device, PCIOCRD, &st) < 0 && errno != EBUSY && errno != EIO)
		return -1;
	if (set_function(device, counter, fn) < 0)
		return -1;
	if (counter == 0 || fn == 0 || (st.pctr_fn[0] & PCTR_EN) ||
	    set_function(device, 0, st.pctr_fn[0] | PCTR_EN) == 0)
		return 0;
	err = errno;
	set_function(device, counter, st.pctr_fn[counter]);
	errno = err;

	return -1;
}

static int set(int device, const struct pctr_options *opt,
	       const struct pctr_cpu *cpu)
{
	unsigned int fn = 0;
	int status;

	if ((unsigned int)opt->counter >= cpu->counters) {
		tool_error("there is no counter %d: this CPU has %u", opt->counter,
			   cpu->counters);
		return PCTR_USAGE;
	}
	status = opt->event ? function_parse(&fn, opt, cpu) : PCTR_OK;
	if (status)
		return status;
	if (set_one(device, opt->counter, fn) == 0)
		return PCTR_OK;
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

static int run(const struct pctr_options *opt)
{
	bool writes = opt->release || opt->counter >= 0;
	struct pctr_cpu cpu = { .counters = 0 };
	bool counts = pctr_cpu_look(&cpu) == 0;
	int device, status;

	if (!counts && (writes || opt->list)) {
		errno = ENODEV;
		return explain("count");
	}
	if (opt->list)
		return list_events(&cpu);
	if (!counts)
		cpu.counters = 0;

	device = open(_PATH_PCTR, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (device < 0)
		return explain("open " _PATH_PCTR);
	if (opt->release)
		status = release(device, &cpu);
	else if (writes)
		status = set(device, opt, &cpu);
	else
		status = opt->all ? show_all(device, &cpu) : show_one(device, &cpu);
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
