// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Claims: system mode that ends with the program that has started it. See
 * src/share/sysfile.h.
 */
#include <errno.h>
#include <sys/procfs.h>
#include <irixperf.h>
#include "enter.h"
#include "remote.h"
#include "spec.h"
#include "system.h"

/* Make the request; -EINVAL if there is no event */
static int encode(hwperf_profevctrarg_t *arg, const unsigned char mode[IRIXPERF_EVENTS])
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS && !mode[i]; i++)
		;
	ixp_spec_encode(arg, mode);

	return i == IRIXPERF_EVENTS ? -EINVAL : 0;
}

int irixperf_claim(const unsigned char mode[IRIXPERF_EVENTS], unsigned int flags)
{
	hwperf_profevctrarg_t arg;
	struct ixp_held held;
	int ret;

	ret = encode(&arg, mode);
	if (ret < 0 || (flags & ~(unsigned int)IRIXPERF_CLAIM_ROOM))
		return -EINVAL;
	/* As in eventctr.c: a request to a holder must not be interrupted */
	ixp_thread_hold(&held);
	ret = ixp_system_claim(&arg, flags ? IXP_CLAIM_ROOM : IXP_CLAIM_COUNT);
	ixp_thread_release(&held);

	return ret;
}

int irixperf_claim_change(int claim, const unsigned char mode[IRIXPERF_EVENTS])
{
	struct ixp_remote_reply reply;
	hwperf_profevctrarg_t arg;
	struct ixp_held held;
	int ret;

	ret = encode(&arg, mode);
	if (ret < 0)
		return ret;
	ixp_thread_hold(&held);
	ret = ixp_remote_ask(claim, PIOCSETEVCTRL, &arg, &reply);
	ixp_thread_release(&held);

	return ret;
}
