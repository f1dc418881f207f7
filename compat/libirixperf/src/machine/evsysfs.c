// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events as the kernel describes them in /sys/bus/event_source/devices:
 * "cpu/event=0x3c,umask=0/", "cpu/cache-misses/", and the plain name of an
 * event of the CPU, such as arm64's "l1d_cache_refill", which exists only if
 * the CPU has it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include "evsysfs.h"
#include "kernel.h"
#include "map.h"

#define DEVICES		"/sys/bus/event_source/devices"
#define FILE_SIZE	512
#define WORD		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
			"0123456789_-."

/**
 * struct context - an event whose terms are being read
 * @pmu: directory of the PMU
 * @code: the event so far
 * @why: gets the error
 * @size: size of @why
 * @nested: the terms are those of a file in events/
 */
struct context {
	const char *pmu;
	struct ixp_code *code;
	char *why;
	size_t size;
	bool nested;
};

__attribute__((format(printf, 2, 3)))
static int refuse(const struct context *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->why, c->size, format, args);
	va_end(args);

	return -EINVAL;
}

/* True if the word may be part of a path: it has no "/", and does not start with "." */
static bool is_safe(const char *word)
{
	return *word && *word != '.' && !word[strspn(word, WORD)];
}

/*
 * Read DEVICES/PMU/DIR/FILE without its newline. Return false if there is none, or
 * if it does not fit into @buf: the start of a number would be another number.
 */
static bool read_file(const char *pmu, const char *dir, const char *file,
		      char *buf, size_t size)
{
	char path[PATH_MAX];
	ssize_t len;
	int n;

	n = snprintf(path, sizeof(path), DEVICES "/%s/%s%s", pmu, dir, file);
	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	len = ixp_file_read(path, buf, size);
	if (len <= 0 || (size_t)len == size - 1)
		return false;
	buf[strcspn(buf, "\n")] = '\0';

	return true;
}

/* The text has to be a number in C's syntax, and nothing else */
static bool read_number(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);

	return errno == 0 && *end == '\0';
}

/* Move the lowest bits of @value into bits @low to @high of @config */
static void place_bits(uint64_t *config, uint64_t *value, unsigned int low,
		       unsigned int high)
{
	unsigned int width = high - low + 1;
	uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;

	*config &= ~(mask << low);
	*config |= (*value & mask) << low;
	*value = width == 64 ? 0 : *value >> width;
}

/* Put a value into the bits that @ranges names: "0-7,32-35" */
static int place_ranges(const struct context *c, uint64_t *config, char *ranges,
			const char *term, uint64_t value)
{
	char *range;

	while ((range = strsep(&ranges, ","))) {
		unsigned int low, high;
		int n = sscanf(range, "%2u-%2u", &low, &high);

		if (n == 1)
			high = low;
		if (n < 1 || high > 63 || low > high)
			return refuse(c, "the kernel's format/%s of %s is not "
				      "understood", term, c->pmu);
		place_bits(config, &value, low, high);
	}

	return value ? refuse(c, "the value of %s is too large", term) : 0;
}

