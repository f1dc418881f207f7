#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A small simulator of the caches and the branch predictor, and its traces.

It is written from the rules only (see README.rst) and shares nothing with the
emulator. As a command it prints a C header: pseudo-random traces, and for each
CPU and secondary cache what they count. progs/trace.c and progs/branchtrace.c
run the same traces on the machine and compare.
"""
import os
import random

GIVEN = os.environ.get("TEST_SEED")
SEEDS = {"trace": int(GIVEN or 10000), "branches": int(GIVEN or 12000)}

CHIPS = ("2.x", "3.x", "12k")
SHARED, CLEAN, DIRTY = 1, 2, 3
M = 1 << 20
# (bytes, bytes of a line): few sets; the default; sets that share a prediction
# bit on the R10000; on every CPU
SECONDARY = ((M // 2, 64), (M, 128), (4 * M, 128), (16 * M, 64))

# An operation is one word, see lib/mem.h.
BASE = 64 * M
LOAD, STORE, FETCH, LLSC, PREF = 32, 33, 34, 35, 40


def physical(op, way_size, alias_size):
    return (BASE + (op >> 18 & 15) * way_size + (op >> 17 & 1) * alias_size + (op & 0x1ffff))


def virtual_index(op):
    """VA[13:12]: the physical address's, or the color of a mapped page."""
    space = op >> 22 & 15
    return space & 3 if space >= 8 else op >> 12 & 3


class Line:
    """A line of a primary cache or a block of the secondary."""

    def __init__(self):
        self.number = None      # the physical address by the line's size
        self.state = 0          # secondary: SHARED...
        self.dirty = False      # primary data: Inconsistent
        self.index = 0          # secondary: VA[13:12] of the last refill

    def valid(self):
        return self.number is not None


class Primary:
    """A virtually indexed, physically tagged cache of two ways."""

    def __init__(self, sets, line):
        self.sets, self.line = sets, line
        self.ways = [[Line(), Line()] for _ in range(sets)]
        self.oldest = [1] * sets

    def index(self, vindex, pa):
        return ((vindex << 12) | (pa & 0xfff)) // self.line % self.sets

    def find(self, vindex, pa):
        number, index = pa // self.line, self.index(vindex, pa)
        for way, line in enumerate(self.ways[index]):
            if line.number == number:
                return line, index, way
        return None, index, None

    def victim(self, index):
        """An Invalid way before the least recently used one."""
        first = self.oldest[index]
        for way in (first, 1 - first):
            if not self.ways[index][way].valid():
                return way
        return first


