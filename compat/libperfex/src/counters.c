// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Count by requests of /proc on the process itself, as IRIX's library did. The library
 * keeps nothing between calls, so a fork(2) does no harm, nor does a program that
 * closes descriptors which it does not know.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>
#include "internal.h"

static int open_self(void)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%05d", (int)getpid());

	return irixperf_proc_open(path, O_RDWR | O_CLOEXEC);
}

/* The first line is IRIX's message, which users search for; then the remedy follows */
static int request_failed(const char *name, int err)
{
	char text[4096];

	fprintf(stderr, "prioctl %s returns error: %s\n", name, strerror(-err));
	pfx_message("%s", err == -EBUSY ?
		    "the counters are in system mode, another process has acquired those of "
		    "this program, or another user of perf has them for itself\n"
		    "ecadmin -l lists the events of system mode; as root, ecadmin -r releases the "
		    "counters" :
		    irixperf_set_explain(err, NULL, text, sizeof(text)));

	return err;
}

static int request(int fd, unsigned int number, const char *name, void *arg)
{
	int ret = irixperf_proc_ioctl(fd, number, arg);

	return ret < 0 ? request_failed(name, ret) : ret;
}

#define REQUEST(fd, number, arg)	request(fd, number, #number, arg)

static void set_events(hwperf_profevctrarg_t *arg,
		       const struct pfx_choice *choice)
{
	unsigned int i;

	memset(arg, 0, sizeof(*arg));
	for (i = 0; i < 2; i++) {
		unsigned int event = choice->event[i];
		struct hwperf_ctrlreg *reg =
			&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

		reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
		reg->hwp_ie = 1;
		reg->hwp_mode = HWPERF_CNTEN_U;
	}
}

static int start(const struct pfx_choice *choice)
{
	hwperf_profevctrarg_t arg;
	int fd, ret;

	fd = open_self();
	if (fd < 0)
		return request_failed("open", fd);
	set_events(&arg, choice);
	ret = REQUEST(fd, PIOCENEVCTRS, &arg);
	close(fd);

	return ret;
}

int start_counters(int e0, int e1)
{
	struct pfx_choice choice;
	int ret;

	ret = pfx_choose(&choice, e0, e1);
	if (ret == 0)
		ret = pfx_check_conflict(&choice);
	if (ret == 0)
		ret = start(&choice);

	return pfx_result(ret);
}

/* The counts of events that were not started would be 0, and look like real ones */
static int check_started(int fd, const struct pfx_choice *choice)
{
	hwperf_eventctrl_t ctrl;
	unsigned int i;

	/* If the counters are lost, the generation number tells */
	if (irixperf_proc_ioctl(fd, PIOCGETEVCTRL, &ctrl) < 0)
		return 0;
	for (i = 0; i < 2; i++) {
		unsigned int event = choice->event[i];

		if (ctrl.hwp_evctrl[event].hwperf_creg.hwp_mode)
			continue;
		pfx_message("read_counters: event %u (%s) was not started", event,
			    irixperf_event_get(choice->chip, event)->name);
		return -EINVAL;
	}

	return 0;
}

static int read_and_stop(int fd, const struct pfx_choice *choice,
			 hwperf_cntr_t *counts)
{
	int generation, ret;

	ret = check_started(fd, choice);
	if (ret < 0)
		return ret;
	generation = REQUEST(fd, PIOCGETEVCTRS, counts);
	if (generation < 0)
		return generation;

	/* Counters that are lost cannot be released: EINVAL */
	ret = irixperf_proc_ioctl(fd, PIOCRELEVCTRS, NULL);
	if (ret < 0 && ret != -EINVAL)
		return request_failed("PIOCRELEVCTRS", ret);

	return generation;
}

int read_counters(int e0, long long *c0, int e1, long long *c1)
{
	struct pfx_choice choice;
	hwperf_cntr_t counts;
	int fd, ret;

	ret = pfx_choose(&choice, e0, e1);
	if (ret < 0)
		return pfx_result(ret);
	fd = open_self();
	if (fd < 0)
		return pfx_result(request_failed("open", fd));
	ret = read_and_stop(fd, &choice, &counts);
	close(fd);
	if (ret < 0)
		return pfx_result(ret);

	*c0 = (long long)counts.hwp_evctr[choice.event[0]];
	*c1 = (long long)counts.hwp_evctr[choice.event[1]];

	return ret;
}
