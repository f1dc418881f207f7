# SPDX-License-Identifier: GPL-2.0-or-later
#
# ncurses for the guest, as far as ecstats -C needs it: the library and its
# headers. The guest has no database of terminals: some are built in, which are
# made with this machine's tic.
#
# usage: make -f ncurses.mk SRC=source CC=compiler CROSS=prefix OUT=folder
#        (run in an empty folder, which takes the objects)

# The terminals of r10kvm's users, and the serial console's
comma := ,
empty :=
terminals := vt100 vt220 linux xterm xterm-256color screen screen-256color
terminals += tmux tmux-256color

options := --host=mips64-linux-musl --build=$(shell gcc -dumpmachine)
options += --without-cxx --without-cxx-binding --without-ada --without-debug
options += --without-manpages --without-progs --without-tests --without-shared
options += --with-normal --disable-big-core --enable-overwrite --disable-database
options += --with-fallbacks=$(subst $(empty) $(empty),$(comma),$(terminals))
options += --with-tic-path=$(shell command -v tic)
options += --with-infocmp-path=$(shell command -v infocmp)

$(OUT)/lib/libncurses.a: lib/libncurses.a
	mkdir -p $(OUT)/lib
	$(MAKE) -C include install
	cp $< $@

lib/libncurses.a: Makefile
	$(MAKE) -C include
	$(MAKE) -C ncurses

Makefile:
	CC=$(CC) BUILD_CC=gcc AR=$(CROSS)ar RANLIB=$(CROSS)ranlib \
		$(SRC)/configure $(options) --prefix=$(OUT)
