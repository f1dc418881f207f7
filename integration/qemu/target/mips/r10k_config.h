/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the values of a CPU's properties.
 */

#ifndef TARGET_MIPS_R10K_CONFIG_H
#define TARGET_MIPS_R10K_CONFIG_H

/* As in the event table: R10000 of revision 2.x, of 3.x, and later CPUs */
#define R10K_CHIP_V2    1
#define R10K_CHIP_V3    2
#define R10K_CHIP_R10K  (R10K_CHIP_V2 | R10K_CHIP_V3)
#define R10K_CHIP_R12K  4
#define R10K_CHIP_ALL   (R10K_CHIP_R10K | R10K_CHIP_R12K)

#define R10K_TLB_ENTRIES    64

/* R10kConfig.overflow: what interrupts, and until when */
enum {
    R10K_OVERFLOW_LEVEL,
    R10K_OVERFLOW_CROSSING,
    R10K_OVERFLOW_LATCH,
    R10K_OVERFLOW_NEVER,
};

/* R10kConfig.events: where a later CPU than the R10000 counts its events */
enum {
    R10K_EVENTS_FULL,
    R10K_EVENTS_SPLIT5,
    R10K_EVENTS_SPLIT4,
};

/**
 * R10kConfig: values that are fixed when a CPU is realized
 * @chip: the R10K_CHIP_* bit of the CPU, fixed by its type
 * @l2_size: bytes of the level 2 cache, a power of two
 * @l2_line: bytes of one of its lines, 64 or 128
 * @clock: pipeline clock in Hz, 0 for the board's
 * @mips64r2: the MIPS64 release 2 instructions work
 * @wait: the WAIT instruction idles, otherwise it is reserved
 * @model_hold: ms of virtual time that a model stays awake after the last
 *              event that needs it was deselected
 * @l2_latency: cycles of a request that hits the level 2 cache
 * @memory_latency: further cycles of a request that goes to memory
 * @wrong_path_insns: instructions assumed to be issued on the wrong path of
 *                    each mispredicted branch
 * @wrong_path_loads: loads among these
 * @wrong_path_stores: stores among these
 * @wrong_path_branches: branches among these
 * @skid: instructions that graduate between an overflow and its interrupt
 * @linger: instructions that graduate before the interrupt drops
 * @overflow_name: the name of @overflow
 * @overflow: one of R10K_OVERFLOW_*
 * @events_name: the name of @events
 * @events: one of R10K_EVENTS_*
 * @stuck_after: the overflow after which its counter ignores writes, 0 for none
 * @reset_value: what the counters and control registers have after a reset
 * @reserved_bits: bits that the control registers do not have read as ones
 */
typedef struct R10kConfig {
    uint8_t chip;
    uint64_t l2_size;
    uint32_t l2_line;
    uint64_t clock;
    bool mips64r2;
    bool wait;
    uint32_t model_hold;
    uint32_t l2_latency;
    uint32_t memory_latency;
    uint32_t wrong_path_insns;
    uint32_t wrong_path_loads;
    uint32_t wrong_path_stores;
    uint32_t wrong_path_branches;
    uint32_t skid;
    uint32_t linger;
    char *overflow_name;
    uint8_t overflow;
    char *events_name;
    uint8_t events;
    uint32_t stuck_after;
    uint32_t reset_value;
    bool reserved_bits;
} R10kConfig;

#endif /* TARGET_MIPS_R10K_CONFIG_H */
