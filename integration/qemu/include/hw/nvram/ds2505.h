/*
 * Dallas DS2505, a one-wire EPROM of 2 KB
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU interface:
 *  + QOM property "serial": the 48 bits of its number
 *  + QOM property "part-number": of the SGI board that it is soldered to
 *  + the master of the wire calls ds2505_reset() and ds2505_touch()
 */

#ifndef HW_NVRAM_DS2505_H
#define HW_NVRAM_DS2505_H

#include "hw/qdev-core.h"
#include "qom/object.h"

#define TYPE_DS2505 "ds2505"
OBJECT_DECLARE_SIMPLE_TYPE(DS2505State, DS2505)

#define DS2505_PAGE         32
#define DS2505_WRITTEN      (2 * DS2505_PAGE)

struct DS2505State {
    DeviceState parent_obj;

    uint64_t serial;
    char *part_number;
    uint64_t rom;                       /* family, serial number, CRC */
    uint8_t memory[DS2505_WRITTEN];     /* the rest is 0xff */

    uint8_t state;
    uint8_t bit;                        /* of the ROM, of a byte or command */
    uint8_t search;                     /* slot of three for a bit of the ROM */
    uint32_t command;
    uint8_t out;
    uint16_t address;
    uint16_t crc;
    uint8_t crc_bytes;                  /* of the CRC, to be sent yet */
    bool redirection;                   /* the next byte tells of a new page */
};

/* The master has pulled the wire down for at least 480 us. */
void ds2505_reset(DS2505State *s);

/*
 * The master writes @bit in one slot of time, or reads if it is 1. Returns
 * what it then sees, as the device may hold the wire down.
 */
bool ds2505_touch(DS2505State *s, bool bit);

#endif
