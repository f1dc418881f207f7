// SPDX-License-Identifier: GPL-2.0-only
/*
 * dma: what CPU 0 counts of the accesses of a disk to its memory, which is the first
 * virtio disk. For tests/octane/disk, on an Octane with one CPU: nobody else makes
 * requests there.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "../tap.h"
#include "../pmu.h"

#define DISK	"/dev/vda"
#define BLOCK	128
#define BYTES	65536
/* Queues, headers and the status of some requests, and what other devices do */
#define AROUND	200

enum {
	INTERVENTIONS = 12,
	INVALIDATIONS = 13,
	L2_MISSES = 26,
	HITS = 28,
	INVALIDATION_HITS = 29,
	STORES_TO_SHARED = 31,
};

static char *buffer;

static int open_disk(void)
{
	int fd = open(DISK, O_RDWR | O_DIRECT);

	if (fd < 0)
		tap_bail_errno(DISK);
	return fd;
}

/* All lines of the buffer are DirtyExclusive, and nearly all stay in L2. */
static void dirty(void)
{
	memset(buffer, 1, BYTES);
}

static void transfer(int disk, bool to_memory)
{
	ssize_t done = to_memory ? pread(disk, buffer, BYTES, 0) : pwrite(disk, buffer, BYTES, 0);

	if (done != BYTES)
		tap_bail_errno("pread or pwrite");
}

/* Both counters, all modes, the whole CPU */
static void measure(const unsigned int events[2], int disk, unsigned int times,
		    bool to_memory, uint64_t count[2])
{
	struct perf_event_attr attr;
	int fd[2];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		pmu_attr(&attr, events[i], PMU_ALL);
		attr.disabled = i == 0;
		fd[i] = pmu_must_open_attr(&attr, -1, 0, i ? fd[0] : -1, "an event of CPU 0");
	}
	pmu_enable(fd[0]);
	dirty();
	for (i = 0; i < times; i++) {
		transfer(disk, to_memory);
		if (to_memory)
			dirty();
	}
	pmu_disable(fd[0]);
	for (i = 0; i < 2; i++) {
		count[i] = pmu_read(fd[i]).value;
		pmu_close(fd[i]);
	}
}

/* What stores of this program to all of the buffer count after a transfer */
static uint64_t stores_after(unsigned int event, int disk, bool to_memory)
{
	uint64_t count;
	int fd = pmu_must_open(event, PMU_U);

	dirty();
	transfer(disk, to_memory);
	pmu_enable(fd);
	dirty();
	pmu_disable(fd);
	count = pmu_read(fd).value;
	pmu_close(fd);
	return count;
}

static void check_between(const char *what, uint64_t got, uint64_t least, uint64_t most)
{
	check_true(what, got >= least && got <= most, "got %llu, expected %llu to %llu",
		   (unsigned long long)got, (unsigned long long)least,
		   (unsigned long long)most);
}

int main(void)
{
	static const unsigned int interventions[2] = { INTERVENTIONS, HITS };
	static const unsigned int invalidations[2] = { INVALIDATIONS, INVALIDATION_HITS };
	const uint64_t blocks = BYTES / BLOCK;
	uint64_t count[2];
	int disk;

	tap_start(15);
	disk = open_disk();
	buffer = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED)
		tap_bail_errno("mmap");

	measure(invalidations, disk, 0, true, count);
	check_equal("no transfer: invalidations", count[0], 0);
	measure(interventions, disk, 0, true, count);
	check_between("no transfer: interventions", count[0], 0, AROUND);

	measure(invalidations, disk, 1, true, count);
	check_equal("into memory: an invalidation for each block", count[0], blocks);
	check_between("into memory: they hit", count[1], blocks * 9 / 10, blocks);
	measure(invalidations, disk, 10, true, count);
	check_equal("ten times: ten for each", count[0], 10 * blocks);
	check_between("ten times: they hit", count[1], 9 * blocks, 10 * blocks);
	measure(interventions, disk, 1, true, count);
	check_between("into memory: interventions for the queue alone", count[0], 1, AROUND);

	measure(interventions, disk, 1, false, count);
	check_between("from memory: an intervention for each block", count[0], blocks,
		      blocks + AROUND);
	check_between("from memory: they hit", count[1], blocks * 9 / 10, count[0]);
	measure(interventions, disk, 10, false, count);
	check_between("ten times: ten for each", count[0], 10 * blocks, 10 * (blocks + AROUND));
	measure(invalidations, disk, 1, false, count);
	check_equal("from memory: no invalidation", count[0], 0);

	check_between("from memory: it shares the blocks afterwards",
		      stores_after(STORES_TO_SHARED, disk, false), blocks * 9 / 10, blocks);
	check_between("from memory: and has them still",
		      stores_after(L2_MISSES, disk, false), 0, blocks / 10);
	check_between("into memory: it has no block afterwards",
		      stores_after(L2_MISSES, disk, true), blocks, blocks + 10);
	check_equal("into memory: and so shares none",
		    stores_after(STORES_TO_SHARED, disk, true), 0);
	return tap_end();
}
