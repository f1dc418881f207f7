// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * syssgi(SGI_EVENTCTR, command, ...): r10k_evcntrs(5), pages 16 to 18. Choices that
 * the pages leave open:
 *
 * - Every user may read counts, because the pages require root only for the other
 *   commands.
 * - After the release, the last counts and generation number can still be read,
 *   because the release adds up the counts of the CPUs. Before the first system mode
 *   this fails with EINVAL. The control information fails with EINVAL in both cases, or
 *   with EBUSY while a program has a claim; so does a release.
 * - HWPERF_PROFENABLE uses the caller's own counters: see profenable.c.
 * - HWPERF_GET_CPUCNTRS returns 0 only if the CPU does not exist; other failures are
 *   errors.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "eventctr.h"
#include "enter.h"
#include "kernel.h"
#include "profenable.h"
#include "system.h"
#include "user.h"
#include "view.h"

/* What a request gets that needs system mode, which is off */
static int why_off(void)
{
	return ixp_claims_alive() > 0 ? -EBUSY : -EINVAL;
}

/* Read the events with which root, and no other user, may change system mode */
static int eventctr_events(hwperf_profevctrarg_t *arg, uintptr_t from)
{
	if (ixp_kernel.euid() != 0)
		return -EPERM;

	return ixp_user_read(arg, (const void *)from, sizeof(*arg));
}

static int eventctr_enable(uintptr_t first, uintptr_t second)
{
	hwperf_profevctrarg_t arg;
	int ret = eventctr_events(&arg, first);

	(void)second;

	return ret < 0 ? ret : ixp_system_acquire(&arg, NULL, true, 0);
}

/* Write the counts to @to, and return the generation number */
static int eventctr_counts(int cpu, uintptr_t to)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, cpu, IXP_LOOK_FRESH);
	if (ret == 0 && view.found)
		ret = view.error;
	ixp_view_numbers(&view);
	if (ret == 0 && view.found)
		ret = ixp_user_write((void *)to, &view.counts,
				    sizeof(view.counts));
	if (ret < 0)
		return ret;

	return view.found ? ixp_view_generation(&view) : 0;
}

static void system_fill(struct irixperf_system *system,
			const struct ixp_system_view *view)
{
	unsigned int i;

	system->on = view->alive;
	system->generation = view->generation;
	memcpy(system->label, view->label, sizeof(system->label));
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		system->mode[i] = view->ctrl.hwp_evctrl[i].hwperf_creg.hwp_mode;
		system->count[i] = (struct irixperf_count){
			.value = view->counts.hwp_evctr[i],
			.enabled = view->time.enabled[i],
			.running = view->time.running[i],
		};
	}
}

static int system_read(struct irixperf_system *system, int cpu)
{
	struct ixp_system_view view;
	struct ixp_held held;
	int ret;

	if (!system || system->size != sizeof(*system))
		return -EINVAL;
	ixp_thread_hold(&held);
	ret = ixp_system_look(&view, cpu, IXP_LOOK_FRESH);
	if ((ret == -EINVAL || (ret == 0 && !view.alive)) && ixp_claims_alive() > 0)
		ret = -EBUSY;
	ixp_thread_release(&held);
	if (ret < 0)
		return ret;
	system_fill(system, &view);

	/* After an error there may be no list of CPUs */
	return view.error || view.found ? view.error : -ENOENT;
}

int irixperf_system_read(struct irixperf_system *system)
{
	return system_read(system, IXP_ALL_CPUS);
}

int irixperf_system_read_cpu(struct irixperf_system *system, int cpu)
{
	return cpu < 0 ? -ENOENT : system_read(system, cpu);
}

static void system_events(hwperf_profevctrarg_t *arg,
			  const unsigned char mode[IRIXPERF_EVENTS])
{
	unsigned int i;

	memset(arg, 0, sizeof(*arg));
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		struct hwperf_ctrlreg *reg =
			&arg->hwp_evctrargs.hwp_evctrl[i].hwperf_creg;

		reg->hwp_ev = mode[i] ? i : 0;
		reg->hwp_mode = mode[i];
	}
}

