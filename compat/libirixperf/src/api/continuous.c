// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of this process for interfaces that are not IRIX's, where each counter
 * starts and stops by itself, and a process' own counts and its children's are two
 * numbers.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "enter.h"
#include "ixp_child.h"
#include "machine.h"
#include "proc.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "target.h"
#include "user.h"

int irixperf_children_save(void)
{
	struct ixp_target *self;
	int ret;

	ixp_enter();
	ret = ixp_proc_self_get(&self);
	if (ret == 0)
		ixp_child_save_all();
	ixp_leave();

	return ret;
}

int irixperf_process_count(const unsigned char mode[IRIXPERF_EVENTS])
{
	hwperf_profevctrarg_t arg;
	unsigned int i;
	char why[256];
	int ret;

	memset(&arg, 0, sizeof(arg));
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		if (mode[i] & ~HWPERF_MODEMASK)
			return -EINVAL;
		arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode =
			mode[i] & HWPERF_MODEMASK;
	}
	/* It allocates memory, for which nobody may wait under the lock: mem.c */
	ixp_machine(why, sizeof(why));
	ixp_enter();
	ret = ixp_proc_go_on(&arg);
	ixp_leave();

	return ret;
}

int irixperf_process_read(struct irixperf_process *process)
{
	hwperf_cntr_t own, children;
	struct ixp_target *self;
	unsigned int i;
	int ret;

	if (!process || process->size != sizeof(*process))
		return -EINVAL;

	ixp_enter();
	self = ixp_target_self();
	if (!self)
		ret = -EINVAL;
	else if (ixp_proc_check(self) < 0 || !ixp_target_is_here(self))
		ret = -EBUSY;
	else
		ret = ixp_proc_apart(self, &own, &children);
	for (i = 0; i < IRIXPERF_EVENTS && ret >= 0; i++)
		process->mode[i] = self->set ?
			self->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode : 0;
	ixp_leave();
	if (ret < 0)
		return ret;

	memcpy(process->own, own.hwp_evctr, sizeof(process->own));
	memcpy(process->children, children.hwp_evctr, sizeof(process->children));

	return ret;
}

int irixperf_copy_from(void *to, const void *from, size_t size)
{
	return ixp_user_read(to, from, size);
}

int irixperf_copy_to(void *to, const void *from, size_t size)
{
	return ixp_user_write(to, from, size);
}
