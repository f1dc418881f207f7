// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find the event map: the first file with a section for this CPU. If a file has an
 * error, the search ends: the user wants that file, not the next one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <irixperf.h>
#include "mapfind.h"
#include "kernel.h"
#include "text.h"

#define ENV_FILE	"IRIXPERF_EVENTMAP"
#define ETC_FILE	"/etc/irixperf/eventmap"

#ifndef IXP_MAPDIR
#define IXP_MAPDIR	"/usr/share/irixperf/maps"
#endif

static int fd_load(int fd, char *text, size_t max, size_t *size)
{
	*size = 0;
	for (;;) {
		ssize_t n = read(fd, text + *size, max - *size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		*size += (size_t)n;
		if (n == 0)
			return 0;
		if (*size == max)
			return -EFBIG;
	}
}

/*
 * Read a file, but only a regular one: a pipe could block the program, a device might
 * never end. Read up to one byte more than a map can have, to detect files that are too
 * large.
 */
static int file_load(const char *path, char **text, size_t *size)
{
	int fd = ixp_file_open(path, O_RDONLY | O_NONBLOCK), ret = -EINVAL;
	struct stat st;

	if (fd < 0)
		return fd;
	*text = NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		*text = malloc(IXP_MAP_MAX + 1);
		ret = *text ? fd_load(fd, *text, IXP_MAP_MAX + 1, size) : -ENOMEM;
	}
	close(fd);
	if (ret < 0) {
		free(*text);
		*text = NULL;
	}

	return ret;
}

static const char *load_error(int err)
{
	if (err == -EINVAL)
		return "this is not a regular file";
	if (err == -EFBIG)
		return "too large for an event map";
	return strerror(-err);
}

/* Return 1 if the file is the map, 0 if it is missing or for other CPUs */
static int try_file(struct ixp_map_file *file, const struct ixp_pmus *pmus,
		    char *why, size_t why_size)
{
	struct ixp_trouble trouble;
	size_t size;
	int ret;

	ret = file_load(file->path, &file->text, &size);
	if (ret == -ENOENT || ret == -ENOTDIR)
		return 0;
	if (ret < 0) {
		snprintf(why, why_size, "%s: %s", file->path, load_error(ret));
		return ret;
	}

	ret = ixp_map_parse(&file->rows, file->text, size, pmus, &trouble);
	if (ret == 0 && file->rows.holds)
		return 1;
	if (ret < 0)
		snprintf(why, why_size, "%s:%u: %s", file->path, trouble.line,
			 trouble.what);
	free(file->text);
	file->text = NULL;

	return ret;
}

enum { XDG, HOME_DIR, ETC, INSTALLED, ANY, CANDIDATES };

/* Where to look for a map, the first place first; false if there is no such place */
static bool candidate(unsigned int nr, char *path, size_t size)
{
	const char *config = ixp_kernel.env("XDG_CONFIG_HOME");
	const char *home = ixp_kernel.env("HOME");
	char machine[sizeof(((struct irixperf_cpu *)0)->model)];
	int n = -1;

	switch (nr) {
	case XDG:
		if (config && *config == '/')
			n = snprintf(path, size, "%s/irixperf/eventmap", config);
		break;
	case HOME_DIR:
		if (home && *home == '/' && !config)
			n = snprintf(path, size, "%s/.config/irixperf/eventmap", home);
		break;
	case ETC:
		n = snprintf(path, size, "%s", ETC_FILE);
		break;
	case INSTALLED:
		ixp_kernel.machine(machine, sizeof(machine));
		n = snprintf(path, size, "%s/%s.map", IXP_MAPDIR, machine);
		break;
	case ANY:
		n = snprintf(path, size, "%s/any.map", IXP_MAPDIR);
		break;
	}

	return n >= 0 && (size_t)n < size;
}

static void say_cpus(struct ixp_text *text, const struct ixp_pmus *pmus)
{
	unsigned int i;

	for (i = 0; i < pmus->nr; i++)
		ixp_text_add(text, "%s%s", i ? ", " : " (", pmus->name[i]);
	if (pmus->nr > 0)
		ixp_text_add(text, ")");
}

static int find_named(struct ixp_map_file *file, const char *name,
		      const struct ixp_pmus *pmus, char *why, size_t size)
{
	struct ixp_text text;
	int ret;

	if (strlen(name) >= sizeof(file->path)) {
		snprintf(why, size, ENV_FILE ": %s", strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	snprintf(file->path, sizeof(file->path), "%s", name);
	ret = try_file(file, pmus, why, size);
	if (ret)
		return ret < 0 ? ret : 0;

	ixp_text_start(&text, why, size);
	if (ixp_file_exists(name)) {
		ixp_text_add(&text, "%s: no section is for this CPU", name);
		say_cpus(&text, pmus);
	} else {
		ixp_text_add(&text, "%s: %s\n" ENV_FILE " names it", name,
			     strerror(ENOENT));
	}

	return -ENOENT;
}

/**
 * ixp_map_find() - find the event map of this machine
 * @file: gets the map
 * @pmus: the machine's PMUs
 * @why: gets the reason if it fails
 * @size: size of @why
 *
 * In set-user-ID programs ixp_kernel.env() finds no variables: the user of such a
 * program must not choose which file it reads.
 *
 * Return: 0 or a negative errno value.
 */
int ixp_map_find(struct ixp_map_file *file, const struct ixp_pmus *pmus,
		 char *why, size_t size)
{
	const char *name = ixp_kernel.env(ENV_FILE);
	struct ixp_text text;
	unsigned int i;
	int ret;

	file->text = NULL;
	if (name && *name)
		return find_named(file, name, pmus, why, size);

	for (i = 0; i < CANDIDATES; i++) {
		if (!candidate(i, file->path, sizeof(file->path)))
			continue;
		ret = try_file(file, pmus, why, size);
		if (ret)
			return ret < 0 ? ret : 0;
	}

	ixp_text_start(&text, why, size);
	ixp_text_add(&text, "there is no event map for this CPU");
	say_cpus(&text, pmus);

	return -ENOENT;
}
