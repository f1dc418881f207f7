// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Read text files of /proc and /sys. The kernel gives their size as 0, so the buffer
 * grows until the end of the file is read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "readfile.h"
#include "kernel.h"

#define FIRST_SIZE	2048

/* One byte stays free for the null character */
static int readfile_fill(char **text, size_t *len, int fd)
{
	size_t size = 0;
	ssize_t n;
	char *more;

	do {
		if (*len + 1 >= size) {
			size = size ? 2 * size : FIRST_SIZE;
			more = realloc(*text, size);
			if (!more)
				return -ENOMEM;
			*text = more;
		}
		n = read(fd, *text + *len, size - *len - 1);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			*len += (size_t)n;
	} while (n != 0);
	(*text)[*len] = '\0';

	return 0;
}

/**
 * ixp_readfile_at() - read a whole file
 * @text: gets the text, which the caller frees
 * @len: gets its length, or NULL
 * @folder: its directory
 * @name: its name
 *
 * Return: 0 or -errno.
 */
int ixp_readfile_at(char **text, size_t *len, int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	size_t got = 0;
	int ret;

	if (fd < 0)
		return -errno;

	*text = NULL;
	ret = readfile_fill(text, &got, fd);
	close(fd);
	if (ret < 0) {
		free(*text);
		*text = NULL;
	} else if (len) {
		*len = got;
	}

	return ret;
}

/* The same, by the path below ixp_kernel.root */
int ixp_readfile(char **text, const char *path)
{
	char full[PATH_MAX];
	int ret = ixp_file_path(full, sizeof(full), path);

	return ret < 0 ? ret : ixp_readfile_at(text, NULL, AT_FDCWD, full);
}

static const char *line_value(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len + strspn(line + len, " \t");

	return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* Find the line "key: value". Return: the start of the value within @text, or NULL */
const char *ixp_line_value(const char *text, const char *key)
{
	const char *value = NULL;

	while (text && !value) {
		value = line_value(text, key);
		text = strchr(text, '\n');
		if (text)
			text++;
	}

	return value;
}

bool ixp_line_number(uint64_t *number, const char *text, const char *key)
{
	const char *value = ixp_line_value(text, key);

	if (!value || *value < '0' || *value > '9')
		return false;
	*number = strtoull(value, NULL, 10);

	return true;
}
