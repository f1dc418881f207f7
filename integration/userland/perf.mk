# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's perf for the guest: static, with libelf and zlib (symbols, and
# compressed kernel files), without all that would need more libraries.
#
# usage: make -f perf.mk TREE=linux OBJ=folder CC=compiler CROSS=prefix

without := DWARF LIBDW_DWARF_UNWIND LIBUNWIND LIBTRACEEVENT LIBPERL LIBPYTHON
without += LIBCRYPTO SLANG GTK2 LIBNUMA LIBAUDIT LIBCAP LIBZSTD LZMA LIBBPF SDT
without += JVMTI DEMANGLE LIBPFM4 BACKTRACE LIBDEBUGINFOD LIBBABELTRACE CAPSTONE
without += LIBLLVM AUXTRACE LIBBIONIC SHELLCHECK

# perf's build ID is a hash of its debugging information, too, which names folders
places := -ffile-prefix-map=$(TREE)/= -ffile-prefix-map=$(OBJ)=. \
	-ffile-prefix-map=$(CC:%/bin/cc=%)=

perf:
	$(MAKE) -C $(TREE)/tools/perf -f Makefile.perf O=$(OBJ) ARCH=mips \
		CROSS_COMPILE=$(CROSS) CC="$(CC) $(places)" LDFLAGS=-static WERROR=0 \
		prefix=/usr \
		$(without:%=NO_%=1) BUILD_BPF_SKEL=0 $(OBJ)/perf

.PHONY: perf
