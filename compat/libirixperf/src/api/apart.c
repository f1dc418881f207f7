// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * This process' own counts and its children's, apart: for interfaces that tell them
 * apart, as IRIX's did not.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "enter.h"
#include "ixp_child.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "target.h"

void irixperf_children_save(void)
{
	ixp_enter();
	ixp_child_save_all();
	ixp_leave();
}

int irixperf_process_read(struct irixperf_process *process)
{
	hwperf_cntr_t own, children;
	struct ixp_target *self;
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
	ixp_leave();
	if (ret < 0)
		return ret;

	memcpy(process->own, own.hwp_evctr, sizeof(process->own));
	memcpy(process->children, children.hwp_evctr, sizeof(process->children));

	return ret;
}
