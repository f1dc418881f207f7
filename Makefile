# SPDX-License-Identifier: GPL-2.0-or-later
#
# The front door: each target calls a script or a directory's own Makefile. What is
# built for this checkout is in build/; downloads and third-party builds are in
# a cache outside of it (see "make help").

PREFIX	?= /usr/local
HOST	:= compat/libirixperf compat/libperfex compat/libpmc compat/libpctr \
	   tools/perfex tools/ec tools/speedshop tools/pmc tools/pctr tools/cpc
STAGE	:= $(CURDIR)/build/install
TO	= $(if $(DESTDIR),$(abspath $(DESTDIR)))

# What neither needs the other is built side by side: unpacking, configuring and
# linking leave processors idle
SIDE	:= +@$(MAKE) --no-print-directory -j2

.PHONY: help demo check check-built check-long guest guest-el bench shell install uninstall lint deps clean \
	distclean linux-patches qemu-patches linux-builds libpfm4-patches papi-patches toolchains \
	guest-kernel guest-others check-kernels check-others

help:
	@sed -n 's/^#: \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

#: r10kperf: the R10000's performance counters for Linux
#:
#:   make demo       count and profile real programs on an emulated R10000
#:   make check      run the tests; ends with "N passed, N failed"
#:                   (T="isa guest:exact": these only)
#:   make check-long the same in its longer forms, and what takes hours
#:                   (tests/run --long --list: all names;
#:                   T="long:stress --cpu R10000": this only)
#:   make guest      build the emulator, the kernels (the Octane's is fit for a
#:                   real one, too) and the guest's programs
#:   make guest-el   the same for the other byte order, which r10kvm calls
#:                   R10000-el (little-endian; make check needs it)
#:   make shell      a shell on the emulated machine
#:   make bench      compare the driver's costs with those of the in-tree one, the
#:                   library's with those of bare calls, perfex's with perf stat's,
#:                   and the emulator's speed with that of a stock one, and time
#:                   the boots of r10kvm
#:                   (WRITE=1: renew the tables in Documentation/measurements.rst)
#:   make install    libirixperf, the commands and r10kvm for this machine, with
#:                   the guest if it is built (PREFIX=/usr/local, DESTDIR=)
#:   make uninstall  remove what make install has put there
#:   make lint       check the style of sources and scripts
#:   make linux-patches  the driver as patches for Linux, in build/linux-patches
#:                   (CHECK=1: apply, build and boot them, some 20 minutes)
#:   make linux-builds   compile it for all machines that have the CPU, and for
#:                   the oldest and the newest Linux: a table
#:   make qemu-patches  the emulated CPUs and the Octane as patches for QEMU, in
#:                   build/qemu-patches (CHECK=1: apply, build and test them, more
#:                   than an hour)
#:   make libpfm4-patches  the events for libpfm4 as patches, tried, in
#:                   build/libpfm4-patches
#:   make papi-patches  the same for PAPI, in build/papi-patches
#:   make clean      remove build/
#:   make distclean  remove build/ and the cache
#:
#: demo, check, guest, guest-el, shell and bench install missing Debian packages (as root
#: or with sudo) and build what is missing: some minutes the first time.
#:
#:   R10KPERF_CACHE=DIR  downloads and third-party builds
#:                       (default: ~/.cache/r10kperf)
#:   QEMU_SRC=DIR        build your own QEMU tree with our hooks
#:   LINUX_SRC=DIR       build your own Linux tree with our hooks

export QEMU_SRC LINUX_SRC R10KPERF_CACHE

deps:
	@scripts/deps.sh

toolchains: deps
	@scripts/guest-toolchain.sh
	@scripts/guest-toolchain.sh el

guest: deps
	@scripts/guest-toolchain.sh
	$(SIDE) guest-kernel guest-others

guest-kernel:
	@scripts/guest-linux.sh
	@scripts/guest-linux.sh octane

guest-others:
	@scripts/guest-qemu.sh
	@scripts/guest-userland.sh

guest-el: guest
	@scripts/guest-toolchain.sh el
	@scripts/guest-linux.sh el
	@scripts/guest-userland.sh el

demo: guest
	@scripts/demo.sh

check: check-built
	@env -u MAKEFLAGS -u MFLAGS -u T tests/run $(T)

check-built: toolchains
	@scripts/deps.sh check
	$(SIDE) check-kernels check-others

check-kernels: guest-kernel
	@for variant in el debug line7; do \
		scripts/guest-linux.sh $$variant || exit 1; \
	done
	@tests/kunit/run.sh build

check-others: guest-others
	@scripts/guest-userland.sh el
	@scripts/libpfm4.sh el
	@scripts/papi.sh guest tests
	@scripts/pcp.sh

check-long: check-built
	@scripts/deps.sh long
	@for variant in octane-debug bench; do \
		scripts/guest-linux.sh $$variant || exit 1; \
	done
	@for variant in asan stock; do \
		scripts/guest-qemu.sh $$variant || exit 1; \
	done
	@env -u MAKEFLAGS -u MFLAGS -u T tests/run --long $(T)

shell: guest
	@tools/r10kvm/r10kvm

bench: guest
	@scripts/guest-linux.sh bench
	@scripts/guest-qemu.sh stock
	@bad=0; for part in cost calls start close boot run; do \
		tests/bench/$$part $(if $(WRITE),--write) || bad=1; \
	done; exit $$bad

NEED_PREFIX = $(if $(filter /%,$(PREFIX)),,$(error PREFIX=$(PREFIX) is no absolute path))

# All of them have the library of one build.
install:
	$(NEED_PREFIX)
	@rm -rf $(STAGE)
	@for dir in $(HOST); do \
		$(MAKE) --no-print-directory -C $$dir host OUT=$(STAGE) \
			PREFIX=$(PREFIX) LIBBUILD=$(CURDIR)/build/obj/host/libirixperf || \
			exit 1; \
	done
	@$(MAKE) --no-print-directory -C tools/r10kvm host OUT=$(STAGE)$(PREFIX)
	@install -D tools/metrics/r10k-metrics $(STAGE)$(PREFIX)/bin/r10k-metrics
	@scripts/install-guest.sh $(STAGE)$(PREFIX)/share/r10kperf
	@scripts/install.sh install "$(TO)" $(PREFIX) $(STAGE)
	@rm -rf $(STAGE)

uninstall:
	$(NEED_PREFIX)
	@scripts/install.sh uninstall "$(TO)" $(PREFIX)

lint: guest
	@scripts/deps.sh lint
	@scripts/lint.sh

linux-patches: deps
	@scripts/linux-patches

qemu-patches: deps
	@scripts/qemu-patches

linux-builds: deps
	@scripts/linux-builds

libpfm4-patches: deps
	@scripts/lib-patches libpfm4

papi-patches: deps
	@scripts/lib-patches papi

clean:
	rm -rf build

distclean: clean
	@scripts/clean-cache.sh
