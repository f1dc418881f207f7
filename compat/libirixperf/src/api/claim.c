// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Claims: system mode that ends with the program that has started it. See
 * src/share/sysfile.h.
 */
#include <errno.h>
#include <sys/procfs.h>
#include <unistd.h>
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

/* A request by the claim's own connection */
static int ask(int claim, unsigned int request, const hwperf_profevctrarg_t *arg)
{
	struct ixp_remote_reply reply;
	struct ixp_held held;
	int ret;

	ixp_thread_hold(&held);
	ret = ixp_remote_ask(claim, request, arg, &reply);
	ixp_thread_release(&held);

	return ret;
}

int irixperf_claim_change(int claim, const unsigned char mode[IRIXPERF_EVENTS])
{
	hwperf_profevctrarg_t arg;
	int ret = encode(&arg, mode);

	return ret < 0 ? ret : ask(claim, PIOCSETEVCTRL, &arg);
}

int irixperf_claim_end(int claim)
{
	int ret = ask(claim, IXP_REMOTE_UNCLAIM, NULL);

	close(claim);

	return ret;
}
