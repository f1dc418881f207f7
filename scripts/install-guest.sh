#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: install-guest.sh FOLDER
#
# Copies the emulators, the kernels and the root file system to where an installed
# r10kvm looks for them. If there is a little-endian guest, copies that, too, and the
# scripts that make its disk of --userland debian. Without a big-endian guest the
# script only says so: perfex and the library do not need it.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
from=$top/build/guest
[ $# -eq 1 ] || { echo "usage: install-guest.sh FOLDER" >&2; exit 1; }
if [ ! -e "$from/vmlinux" ] || [ ! -e "$from/vmlinux-octane" ] ||
	[ ! -e "$from/initramfs.cpio" ]; then
	echo "no guest is built (make guest): r10kvm is installed without one"
	exit 0
fi
install -d "$1"
install -m 755 "$from/qemu-system-mips64" "$from/qemu-system-mips64el" "$1"
install -m 644 "$from/vmlinux" "$from/vmlinux-octane" "$from/initramfs.cpio" \
	"$from/versions" "$1"
if [ -e "$from/vmlinux-el" ] && [ -e "$from/initramfs-el.cpio" ]; then
	install -m 644 "$from/vmlinux-el" "$from/initramfs-el.cpio" "$1"
	install -d "$1/scripts" "$1/integration/debian/etc"
	install "$top/scripts/guest-debian.sh" "$1/scripts"
	install -m 644 "$top"/scripts/lib.sh "$top"/scripts/lib-apt.sh \
		"$top/scripts/apt_sources.py" "$top/scripts/third-party.conf" "$1/scripts"
	install -m 644 "$top/integration/debian/packages" "$1/integration/debian"
	install -m 644 "$top"/integration/debian/etc/* "$1/integration/debian/etc"
else
	echo "no little-endian guest is built (make guest-el): none is installed"
fi
