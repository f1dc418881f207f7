// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The user IDs and rights of a process, from the file "status". The owner of its
 * directory is no substitute: it becomes root if the process is not dumpable.
 */
#include <errno.h>
#include <stdlib.h>
#include "status.h"
#include "kernel.h"
#include "readfile.h"

/**
 * ixp_status_line() - read a line of "status"
 * @folder: the process
 * @key: the name of the line
 * @text: memory for the file
 *
 * Return: the text after the name, in @text, or NULL.
 */
const char *ixp_status_line(int folder, const char *key,
			    char text[IXP_STATUS_SIZE])
{
	return ixp_file_read_at(folder, "status", text, IXP_STATUS_SIZE) > 0 ?
	       ixp_line_value(text, key) : NULL;
}

/**
 * ixp_status_ids() - tell the user or group IDs of a process
 * @folder: the process
 * @key: "Uid" or "Gid"
 * @id: gets the real, the effective and the saved ID
 *
 * Return: 0, or -ESRCH if it has ended or cannot be seen.
 */
int ixp_status_ids(int folder, const char *key, unsigned int id[3])
{
	char text[IXP_STATUS_SIZE], *end;
	const char *line = ixp_status_line(folder, key, text);
	unsigned int i;

	for (i = 0; line && i < 3; i++) {
		id[i] = (unsigned int)strtoul(line, &end, 10);
		line = end > line ? end : NULL;
	}

	return line ? 0 : -ESRCH;
}
