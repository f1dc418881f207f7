/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the guest tests that open and read events of the R10000. */
#ifndef R10K_TEST_PMU_H
#define R10K_TEST_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The modes in which an event counts: the low bits of the control register */
#define PMU_U		1u
#define PMU_K		2u
#define PMU_EXL		4u
#define PMU_ALL		(PMU_U | PMU_K | PMU_EXL)

/* config bits 9:8, "exl" in the sysfs format */
#define PMU_EXL_WITH_KERNEL	(0u << 8)
#define PMU_EXL_ALWAYS		(1u << 8)
#define PMU_EXL_NEVER		(2u << 8)
#define PMU_EXL_INVALID		(3u << 8)

/* The numbers that the tests name */
enum pmu_event_number {
	EV_CYCLES	= 0,
	EV_STORES_CTR0	= 3,	/* issued or decoded, not graduated */
	EV_FAILED_SC	= 5,
	EV_BRANCHES	= 6,
	EV_INSNS	= 15,
	EV_CYCLES_CTR1	= 16,
	EV_INSNS_CTR1	= 17,
	EV_LOADS	= 18,
	EV_STORES	= 19,
	EV_SC		= 20,
	EV_FP		= 21,
	EV_TLB_REFILLS	= 23,
};

#define PMU_NR_EVENTS	32

/* Samples a second: more than any CPU can take */
#define PMU_NO_THROTTLING	20000000u

/* What read() gives for read_format TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING */
struct pmu_count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* Two events that run together, one on each counter */
struct pmu_pair {
	int fd[2];
};

enum pmu_chip { PMU_CHIP_UNKNOWN, PMU_CHIP_R10000, PMU_CHIP_R12000 };

void pmu_stay_on_cpu0(bool stay);
void pmu_attr(struct perf_event_attr *attr, unsigned int event,
	      unsigned int modes);
void pmu_set_sample_rate(unsigned int rate);
int pmu_open_attr(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
int pmu_must_open_attr(struct perf_event_attr *attr, pid_t pid, int cpu,
		       int group, const char *what);
int pmu_must_sample(unsigned int event, uint64_t period);
int pmu_open(unsigned int event, unsigned int modes);
int pmu_must_open(unsigned int event, unsigned int modes);
void pmu_close(int fd);
void pmu_enable(int fd);
void pmu_disable(int fd);
struct pmu_count pmu_read(int fd);

void pmu_pair_open(struct pmu_pair *pair, unsigned int first,
		   unsigned int second, unsigned int modes);
void pmu_pair_read(struct pmu_pair *pair, uint64_t count[2]);
void pmu_pair_close(struct pmu_pair *pair);

enum pmu_chip pmu_chip(void);
unsigned int pmu_counter_of(unsigned int event);
bool pmu_halves(void);
bool pmu_file(const char *path, char *buf, size_t size);
unsigned long pmu_switches(void);

#endif /* R10K_TEST_PMU_H */
