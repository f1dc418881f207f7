/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that looks like the page of a program that counts, but whose close(2) does not
 * return while its owner lives. It is on a file system that the owner itself serves, in
 * a mount namespace of its own. The file system is detached in the end, so the path of
 * the file starts with the file's own name, as a page's does.
 */
#ifndef HANG_H
#define HANG_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/fuse.h>

#define HANG_AT		"/mnt"
#define HANG_NODES	64

/* Names of files end with this, like those of deleted files in /proc */
#define HANG_END	" (deleted)"

static void hang_attr(struct fuse_attr *attr, uint64_t node, bool file)
{
	attr->ino = node;
	attr->nlink = 1;
	attr->mode = file ? S_IFREG | 0666 : S_IFDIR | 0777;
}

static void hang_reply(int dev, uint64_t unique, int error, const void *body,
		       size_t size)
{
	struct {
		struct fuse_out_header head;
		char body[256];
	} reply = { .head = { .unique = unique, .error = error } };

	if (error == 0)
		memcpy(reply.body, body, size);
	reply.head.len = (uint32_t)(sizeof(reply.head) + (error ? 0 : size));
	if (write(dev, &reply, reply.head.len) < 0)
		return;
}

/* After this answer the kernel sends no FUSE_FLUSH any more */
#define HANG_NO_FLUSH	(-ENOSYS)

static int hang_dev, hang_file;
static uint64_t hang_waiting[HANG_NODES];
static volatile unsigned int hang_nr_waiting;
static volatile bool hang_ends;

static void hang_let_go(int sig)
{
	unsigned int i;

	(void)sig;
	for (i = 0; i < hang_nr_waiting; i++)
		hang_reply(hang_dev, hang_waiting[i], HANG_NO_FLUSH, NULL, 0);
	hang_ends = true;
	/* Otherwise the exit of this process would wait for itself */
	close(hang_file);
	_exit(0);
}

/* Answer all requests but FUSE_FLUSH, which is close(2): hang_let_go() answers it */
static void *hang_serve(void *arg)
{
	static char request[1 << 17];
	static bool file[HANG_NODES] = { false };
	const struct fuse_in_header *head = (const void *)request;
	const char *name = request + sizeof(*head);
	const int dev = hang_dev;
	uint64_t nodes = 2;

	(void)arg;

	while (read(dev, request, sizeof(request)) > 0) {
		struct fuse_init_out init = {
			.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096,
		};
		struct fuse_entry_out entry = { .entry_valid = 1000 };
		struct fuse_attr_out attr = { .attr_valid = 1000 };
		struct fuse_open_out opened = { .fh = 1 };
		size_t len = strlen(name);

		switch (head->opcode) {
		case FUSE_INIT:
			hang_reply(dev, head->unique, 0, &init, sizeof(init));
			break;
		case FUSE_LOOKUP:
			entry.nodeid = nodes++ % HANG_NODES;
			file[entry.nodeid] = len > strlen(HANG_END) &&
				strcmp(name + len - strlen(HANG_END), HANG_END) == 0;
			hang_attr(&entry.attr, entry.nodeid, file[entry.nodeid]);
			hang_reply(dev, head->unique, 0, &entry, sizeof(entry));
			break;
		case FUSE_GETATTR:
			hang_attr(&attr.attr, head->nodeid,
				  file[head->nodeid % HANG_NODES]);
			hang_reply(dev, head->unique, 0, &attr, sizeof(attr));
			break;
		case FUSE_OPEN:
			hang_reply(dev, head->unique, 0, &opened, sizeof(opened));
			break;
		case FUSE_FLUSH:
			if (hang_ends)
				hang_reply(dev, head->unique, HANG_NO_FLUSH, NULL, 0);
			else if (hang_nr_waiting < HANG_NODES)
				hang_waiting[hang_nr_waiting++] = head->unique;
			break;
		case FUSE_FORGET:
		case FUSE_BATCH_FORGET:
		case FUSE_INTERRUPT:
			break;
		default:
			hang_reply(dev, head->unique, -ENOSYS, NULL, 0);
		}
	}

	return NULL;
}

/**
 * hang_open() - open such a file
 * @name: the start of its name, like that of a memfd
 *
 * Call this in a child that is root at first, and end that child by SIGTERM.
 *
 * Return: true if the file is open.
 */
static inline bool hang_open(const char *name)
{
	char options[80], path[512];
	pthread_t thread;

	hang_dev = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	signal(SIGTERM, hang_let_go);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", hang_dev);
	if (hang_dev < 0 || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("hang", HANG_AT, "fuse", 0, options) ||
	    pthread_create(&thread, NULL, hang_serve, NULL))
		return false;
	snprintf(path, sizeof(path), HANG_AT "/memfd:%s" HANG_END, name);

	hang_file = open(path, O_RDWR);

	return hang_file >= 0 && umount2(HANG_AT, MNT_DETACH) == 0;
}

#endif
