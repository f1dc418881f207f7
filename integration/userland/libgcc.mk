# SPDX-License-Identifier: GPL-2.0-or-later
#
# The compiler's run-time library for MIPS IV: the integer, conversion and
# 128-bit floating point helpers that compiled code calls. Debian's own libgcc
# for the cross compiler is built for MIPS64 R2 and would trap on an R10000.
# No configure run: these are single functions, chosen by one macro each.
#
# usage: make -f libgcc.mk GCC=source-folder CC=compiler AR=ar OUT=libgcc.a
#        (run in an empty folder, which takes the objects)

here := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
src := $(GCC)/libgcc

# On n64 a word is 8 bytes, so the double-word functions are TImode ones.
double_word := muldi3 negdi2 lshrdi3 ashldi3 ashrdi3 cmpdi2 ucmpdi2
double_word += divdi3 moddi3 divmoddi4 udivdi3 umoddi3 udivmoddi4
overflow := absvsi2 absvdi2 addvsi3 addvdi3 subvsi3 subvdi3 mulvsi3 mulvdi3
overflow += negvsi2 negvdi2
bits := ffssi2 ffsdi2 clz clzsi2 clzdi2 ctzsi2 ctzdi2 popcount_tab
bits += popcountsi2 popcountdi2 paritysi2 paritydi2 bswapsi2 bswapdi2
bits += clrsbsi2 clrsbdi2
real := powisf2 powidf2 powitf2 mulsc3 muldc3 multc3 divsc3 divdc3 divtc3
plain := $(double_word) $(overflow) $(bits) $(real)

# Conversions exist with a word of 4 bytes (the DImode ones) and of 8 (TImode).
convert := fixsfdi fixdfdi fixunssfdi fixunsdfdi
convert += floatdisf floatdidf floatundisf floatundidf
narrow := fixunssfsi fixunsdfsi

soft := $(addsuffix tf3,add div mul sub) $(addsuffix tf2,eq ge le neg unord)
soft += $(foreach i,si di ti,fixtf$i fixunstf$i float$itf floatun$itf)
soft += extendsftf2 extenddftf2 trunctfsf2 trunctfdf2

objects := $(plain:%=%.o) $(convert:%=%-8.o) $(convert:%=%-4.o)
objects += $(narrow:%=%-4.o) $(soft:%=%.o)

flags := -O2 -fPIC -fbuilding-libgcc -fno-stack-protector -fvisibility=hidden
flags += -DIN_LIBGCC2 -Dinhibit_libc -Wno-missing-prototypes
flags += -I$(here)libgcc -I$(src) -I$(src)/config/mips -I$(GCC)/gcc
flags += -I$(GCC)/include

$(OUT): $(objects)
	rm -f $@
	$(AR) rcs $@ $^

$(plain:%=%.o): %.o:
	$(CC) $(flags) -DL_$* -c $(src)/libgcc2.c -o $@

%-8.o:
	$(CC) $(flags) -DL_$* -DLIBGCC2_UNITS_PER_WORD=8 -c $(src)/libgcc2.c -o $@

%-4.o:
	$(CC) $(flags) -DL_$* -DLIBGCC2_UNITS_PER_WORD=4 -c $(src)/libgcc2.c -o $@

$(soft:%=%.o): %.o:
	$(CC) $(flags) -Wno-type-limits -c $(src)/soft-fp/$*.c -o $@
