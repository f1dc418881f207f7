/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dallas DS2505, a one-wire EPROM of 2 KB, as SGI solders it to boards
 *
 * It holds the part number of the board. Modelled are the commands of the
 * ROM and Extended Read Memory; programming needs 12 V, which SGI's boards
 * do not have.
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/bswap.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/nvram/ds2505.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "trace.h"

#define FAMILY              0x0b

#define READ_ROM            0x33
#define MATCH_ROM           0x55
#define SKIP_ROM            0xcc
#define SEARCH_ROM          0xf0
#define EXT_READ_MEMORY     0xa5

/* How SGI fills the first two pages: spaces, and in the first one the number */
#define PART_NUMBER         11
#define PART_NUMBER_MAX     19

enum {
    STATE_IDLE,                 /* until the next reset */
    STATE_ROM_COMMAND,
    STATE_READ_ROM,
    STATE_MATCH_ROM,
    STATE_SEARCH_ROM,
    STATE_FUNCTION,             /* selected: a command and an address follow */
    STATE_READ_MEMORY,
};

static uint8_t crc8(uint8_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++) {
        crc = crc >> 1 ^ (crc & 1 ? 0x8c : 0);
    }
    return crc;
}

static uint16_t crc16(uint16_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++) {
        crc = crc >> 1 ^ (crc & 1 ? 0xa001 : 0);
    }
    return crc;
}

/*
 * What Extended Read Memory sends after the address: a byte that tells where
 * the page has been moved to (nowhere), the inverted CRC of that and of the
 * command, the page, and the inverted CRC of the page. The next page follows.
 */
static uint8_t ds2505_next_byte(DS2505State *s)
{
    uint8_t byte;
    bool end;

    if (s->crc_bytes) {
        byte = ~s->crc >> (s->crc_bytes == 2 ? 0 : 8);
        if (!--s->crc_bytes) {
            s->crc = 0;
        }
        return byte;
    }
    if (s->redirection) {
        byte = 0xff;
        end = true;
        s->redirection = false;
    } else {
        byte = s->address < DS2505_WRITTEN ? s->memory[s->address] : 0xff;
        end = ++s->address % DS2505_PAGE == 0;
        s->redirection = end;
    }
    s->crc = crc16(s->crc, byte);
    s->crc_bytes = end ? 2 : 0;
    return byte;
}

static void ds2505_enter(DS2505State *s, int state)
{
    s->state = state;
    s->bit = 0;
    s->search = 0;
}

void ds2505_reset(DS2505State *s)
{
    ds2505_enter(s, STATE_ROM_COMMAND);
}

static void ds2505_rom_command(DS2505State *s, uint8_t command)
{
    trace_ds2505_rom_command(command);
    switch (command) {
    case READ_ROM:
        ds2505_enter(s, STATE_READ_ROM);
        break;
    case MATCH_ROM:
        ds2505_enter(s, STATE_MATCH_ROM);
        break;
    case SKIP_ROM:
        ds2505_enter(s, STATE_FUNCTION);
        break;
    case SEARCH_ROM:
        ds2505_enter(s, STATE_SEARCH_ROM);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "ds2505: no ROM command 0x%02x\n",
                      command);
        ds2505_enter(s, STATE_IDLE);
        break;
    }
}

static void ds2505_function(DS2505State *s, uint8_t command, uint16_t address)
{
    trace_ds2505_function(command, address);
    if (command != EXT_READ_MEMORY) {
        qemu_log_mask(LOG_UNIMP, "ds2505: command 0x%02x\n", command);
        ds2505_enter(s, STATE_IDLE);
        return;
    }
    s->address = address;
    s->crc = crc16(crc16(crc16(0, command), address), address >> 8);
    s->crc_bytes = 0;
    s->redirection = true;
    ds2505_enter(s, STATE_READ_MEMORY);
}