/* Put the value of a term into the bits that its format/ file names: "config1:0-7" */
static int place_value(const struct context *c, const char *term,
		       uint64_t value)
{
	static const char *const words[] = { "config", "config1", "config2" };
	char format[FILE_SIZE];
	char *ranges = format;
	char *word;
	size_t i;

	if (!read_file(c->pmu, "format/", term, format, sizeof(format)))
		return refuse(c, "%s has no event and no term called %s: see "
			      DEVICES "/%s", c->pmu, term, c->pmu);

	word = strsep(&ranges, ":");
	for (i = 0; ranges && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return place_ranges(c, &c->code->config[i], ranges,
					    term, value);

	return refuse(c, "the kernel's format/%s of %s is not understood",
		      term, c->pmu);
}

/* Handle terms such as "config=1", which set a whole word; false for other terms */
static bool whole_word(const struct context *c, const char *term,
		       uint64_t value)
{
	static const char *const words[] = { "config", "config1", "config2" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(term, words[i]) == 0) {
			c->code->config[i] = value;
			return true;
		}

	return false;
}

static int apply_terms(const struct context *c, char *terms);

static int apply_term(const struct context *c, char *term)
{
	struct context nested = *c;
	char *text = term;
	char file[FILE_SIZE];
	uint64_t value = 1;

	strsep(&text, "=");
	if (!is_safe(term))
		return refuse(c, "a term is misspelt between the slashes");
	if (text && !read_number(text, &value))
		return refuse(c, "the value of %s is not a number", term);
	if (text && whole_word(c, term, value))
		return 0;
	if (text || c->nested ||
	    !read_file(c->pmu, "events/", term, file, sizeof(file)))
		return place_value(c, term, value);
	nested.nested = true;

	return apply_terms(&nested, file);
}

static int apply_terms(const struct context *c, char *terms)
{
	char *term;
	int ret = 0;

	while ((term = strsep(&terms, ",")) && ret == 0)
		ret = apply_term(c, term);

	return ret;
}

static int start(const struct context *c)
{
	char type[32];
	uint64_t value;

	memset(c->code, 0, sizeof(*c->code));
	if (!is_safe(c->pmu) ||
	    !read_file(c->pmu, "", "type", type, sizeof(type)))
		return refuse(c, "there is no PMU of this name: see " DEVICES);
	if (!read_number(type, &value) || value > UINT32_MAX)
		return refuse(c, "the kernel's type of %s is not understood",
			      c->pmu);
	c->code->type = (uint32_t)value;

	return 0;
}

/* "PMU/TERM,TERM/" */
int ixp_sysfs_term(struct ixp_code *code, const char *name, char *why,
		   size_t size)
{
	char copy[IXP_NAME_SIZE];
	char *terms = copy;
	struct context c = { .code = code, .why = why, .size = size };
	size_t len = strlen(name);
	int ret;

	if (len >= sizeof(copy))
		return refuse(&c, "the event's name is too long");
	memcpy(copy, name, len + 1);
	c.pmu = strsep(&terms, "/");
	len = strlen(terms);
	if (len < 2 || strchr(terms, '/') != terms + len - 1)
		return refuse(&c, "write PMU/TERM,TERM/ with nothing after the "
			      "second slash: the program chooses the modes");
	terms[len - 1] = '\0';

	ret = start(&c);

	return ret < 0 ? ret : apply_terms(&c, terms);
}

/* Is this a PMU of CPUs? On x86 that is "cpu"; elsewhere it has a file "cpus" */
static bool is_core(const char *pmu)
{
	const char *file = strcmp(pmu, "cpu") == 0 ? "type" : "cpus";
	char path[PATH_MAX];

	if (!is_safe(pmu) || strlen(pmu) >= NAME_MAX)
		return false;
	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, file);

	return ixp_file_exists(path);
}

/**
 * ixp_sysfs_cores() - look for the PMUs of the CPUs
 * @first: gets the directory of the one whose name sorts first
 * @size: size of @first
 *
 * Return: how many there are. Each is for a different kind of CPU.
 */
unsigned int ixp_sysfs_cores(char *first, size_t size)
{
	char path[PATH_MAX];
	struct dirent *entry;
	unsigned int nr = 0;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s" DEVICES, ixp_kernel.root) >=
	    (int)sizeof(path))
		return 0;
	dir = opendir(path);
	if (!dir)
		return 0;

	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!is_core(name) || strlen(name) >= size)
			continue;
		if (nr == 0 || strcmp(name, first) < 0)
			snprintf(first, size, "%s", name);
		nr++;
	}
	closedir(dir);

	return nr;
}

/* The plain name of one of the CPU's events */
int ixp_sysfs_event(struct ixp_code *code, const char *name, char *why,
		    size_t size)
{
	struct context c = { .code = code, .why = why, .size = size };
	char pmu[64], terms[FILE_SIZE];
	int ret;

	if (!is_safe(name) || ixp_sysfs_cores(pmu, sizeof(pmu)) == 0 ||
	    !read_file(pmu, "events/", name, terms, sizeof(terms)))
		return -ENOENT;

	c.pmu = pmu;
	c.nested = true;
	ret = start(&c);

	return ret < 0 ? ret : apply_terms(&c, terms);
}
