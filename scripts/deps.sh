#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: deps.sh [check|lint|long]
#
# Installs missing Debian packages that the build and the tests need. It must run as
# root, or sudo must not ask for a password. Otherwise it prints the command to run
# and ends with an error. "check" adds the tools for the part of make lint that make
# check runs, "lint" those for all of make lint, "long" those for make check-long.

. "$(dirname "$0")/lib.sh"

# The compilers, and what fetches and unpacks sources
BUILD=(gcc g++ libc6-dev make patch perl xz-utils bzip2 dpkg-dev ca-certificates
	e2fsprogs python3 pkg-config rsync flex bison bc gcc-mips64-linux-gnuabi64)
# QEMU
BUILD+=(ninja-build python3-venv python3-distlib libglib2.0-dev zlib1g-dev
	libfdt-dev)
# ecstats -C
BUILD+=(libncurses-dev ncurses-bin)
# Unit tests, which also compile for MIPS with glibc
BUILD+=(libcmocka-dev libpfm4 clang gfortran libc6-dev-mips64-cross)
# make check-long
LONG=(stress-ng valgrind)

CHECK=(shellcheck sparse cppcheck mandoc python3-docutils)
LINT=("${CHECK[@]}" coccinelle ocaml-nox)

missing() {
	local package

	for package in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = \
			installed ] || printf '%s\n' "$package"
	done
}

install() {
	"$@" apt-get -q update
	"$@" env DEBIAN_FRONTEND=noninteractive \
		apt-get -q install -y --no-install-recommends "${need[@]}"
}

case $* in
"") ;;
check) BUILD+=("${CHECK[@]}") ;;
lint) BUILD+=("${LINT[@]}") ;;
long) BUILD+=("${LINT[@]}" "${LONG[@]}") ;;
*) die "usage: deps.sh [check|lint|long]" ;;
esac
look() {
	mapfile -t need < <(missing "${BUILD[@]}")
	[ ${#need[@]} -gt 0 ] || exit 0
}

look
if [ "$(id -u)" -eq 0 ]; then
	become=()
elif sudo -n true 2>/dev/null || { [ -t 0 ] && sudo true; }; then
	become=(sudo -n)
else
	die "packages are missing: run this as root, then try again:" \
	    "  apt-get install --no-install-recommends ${need[*]}"
fi
need_space deps 1500
lock deps
look
say deps "installing ${need[*]}"
step deps "installing ${#need[@]} packages" install "${become[@]}"
