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
 * tool_create() - create a file in place of any that has this name
 * @path: the name
 * @mode: the permissions; the umask removes some
 *
 * A link is replaced and not followed: somebody who guessed the name may have made it.
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
 * The type of the file is checked before it is opened: opening some devices has
 * side effects.
 *
 * Return: a stream to read from; or NULL, if it cannot be read or is a pipe, a
 * device or a directory.
 */
FILE *tool_open_regular(const char *path)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1;
	struct stat st;
	char name[32];
	FILE *file;

	if (place < 0)
		return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	if (fstat(place, &st) == 0 && S_ISREG(st.st_mode))
		fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(place);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file && fd >= 0)
		close(fd);

	return file;
}

/**
 * tool_printable() - remove what controls a terminal from a text
 * @text: the text; control characters become question marks, also those of ISO 8859
 *	(0x80 to 0x9f) in UTF-8
 * @keep: a control character that stays, or 0
 */
void tool_printable(char *text, char keep)
{
	unsigned char *c = (unsigned char *)text;

	for (; *c; c++) {
		if ((*c < ' ' && *c != (unsigned char)keep) || *c == 0x7f)
			*c = '?';
		if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
			c[0] = c[1] = '?';
	}
}