class Machine:
    """The caches of one CPU; count[n] is what event n has counted."""

    def __init__(self, chip, size, line):
        self.chip, self.line = chip, line
        self.sets = size // 2 // line
        self.entries = min(self.sets, 16384 if chip == "12k" else 8192)
        self.inst, self.data = Primary(256, 64), Primary(512, 32)
        self.second, self.way = {}, {}
        self.count = [0] * 32

    # The secondary cache

    def blocks(self, pa):
        number = pa // self.line
        return self.second.setdefault(number % self.sets, (Line(), Line())), number

    def predict(self, number, way, event):
        """An access has hit in this way: was it the one to try first?"""
        entry = number % self.sets % self.entries
        if self.way.get(entry, 0) != way:
            self.count[event] += 1
            self.way[entry] = way

    def find(self, pa, event):
        ways, number = self.blocks(pa)
        for way, block in enumerate(ways):
            if block.number == number:
                self.predict(number, way, event)
                return block
        return None

    def fill(self, pa):
        ways, number = self.blocks(pa)
        entry = number % self.sets % self.entries
        way = self.way.get(entry, 0)
        if ways[way].valid():
            way = 1 - way
            self.way[entry] = way
            self.drop(ways[way], write=True)
        ways[way].number, ways[way].state = number, CLEAN
        return ways[way]

    def drop(self, block, write):
        """A block leaves, and its primary lines before it."""
        if not block.valid():
            return
        self.drop_primary(block)
        if write and block.state == DIRTY:
            self.count[7] += self.line // 16
        block.number = None

    def drop_primary(self, block):
        pa = block.number * self.line
        for offset in range(0, self.line, 32):
            for cache in (self.inst, self.data):
                line = cache.find(block.index, pa + offset)[0]
                if line:
                    self.write_back(line)
                    line.number = None

    def write_back(self, line):
        """Count the transfer; the block's way is known."""
        if line.dirty:
            self.count[22] += 2
            line.dirty = False

    def drop_data(self, line):
        """A line leaves the data cache: its block has to be found."""
        if line.valid() and line.dirty:
            self.find(line.number * 32, 27)
            self.write_back(line)
        line.number = None

    # The primary caches

    def refill(self, vindex, pa, store, miss, mispredict):
        """Look into the secondary cache for a primary one; the block."""
        block = self.find(pa, mispredict)
        if not block:
            self.count[miss] += 1
            block = self.fill(pa)
            if store:
                block.state = DIRTY
        else:
            if block.index != vindex:
                self.count[14] += self.chip == "2.x"
                self.drop_primary(block)
            if store:
                self.upgrade(block)
        block.index = vindex
        return block

    def upgrade(self, block):
        if block.state == DIRTY:
            return
        shared = block.state == SHARED
        if self.chip == "12k":
            self.count[31] += 1 + shared
        else:
            self.count[30 + shared] += 1
        block.state = DIRTY

    def fetch(self, vindex, pa):
        line, index, way = self.inst.find(vindex, pa)
        if not line:
            self.count[9] += 1
            way = self.inst.victim(index)
            line = self.inst.ways[index][way]
            line.number = None
            self.refill(vindex, pa, False, 10, 11)
            line.number = pa // 64
        self.inst.oldest[index] = 1 - way

    def access(self, vindex, pa, store, prefetch=False):
        line, index, way = self.data.find(vindex, pa)
        if self.chip == "12k" and prefetch:
            self.count[16] += 1
            self.count[17] += not line
        if line:
            if store:
                self.update(pa)
        else:
            self.count[25] += 1
            way = self.data.victim(index)
            line = self.data.ways[index][way]
            self.drop_data(line)
            self.refill(vindex, pa, store, 26, 27)
            line.number = pa // 32
        line.dirty |= store and not prefetch
        self.data.oldest[index] = 1 - way

    def update(self, pa):
        """A store hits the data cache: has the block to be asked for?"""
        ways, number = self.blocks(pa)
        way = 0 if ways[0].number == number else 1
        if ways[way].state != DIRTY:
            self.count[25] += self.chip != "2.x"
            self.predict(number, way, 27)
            self.upgrade(ways[way])

    # The CACHE instruction

    def cache(self, code, vindex, pa):
        way, target, group = pa & 1, code & 3, code & ~3
        self.count[25] += target == 1 and self.chip != "2.x"
        if target == 3:
            self.cache_secondary(group, pa & ~1, way)
        elif target < 2:
            self.cache_primary(group, (self.inst, self.data)[target], vindex, pa & ~1, way)

    def cache_primary(self, group, cache, vindex, pa, way):
        line = None
        if group == 0:
            line = cache.ways[cache.index(vindex, pa)][way]
        elif group == 0x10 or (group == 0x14 and cache is self.data):
            line = cache.find(vindex, pa)[0]
        if line:
            self.drop_data(line)

    def cache_secondary(self, group, pa, way):
        if group == 0:
            self.drop(self.blocks(pa)[0][way], write=True)
        elif group in (0x10, 0x14):
            block = self.find(pa, 27)
            if block:
                self.drop(block, write=group == 0x14)

    def run(self, op, way_size, alias_size):
        kind, vindex = op >> 26, virtual_index(op)
        pa = physical(op, way_size, alias_size)
        if op >> 22 & 15 == 2:
            return              # uncached
        if kind < 32:
            self.cache(kind, vindex, pa)
        elif kind == FETCH:
            self.fetch(vindex, pa)
        elif kind == LLSC:
            self.access(vindex, pa, False)
            self.access(vindex, pa, True)
        else:
            hint = kind - PREF
            self.access(vindex, pa, kind == STORE or hint in (1, 5, 7), hint >= 0)


