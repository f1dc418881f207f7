// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compresses a file with LZ77, expands it again and compares: N times over.
 *
 * Output format: a token byte L with L literals after it (1 to 127), or
 * 128 + length - MIN_MATCH and a two-byte distance for a repetition.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wl.h"

#define HASH_BITS	14
#define MIN_MATCH	4
#define MAX_MATCH	(MIN_MATCH + 127)
#define MAX_LITERALS	127
#define WINDOW		65535

static uint8_t *put_literals(uint8_t *out, const uint8_t *from,
			     const uint8_t *to)
{
	while (from < to) {
		size_t n = to - from;

		if (n > MAX_LITERALS)
			n = MAX_LITERALS;
		*out++ = n;
		memcpy(out, from, n);
		out += n;
		from += n;
	}
	return out;
}

static unsigned int hash(const uint8_t *p)
{
	uint32_t x = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];

	return x * 2654435761u >> (32 - HASH_BITS);
}

static size_t match_length(const uint8_t *a, const uint8_t *b,
			   const uint8_t *end)
{
	size_t n = 0;

	while (n < MAX_MATCH && b + n < end && a[n] == b[n])
		n++;
	return n;
}

static size_t __attribute__((noinline)) lz_compress(uint8_t *out,
						    const uint8_t *in,
						    size_t size)
{
	const uint8_t *last[1 << HASH_BITS] = { NULL };
	const uint8_t *p = in, *literals = in, *end = in + size;
	uint8_t *start = out;

	while (p + MIN_MATCH <= end) {
		unsigned int h = hash(p);
		const uint8_t *candidate = last[h];
		size_t n = 0;

		last[h] = p;
		if (candidate && p - candidate <= WINDOW)
			n = match_length(candidate, p, end);
		if (n < MIN_MATCH) {
			p++;
			continue;
		}
		out = put_literals(out, literals, p);
		*out++ = 128 + n - MIN_MATCH;
		*out++ = (p - candidate) >> 8;
		*out++ = (p - candidate) & 0xff;
		p += n;
		literals = p;
	}
	return put_literals(out, literals, end) - start;
}

static size_t __attribute__((noinline)) lz_expand(uint8_t *out,
						  const uint8_t *in,
						  size_t size)
{
	const uint8_t *end = in + size;
	uint8_t *start = out;

	while (in < end) {
		size_t n = *in++;

		if (n <= MAX_LITERALS) {
			memcpy(out, in, n);
			in += n;
			out += n;
		} else {
			size_t distance = in[0] << 8 | in[1];

			in += 2;
			for (n = n - 128 + MIN_MATCH; n; n--, out++)
				*out = out[-(ptrdiff_t)distance];
		}
	}
	return out - start;
}

static uint8_t *allocate(size_t size)
{
	uint8_t *p = malloc(size);

	if (!p)
		wl_die("malloc");
	return p;
}

static uint8_t *read_file(const char *name, size_t *size)
{
	struct stat st;
	uint8_t *data;
	size_t done = 0;
	ssize_t n;
	int fd = open(name, O_RDONLY);

	if (fd < 0 || fstat(fd, &st))
		wl_die(name);
	data = allocate(st.st_size + 1);
	while (done < (size_t)st.st_size) {
		n = read(fd, data + done, st.st_size - done);
		if (n < 0)
			wl_die(name);
		if (!n)
			break;
		done += n;
	}
	close(fd);
	*size = done;
	return data;
}

int main(int argc, char **argv)
{
	size_t size, packed = 0, expanded;
	uint8_t *data, *out, *back;
	unsigned long n, i;

	if (argc < 2 || !strcmp(argv[1], "--help")) {
		fprintf(argc < 2 ? stderr : stdout,
			"usage: %s FILE [N]\n  compress FILE N times (default 1)\n",
			argv[0]);
		return argc < 2 ? 2 : 0;
	}
	n = wl_size(argc - 1, argv + 1, "times after the file's name", 1, 1000);
	data = read_file(argv[1], &size);
	/* worst case: one token per MAX_LITERALS bytes and one more */
	out = allocate(size + size / MAX_LITERALS + 16);
	back = allocate(size + 1);
	for (i = 0; i < n; i++) {
		packed = lz_compress(out, data, size);
		expanded = lz_expand(back, out, packed);
		if (expanded != size || memcmp(data, back, size)) {
			fprintf(stderr, "compress: %s comes back different\n",
				argv[1]);
			return 1;
		}
	}
	printf("compress: %zu bytes to %zu and back\n", size, packed);
	free(data);
	free(out);
	free(back);
	return 0;
}
