# SPDX-License-Identifier: GPL-2.0-or-later
#
# libelf from elfutils without its configure script, which wants libraries that
# musl lacks and that only other parts of elfutils use. perf reads the symbols
# of programs with it.
#
# usage: make -f libelf.mk SRC=source CC=compiler AR=ar SYSROOT=folder

here := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
# Newer releases keep a search tree in lib/
sources := $(wildcard $(SRC)/libelf/*.c $(SRC)/lib/eu-search.c)
objects := $(patsubst %.c,%.o,$(notdir $(sources)))
headers := libelf.h gelf.h nlist.h elf.h

flags := -O2 -std=gnu11 -w -D_GNU_SOURCE -DHAVE_CONFIG_H
# Its assertions name their file: by the same name wherever the source is
flags += -ffile-prefix-map=$(SRC)/=
flags += -I$(here)libelf -I$(SRC)/libelf -I$(SRC)/lib

$(SYSROOT)/lib/libelf.a: $(objects)
	cp $(headers:%=$(SRC)/libelf/%) $(SYSROOT)/include/
	rm -f $@
	$(AR) rcs $@ $^

vpath %.c $(SRC)/libelf $(SRC)/lib

%.o: %.c
	$(CC) $(flags) -c $< -o $@
