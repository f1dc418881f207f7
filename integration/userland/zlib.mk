# SPDX-License-Identifier: GPL-2.0-or-later
#
# zlib without its configure script: every .c file of its top folder, with the
# few macros that matter.
#
# usage: make -f zlib.mk SRC=source CC=compiler AR=ar SYSROOT=folder

objects := $(patsubst $(SRC)/%.c,%.o,$(wildcard $(SRC)/*.c))
flags := -O2 -I$(SRC) -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN -DHAVE_UNISTD_H

$(SYSROOT)/lib/libz.a: $(objects)
	cp $(SRC)/zlib.h $(SRC)/zconf.h $(SYSROOT)/include/
	rm -f $@
	$(AR) rcs $@ $^

%.o: $(SRC)/%.c
	$(CC) $(flags) -c $< -o $@
