/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: state and interface.
 *
 * The two counters and their control registers are CP0 register 25, see
 * r10k_evcntrs(5) and the R10000 User's Manual, section 14.32.
 */

#ifndef TARGET_MIPS_R10K_PMU_H
#define TARGET_MIPS_R10K_PMU_H

#define R10K_PMU_COUNTERS 2

/* Control register: event code 8:5 (R10000) or 9:5, then IE, U, S, K, EXL. */
#define R10K_PMU_CTL_EXL    (1u << 0)
#define R10K_PMU_CTL_K      (1u << 1)
#define R10K_PMU_CTL_S      (1u << 2)
#define R10K_PMU_CTL_U      (1u << 3)
#define R10K_PMU_CTL_MODES  0xfu
#define R10K_PMU_CTL_IE     (1u << 4)
#define R10K_PMU_CTL_EVENT  5

/* A counter interrupts while this bit is set. */
#define R10K_PMU_OVERFLOW   0x80000000u

/* R10kPMU.run */
#define R10K_PMU_RUN_SHIFT(i)   (16 * (i))
#define R10K_PMU_RUN_FULL       0x8000u
#define R10K_PMU_RUN_ANY_FULL   0x80008000u

/* Models that are awake, in R10kPMU.awake. */
#define R10K_AWAKE_MEM      (1u << 0)
#define R10K_AWAKE_BRANCH   (1u << 1)
#define R10K_AWAKE_TLB      (1u << 2)

/**
 * R10kSelection: what is counted in a mode
 * @tb_flags: the rules and models of translated code, and how long its blocks
 *            may be (R10K_TB_*), 0 for none; part of the lookup key of
 *            translation blocks
 * @counted: how each counter's event is counted, RULE_NONE if it is not
 * @cycles: a bit for each counter that counts cycles
 */
typedef struct R10kSelection {
    uint32_t tb_flags;
    uint8_t counted[R10K_PMU_COUNTERS];
    uint8_t cycles;
} R10kSelection;

/**
 * R10kPMU: the performance counters of one CPU
 * @ctl: the control registers
 * @base: with @run the value of each counter, see below
 * @run: counts that were added since @base was set, 16 bits per counter
 * @active: a control register selects some mode
 * @model: how each counter's event is counted, derived from @ctl
 * @selection: what counts in each mode, derived from @ctl and @awake; the
 *             index is the mode's control register bit, 0 in ERL
 * @now: the selection of the current mode
 * @mode: while @active the control register bit of the current mode, 0 in ERL
 * @stage: how near each counter is to an interrupt (R10K_STAGE_*)
 * @skid: instructions that still graduate before an overflow interrupts
 * @linger: instructions that graduate before IP7 drops when no overflow
 *          asserts it any more
 * @latched: a bit for each counter, set while its overflow is latched
 * @overflows: how many have interrupted
 * @stuck: a bit for each counter, set if it ignores writes
 * @overflowed: a counter has begun to interrupt, or to skid, since this was
 *              cleared
 * @left: the CPU has left a block because its instruction overflows a counter,
 *        and no instruction near an overflow has been executed since
 * @cycles_on: a bit for each counter, set while it counts cycles
 * @cycles_since: for a counter that counts cycles, the CPU clock ticks when
 *                @base and @run were last updated
 * @timer_latch: Count has reached Compare since Compare was written
 * @awake: models that are awake (R10K_AWAKE_*), because a selected event
 *         needs them, or one that was selected not long ago
 * @needed: models that this CPU's selected events need
 * @mem_valid: the caches have been used since reset
 * @erl: Status.ERL, which changes the mapping of addresses
 * @diag: the Diagnostic register
 * @random: state of the generator of the Random register
 * @random_last: the last index that it has generated
 *
 * A counter's value is @base plus its half of @run, modulo 2^32. Translated
 * code adds to both halves at once and tests the upper bit of each. If it is
 * set, bit 31 of the counter has changed, or the counter has come to the next
 * stage before an interrupt, or its half of @run is full.
 */
typedef struct R10kPMU {
    uint32_t ctl[R10K_PMU_COUNTERS];
    uint32_t base[R10K_PMU_COUNTERS];
    uint32_t run;
    bool active;
    uint8_t model[R10K_PMU_COUNTERS];
    R10kSelection selection[R10K_PMU_CTL_U + 1];
    R10kSelection now;
    uint8_t mode;
    uint8_t stage[R10K_PMU_COUNTERS];
    uint32_t skid;
    uint32_t linger;
    uint8_t latched;
    uint32_t overflows;
    uint8_t stuck;
    bool overflowed;
    bool left;
    uint8_t cycles_on;
    bool timer_latch;
    uint8_t awake;
    uint8_t needed;
    bool mem_valid;
    bool erl;
    uint64_t diag;
    uint32_t random;
    uint32_t random_last;
    uint64_t cycles_since[R10K_PMU_COUNTERS];
} R10kPMU;

#endif /* TARGET_MIPS_R10K_PMU_H */
