// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Thresholds and signals of hwperf_profevctrarg_t: r10k_evcntrs(5), pages 9, 12
 * and 14. An event with threshold n is a sampling event of period n, and its
 * file sends the signal, to whomever it belongs: the target, whoever has asked.
 * Where the page is silent:
 *
 * - hwp_ovflw_freq alone decides: hwp_ie is kept, and means nothing else.
 * - A threshold without signal, and a signal without threshold, are legal and
 *   do nothing.
 * - Occurrences count while the event is on its counter, as in what
 *   PIOCGETEVCTRS gives; and each thread counts its own.
 * - The thresholds of a program that calls execve(2) end there: the next one
 *   has no handler, and the signal would kill it. See irixperf_exec_begin().
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "overflow.h"

#define SIGNAL_MAX	32

/* All together: negative if one of them is, and 0 if there is none */
static int any_threshold(const hwperf_profevctrarg_t *arg)
{
	int bits = 0;
	unsigned int i;

#pragma GCC unroll 32
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		bits |= arg->hwp_ovflw_freq[i];

	return bits;
}

/* The C library keeps the numbers from here to SIGRTMIN for itself */
static bool signal_is_kept(int signal)
{
	return signal >= SIGNAL_MAX && signal < SIGRTMIN;
}

/**
 * ixp_overflow_check() - look at the thresholds and at the signal
 * @arg: the program's words
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

/* Is anybody to be told of an overflow? */
bool ixp_overflow_wanted(const hwperf_profevctrarg_t *arg)
{
	return arg->hwp_ovflw_sig != 0 && any_threshold(arg) > 0;
}

/* One event of a set that is being opened */
void ixp_overflow_attr(struct perf_event_attr *pea,
		       const struct ixp_overflow *overflow, unsigned int event)
{
	if (!overflow)
		return;
	/* The kernel wants it to be the same for both events of a pair */
	pea->inherit &= !overflow->alone;
	pea->inherit_thread &= !overflow->alone;
	pea->sample_period = (unsigned int)overflow->period[event];
	pea->sample_type = overflow->period[event] && overflow->profile ?
			   PERF_SAMPLE_IP : 0;
}

static void overflow_fill(struct ixp_overflow *overflow,
			  const struct irixperf_attr *attr,
			  const struct ixp_target *t,
			  const hwperf_profevctrarg_t *arg)
{
	unsigned int modes;
	uint32_t left = ixp_mode_events(attr, &modes);

	*overflow = (struct ixp_overflow){ .pid = t->pid };
	overflow->profile = t->profile;
	if (t->profile)
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

/* Nobody is to be told, or this process is about to become another program */
static bool ends_here(const struct irixperf_attr *attr,
		      const struct ixp_target *t,
		      const hwperf_profevctrarg_t *arg)
{
	return (!t->profile && !arg->hwp_ovflw_sig) ||
	       (t->self && (attr->flags & IRIXPERF_INHERIT));
}

/* The number of the descriptor says which event it is, to whoever gets it */
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
 * @alone: for ixp_set_open_thread()
 * @t: the target
 * @arg: the program's words
 *
 * Return: 0; -EOPNOTSUPP if there is an event with a threshold whose counter
 * cannot interrupt; or another error of irixperf_set_open().
 */
int ixp_overflow_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr, bool alone,
		      const struct ixp_target *t,
		      const hwperf_profevctrarg_t *arg)
{
	struct ixp_overflow overflow;
	struct irixperf_set *new;
	int ret;

	if (ends_here(attr, t, arg))
		return ixp_set_open_thread(set, attr, alone);
	overflow_fill(&overflow, attr, t, arg);
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
