// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exceptions in the middle of straight-line code: the counters when the exception is
 * taken, and at the end.
 *
 * @run
 * @run cpu=R10000,R12000 order=be way=icount qemu=-append near
 */
#include "bm.h"

#define HOLE		0x00400000UL
#define CODE		0x00600000UL
#define FCSR_V		0x800
#define FCSR_Z		0x400

#define KERNELS(X)							\
	X(k_syscall) X(k_break) X(k_trap) X(k_trap_immediate)		\
	X(k_overflow) X(k_overflow_immediate) X(k_reserved)		\
	X(k_load_unaligned) X(k_store_unaligned) X(k_load_hole)		\
	X(k_store_hole) X(k_load_fp_hole) X(k_link_hole)		\
	X(k_fp_exception) X(k_fp_convert_exception) X(k_cp0_user)	\
	X(k_counter_user) X(k_control_user) X(k_long_hole)		\
	X(k_no_trap) X(k_prefetch_hole) X(k_slot_taken)			\
	X(k_slot_not_taken) X(k_slot_likely) X(k_slot_nullified)	\
	X(k_many) X(k_jump_to_hole) X(k_page_end)
#define DECLARE(k)	extern const char k[];
KERNELS(DECLARE)

#define NO_FAULT	32

enum answer { SKIP, MAP, LEAVE };

/* What is counted: instructions, loads, stores, branches, FP operations. */
static const u32 events[] = { 15, 18, 19, 6, 21 };
#define N_EVENTS	ARRAY_SIZE(events)

/* Up to the exception: a load and ten instructions, one of which counts two. */
#define FIRST		12, 3, 2, 1, 1
#define BRANCH_TOO	13, 3, 2, 2, 1

struct row {
	const char *name;
	const char *kernel;
	u32 code;
	enum answer answer;
	u64 value;
	u32 at_fault[N_EVENTS], at_end[N_EVENTS];
	u32 user_only;
};

