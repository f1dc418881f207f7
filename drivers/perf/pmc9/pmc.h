/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of pmc.ko share. Errors are negative errno values. */
#ifndef _PMC9_PMC_H
#define _PMC9_PMC_H

#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <sys/pmc.h>

/* An R10000 has two counters; other CPUs count at least two events at once */
#define PMC_COUNTERS	2

/* Protects all state: the functions of pmc(9) may sleep */
extern struct mutex pmc_lock;

/* machine.c: the CPU and its events */
int pmc_class(void);
int pmc_type(int ctr);
int pmc_attr(struct perf_event_attr *attr, int ctr, const struct pmc_counter_cfg *cfg);
void pmc_overflow(struct perf_event *event, struct perf_sample_data *data,
		  struct pt_regs *regs);

/* task.c: counters of processes */
bool pmc_task_uses(int ctr);
void pmc_task_exit(void);

/* kernel.c: counters of the kernel */
bool pmc_kernel_has(int ctr);
bool pmc_kernel_runs(int ctr);
int pmc_kernel_run(int ctr, bool on);
int pmc_kernel_value(int ctr, u64 *value);
void pmc_kernel_exit(void);

#endif
