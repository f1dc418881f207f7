// SPDX-License-Identifier: GPL-2.0-only
/* Exceptions: what the vectors have saved, and the tests' hooks. */
#include "bm.h"

exc_hook exc_hook_fn;
struct counts snap;

/* The page at the addresses SAVE_* (asm.h); uncached, so it causes no cache event. */
static u8 save_page[PAGE] __attribute__((aligned(PAGE)));
static int exc_depth;

static u32 *saved(int offset)
{
	return (u32 *)(save_page + PAGE + offset);
}

void fast_skip(u32 n)
{
	*saved(SAVE_FAST) = n;
}

u32 fast_left(void)
{
	return *saved(SAVE_FAST);
}

void exc_reset(void)
{
	exc_hook_fn = exc_default;
	fast_skip(0);
}

void exc_init(void)
{
	tlb_map(-2 * PAGE, save_page, save_page, TLB_RW | TLB_CCA(2));
	c0_write(C0_WIRED, 2);
	exc_reset();
}

enum exc_answer exc_default(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	bail("unexpected exception %lu at 0x%lx, vector 0x%lx, address 0x%lx, status 0x%lx",
	     cause_code(f->cause), f->epc, f->vector, f->badvaddr, f->status);
}

/* Continue after the instruction that raised the exception. */
enum exc_answer exc_skip(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return EXC_LEAVE;
	f->epc += 4;
	return EXC_RESUME;
}

enum exc_answer exc_handle(struct frame *f)
{
	enum exc_answer answer;

	if (exc_depth++)
		bail("exception %lu in a handler, epc 0x%lx, address 0x%lx",
		     cause_code(f->cause), f->epc, f->badvaddr);
	snap.c[0] = *saved(SAVE_SNAP0);
	snap.c[1] = *saved(SAVE_SNAP1);
	answer = exc_hook_fn(f);
	if (answer == EXC_LEAVE)
		pmu_stop();
	exc_depth = 0;
	return answer;
}
