// SPDX-License-Identifier: LGPL-2.1-or-later
/* Both ends of the connection of childlink.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include "childlink.h"
#include "kernel.h"
#include "set.h"

/* Control data of a message: the sender, which the kernel fills in, and descriptors */
union control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(struct ucred)) +
		 CMSG_SPACE(2 * IXP_MAX_PAIRS * sizeof(int))];
};

static void end_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void ixp_link_drop(struct ixp_link *link)
{
	end_close(&link->child_end);
	end_close(&link->parent_end);
	if (link->shared)
		munmap(link->shared, sizeof(*link->shared));
	link->shared = NULL;
}

int ixp_link_make(struct ixp_link *link)
{
	const int on = 1;
	int sock[2];
	void *page;

	page = mmap(NULL, sizeof(struct ixp_shared), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sock) < 0) {
		munmap(page, sizeof(struct ixp_shared));
		return -ENOMEM;
	}
	*link = (struct ixp_link){ page, sock[0], sock[1], getuid() };
	/* This cannot fail: all AF_UNIX sockets have this option */
	setsockopt(link->parent_end, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));

	return 0;
}

/* The child's end is open while the child lives. A link that was given up has ended */
bool ixp_link_ended(const struct ixp_link *link)
{
	struct pollfd p = { .fd = link->parent_end };

	return link->parent_end < 0 ||
	       (poll(&p, 1, 0) == 1 && (p.revents & POLLHUP));
}

/* 0, or -EAGAIN: the kernel limits the number of descriptors in sockets */
int ixp_link_send(const struct ixp_link *link, const struct ixp_message *msg,
		  const struct irixperf_set *set)
{
	size_t size = set->nr * sizeof(int);
	union control control = { .buf = { 0 } };
	struct iovec iov = { (void *)msg, sizeof(*msg) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = CMSG_SPACE(size),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&hdr);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(cmsg), set->fd, size);

	return sendmsg(link->child_end, &hdr, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ?
	       -EAGAIN : 0;
}

/* True if the sender's user is the one that parent and child had at the fork */
static bool link_believes(const struct ixp_link *link, struct msghdr *hdr)
{
	const struct cmsghdr *cmsg = CMSG_FIRSTHDR(hdr);
	struct ucred who;

	if (!cmsg || cmsg->cmsg_type != SCM_CREDENTIALS)
		return false;
	memcpy(&who, CMSG_DATA(cmsg), sizeof(who));

	return who.uid == link->uid;
}

static struct cmsghdr *rights_of(struct msghdr *hdr)
{
	struct cmsghdr *cmsg;

	for (cmsg = CMSG_FIRSTHDR(hdr); cmsg; cmsg = CMSG_NXTHDR(hdr, cmsg))
		if (cmsg->cmsg_type == SCM_RIGHTS)
			break;

	return cmsg;
}

/*
 * The process at the other end has this end, too, and has changed its options, so that
 * descriptors of an unknown sender came in. Do not close these, because close(2) may
 * not return; but close the socket, so that no more come.
 */
static int link_give_up(struct ixp_link *link)
{
	end_close(&link->parent_end);

	return -EAGAIN;
}

/*
 * Look at the next message. The control data has room for the sender but for no
 * descriptors: close(2) of these might not return.
 *
 * Return: 1; 0 if the sender is not trusted; -EAGAIN if there is no message
 */
int ixp_link_peek(struct ixp_link *link, unsigned int *serial)
{
	union control control;
	struct iovec iov = { serial, sizeof(*serial) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
		.msg_controllen = CMSG_SPACE(sizeof(struct ucred)),
	};
	ssize_t n = recvmsg(link->parent_end, &hdr,
			    MSG_DONTWAIT | MSG_PEEK | MSG_CMSG_CLOEXEC);

	if (n < 0)
		return -EAGAIN;
	/* If SO_PASSCRED was switched off, descriptors come in place of the sender */
	if (rights_of(&hdr))
		return link_give_up(link);

	return n == 0 ? -EAGAIN : link_believes(link, &hdr);
}

/*
 * Receive the next message with its events, which the caller closes.
 *
 * Return: 0; -EIO if it does not have the events that it names; -EPERM if its sender
 * is not trusted; -EAGAIN if there is no message
 */
int ixp_link_receive(struct ixp_link *link, struct ixp_message *msg,
		     struct irixperf_set *set)
{
	union control control;
	struct iovec iov = { msg, sizeof(*msg) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
	};
	int ours = ixp_link_peek(link, &msg->serial);
	unsigned int i, nr = 0;
	struct cmsghdr *cmsg;
	int fd, ret = 0;
	ssize_t n;

	set->nr = 0;
	set->software = 0;
	if (ours > 0)
		hdr.msg_controllen = sizeof(control);
	n = ours < 0 ? -1 : recvmsg(link->parent_end, &hdr,
				    MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0)
		return -EAGAIN;
	cmsg = rights_of(&hdr);
	/* Check again: the other process may have removed the message of the peek */
	if (cmsg && (n == 0 || !link_believes(link, &hdr)))
		return link_give_up(link);
	if (n == 0)
		return -EAGAIN;
	if (!ours)
		return -EPERM;
	if (cmsg)
		nr = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (i = 0; i < nr; i++) {
		memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(fd), sizeof(fd));
		if (ret == 0)
			ret = ixp_set_take(set, fd, msg->event[i], msg->leader[i]);
		if (ret < 0)
			ixp_kernel.perf_close(fd);
	}

	return ret == 0 && nr == msg->events ? 0 : -EIO;
}
