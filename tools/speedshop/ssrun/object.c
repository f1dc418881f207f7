// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that programs have mapped. A sample has its address in memory; symbols
 * and line numbers need the address that the linker assigned.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "ssrun.h"

static struct ssrun_object *objects;

#define SEGMENTS_MAX	(sizeof(objects->segment) / sizeof(objects->segment[0]))

/* Programs that run here have our byte order, and 32 or 64 bits */
#define READ_SEGMENTS(bits)						\
static void read_segments##bits(struct ssrun_object *object, FILE *file)\
{									\
	Elf##bits##_Ehdr head;						\
	Elf##bits##_Phdr phdr;						\
	unsigned int i;							\
									\
	rewind(file);							\
	if (fread(&head, sizeof(head), 1, file) != 1 ||			\
	    fseeko(file, (off_t)head.e_phoff, SEEK_SET))		\
		return;							\
	for (i = 0; i < head.e_phnum; i++) {				\
		if (fread(&phdr, sizeof(phdr), 1, file) != 1)		\
			return;						\
		if (phdr.p_type != PT_LOAD || object->nr == SEGMENTS_MAX)\
			continue;					\
		object->segment[object->nr].offset = phdr.p_offset;	\
		object->segment[object->nr].size = phdr.p_filesz;	\
		object->segment[object->nr++].address = phdr.p_vaddr;	\
	}								\
}

READ_SEGMENTS(32)
READ_SEGMENTS(64)

static void read_object(struct ssrun_object *object)
{
	FILE *file = tool_open_regular(object->path);
	unsigned char ident[EI_NIDENT];

	if (!file)
		return;
	if (fread(ident, sizeof(ident), 1, file) == 1 &&
	    memcmp(ident, ELFMAG, SELFMAG) == 0) {
		if (ident[EI_CLASS] == ELFCLASS64)
			read_segments64(object, file);
		else
			read_segments32(object, file);
	}
	fclose(file);
}

/**
 * ssrun_object_get() - find a file, or add it
 * @path: its name, or a name like "[vdso]" that is no file's
 *
 * Return: the object, or NULL if there is no memory.
 */
struct ssrun_object *ssrun_object_get(const char *path)
{
	struct ssrun_object *object;

	for (object = objects; object; object = object->next)
		if (strcmp(object->path, path) == 0)
			return object;

	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->path = strdup(path);
	if (!object->path) {
		free(object);
		return NULL;
	}
	if (path[0] == '/')
		read_object(object);
	object->next = objects;
	objects = object;

	return object;
}

/* The address of an offset in the file. An offset in no segment stays as it is */
uint64_t ssrun_object_address(const struct ssrun_object *object,
			      uint64_t offset)
{
	unsigned int i;

	for (i = 0; i < object->nr; i++) {
		uint64_t into = offset - object->segment[i].offset;

		if (into < object->segment[i].size)
			return object->segment[i].address + into;
	}

	return offset;
}
