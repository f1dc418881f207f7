/*
 * How a system controller asks the CPUs about what devices read and write
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef HW_MIPS_SNOOP_H
#define HW_MIPS_SNOOP_H

#include "exec/hwaddr.h"
#include "hw/core/cpu.h"
#include "qom/object.h"

#define TYPE_MIPS_SNOOP "mips-snoop"
typedef struct MIPSSnoopClass MIPSSnoopClass;
DECLARE_CLASS_CHECKERS(MIPSSnoopClass, MIPS_SNOOP, TYPE_MIPS_SNOOP)

/**
 * MIPSSnoopClass: the interface of CPUs that have a model of their caches
 * @line: returns the bytes of a block; 0 while the model sleeps. Any thread may
 *        call it.
 * @dma: a device reads or writes the block at this physical address; @whole:
 *       all of its bytes. Called while no CPU executes a translation block.
 */
struct MIPSSnoopClass {
    InterfaceClass parent_class;

    uint32_t (*line)(CPUState *cs);
    void (*dma)(CPUState *cs, hwaddr block, bool write, bool whole);
};

#endif
