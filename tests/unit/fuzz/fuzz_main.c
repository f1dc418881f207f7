// SPDX-License-Identifier: GPL-2.0-only
/*
 * In place of libFuzzer, for any compiler: runs a fuzz target once with each
 * file of a folder, and prints TAP.
 *
 * usage: fuzz_TARGET FOLDER
 */
#include <dirent.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX	(1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly as large as the input: what reads beyond its end is seen */
static int run_bytes(const uint8_t *bytes, size_t size)
{
	uint8_t *data = malloc(size ? size : 1);
	size_t i;

	if (!data)
		return -1;
	for (i = 0; i < size; i++)
		data[i] = bytes[i];
	LLVMFuzzerTestOneInput(data, size);
	free(data);

	return 0;
}

static int run_file(const char *folder, const char *name)
{
	static uint8_t bytes[INPUT_MAX];
	char path[4096];
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	if (!f) {
		perror(path);
		return -1;
	}
	/* If it crashes, this is the last word */
	printf("# %s\n", name);
	fflush(stdout);
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);

	return run_bytes(bytes, size);
}

int main(int argc, char **argv)
{
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
	struct dirent *entry;
	unsigned int nr = 0;

	if (!dir) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 1;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (run_file(argv[1], entry->d_name) < 0)
			return 1;
		nr++;
	}
	closedir(dir);
	printf("1..1\n%sok 1 - %u inputs of %s\n", nr ? "" : "not ", nr,
	       basename(argv[1]));

	return !nr;
}
