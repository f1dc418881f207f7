/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way in which a parallel runtime of the IRIX age traced its programs: it
 * starts two counters before each method and reads them after it, checks that
 * nobody has taken them meanwhile, and changes to the next pair of events from
 * time to time, as only two can be counted exactly. Written from a description
 * of what such runtimes did (no code of theirs is in it), as IRIX programs were.
 *
 *	cc $(pkg-config --cflags --libs irixperf) charm-style.c
 *
 * What it depends on:
 * - each start has a generation above all others, which the read repeats;
 * - each start counts from zero;
 * - one event below 16 and one above are counted together and exactly.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>
#include <unistd.h>

#define METHODS		60
#define BLOCK		20
#define WORDS		4096

struct pair {
	int event[2];
	int calls;
	long long count[2];
};

static struct pair pairs[] = {
	{ { 15, 18 }, 0, { 0, 0 } },	/* instructions and loads */
	{ { 15, 19 }, 0, { 0, 0 } },	/* instructions and stores */
	{ { 0, 21 }, 0, { 0, 0 } },	/* cycles and floating point */
};

#define PAIRS	((int)(sizeof(pairs) / sizeof(pairs[0])))

static volatile int words[WORDS];
static int process = -1;
static int started;

static void fail(const char *what)
{
	perror(what);
	abort();
}

static void choose(hwperf_profevctrarg_t *arg, int event)
{
	hwperf_ctrl_t *ctrl = &arg->hwp_evctrargs.hwp_evctrl[event];

	ctrl->hwperf_creg.hwp_ev = event % HWPERF_CNTEVENTMAX;
	ctrl->hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
}

static int start(const struct pair *pair)
{
	hwperf_profevctrarg_t arg;
	int generation;

	if (pair->event[0] >= HWPERF_CNT1BASE ||
	    pair->event[1] < HWPERF_CNT1BASE) {
		fprintf(stderr, "two events of one counter\n");
		abort();
	}
	memset(&arg, 0, sizeof(arg));
	choose(&arg, pair->event[0]);
	choose(&arg, pair->event[1]);
	generation = ioctl(process, started ? PIOCSETEVCTRL : PIOCENEVCTRS,
			   &arg);
	started = 1;

	return generation;
}

static int stop(struct pair *pair)
{
	hwperf_cntr_t counts;
	int generation;

	generation = ioctl(process, PIOCGETEVCTRS, &counts);
	if (generation < 0)
		return generation;
	pair->calls++;
	pair->count[0] += (long long)counts.hwp_evctr[pair->event[0]];
	pair->count[1] += (long long)counts.hwp_evctr[pair->event[1]];

	return generation;
}

/* One load and one store a word */
static void method(void)
{
	int i;

	for (i = 0; i < WORDS; i++)
		words[i]++;
}

static void trace(struct pair *pair, int *generation)
{
	int begin, end;

	begin = start(pair);
	if (begin < 0) {
		perror("failed to acquire counters");
		exit(1);
	}
	method();
	end = stop(pair);
	if (end < 0)
		fail("PIOCGETEVCTRS");
	if (begin != end || begin <= *generation) {
		fprintf(stderr, "lost the counters: %d, %d\n", begin, end);
		abort();
	}
	*generation = begin;
}

int main(void)
{
	int generation = 0;
	char name[32];
	int i;

	sprintf(name, "/proc/%05d", (int)getpid());
	process = open(name, O_RDWR);
	if (process < 0)
		fail(name);

	/* What an early version did: commands of syssgi(2), sent to /proc */
	if (ioctl(process, HWPERF_ENSYSCNTRS, NULL) != -1)
		printf("a wrong command was taken\n");

	for (i = 0; i < METHODS; i++)
		trace(&pairs[i / BLOCK % PAIRS], &generation);

	for (i = 0; i < PAIRS; i++)
		printf("events %d and %d: %d calls, %lld and %lld a word of each 100\n",
		       pairs[i].event[0], pairs[i].event[1], pairs[i].calls,
		       100 * pairs[i].count[0] / pairs[i].calls / WORDS,
		       100 * pairs[i].count[1] / pairs[i].calls / WORDS);
	if (ioctl(process, PIOCRELEVCTRS) < 0)
		fail("PIOCRELEVCTRS");
	close(process);
	printf("generation: %s\n", generation > 0 ? "positive" : "none");

	return 0;
}
