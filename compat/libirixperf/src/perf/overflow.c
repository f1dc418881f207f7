// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Thresholds and signals of hwperf_profevctrarg_t: r10k_evcntrs(5), pages 9, 12
 * and 14. An event with threshold n is a sampling event of period n. The event's
 * descriptor is set up to send the signal to the target, whichever process has acquired
 * the counters.
 * Choices that the pages leave open:
 *
 * - Only hwp_ovflw_freq sets a threshold: hwp_ie is stored, and has no effect.
 * - A threshold without a signal, and a signal without a threshold, are legal and
 *   do nothing.
 * - As in the counts of PIOCGETEVCTRS, an event counts only while it has a counter.
 *   Each thread counts its own occurrences.
 * - The thresholds of a program end when it calls execve(2): the next program has no
 *   handler, so the signal would kill it. See irixperf_exec_begin().
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "overflow.h"
#include "kernel.h"
#include "mode.h"
#include "plan.h"
#include "profile.h"
#include "set.h"

#define SIGNAL_MAX	32

/* The bitwise or of all thresholds: negative if one of them is, 0 if all are 0 */
static int any_threshold(const hwperf_profevctrarg_t *arg)
{
	int bits = 0;
	unsigned int i;

#pragma GCC unroll 32
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		bits |= arg->hwp_ovflw_freq[i];

	return bits;
}

/* Does the C library keep this signal for itself? Those are SIGNAL_MAX to SIGRTMIN */
static bool signal_is_kept(int signal)
{
	return signal >= SIGNAL_MAX && signal < SIGRTMIN;
}

/**
 * ixp_overflow_check() - check the thresholds and the signal
 * @arg: the program's request
 *
 * Return: 0; -EINVAL for a negative threshold, for a signal that is not between
 * 0 and 32, and for one that no program can handle.
 */
int ixp_overflow_check(const hwperf_profevctrarg_t *arg)
{
	int any = any_threshold(arg);

	if (any < 0 || arg->hwp_ovflw_sig < 0 ||
	    arg->hwp_ovflw_sig > SIGNAL_MAX)
		return -EINVAL;

	return any && signal_is_kept(arg->hwp_ovflw_sig) ? -EINVAL : 0;
}

/* True if an overflow has to send a signal */
bool ixp_overflow_wanted(const hwperf_profevctrarg_t *arg)
{
	return arg->hwp_ovflw_sig != 0 && any_threshold(arg) > 0;
}

static void overflow_fill(struct ixp_overflow *overflow,
			  const struct irixperf_attr *attr,
			  const struct ixp_subject *subject,
			  const hwperf_profevctrarg_t *arg)
{
	unsigned int modes;
	uint32_t left = ixp_mode_events(attr, &modes);

	*overflow = (struct ixp_overflow){ .pid = subject->pid };
	overflow->profile = subject->profile;
	if (subject->profile)
		overflow->alone = !ixp_profile_threads();
	else
		overflow->signal = arg->hwp_ovflw_sig;
	while (left) {
		unsigned int event = ixp_event_take(&left);

		if (arg->hwp_ovflw_freq[event] == 0)
			continue;
		overflow->period[event] = arg->hwp_ovflw_freq[event];
		overflow->events |= UINT32_C(1) << event;
	}
}

/*
 * Let overflows send signals. perf_signal() picks a descriptor from whose number the
 * program's handler learns which event it is.
 */
static int start_signals(struct irixperf_set *set,
			 const struct ixp_overflow *overflow)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		int fd;

		if (!overflow->period[set->event[i]])
			continue;
		fd = ixp_kernel.perf_signal(set->fd[i], set->event[i],
					    overflow->signal, overflow->pid);
		if (fd < 0)
			return fd;
		set->fd[i] = fd;
	}

	return 0;
}

/**
 * ixp_overflow_open() - open a thread's events with their thresholds
 * @set: where to put the set, as irixperf_set_open() does
 * @attr: what to count in which thread, with IRIXPERF_DISABLED
 * @alone: as for ixp_set_open_thread()
 * @subject: the process
 * @arg: the program's request
 *
 * Return: 0; -EOPNOTSUPP if there is an event with a threshold whose counter
 * cannot interrupt; or another error of irixperf_set_open().
 */
int ixp_overflow_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr, bool alone,
		      const struct ixp_subject *subject,
		      const hwperf_profevctrarg_t *arg)
{
	struct ixp_overflow overflow;
	struct irixperf_set *new;
	int ret;

	/*
	 * No thresholds: no signal or profile is wanted, or this process is about to call
	 * execve(2)
	 */
	if ((!subject->profile && !arg->hwp_ovflw_sig) ||
	    (subject->self && (attr->flags & IRIXPERF_INHERIT)))
		return ixp_set_open_thread(set, attr, alone);
	overflow_fill(&overflow, attr, subject, arg);
	if (!overflow.events)
		return ixp_set_open_thread(set, attr, alone);

	ret = ixp_set_open_overflow(&new, attr, alone, &overflow);
	if (ret < 0)
		return ret;

	ret = overflow.profile ? ixp_profile_attach(new, &overflow) :
	      start_signals(new, &overflow);
	if (ret < 0)
		irixperf_set_close(new);
	else
		*set = new;

	return ret;
}

int irixperf_overflow_event(int fd)
{
	return fd < 0 ? -EINVAL : fd % IRIXPERF_EVENTS;
}
