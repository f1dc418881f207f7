// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where clients find process holders: each user has a directory with a socket for
 * each process that is held. Other users cannot make files there, and the library
 * checks the owner of the directory each time it opens it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "remote.h"
#include "sysfile.h"
#include "system.h"

/* All users may connect to root's holders; only root to those of another user */
#define ROOT_MODE	0711
#define USER_MODE	0700

static int place_path(char *path, size_t size, uid_t user, unsigned int choice)
{
	char name[64];

	if (choice > 0)
		snprintf(name, sizeof(name), "/tmp/irixperf-%u", user);
	else if (user == 0)
		snprintf(name, sizeof(name), IXP_RUN "/processes");
	else
		snprintf(name, sizeof(name), "/run/user/%u/irixperf", user);

	return ixp_file_path(path, size, name);
}

/* A symbolic link, or a directory that others can write to, cannot be trusted */
static int directory_open(const char *path, uid_t owner)
{
	int fd = openat(AT_FDCWD, path,
			O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
	if (fstat(fd, &st) == 0 && st.st_uid == owner && !(st.st_mode & 0022))
		return fd;
	close(fd);

	return -EPERM;
}

/**
 * ixp_place_open() - open a directory of a user's holders
 * @user: the user
 * @choice: 0 for the one in /run, which no other user can make; 1 for the one in /tmp,
 *	which any user can make
 *
 * Return: a descriptor; -ENOENT if there is none that belongs to the user; or
 * another negative errno value.
 */
int ixp_place_open(uid_t user, unsigned int choice)
{
	char path[PATH_MAX];
	int ret = place_path(path, sizeof(path), user, choice);

	if (ret == 0)
		ret = directory_open(path, user);

	return ret == -EPERM || ret == -EACCES ? -ENOENT : ret;
}

/* chmod(2) sets the bits that the caller's umask has removed */
static int directory_make(const char *path, mode_t mode)
{
	if (mkdir(path, mode) < 0)
		return errno == EEXIST ? 0 : -errno;

	return chmod(path, mode) < 0 ? -errno : 0;
}

/**
 * ixp_place_make() - open the directory of the caller's own holders, or make it
 *
 * The directory is in /tmp if there is no /run/user/UID, which a login usually makes,
 * or if /run cannot be written.
 *
 * Return: a descriptor; -EPERM if another user has made the one in /tmp; or another
 * negative errno value.
 */
int ixp_place_make(void)
{
	const uid_t user = geteuid();
	char path[PATH_MAX];
	unsigned int choice;
	int ret = -ENOENT;

	for (choice = 0; choice < IXP_PLACES; choice++) {
		ret = place_path(path, sizeof(path), user, choice);
		if (ret == 0 && choice == 0 && user == 0)
			ret = ixp_system_folder(IXP_RUN);
		if (ret == 0)
			ret = directory_make(path, user == 0 ? ROOT_MODE : USER_MODE);
		if (ret == 0)
			ret = directory_open(path, user);
		if (ret >= 0)
			break;
	}

	return ret;
}

/**
 * ixp_place_system() - open the directory of the holder of system mode
 *
 * Return: a descriptor, or a negative errno value: -ENOENT if there is none.
 */
int ixp_place_system(void)
{
	char path[PATH_MAX];
	int ret = ixp_file_path(path, sizeof(path), IXP_RUN);

	if (ret == 0)
		ret = openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return ret < 0 ? -errno : ret;
}

/* Part of the socket's name, because another PID namespace can use the same PIDs */
static unsigned long pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (unsigned long)st.st_ino : 0;
}

/**
 * ixp_place_address() - make the address of a holder's socket
 * @address: gets the address
 * @place: the directory, which has to stay open
 * @pid: the target; 0 for system mode
 *
 * Return: the length of the address. The socket's name in the directory is the part
 * after the last slash.
 */
socklen_t ixp_place_address(struct sockaddr_un *address, int place, pid_t pid)
{
	int n;

	/* thread-self: if the first thread has ended, /proc/PID/fd is empty */
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	if (pid)
		n = snprintf(address->sun_path, sizeof(address->sun_path),
			     "/proc/thread-self/fd/%d/%d-%lu", place, pid, pid_namespace());
	else
		n = snprintf(address->sun_path, sizeof(address->sun_path),
			     "/proc/thread-self/fd/%d/socket", place);

	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}
