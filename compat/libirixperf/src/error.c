// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What an error means on this system and the least that helps. Permission
 * texts name the level that was found, never a lower one than needed.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "internal.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

struct text {
	char *buf;
	size_t size;
	size_t len;
};

__attribute__((format(printf, 2, 3)))
static void text_add(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->len + 1 >= text->size)
		return;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, text->size - text->len, format,
		      args);
	va_end(args);
	if (n > 0)
		text->len += (size_t)n;
}

/* From level 2 on the kernel hides itself, from 3 on (Debian) everything */
static int paranoid_needed(unsigned int mode)
{
	return (mode & (HWPERF_CNTEN_K | HWPERF_CNTEN_E)) ? 1 : 2;
}

static void explain_permission(struct text *text, unsigned int mode)
{
	int needed = paranoid_needed(mode);
	char level[16];
	int found;

	text_add(text, "permission denied\n");
	if (mode & HWPERF_CNTEN_S) {
		text_add(text, "supervisor mode is for root alone");
		return;
	}
	if (ixp_file_read(PARANOID, level, sizeof(level)) <= 0) {
		text_add(text, "kernel.perf_event_paranoid cannot be read");
		return;
	}
	found = atoi(level);
	if (found <= needed) {
		text_add(text, "kernel.perf_event_paranoid is %d, which allows it: "
			 "is the process another user's?", found);
		return;
	}
	text_add(text, "kernel.perf_event_paranoid is %d; %s needs %d or less, "
		 "or CAP_PERFMON\nas root: sysctl kernel.perf_event_paranoid=%d",
		 found, needed == 1 ? "counting kernel or exception level" :
		 "counting one's own programs", needed, needed);
}

static void explain_no_pmu(struct text *text)
{
	text_add(text, "this machine has no R10000 performance counters, or its "
		 "kernel lacks their driver\n"
		 "run it on the emulated machine: r10kvm -- command");
}

static const struct {
	int err;
	const char *text;
} error_texts[] = {
	{ EINVAL, "invalid event, mode, overflow frequency or signal, or the "
	  "counters were not acquired" },
	{ ENOTSUP, "overflow signals are not supported yet: use frequency 0" },
	{ ESRCH, "no such process" },
	{ EBUSY, "the counters are reserved by somebody else" },
	{ EMFILE, "too many open files\nraise the limit: ulimit -n 256" },
	{ EIO, "the kernel has stopped counting: the counts are lost" },
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
	struct text text = { .buf = buf, .size = size };

	if (size > 0)
		buf[0] = '\0';

	if (err == -EPERM || err == -EACCES)
		explain_permission(&text, mode);
	else if (err == -ENODEV)
		explain_no_pmu(&text);
	else
		text_add(&text, "%s", error_text(-err));

	return buf;
}
