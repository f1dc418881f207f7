// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * syssgi(SGI_EVENTCTR, command, ...): r10k_evcntrs(5), pages 16 to 18. Where
 * the pages are silent:
 *
 * - Counts are for everybody, as only the other commands ask for root.
 * - The last counts and generation number can be read after the release, since
 *   the release adds up the counts of the CPUs; before the first system mode
 *   there are none, which is EINVAL. The control information is EINVAL then, too.
 * - HWPERF_PROFENABLE is about the caller's own counters: see profile.c.
 * - HWPERF_GET_CPUCNTRS gives 0 for want of a CPU alone, not for other errors.
 */
#include <errno.h>
#include "info.h"
#include "overflow.h"
#include "system.h"

static int eventctr_enable(uintptr_t first, uintptr_t second)
{
	hwperf_profevctrarg_t arg;
	int ret;

	(void)second;
	if (ixp_kernel.euid() != 0)
		return -EPERM;
	ret = ixp_user_read(&arg, (const void *)first, sizeof(arg));

	return ret < 0 ? ret : ixp_system_acquire(&arg, true, 0);
}

/* The generation, with the counts at @to */
static int eventctr_counts(int cpu, uintptr_t to)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, cpu, IXP_LOOK_FRESH);
	if (ret == 0 && view.found)
		ret = view.error;
	if (ret == 0 && view.found)
		ret = ixp_user_write((void *)to, &view.counts,
				    sizeof(view.counts));
	if (ret < 0)
		return ret;

	return view.found ? view.generation : 0;
}

static void system_fill(struct irixperf_system *system,
			const struct ixp_system_view *view)
{
	unsigned int i;

	system->on = view->alive;
	system->generation = view->generation;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		system->mode[i] = view->ctrl.hwp_evctrl[i].hwperf_creg.hwp_mode;
		system->count[i] = (struct irixperf_count){
			.value = view->counts.hwp_evctr[i],
			.enabled = view->time.enabled[i],
			.running = view->time.running[i],
		};
	}
}

int irixperf_system_read(struct irixperf_system *system)
{
	struct ixp_system_view view;
	int ret;

	if (!system || system->size != sizeof(*system))
		return -EINVAL;
	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK_FRESH);
	if (ret == 0)
		ret = view.error;
	if (ret == 0)
		system_fill(system, &view);

	return ret;
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
	if (ret == 0 && !view.alive)
		ret = -EINVAL;
	if (ret == 0)
		ret = ixp_user_write((void *)first, &view.ctrl,
				    sizeof(view.ctrl));

	return ret < 0 ? ret : view.generation;
}

static int eventctr_modify(uintptr_t first, uintptr_t second)
{
	hwperf_profevctrarg_t arg;
	int ret;

	(void)second;
	if (ixp_kernel.euid() != 0)
		return -EPERM;
	ret = ixp_user_read(&arg, (const void *)first, sizeof(arg));

	return ret < 0 ? ret : ixp_system_modify(&arg, 0);
}

static int eventctr_release(uintptr_t first, uintptr_t second)
{
	struct ixp_system_view last;

	(void)first;
	(void)second;

	return ixp_system_release(0, &last);
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
	size_t i;

	if (cmd == HWPERF_PROFENABLE)
		return ixp_profile_enable(arg1, arg2, arg3);
	for (i = 0; i < EVENTCTR_COMMANDS; i++)
		if (eventctr_table[i].command == cmd)
			return eventctr_table[i].run(arg1, arg2);

	return -EINVAL;
}