bool ds2505_touch(DS2505State *s, bool bit)
{
    bool rom = extract64(s->rom, s->bit & 63, 1);
    bool out = bit;

    switch (s->state) {
    case STATE_ROM_COMMAND:
        s->command = s->command >> 1 | bit << 23;
        if (++s->bit == 8) {
            ds2505_rom_command(s, s->command >> 16);
        }
        break;
    case STATE_READ_ROM:
        out = bit && rom;
        if (++s->bit == 64) {
            ds2505_enter(s, STATE_FUNCTION);
        }
        break;
    case STATE_SEARCH_ROM:
        /* The bit, its complement, then which of the two the master wants */
        if (s->search < 2) {
            out = bit && (rom ^ s->search);
            s->search++;
            break;
        }
        s->search = 0;
        /* fall through */
    case STATE_MATCH_ROM:
        if (bit != rom) {
            ds2505_enter(s, STATE_IDLE);
        } else if (++s->bit == 64) {
            ds2505_enter(s, STATE_FUNCTION);
        }
        break;
    case STATE_FUNCTION:
        s->command = s->command >> 1 | bit << 23;
        if (++s->bit == 24) {
            ds2505_function(s, s->command, s->command >> 8);
        }
        break;
    case STATE_READ_MEMORY:
        if (s->bit == 0) {
            s->out = ds2505_next_byte(s);
        }
        out = bit && extract32(s->out, s->bit & 7, 1);
        s->bit = (s->bit + 1) % 8;
        break;
    }
    return out;
}

static void ds2505_realize(DeviceState *dev, Error **errp)
{
    DS2505State *s = DS2505(dev);
    uint8_t crc = 0;

    if (!s->part_number || strlen(s->part_number) > PART_NUMBER_MAX) {
        error_setg(errp, "ds2505: part-number must have 1 to %d characters",
                   PART_NUMBER_MAX);
        return;
    }
    memset(s->memory, ' ', sizeof(s->memory));
    memcpy(s->memory + PART_NUMBER, s->part_number, strlen(s->part_number));
    for (uint8_t *page = s->memory; page < s->memory + sizeof(s->memory);
         page += DS2505_PAGE) {
        uint16_t sum = 0;

        for (int i = 0; i < DS2505_PAGE - 2; i++) {
            sum = crc16(sum, page[i]);
        }
        stw_le_p(page + DS2505_PAGE - 2, ~sum);
    }
    s->rom = deposit64(FAMILY, 8, 48, s->serial);
    for (int i = 0; i < 56; i += 8) {
        crc = crc8(crc, s->rom >> i);
    }
    s->rom = deposit64(s->rom, 56, 8, crc);
}

static const VMStateDescription vmstate_ds2505 = {
    .name = TYPE_DS2505,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8(state, DS2505State),
        VMSTATE_UINT8(bit, DS2505State),
        VMSTATE_UINT8(search, DS2505State),
        VMSTATE_UINT32(command, DS2505State),
        VMSTATE_UINT8(out, DS2505State),
        VMSTATE_UINT16(address, DS2505State),
        VMSTATE_UINT16(crc, DS2505State),
        VMSTATE_UINT8(crc_bytes, DS2505State),
        VMSTATE_BOOL(redirection, DS2505State),
        VMSTATE_END_OF_LIST()
    }
};

static const Property ds2505_properties[] = {
    DEFINE_PROP_UINT64("serial", DS2505State, serial, 0x123456),
    DEFINE_PROP_STRING("part-number", DS2505State, part_number),
};

static void ds2505_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Dallas DS2505 one-wire EPROM";
    dc->realize = ds2505_realize;
    dc->vmsd = &vmstate_ds2505;
    /* Only the master of a wire knows where to plug it in. */
    dc->user_creatable = false;
    device_class_set_props(dc, ds2505_properties);
}

static const TypeInfo ds2505_types[] = {
    {
        .name = TYPE_DS2505,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(DS2505State),
        .class_init = ds2505_class_init,
    },
};

DEFINE_TYPES(ds2505_types)
