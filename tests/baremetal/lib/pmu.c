// SPDX-License-Identifier: GPL-2.0-only
/* The performance counters, and running a kernel under them. */
#include "bm.h"

#define IMP_R12000	0x0e
#define IMP_R14000	0x0f

u8 scratch[PAGE] __attribute__((aligned(PAGE)));

u32 reset_ctl[2], reset_ctr[2];

void run_enter(struct run *r);

void pmu_note_reset(void)
{
	reset_ctl[0] = ctl_read(0);
	reset_ctl[1] = ctl_read(1);
	reset_ctr[0] = ctr_read(0);
	reset_ctr[1] = ctr_read(1);
}

/* Or an R14000, whose counters are the same */
int is_r12000(void)
{
	u32 imp = c0_read(C0_PRID) >> 8 & 0xff;

	return imp == IMP_R12000 || imp == IMP_R14000;
}

/* R10000 silicon before 3.0 */
int is_rev2(void)
{
	return !is_r12000() && (c0_read(C0_PRID) >> 4 & 15) < 3;
}

/* The branches that event 6 counts: on silicon 2.x also jumps. */
u32 event6(u32 branches, u32 jumps)
{
	return is_rev2() ? branches + jumps : branches;
}

u32 l2_size(void)
{
	return 512 * 1024 << (c0_read(C0_CONFIG) >> 16 & 7);
}

u32 l2_line(void)
{
	return c0_read(C0_CONFIG) >> 13 & 1 ? 128 : 64;
}

/* The bits of a control register that exist. */
u32 ctl_bits(void)
{
	return is_r12000() ? 0x3ff : 0x1ff;
}

/* R10000: code n mod 16 of counter n / 16; R12000: code n of either. */
u32 ctl_event(u32 event, u32 modes)
{
	return (event << 5 & ctl_bits()) | modes;
}

void pmu_stop(void)
{
	ctl_write(0, 0);
	ctl_write(1, 0);
	ctr_write(0, 0);
	ctr_write(1, 0);
}

static u32 ksu_of(u32 mode)
{
	if (mode == MODE_U)
		return ST_KSU_USER;
	return mode == MODE_S ? ST_KSU_SUPER : 0;
}

/*
 * Run a kernel until its syscall, and return the counters at its last exception. An
 * eret starts the kernel, or a jump if it is to run with EXL set. User and supervisor
 * mode run it at its useg address.
 */
struct counts run_from(u32 mode, const u32 *ctl, const u32 *start, u32 status,
		       const void *kernel, void *arg)
{
	int low = mode == MODE_U || mode == MODE_S;
	struct run r = {
		.entry = low ? user_address(kernel) : (u64)kernel,
		.arg = low ? user_address(arg) : (u64)arg,
		.status = status | ksu_of(mode) | ST_EXL,
		.ctl = { ctl[0], ctl[1] },
		.start = { start[0], start[1] },
		.in_exl = mode == MODE_EXL,
	};

	run_enter(&r);
	return snap;
}

/* With "-append near" the counters are near an overflow, whose interrupt is masked. */
#define NEAR	15	/* events: each instruction is a block */

u32 run_first;

struct counts run_kernel(u32 mode, u32 ctl0, u32 ctl1, const void *kernel, void *arg)
{
	u32 ie = bm_argument("near") ? CTL_IE : 0;
	const u32 ctl[2] = { ctl0 | ie, ctl1 | ie };

	run_first = ie ? BIT31 - NEAR : 0;
	run_from(mode, ctl, (u32[]){ run_first, run_first }, ST_NORMAL, kernel, arg);
	return counts_so_far();
}

/* What run_kernel()'s counters have counted at the last exception */
struct counts counts_so_far(void)
{
	return (struct counts){ { snap.c[0] - run_first, snap.c[1] - run_first } };
}

/* Count on the event's own counter; the two counters of the R12000 must agree. */
u32 count_event(u32 event, u32 mode, u32 modes, const void *kernel, void *arg)
{
	u32 ctl = ctl_event(event, modes);
	struct counts n;

	if (!is_r12000()) {
		n = run_kernel(mode, event < 16 ? ctl : 0, event < 16 ? 0 : ctl, kernel, arg);
		return n.c[event / 16];
	}
	n = run_kernel(mode, ctl, ctl, kernel, arg);
	expect("counter 1 as counter 0", n.c[0], n.c[1]);
	return n.c[0];
}

void *memset(void *p, int c, u64 n)
{
	for (u8 *to = p; n--; to++)
		*to = c;
	return p;
}

void *memcpy(void *to, const void *from, u64 n)
{
	for (u64 i = 0; i < n; i++)
		((u8 *)to)[i] = ((const u8 *)from)[i];
	return to;
}
