/* SPDX-License-Identifier: GPL-2.0-only */
/* What fuzzers of commands have in common: sections of the input, output, memory. */
#ifndef COMMAND_H
#define COMMAND_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "input.h"

/* A section ends at the next of these bytes, or with the input */
#define BETWEEN		0xff

struct section {
	const uint8_t *bytes;
	size_t size;
};

/* Take a section, which may be empty, from those that are left */
static struct section cut(struct section *rest)
{
	struct section next = *rest;
	const uint8_t *end = rest->size ? memchr(rest->bytes, BETWEEN, rest->size) : NULL;

	if (end)
		next.size = (size_t)(end - next.bytes);
	rest->bytes += next.size + !!end;
	rest->size -= next.size + !!end;

	return next;
}

/* Nothing but lines and tabs: no terminal obeys it */
static void check_text(const char *text, size_t size)
{
	const unsigned char *c = (const unsigned char *)text;

	for (; size > 0; size--, c++) {
		promise((*c >= ' ' && *c != 0x7f) || *c == '\n' || *c == '\t',
			"no control character is printed");
		promise(*c != 0xc2 || size == 1 || c[1] < 0x80 || c[1] >= 0xa0,
			"no control character of UTF-8 is printed");
	}
}

/*
 * A command leaves its memory to the end of its process. As no process ends here, what
 * it has not freed is freed after each input. The linker brings these calls here.
 */
#define LEFT_MAX	(1 << 16)

__typeof__(malloc) __real_malloc, __wrap_malloc;
__typeof__(calloc) __real_calloc, __wrap_calloc;
__typeof__(realloc) __real_realloc, __wrap_realloc;
__typeof__(free) __real_free, __wrap_free;
__typeof__(strdup) __real_strdup, __wrap_strdup;

static bool runs;		/* the command */
static unsigned int fails_at;	/* a call finds no memory: the first, ...; 0 for none */
static void *left[LEFT_MAX];
static unsigned int nr_left;

static bool no_memory(void)
{
	if (!runs || fails_at == 0 || --fails_at > 0)
		return false;
	errno = ENOMEM;

	return true;
}

static void *leave(void *memory)
{
	if (runs && memory) {
		promise(nr_left < LEFT_MAX, "memory has a limit");
		left[nr_left++] = memory;
	}

	return memory;
}

static void forget(const void *memory)
{
	unsigned int i;

	for (i = nr_left; i-- > 0;)
		if (left[i] == memory) {
			left[i] = left[--nr_left];
			return;
		}
}

void *__wrap_malloc(size_t size)
{
	return no_memory() ? NULL : leave(__real_malloc(size));
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return no_memory() ? NULL : leave(__real_calloc(nr, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	if (no_memory())
		return NULL;
	forget(old);

	return leave(__real_realloc(old, size));
}

char *__wrap_strdup(const char *text)
{
	return no_memory() ? NULL : leave(__real_strdup(text));
}

void __wrap_free(void *memory)
{
	forget(memory);
	__real_free(memory);
}

/* What the command has printed on stderr; whole after a fflush(3) of it */
static char *errors;
static size_t errors_size;
static FILE *usual;

static void command_begin(void)
{
	fails_at = take();
	usual = stderr;
	stderr = open_memstream(&errors, &errors_size);
	runs = true;
}

static void command_end(void)
{
	runs = false;
	while (nr_left > 0)
		__real_free(left[--nr_left]);
	fclose(stderr);
	stderr = usual;
	check_text(errors, errors_size);
	free(errors);
}

#endif
