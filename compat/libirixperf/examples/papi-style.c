/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way in which a portable counter library of the IRIX age worked: it takes
 * stock of the machine, keeps one read-only descriptor of its own process, and
 * starts and stops sets of events on it. Written from a description of what
 * such libraries did (no code of theirs is in it), as IRIX programs were.
 *
 *	cc $(pkg-config --cflags --libs irixperf) papi-style.c
 *
 * What it depends on:
 * - PIOCGETEVCTRL fails before anybody has acquired the counters;
 * - PIOCENEVCTRS takes a block in which all 32 counters want event 0;
 * - PIOCSETEVCTRL, after PIOCRELEVCTRS too, starts from zero with a generation
 *   that no earlier start had, and PIOCGETEVCTRS repeats it;
 * - counts of events that share a counter come unscaled.
 */
#include <errno.h>
#include <fcntl.h>
#include <invent.h>
#include <mutex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cpu.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>
#include <sys/sbd.h>
#include <sys/sysmp.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define WORDS	(1 << 16)
#define ROUNDS	8

struct machine {
	int processors;
	int chip;
	int major;
	int minor;
	int board;
	int mhz;
};

struct events {
	hwperf_profevctrarg_t arg;
	int on_counter[2];
	int generation;
};

static struct machine machine;
static volatile int words[WORDS];
static volatile int lock;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* One load and one store a word */
static void work(void)
{
	int i, round;

	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < WORDS; i++)
			words[i]++;
}

static int scan(inventory_t *item, void *arg)
{
	struct machine *m = arg;

	if (item->inv_class != INV_PROCESSOR)
		return 0;

	switch (item->inv_type) {
	case INV_CPUBOARD:
		m->mhz = (int)item->inv_controller;
		switch (item->inv_state) {
		case INV_IP27BOARD:
			m->board = CPU_IP27;
			break;
#ifdef INV_IP30BOARD
		case INV_IP30BOARD:
			m->board = CPU_IP30;
			break;
#endif
		default:
			m->board = 0;
		}
		break;
	case INV_CPUCHIP:
		m->chip = (item->inv_state & C0_IMPMASK) >> C0_IMPSHIFT;
		m->major = (item->inv_state & C0_MAJREVMASK) >> C0_MAJREVSHIFT;
		m->minor = (item->inv_state & C0_MINREVMASK) >> C0_MINREVSHIFT;
		break;
	}

	return 0;
}

static const char *chip_name(int chip)
{
	switch (chip) {
	case C0_IMP_R10000:
		return "R10000";
	case C0_IMP_R12000:
		return "R12000";
#ifdef C0_IMP_R14000
	case C0_IMP_R14000:
		return "R14000";
#endif
	default:
		return "unknown";
	}
}

/* The program's own name, and how much of its memory is text */
static void describe_program(int fd)
{
	unsigned long text = 0;
	prpsinfo_t info;
	prmap_t *map;
	int nr, i;

	if (ioctl(fd, PIOCPSINFO, (void *)&info) < 0)
		fail("PIOCPSINFO");
	if (ioctl(fd, PIOCNMAP, &nr) < 0)
		fail("PIOCNMAP");
	map = calloc(2 * nr + 10, sizeof(*map));
	if (!map || ioctl(fd, PIOCMAP, map) < 0)
		fail("PIOCMAP");
	for (i = 0; map[i].pr_size != 0; i++)
		if ((map[i].pr_mflags & MA_EXEC) &&
		    !(map[i].pr_mflags & MA_WRITE))
			text += map[i].pr_size;
	free(map);

	printf("program: %s, arguments: %s, text: %s\n", info.pr_fname,
	       info.pr_psargs, text > 0 ? "found" : "none");
}

