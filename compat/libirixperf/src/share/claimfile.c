// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Claims on the counters of all CPUs: see sysfile.h. The program that has a claim counts
 * by itself. A holder only takes the counters from the programs that count in user mode,
 * because that takes a process of root without this one's limits and signals.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include "claimfile.h"
#include "kernel.h"
#include "lock.h"
#include "start.h"
#include "system.h"
#include "sysfile.h"
#include "view.h"

/* Which of the files is free: only claims that are shared go together */
static int free_number(bool shared)
{
	int ret = shared ? ixp_system_alive() : ixp_system_on();
	unsigned int number;

	if (ret == 0 && shared)
		ret = ixp_claim_alive(IXP_CLAIM_ALONE);
	if (ret > 0 || (ret < 0 && ret != -ENOENT))
		return ret < 0 ? ret : -EBUSY;
	if (!shared)
		return IXP_CLAIM_ALONE;
	for (number = IXP_CLAIM_SHARED; number < IXP_CLAIMS; number++) {
		ret = ixp_claim_alive(number);
		if (ret <= 0)
			return ret < 0 && ret != -ENOENT ? ret : (int)number;
	}

	return -EBUSY;
}

/* The file is locked before it has a name that others know */
static int publish(int number)
{
	char path[sizeof(IXP_RUN_CLAIMS) + 12];
	int lock = ixp_lock_file(IXP_RUN_CLAIM_NEW, IXP_SYSTEM_ALIVE), ret;

	if (lock < 0)
		return lock;
	snprintf(path, sizeof(path), IXP_RUN_CLAIMS "/%d", number);
	ret = ixp_lock_publish(lock, IXP_RUN_CLAIM_NEW, path);
	if (ret == 0)
		return lock;
	ixp_lock_close(lock);

	return ret;
}

/* Let the holder take the counters from the programs that count in user mode */
static int revoke_users(int holder)
{
	int32_t answer;

	return send(holder, "", 1, MSG_NOSIGNAL) == 1 &&
	       read(holder, &answer, sizeof(answer)) == sizeof(answer) ? answer : -EIO;
}

/*
 * The holder is started first: until its execve(2) a new process has copies of all
 * descriptors, and if this one were killed then, a claim would stay for that time.
 */
static int begin(bool shared, int control)
{
	int number = free_number(shared), holder, lock, ret;

	if (number < 0)
		return number;
	ret = ixp_holder_start(IXP_HOLDER_CLAIM, NULL, 0, control, &holder);
	if (ret < 0)
		return ret;
	lock = publish(number);
	ret = lock < 0 ? lock : revoke_users(holder);
	close(holder);
	if (ret == 0)
		return lock;
	if (lock >= 0)
		ixp_lock_close(lock);

	return ret;
}

/**
 * ixp_claim_begin() - have the counters of all CPUs until the caller ends
 * @shared: beside others that share them
 *
 * Return: a descriptor, whose last copy keeps the claim; -EPERM if the caller is not
 * root; -EBUSY if system mode is on, or another claim does not allow this one; -ENOSYS
 * if irixperf-holder is not installed; or another negative errno value.
 */
int ixp_claim_begin(bool shared)
{
	int control = ixp_system_control(), ret;

	if (control < 0)
		return control;
	ret = ixp_system_folder(IXP_RUN_CLAIMS);
	if (ret == 0)
		ret = begin(shared, control);
	ixp_lock_close(control);

	return ret;
}
