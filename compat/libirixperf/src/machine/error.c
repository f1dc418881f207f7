// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Say what an error means on this system, and the smallest change that helps. Texts
 * on permission name the level that was found, and the highest one that suffices.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "kernel.h"
#include "text.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

static void explain_permission(struct ixp_text *text, unsigned int mode)
{
	/* The highest level that suffices: 2 forbids kernel mode; 3, on Debian, all modes */
	int needed = (mode & (HWPERF_CNTEN_K | HWPERF_CNTEN_E)) ? 1 : 2;
	char level[16];
	int found;

	ixp_text_add(text, "permission denied\n");
	if (mode & HWPERF_CNTEN_S) {
		ixp_text_add(text, "only root may count in supervisor mode");
		return;
	}
	if (ixp_file_read(PARANOID, level, sizeof(level)) <= 0) {
		ixp_text_add(text, "kernel.perf_event_paranoid cannot be read");
		return;
	}
	found = atoi(level);
	if (found <= needed) {
		ixp_text_add(text, "kernel.perf_event_paranoid is %d, which allows this: "
			 "is it another user's process?", found);
		return;
	}
	ixp_text_add(text, "kernel.perf_event_paranoid is %d; %s needs %d or less, "
		 "or CAP_PERFMON\nas root: sysctl kernel.perf_event_paranoid=%d",
		 found, needed == 1 ? "counting kernel or exception level" :
		 "counting one's own programs", needed, needed);
}

static void explain_limit(struct ixp_text *text)
{
	struct rlimit limit;

	ixp_text_add(text, "too many open files\n");
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	if (limit.rlim_cur < limit.rlim_max)
		ixp_text_add(text,
			     "the limit is %llu; raise it, up to %llu: ulimit -n",
			     (unsigned long long)limit.rlim_cur,
			     (unsigned long long)limit.rlim_max);
	else
		ixp_text_add(text,
			     "the limit is %llu, and only root can raise it: ulimit -n",
			     (unsigned long long)limit.rlim_cur);
}

static const struct {
	int err;
	const char *text;
} error_texts[] = {
	{ EINVAL, "invalid event, mode, overflow frequency or signal, or the "
	  "counters were not acquired" },
	{ ENOTSUP, "the counters of this machine do not interrupt, or are in "
	  "system mode: use overflow frequency 0" },
	{ ESRCH, "no such process" },
	{ EBUSY, "another process has reserved the counters" },
	{ ESTALE, "another program has just changed the events of all programs: try again" },
	{ EIO, "the kernel has stopped counting: the counts are lost" },
	{ EPROTO, "an irixperf-holder of another version has the counters: release "
	  "them with that version, or end it" },
};

static const char *error_text(int err)
{
	size_t i;

	for (i = 0; i < sizeof(error_texts) / sizeof(error_texts[0]); i++)
		if (error_texts[i].err == err)
			return error_texts[i].text;

	return strerror(err);
}

char *irixperf_strerror(int err, unsigned int mode, char *buf, size_t size)
{
	struct ixp_text text;

	ixp_text_start(&text, buf, size);
	if (err == -EPERM || err == -EACCES)
		explain_permission(&text, mode);
	else if (err == -ENODEV)
		ixp_text_add(&text,
			     "this machine has no R10000 performance counters, or its "
			     "kernel lacks the driver for them\n"
			     "run it on the emulated machine: r10kvm -- command");
	else if (err == -EMFILE)
		explain_limit(&text);
	else
		ixp_text_add(&text, "%s", error_text(-err));

	return buf;
}
