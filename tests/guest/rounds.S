/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of work with a known number of instructions. Each ends with four system calls:
 * three give the CPU away, the last one may move the task to another. Signals may
 * interrupt it. rounds.c has the counts.
 * A syscall instruction raises an exception and so does not graduate: "sys" counts 2,
 * not 3.
 *
 * The rules of loops.S also apply here. Only $16 to $23 survive a system call.
 */
#include <asm/unistd.h>

#define ROUNDS		0
#define INNER		8
#define TO_PEER		16
#define FROM_PEER	24
#define SIGNALS		32	/* a set of 16 bytes */
#define BYTE		48
#define WORK		64
#define TURNS		72
#define CPUS		80	/* two sets of 8 bytes */

#define SIG_BLOCK	1
#define SIG_UNBLOCK	2
#define SIGSET_BYTES	16
#define EVENTS_DISABLE	31	/* PR_TASK_PERF_EVENTS_... */
#define EVENTS_ENABLE	32

	.option pic0
	.set	noreorder
	.set	noat
	.text

	.macro	sys number
	li	$2, \number
	syscall
	or	$20, $20, $7	/* $7 is not 0 after an error */
	.endm

	.macro	signals how
	li	$4, \how
	daddiu	$5, $16, SIGNALS
	move	$6, $0
	li	$7, SIGSET_BYTES
	sys	__NR_rt_sigprocmask
	.endm

/*
 * unsigned long rounds_run(struct rounds *r): counts from the return of the
 * first system call to the last one. Returns 0 if no system call has failed.
 */
	.globl	rounds_run
	.type	rounds_run, @function
	.balign	256
	.ent	rounds_run
rounds_run:
	.frame	$29, 64, $31
	daddiu	$29, $29, -64
	sd	$16, 0($29)
	sd	$17, 8($29)
	sd	$18, 16($29)
	sd	$19, 24($29)
	sd	$20, 32($29)
	sd	$21, 40($29)
	sd	$22, 48($29)
	sd	$23, 56($29)
	move	$16, $4
	ld	$17, ROUNDS($16)
	ld	$18, TO_PEER($16)
	ld	$19, FROM_PEER($16)
	move	$20, $0
	move	$21, $0
	daddiu	$22, $16, CPUS
	daddiu	$23, $22, CPUS + 8
	daddu	$23, $23, $16
	li	$4, EVENTS_ENABLE
	sys	__NR_prctl
	signals	SIG_UNBLOCK

	/* each round: 1 and 8 for each turn of the inner loop and 3 + 5 + 5 + 2 + 6 */
1:	ld	$8, INNER($16)
2:	lw	$9, WORK($16)
	daddiu	$8, $8, -1
	addu	$9, $9, $8
	xor	$10, $9, $8
	sw	$9, WORK+4($16)
	or	$11, $10, $9
	bnez	$8, 2b
	 daddiu	$21, $21, 1
	move	$4, $18
	daddiu	$5, $16, BYTE
	li	$6, 1
	sys	__NR_write
	move	$4, $19
	daddiu	$5, $16, BYTE
	li	$6, 1
	sys	__NR_read
	sys	__NR_sched_yield
	move	$4, $0
	li	$5, 8
	move	$6, $22
	sys	__NR_sched_setaffinity
	dsubu	$22, $23, $22	/* the other set */
	daddiu	$17, $17, -1
	bnez	$17, 1b
	 nop

	signals	SIG_BLOCK
	li	$4, EVENTS_DISABLE
	sys	__NR_prctl
	sd	$21, TURNS($16)
	move	$2, $20
	ld	$16, 0($29)
	ld	$17, 8($29)
	ld	$18, 16($29)
	ld	$19, 24($29)
	ld	$20, 32($29)
	ld	$21, 40($29)
	ld	$22, 48($29)
	ld	$23, 56($29)
	jr	$31
	 daddiu	$29, $29, 64
	.end	rounds_run
	.size	rounds_run, . - rounds_run

/* void rounds_handler(int): 10 instructions, and 1 in the way back from it */
	.globl	rounds_handler
	.type	rounds_handler, @function
	.balign	64
	.ent	rounds_handler
rounds_handler:
	.frame	$29, 0, $31
	lui	$8, %highest(rounds_signals)
	daddiu	$8, $8, %higher(rounds_signals)
	dsll	$8, $8, 16
	daddiu	$8, $8, %hi(rounds_signals)
	dsll	$8, $8, 16
	ld	$9, %lo(rounds_signals)($8)
	daddiu	$9, $9, 1
	sd	$9, %lo(rounds_signals)($8)
	jr	$31
	 nop
	.end	rounds_handler
	.size	rounds_handler, . - rounds_handler

	.section .note.GNU-stack, "", @progbits
