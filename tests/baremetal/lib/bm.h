/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small runtime of the bare-metal programs: serial output, TAP, exceptions,
 * TLB, and running a kernel (a few hand-counted instructions) in a chosen mode
 * under chosen counter settings.
 */
#ifndef BAREMETAL_BM_H
#define BAREMETAL_BM_H

#include "asm.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef int s32;
typedef long s64;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PAGE		4096

/* tap.c */
struct tap_case {
	const char *name;
	void (*run)(void);
};

/* A program is a function tests() that runs its cases. */
void tests(void);
void bm_main(int argc, const s32 *argv);
int bm_argument(const char *word);
void tap_run(const struct tap_case *cases, u32 n);
void tap_begin(void);
void tap_end(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void bail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
int expect(const char *what, u64 want, u64 got);
int expect_range(const char *what, u64 low, u64 high, u64 got);
int expect_true(const char *what, int got);

/* uart.c */
void put_char(char c);
__attribute__((noreturn)) void power_off(void);

/* The CP0 registers that tests use; 32-bit ones are read sign-extended. */
#define c0_read(sel)	({						\
	s64 v_;								\
	asm volatile("mfc0 %0, " sel : "=r"(v_) : : "memory");		\
	v_; })
#define c0_write(sel, value)						\
	asm volatile("mtc0 %0, " sel : : "r"((u64)(value)) : "memory")
#define c0_write64(sel, value)						\
	asm volatile("dmtc0 %0, " sel : : "r"((u64)(value)) : "memory")

#define C0_INDEX	"$0"
#define C0_ENTRYLO0	"$2"
#define C0_ENTRYLO1	"$3"
#define C0_PAGEMASK	"$5"
#define C0_WIRED	"$6"
#define C0_COUNT	"$9"
#define C0_ENTRYHI	"$10"
#define C0_COMPARE	"$11"
#define C0_STATUS	"$12"
#define C0_CAUSE	"$13"
#define C0_PRID		"$15"
#define C0_CONFIG	"$16"

#define CAUSE_IP7	0x8000
#define CAUSE_BD	0x80000000
#define cause_code(c)	(((c) >> 2) & 31)

enum {
	EXC_INT = 0, EXC_MOD = 1, EXC_TLBL = 2, EXC_TLBS = 3, EXC_ADEL = 4,
	EXC_ADES = 5, EXC_SYS = 8, EXC_BP = 9, EXC_RI = 10, EXC_CPU = 11,
	EXC_OV = 12, EXC_TR = 13, EXC_FPE = 15,
};

/* The performance counters; n is a literal 0 or 1. */
#define ctl_read(n)	({						\
	s64 v_;								\
	asm volatile("mfps %0, " #n : "=r"(v_) : : "memory");		\
	v_; })
#define ctl_write(n, value)						\
	asm volatile("mtps %0, " #n : : "r"((u64)(value)) : "memory")
#define ctr_read(n)	({						\
	s64 v_;								\
	asm volatile("mfpc %0, " #n : "=r"(v_) : : "memory");		\
	v_; })
#define ctr_write(n, value)						\
	asm volatile("mtpc %0, " #n : : "r"((u64)(value)) : "memory")

#define MODE_U		8
#define MODE_S		4
#define MODE_K		2
#define MODE_EXL	1
#define MODE_ALL	15
#define CTL_IE		0x10
#define BIT31		0x80000000U	/* of a counter: it has overflowed */

/* pmu.c */
extern u32 reset_ctl[2], reset_ctr[2];
void pmu_note_reset(void);
void pmu_stop(void);
int is_r12000(void);
int is_rev2(void);
u32 l2_size(void);
u32 l2_line(void);
u32 event6(u32 branches, u32 jumps);
u32 ctl_bits(void);
u32 ctl_event(u32 event, u32 modes);

/* A kernel and how to run it. asm.h has the same layout (R_*). */
struct run {
	u64 entry;
	u64 arg;
	u32 status, pad;
	u32 ctl[2];
	u32 start[2];
	u32 in_exl, pad2;
};

struct counts {
	u32 c[2];
};

extern u32 run_first;		/* what the counters of run_kernel() began with */

/* A kernel runs in one of the modes MODE_*. */
struct counts run_kernel(u32 mode, u32 ctl0, u32 ctl1, const void *kernel, void *arg);
struct counts run_from(u32 mode, const u32 *ctl, const u32 *start, u32 status,
		       const void *kernel, void *arg);
struct counts counts_so_far(void);
u32 count_event(u32 event, u32 mode, u32 modes, const void *kernel, void *arg);

/*
 * Instructions that count in EXL besides the kernel: those that start it, and the
 * first one of the vector that ends it.
 */
#define EXL_AROUND(mode)	((mode) == MODE_EXL ? 3 : 2)

/* exc.c */
struct frame {
	u64 r[32];
	u64 lo, hi, epc, badvaddr, cause, status, vector, pad;
};

enum exc_answer { EXC_RESUME = 0, EXC_LEAVE = 1 };

/*
 * A function that handles exceptions. fast_skip(n) makes the vector skip the next n
 * exceptions other than TLB refills without a call, on a path that executes
 * FAST_INSNS in EXL mode. snap has the counters as the vector has read them. Without
 * a hook, a syscall ends the run and any other exception ends the program.
 */
typedef enum exc_answer (*exc_hook)(struct frame *f);
extern exc_hook exc_hook_fn;
extern struct counts snap;

/* Called by the vectors with EXL set. */
enum exc_answer exc_handle(struct frame *f);
enum exc_answer exc_default(struct frame *f);
enum exc_answer exc_skip(struct frame *f);
void exc_reset(void);
void fast_skip(u32 n);
u32 fast_left(void);
void exc_init(void);

/* tlb.c */
void tlb_init(void);
void tlb_flush(void);
void tlb_map(u64 va, const void *even, const void *odd, u32 flags);
void tlb_map_random(u64 va, const void *page, u32 wired);
void tlb_user_cca(u32 cca);
u64 user_address(const void *p);

#define TLB_G		1
#define TLB_V		2
#define TLB_D		4
#define TLB_RW		(TLB_G | TLB_V | TLB_D)
#define TLB_CCA(n)	((n) << 3)	/* cache algorithm; 3 if none is given */
#define TLB_ODD_INVALID	0x100

/* timer.c */
int ip7(void);
void timer_off(void);
int timer_fire(void);

/* second.c */
extern volatile u32 second_go;
void second_main(void);
void second_start(void (*function)(void *), void *argument);
void second_wait(void);
void second_call(void (*function)(void *), void *argument);
void on_cpu(u32 cpu, void (*function)(void *), void *argument);

/* A page of zeroes for kernels to read and write. */
extern u8 scratch[PAGE];

void *memset(void *p, int c, u64 n);
void *memcpy(void *to, const void *from, u64 n);

#endif
