// SPDX-License-Identifier: GPL-2.0-only
/*
 * Product of two N x N matrices of doubles with small whole elements, so that
 * the trace is exact on every machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

static void __attribute__((noinline)) matmul(double *c, const double *a,
					     const double *b, size_t n)
{
	size_t i, j, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < n; k++) {
			double x = a[i * n + k];

			for (j = 0; j < n; j++)
				c[i * n + j] += x * b[k * n + j];
		}
	}
}

static void __attribute__((noinline)) fill(double *m, size_t n, unsigned int mod)
{
	size_t i;

	for (i = 0; i < n * n; i++)
		m[i] = i % mod;
}

static double *new_matrix(size_t n)
{
	double *m = calloc(n * n, sizeof(*m));

	if (!m)
		wl_die("calloc");
	return m;
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "rows and columns", 128, 2048);
	double *a = new_matrix(n), *b = new_matrix(n), *c = new_matrix(n);
	double trace = 0;
	size_t i;

	fill(a, n, 7);
	fill(b, n, 5);
	matmul(c, a, b, n);
	for (i = 0; i < n; i++)
		trace += c[i * n + i];
	printf("matmul: %lux%lu: trace %.0f\n", n, n, trace);
	free(a);
	free(b);
	free(c);
	return 0;
}