int irixperf_system_set(const struct irixperf_system_attr *attr)
{
	struct ixp_system_words words;
	hwperf_profevctrarg_t arg;
	struct ixp_held held;
	unsigned int i;
	int ret;

	if (!attr || attr->size != sizeof(*attr) || attr->generation < 0)
		return -EINVAL;
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] & ~HWPERF_MODEMASK)
			return -EINVAL;
	system_events(&arg, attr->mode);
	memcpy(words.label, attr->label, sizeof(words.label));
	memcpy(words.code, attr->code, sizeof(words.code));
	words.generation = attr->generation;

	ixp_thread_hold(&held);
	if (attr->generation) {
		ret = ixp_system_modify(&arg, &words, 0);
	} else {
		ret = ixp_system_acquire(&arg, &words, true, 0);
		if (ret == -EBUSY && ixp_system_alive() > 0)
			ret = -ESTALE;
	}
	ixp_thread_release(&held);

	return ret == -ENOENT ? -ESTALE : ret;
}

int irixperf_system_release(int generation)
{
	struct ixp_system_view last;
	struct ixp_held held;
	int ret;

	if (generation <= 0)
		return -ESTALE;
	ixp_thread_hold(&held);
	ret = ixp_system_release(0, generation, &last);
	ixp_thread_release(&held);

	return ret == -ENOENT ? -ESTALE : ret;
}

static int eventctr_get_all(uintptr_t first, uintptr_t second)
{
	(void)second;

	return eventctr_counts(IXP_ALL_CPUS, first);
}

static int eventctr_get_cpu(uintptr_t first, uintptr_t second)
{
	return first > INT32_MAX ? 0 : eventctr_counts((int)first, second);
}

static int eventctr_control(uintptr_t first, uintptr_t second)
{
	struct ixp_system_view view;
	int ret;

	(void)second;
	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == -EINVAL || (ret == 0 && !view.alive))
		ret = why_off();
	if (ret == 0)
		ret = ixp_user_write((void *)first, &view.ctrl,
				    sizeof(view.ctrl));

	return ret < 0 ? ret : ixp_view_generation(&view);
}

static int eventctr_modify(uintptr_t first, uintptr_t second)
{
	hwperf_profevctrarg_t arg;
	int ret = eventctr_events(&arg, first);

	(void)second;

	if (ret == 0)
		ret = ixp_system_modify(&arg, NULL, 0);

	return ret == -ENOENT ? why_off() : ret;
}

static int eventctr_release(uintptr_t first, uintptr_t second)
{
	struct ixp_system_view last;
	int ret;

	(void)first;
	(void)second;

	ret = ixp_system_release(0, 0, &last);

	return ret == -ENOENT ? why_off() : ret;
}

static const struct {
	int command;
	int (*run)(uintptr_t first, uintptr_t second);
} eventctr_table[] = {
	{ HWPERF_ENSYSCNTRS, eventctr_enable },
	{ HWPERF_GET_SYSCNTRS, eventctr_get_all },
	{ HWPERF_GET_CPUCNTRS, eventctr_get_cpu },
	{ HWPERF_GET_SYSEVCTRL, eventctr_control },
	{ HWPERF_SET_SYSEVCTRL, eventctr_modify },
	{ HWPERF_RELSYSCNTRS, eventctr_release },
};

#define EVENTCTR_COMMANDS	(sizeof(eventctr_table) / sizeof(eventctr_table[0]))

int ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			uintptr_t arg3)
{
	struct ixp_held held;
	int ret = -EINVAL;
	size_t i;

	if (cmd == HWPERF_PROFENABLE)
		return ixp_profile_enable(arg1, arg2, arg3);

	/* Block signals: a request to a holder must not be interrupted and repeated */
	ixp_thread_hold(&held);
	for (i = 0; i < EVENTCTR_COMMANDS; i++)
		if (eventctr_table[i].command == cmd)
			ret = eventctr_table[i].run(arg1, arg2);
	ixp_thread_release(&held);

	return ret;
}