static const struct row rows[] = {
	{ "syscall", k_syscall, EXC_SYS, SKIP, 0, { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "break", k_break, EXC_BP, SKIP, 0, { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "trap taken", k_trap, EXC_TR, SKIP, 0, { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "immediate trap taken", k_trap_immediate, EXC_TR, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "trap not taken", k_no_trap, NO_FAULT, SKIP, 0, {}, { 24, 5, 4, 2, 2 }, 0 },
	{ "integer overflow", k_overflow, EXC_OV, SKIP, 0x7fffffff,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "integer overflow, immediate", k_overflow_immediate, EXC_OV, SKIP,
	  0xffffffff80000000, { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "reserved instruction", k_reserved, EXC_RI, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "unaligned load", k_load_unaligned, EXC_ADEL, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "unaligned store", k_store_unaligned, EXC_ADES, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "load without TLB entry", k_load_hole, EXC_TLBL, MAP, HOLE,
	  { FIRST }, { 24, 6, 4, 2, 2 }, 0 },
	{ "store without TLB entry", k_store_hole, EXC_TLBS, MAP, HOLE,
	  { FIRST }, { 24, 5, 5, 2, 2 }, 0 },
	{ "FP load without TLB entry", k_load_fp_hole, EXC_TLBL, MAP, HOLE,
	  { FIRST }, { 24, 6, 4, 2, 2 }, 0 },
	{ "linked load without TLB entry", k_link_hole, EXC_TLBL, MAP, HOLE,
	  { FIRST }, { 24, 6, 4, 2, 2 }, 0 },
	{ "prefetch without TLB entry raises nothing", k_prefetch_hole, NO_FAULT, MAP, HOLE,
	  {}, { 24, 6, 4, 2, 2 }, 0 },
	{ "FP division by zero, enabled", k_fp_exception, EXC_FPE, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "invalid FP conversion, enabled", k_fp_convert_exception, EXC_FPE, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 0 },
	{ "coprocessor 0 from user mode", k_cp0_user, EXC_CPU, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 1 },
	{ "reading a counter from user mode", k_counter_user, EXC_CPU, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 1 },
	{ "writing a control register from user mode", k_control_user, EXC_CPU, SKIP, 0,
	  { FIRST }, { 23, 5, 4, 2, 2 }, 1 },
	{ "delay slot of a taken branch", k_slot_taken, EXC_TLBL, MAP, HOLE,
	  { BRANCH_TOO }, { 26, 6, 4, 4, 2 }, 0 },
	{ "delay slot of a branch not taken", k_slot_not_taken, EXC_TLBL, MAP, HOLE,
	  { BRANCH_TOO }, { 28, 6, 4, 4, 2 }, 0 },
	{ "delay slot of a branch-likely taken", k_slot_likely, EXC_TLBS, MAP, HOLE,
	  { BRANCH_TOO }, { 26, 5, 5, 4, 2 }, 0 },
	{ "nullified delay slot raises nothing", k_slot_nullified, NO_FAULT, MAP, HOLE,
	  {}, { 26, 5, 4, 3, 2 }, 0 },
	{ "jump to a page without TLB entry", k_jump_to_hole, EXC_TLBL, LEAVE, HOLE,
	  { 14, 3, 2, 1, 1 }, { 14, 3, 2, 1, 1 }, 0 },
};

static const struct row *current;
static struct counts at_fault;
static struct frame fault;
static u32 faults;
static u8 page[PAGE] __attribute__((aligned(PAGE)));

/* The first exception should be the row's, the second ends the run. */
static enum exc_answer answer(struct frame *f)
{
	if (faults || current->code == NO_FAULT)
		return exc_default(f);
	faults++;
	fault = *f;
	at_fault = counts_so_far();
	if (current->answer == LEAVE || cause_code(f->cause) != current->code)
		return EXC_LEAVE;
	if (current->answer == MAP)
		tlb_map(HOLE, page, page, TLB_RW);
	else
		f->epc += 4;
	return EXC_RESUME;
}

/* f10 = 0, f12 too large to convert, and the exceptions that these cause */
static void prepare_fp(int enable)
{
	asm volatile(".set push\n\t.set hardfloat\n\t"
		     "dmtc1 $0, $f10\n\t"
		     "dmtc1 %0, $f12\n\t"
		     "ctc1 %1, $31\n\t.set pop"
		     : : "r"(0x7e37e43c8800759cUL), "r"(enable ? FCSR_V | FCSR_Z : 0));
}

static void check(u32 e, u32 mode, u32 want, u32 got, const char *when)
{
	if (events[e] == 6)
		want = event6(want, current->kernel == k_jump_to_hole);
	if (!expect(when, want, got))
		note("  ... event %u in %s mode", events[e], mode == MODE_U ? "user" : "kernel");
}

static void run_event(const struct row *row, u32 mode, u32 e)
{
	static const u32 start[2];
	u32 in_use = ctl_event(events[e], mode), n = events[e] >= 16;
	u32 ctl[2] = { is_r12000() || !n ? in_use : 0, is_r12000() || n ? in_use : 0 };
	struct counts end;

	tlb_flush();
	memset(scratch, 0, 128);
	*(u64 *)(scratch + 64) = row->value;
	faults = 0;
	end = run_from(mode, ctl, start, ST_NORMAL & ~(row->user_only ? ST_CU0 : 0),
		       row->kernel, scratch);
	expect("exceptions", row->code != NO_FAULT, faults);
	if (faults) {
		expect("exception code", row->code, cause_code(fault.cause));
		check(e, mode, row->at_fault[e], at_fault.c[n], "at the exception");
	}
	check(e, mode, row->at_end[e], end.c[n], "at the end");
	if (is_r12000())
		check(e, mode, end.c[0], end.c[1], "counter 1, as counter 0");
}

static void run_row(const struct row *row)
{
	current = row;
	exc_hook_fn = answer;
	prepare_fp(row->code == EXC_FPE);
	for (u32 e = 0; e < N_EVENTS; e++) {
		run_event(row, MODE_U, e);
		if (!row->user_only)
			run_event(row, MODE_K, e);
	}
	prepare_fp(0);
}

static void many(void)
{
	exc_hook_fn = exc_skip;
	expect("user instructions", 16, count_event(15, MODE_U, MODE_U, k_many, scratch));
	expect("kernel instructions", 16, count_event(15, MODE_K, MODE_K, k_many, scratch));
}

static u32 long_counts[3];

static enum exc_answer map_and_note(struct frame *f)
{
	if (cause_code(f->cause) == EXC_SYS)
		return exc_default(f);
	long_counts[faults++] = counts_so_far().c[0];
	tlb_map(f->badvaddr, page, page, TLB_RW);
	return EXC_RESUME;
}

static void long_blocks(void)
{
	exc_hook_fn = map_and_note;
	faults = 0;
	*(u64 *)(scratch + 64) = HOLE;
	expect("at the end", 1 + 42 * 13 + 1 + 84 * 13 + 1,
	       count_event(15, MODE_U, MODE_U, k_long_hole, scratch));
	expect("exceptions", 2, faults);
	expect("at the first", 1 + 42 * 13, long_counts[0]);
	expect("at the second", 1 + 42 * 13 + 1 + 84 * 13, long_counts[1]);
}

static enum exc_answer map_code(struct frame *f)
{
	if (faults++)
		return exc_default(f);
	fault = *f;
	at_fault = counts_so_far();
	tlb_map(CODE, k_page_end - (u64)k_page_end % PAGE,
		k_page_end - (u64)k_page_end % PAGE + PAGE, TLB_RW);
	return EXC_RESUME;
}

/* Three nops and a branch on the mapped page, the delay slot on the next page. */
static void slot_on_next_page(u32 event, u32 want_at_fault, u32 want)
{
	const char *first = k_page_end - (u64)k_page_end % PAGE;
	u32 got;

	tlb_flush();
	tlb_map(CODE, first, first + PAGE, TLB_RW | TLB_ODD_INVALID);
	exc_hook_fn = map_code;
	faults = 0;
	got = count_event(event, MODE_U, MODE_U, (void *)(CODE + (u64)k_page_end % PAGE), scratch);
	expect("exception code", EXC_TLBL, cause_code(fault.cause));
	expect("EPC", CODE + PAGE - 4, fault.epc);
	expect("BD", 1, fault.cause >> 31 & 1);
	expect("at the exception", want_at_fault, at_fault.c[!is_r12000() && event >= 16]);
	expect("at the end", want, got);
}

static void page_end(void)
{
	slot_on_next_page(15, 4, 4 + 2 + 1);
	slot_on_next_page(6, 1, 2);
	slot_on_next_page(18, 0, 1);
}

static const struct tap_case cases[] = {
	{ "many exceptions in a row", many },
	{ "in the longest blocks", long_blocks },
	{ "delay slot on a page that is not there", page_end },
};

void tests(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		tap_begin();
		run_row(&rows[i]);
		tap_end("%s", rows[i].name);
	}
	tap_run(cases, ARRAY_SIZE(cases));
}
