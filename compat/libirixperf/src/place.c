// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the holders of processes are found: each user has a directory of his own,
 * with a socket for each process. Nobody else can put anything there, and its owner
 * is looked at each time it is opened.
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
#include "remote.h"
#include "system.h"

/* Others may connect to root's holders, and to those of a user root alone */
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

/* Symbolic links and what others can write to is nobody's own */
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
 * @choice: 0 for the one that nobody else can have made; 1 for the one in /tmp,
 *	of which that is not so
 *
 * Return: a descriptor; -ENOENT if there is none that is the user's own; or
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

/* The caller's mask was for his own files */
static int directory_make(const char *path, mode_t mode)
{
	if (mkdir(path, mode) < 0)
		return errno == EEXIST ? 0 : -errno;

	return chmod(path, mode) < 0 ? -errno : 0;
}

/**
 * ixp_place_make() - open a directory for the caller's own holders
 *
 * It is made if there is none. Where sessions make no /run/user/UID, or /run
 * cannot be written, it is in /tmp.
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
			ret = ixp_system_folder();
		if (ret == 0)
			ret = directory_make(path, user == 0 ? ROOT_MODE : USER_MODE);
		if (ret == 0)
			ret = directory_open(path, user);
		if (ret >= 0)
			break;
	}

	return ret;
}

/* Another PID namespace may have the same number for another process */
static unsigned long pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (unsigned long)st.st_ino : 0;
}

/**
 * ixp_place_address() - where the holder of a process is in a place
 * @address: gets it
 * @place: the directory, which has to stay open
 * @pid: the process
 *
 * Return: the length of the address. Its name in the place begins behind the
 * last slash.
 */
socklen_t ixp_place_address(struct sockaddr_un *address, int place, pid_t pid)
{
	int n;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	n = snprintf(address->sun_path, sizeof(address->sun_path),
		     "/proc/self/fd/%d/%d-%lu", place, pid, pid_namespace());

	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}
