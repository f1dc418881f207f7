// SPDX-License-Identifier: GPL-2.0-or-later
/* Files whose names and contents come from programs and users that are not trusted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tool.h"

/**
 * tool_create() - make a file in place of what has its name
 * @path: the name
 * @mode: the permissions, from which the caller's umask is taken
 *
 * A link is replaced and not followed: whoever guesses the name could have made it.
 *
 * Return: a descriptor to write to; or -1, and errno says why.
 */
int tool_create(const char *path, mode_t mode)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return -1;

	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/**
 * tool_open_regular() - open a file whose name somebody else has chosen
 * @path: the name
 *
 * Return: a stream to read from; or NULL, if it cannot be read or is a pipe, a
 * device or a directory.
 */
FILE *tool_open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *file;

	if (fd < 0)
		return NULL;
	file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
	if (!file)
		close(fd);

	return file;
}

/**
 * tool_printable() - take from a text what a terminal would obey
 * @text: the text; control characters become question marks
 * @keep: a control character that stays, or 0
 */
void tool_printable(char *text, char keep)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != keep) || *text == 0x7f)
			*text = '?';
}