static int library_init(void)
{
	hwperf_eventctrl_t control;
	hwperf_profevctrarg_t arg;
	char name[32];
	int fd, i, generation;

	if (scaninvent(scan, &machine) == -1)
		fail("scaninvent");
	machine.processors = (int)sysmp(MP_NPROCS);

	sprintf(name, "/proc/%05d", (int)getpid());
	fd = open(name, O_RDONLY);
	if (fd == -1)
		fail(name);
	describe_program(fd);

	generation = ioctl(fd, PIOCGETEVCTRL, (void *)&control);
	if (generation == -1) {
		memset(&arg, 0, sizeof(arg));
		for (i = 0; i < HWPERF_EVENTMAX; i++)
			arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode =
				HWPERF_CNTEN_U;
		generation = ioctl(fd, PIOCENEVCTRS, (void *)&arg);
		if (generation == -1)
			fail("failed to acquire counters");
	}
	if (generation <= 0) {
		fprintf(stderr, "generation %d\n", generation);
		exit(1);
	}

	return fd;
}

static void events_clear(struct events *set)
{
	memset(set, 0, sizeof(*set));
}

static void events_add(struct events *set, int event)
{
	int counter = event > HWPERF_MAXEVENT;
	struct hwperf_ctrlreg *reg =
		&set->arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event - (counter ? HWPERF_CNT1BASE : 0);
	reg->hwp_mode = HWPERF_CNTEN_U;
	set->on_counter[counter]++;
}

static void events_start(struct events *set, int fd)
{
	set->generation = ioctl(fd, PIOCSETEVCTRL, (void *)&set->arg);
	if (set->generation <= 0)
		fail("start");
}

static void events_stop(int fd)
{
	if (ioctl(fd, PIOCRELEVCTRS) < 0)
		fail("stop");
}

/* Straight into a bare array, and then the scaling that IRIX left to clients */
static void events_read(struct events *set, int fd, long long *counts)
{
	hwperf_cntr_t read;
	int i, generation;

	generation = ioctl(fd, PIOCGETEVCTRS, (void *)&read);
	if (generation < 0)
		fail("read");
	if (generation != set->generation) {
		fprintf(stderr, "lost access to the event counters\n");
		exit(1);
	}
	for (i = 0; i < HWPERF_EVENTMAX; i++) {
		int sharing = set->on_counter[i > HWPERF_MAXEVENT];

		counts[i] = (long long)read.hwp_evctr[i];
		if (sharing > 1)
			counts[i] *= sharing;
	}
}

static long long real_usec(void)
{
	timespec_t now;

	if (clock_gettime(CLOCK_SGI_CYCLE, &now) == -1)
		fail("clock_gettime");

	return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static long long virtual_usec(void)
{
	struct tms used;

	times(&used);

	return (long long)(used.tms_utime + used.tms_stime) *
	       (1000000 / CLK_TCK);
}

static int last_generation;

static void measure(const char *name, struct events *set, int fd)
{
	long long counts[HWPERF_EVENTMAX];
	long long start;

	events_start(set, fd);
	start = real_usec();
	work();
	events_read(set, fd, counts);
	events_stop(fd);

	printf("%s: instructions %lld loads %lld stores %lld\n", name,
	       counts[15], counts[18], counts[19]);
	if (real_usec() <= start || virtual_usec() < 0)
		printf("%s: time stands still\n", name);
	if (set->generation <= last_generation)
		printf("%s: an old generation\n", name);
	last_generation = set->generation;
}

int main(void)
{
	struct events exact, shared;
	int fd = library_init();

	printf("processors: %d\n", machine.processors);
	printf("chip: %s revision %d.%d board IP%d clock %d MHz\n",
	       chip_name(machine.chip), machine.major, machine.minor,
	       machine.board, machine.mhz);

	while (__lock_test_and_set(&lock, 1) != 0)
		usleep(1000);
	events_clear(&exact);
	events_add(&exact, 15);
	events_add(&exact, 18);
	__lock_release(&lock);

	measure("first run", &exact, fd);
	measure("second run", &exact, fd);

	/* Two events on each counter; a run is too short for fair shares */
	events_clear(&shared);
	events_add(&shared, 15);
	events_add(&shared, 9);
	events_add(&shared, 18);
	events_add(&shared, 19);
	measure("shared run", &shared, fd);

	close(fd);

	return 0;
}