class Predictor:
    """Two-bit counters, by the address of the branch."""

    def __init__(self, chip):
        self.wide = chip == "12k"
        self.counter = {}
        self.history = 0
        self.use_history = False

    def run(self, address, taken):
        """Whether the branch was mispredicted."""
        index = address >> 2 & 2047 if self.wide else address >> 3 & 511
        if self.use_history:
            index ^= self.history
        old = self.counter.get(index, 0)
        self.counter[index] = min(old + 1, 3) if taken else max(old - 1, 0)
        if self.use_history:
            self.history = (self.history << 1 | taken) & 255
        return (old >= 2) != taken


# The traces. A round has ROUND operations and counts one event on each counter.

ROUNDS, ROUND = 260, 64
PAIRS_R10000 = [(a, b) for a in (9, 10, 11, 7, 14) for b in (22, 25, 26, 27, 30, 31)]
PAIRS_R12000 = [(a, b) for a in (7, 9, 10, 11, 16, 25) for b in (17, 22, 26, 27, 31)]
KINDS = ([LOAD] * 30 + [STORE] * 22 + [FETCH] * 22 + [LLSC] * 2
         + [PREF + hint for hint in (0, 1, 4, 5, 6, 7)] * 2
         + [0x00, 0x01, 0x03, 0x05, 0x10, 0x11, 0x13, 0x14, 0x15, 0x17, 0x18, 0x19])
# Offsets whose lines share a few sets
OFFSETS = [page + line for page in (0, 0x1000) for line in (0, 32, 64, 96, 128, 0x400)]


def pairs(chip):
    if chip == "12k":
        return PAIRS_R12000
    return PAIRS_R10000 if chip == "2.x" else [p for p in PAIRS_R10000 if p[0] != 14]


def make_op(rng):
    kind, offset = rng.choice(KINDS), rng.choice(OFFSETS)
    space = rng.choice((3, 4, 5, 3, 4, 5, 8, 9, 10, 11) + (2,) * (kind >= 32))
    if kind == FETCH:
        offset &= ~63
    if kind < 4:
        offset |= rng.randrange(2)
    if kind == 0x03:
        space = 3
    # Only the pages of four of the tags are mapped.
    return (kind << 26 | space << 22 | rng.randrange(4) << 18 | rng.randrange(2) << 17 | offset)


def make_trace():
    """Rounds that each use a few of the addresses, so that these meet again."""
    rng = random.Random(SEEDS["trace"])
    trace = []
    for _ in range(ROUNDS):
        few = [make_op(rng) for _ in range(rng.choice((6, 12, 40)))]
        trace.append([change_kind(rng, op) for op in rng.choices(few, k=ROUND)])
    return trace


def change_kind(rng, op):
    """Mostly another access to the same line."""
    if op >> 26 < 32 or rng.randrange(3) == 0:
        return op
    kind = rng.choice((LOAD, LOAD, STORE, STORE, FETCH))
    return kind << 26 | op & 0x3ffffff & ~(32 if kind == FETCH else 0)


def as_code(trace):
    """The trace as progs/trace.c compiles it: all by CCA 3, odd rounds in one block."""
    trace = [[op & ~(15 << 22) | 3 << 22 for op in ops] for ops in trace]
    for ops in trace[1::2]:
        ops[:] = [op if op >> 26 != FETCH else LOAD << 26 | op & 0x3ffffff for op in ops]
    return trace


