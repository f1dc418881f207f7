#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: install-guest.sh FOLDER
#
# Copies the emulator, the kernels, the root file system and the compiler to where an
# installed r10kvm looks for them. If there is a little-endian guest, copies that, too,
# and the scripts that make its disk of --userland debian. Without a big-endian guest
# the script only says so: perfex and the library do not need it.

set -eu
umask 022

top=$(cd "$(dirname "$0")/.." && pwd)
from=$top/build/guest
[ $# -eq 1 ] || { echo "usage: install-guest.sh FOLDER" >&2; exit 1; }
to=$1

# compiler [-el]: copies the compiler, the C library, and our libraries for the guest.
# The headers of the host's gcc, to which there is a link, become files.
compiler() {
	rm -rf "${to:?}/toolchain$1" "${to:?}/usr$1"
	cp -rL "$(dirname "$(readlink -f "$from/cc$1")")/.." "$to/toolchain$1"
	ln -sfn "toolchain$1/bin/cc$1" "$to/cc$1"
	install -d "$to/usr$1"
	cp -r "$from/usr$1/include" "$from/usr$1/lib" "$to/usr$1"
}

if [ ! -e "$from/vmlinux" ] || [ ! -e "$from/vmlinux-octane" ] ||
	[ ! -e "$from/initramfs.cpio" ]; then
	echo "no guest is built (make guest): r10kvm is installed without one"
	exit 0
fi
install -d "$to"
install -m 755 "$from/qemu-system-mips64" "$to"
install -m 644 "$from/vmlinux" "$from/vmlinux-octane" "$from/initramfs.cpio" \
	"$from/versions" "$to"
compiler ""
if [ -e "$from/vmlinux-el" ] && [ -e "$from/initramfs-el.cpio" ]; then
	install -m 755 "$from/qemu-system-mips64el" "$to"
	install -m 644 "$from/vmlinux-el" "$from/initramfs-el.cpio" "$to"
	compiler -el
	install -d "$to/scripts" "$to/integration/debian/etc"
	install "$top/scripts/guest-debian.sh" "$to/scripts"
	install -m 644 "$top"/scripts/lib.sh "$top"/scripts/lib-apt.sh \
		"$top/scripts/apt_sources.py" "$top/scripts/third-party.conf" \
		"$to/scripts"
	install -m 644 "$top/integration/debian/packages" "$to/integration/debian"
	install -m 644 "$top"/integration/debian/etc/* "$to/integration/debian/etc"
else
	echo "no little-endian guest is built (make guest-el): none is installed"
fi