def counts(trace, chip, size, line):
    """What each round counts of its two events, first alone, then as code."""
    machine = Machine(chip, size, line)
    alias_size = (16384 if chip == "12k" else 8192) * line
    chosen, result = pairs(chip), []
    for number, ops in enumerate(trace + as_code(trace)):
        before = list(machine.count)
        for op in ops:
            machine.run(op, size // 2, alias_size)
        result.append([machine.count[n] - before[n] for n in chosen[number % len(chosen)]])
    return result


BRANCHES, SITES = 4096, 1 << 16


def make_branches():
    """(address, taken): sites that meet in the tables, with habits of their own."""
    rng = random.Random(SEEDS["branches"])
    sites = [rng.randrange(0, SITES, 4096) + rng.randrange(0, 1024, 32)
             + rng.randrange(0, 20, 4) for _ in range(120)]
    habits = {site: rng.choice((0, 1, 2, 3, 50, 90, 97, 100)) for site in sites}
    trace, recent = [], sites[:4]
    for i in range(BRANCHES):
        if i % 128 == 0:
            recent = rng.choices(sites, k=rng.choice((2, 5, 20)))
        site = rng.choice(recent)
        habit = habits[site]
        trace.append((site, i % (habit + 1) == 0 if habit < 4 else rng.randrange(100) < habit))
    return without_overlap(trace)


def without_overlap(trace):
    """One site for each 32 bytes, since their code must not overlap."""
    place = {}
    return [(place.setdefault(site & ~31, site), taken) for site, taken in trace]


def mispredictions(trace, chip):
    """The sum after each round; the history is in use in the second half."""
    predictor = Predictor(chip)
    total, result = 0, []
    for number, (site, taken) in enumerate(trace, 1):
        predictor.use_history = predictor.wide and number > BRANCHES // 2
        total += predictor.run(site, taken)
        if number % ROUND == 0:
            result.append(total)
    return result


def fetch_misses(trace):
    """The sum after each round: the sites run cached, each in one line."""
    machine, result = Machine("3.x", M, 128), []
    for number, (site, _) in enumerate(trace, 1):
        machine.fetch(site >> 12 & 3, BASE + site)
        if number % ROUND == 0:
            result.append(machine.count[9])
    return result


def c_array(declaration, values):
    lines = [", ".join(values[i:i + 12]) for i in range(0, len(values), 12)]
    print(f"static const {declaration} = {{\n\t" + ",\n\t".join(lines) + ",\n};")


def c_pair(pair):
    return "{ %u, %u }" % tuple(pair)


def print_memory():
    trace = make_trace()
    print(f"#define ROUNDS {ROUNDS}")
    c_array("u32 trace_ops[ROUNDS][ROUND]",
            ["{ " + ", ".join(hex(op) for op in ops) + " }" for ops in trace])
    for number, chip in enumerate(CHIPS):
        c_array(f"u8 trace_pairs_{number}[][2]", [c_pair(pair) for pair in pairs(chip)])
    for number, chip in enumerate(CHIPS):
        for size, line in SECONDARY:
            c_array(f"u16 trace_counts_{number}_{size}_{line}[2 * ROUNDS][2]",
                    [c_pair(pair) for pair in counts(trace, chip, size, line)])
    print("static const struct trace_table trace_tables[] = {")
    for number in range(len(CHIPS)):
        for size, line in SECONDARY:
            print(f"\t{{ {number}, {size}, {line}, ARRAY_SIZE(trace_pairs_{number}),\n"
                  f"\t  trace_pairs_{number}, trace_counts_{number}_{size}_{line} }},")
    print("};")


def print_branches():
    trace = make_branches()
    print(f"#define BRANCHES {BRANCHES}\n#define BRANCH_SITES {SITES}")
    print(f"#define BRANCH_ROUNDS {BRANCHES // ROUND}")
    c_array("u16 branch_fetches[BRANCH_ROUNDS]", [str(n) for n in fetch_misses(trace)])
    c_array("u32 branch_trace[BRANCHES]", [hex(site | taken) for site, taken in trace])
    for number, chip in enumerate(("3.x", "12k")):
        c_array(f"u16 branch_counts_{number}[BRANCH_ROUNDS]",
                [str(n) for n in mispredictions(trace, chip)])


if __name__ == "__main__":
    print("/* Made by model.py. */")
    print("\n".join(f"#define SEED_{name.upper()} {seed}" for name, seed in SEEDS.items()))
    print(f"#define ROUND {ROUND}\n#ifdef TRACE_MEMORY")
    print_memory()
    print("#endif\n#ifdef TRACE_BRANCHES")
    print_branches()
    print("#endif")
