#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-debian.sh [PACKAGE...]
#
# Makes the disk of r10kvm --userland debian: an ext4 image of the packages of
# integration/debian/packages, the named ones and all that these depend on, for
# the suite and the machine of third-party.conf. Prints the image's name. It is
# kept in the cache with the packages: the same names need no network again, nor
# any work (make distclean forgets them).
#
# Nothing is run of what is in the packages, their scripts neither: what these
# would have made and programs here need is made in "finish". No step needs root.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-apt.sh"

PARTS=$ROOT/integration/debian
# What is free on a new disk, for packages of half a gigabyte and the files that
# commands make; a place that nothing has been written to takes none here.
FREE_MB=1024
EXT4=(-q -F -t ext4 -O '^metadata_csum,^has_journal' -m 0 -L debian
	-U 00000000-0000-4000-8000-000000000001
	-E "root_owner=0:0,hash_seed=00000000-0000-4000-8000-000000000002")
USER_ID=1000

base_packages() {
	grep -v -e '^#' -e '^$' "$PARTS/packages"
}

# check_names PACKAGE...: before apt, to which "-o", "name-" and "name/suite" are
# something else.
check_names() {
	local name

	for name; do
		[[ $name =~ ^[a-z0-9][a-z0-9+.-]*[a-z0-9+]$ ]] ||
			die "'$name' is not the name of a package"
	done
}

# say_why PACKAGE...: there is no such package, or what apt has said about them.
say_why() {
	local name have

	have=$(apt-cache -c "$APT" show libc6 "$@" 2>/dev/null |
		sed -n 's/^Package: //p' || :)
	grep -qx libc6 <<<"$have" ||
		die "the mirror of Debian that this machine uses has no packages of" \
		    "$DEBIAN_SUITE for $DEBIAN_ARCH: name one that has in /etc/apt," \
		    "and remove $CACHE/apt/$DEBIAN_SUITE-$DEBIAN_ARCH"
	for name; do
		grep -qxF -e "$name" <<<"$have" ||
			die "Debian $DEBIAN_SUITE has no package $name for $DEBIAN_ARCH"
	done
	die "these packages cannot be installed together: $*" \
	    "$(grep -E '^E:|Depends:|virtual' <<<"$SAID" | head -n 8)"
}

# resolve PACKAGE...: sets PACKAGES to lines "NAME VERSION ARCHITECTURE", all that
# are needed. That each name is among them is seen to, as apt takes one that it
# does not know for a pattern.
resolve() {
	local name

	SAID=$(apt-get -c "$APT" -q -s install "$@" 2>&1) || say_why "$@"
	PACKAGES=$(sed -nE 's/^Inst (\S+) \((\S+) .*\[([^]]+)\].*/\1 \2 \3/p' <<<"$SAID")
	for name; do
		awk -v name="$name" '$1 == name { found = 1 } END { exit !found }' \
			<<<"$PACKAGES" || say_why "$@"
	done
}

download() {
	apt-get -c "$APT" -q -y --download-only install "$@"
}

# The folders that became links in Debian 12
merged_usr() {
	local name

	for name in bin sbin lib lib32 lib64 libx32; do
		mkdir -p "$TREE/usr/$name"
		ln -s "usr/$name" "$TREE/$name"
	done
}

# unpack_one DEB: into the tree, and into what dpkg -l reads there
unpack_one() {
	dpkg-deb --fsys-tarfile "$1" |
		tar -C "$TREE" -xp --no-same-owner --keep-directory-symlink
	{
		dpkg-deb -f "$1"
		printf 'Status: install ok unpacked\n\n'
	} >>"$TREE/var/lib/dpkg/status"
}

# An epoch is written "%3a" in the name of a file.
unpack() {
	local name version arch

	rm -rf "$TREE"
	mkdir -p "$TREE/var/lib/dpkg"
	merged_usr
	while read -r name version arch; do
		unpack_one "$DEBS/${name}_${version//:/%3a}_$arch.deb"
	done <<<"$PACKAGES"
}

# What scripts of the packages would have made. The agent makes /dev and so on.
finish() {
	cp -r "$PARTS/etc/." "$TREE/etc/"
	cp "$TREE/usr/share/base-files/profile" "$TREE/etc/"
	cp "$TREE/usr/share/libc-bin/nsswitch.conf" "$TREE/etc/"
	cp "$TREE/usr/share/base-passwd/passwd.master" "$TREE/etc/passwd"
	cp "$TREE/usr/share/base-passwd/group.master" "$TREE/etc/group"
	printf 'user:x:%d:%d:user:/home/user:/bin/bash\n' "$USER_ID" "$USER_ID" \
		>>"$TREE/etc/passwd"
	printf 'user:x:%d:\n' "$USER_ID" >>"$TREE/etc/group"
	mkdir -p "$TREE/home/user"
	cp "$TREE/usr/share/base-files/dot.profile" "$TREE/root/.profile"
	cp "$TREE/etc/skel/.profile" "$TREE/etc/skel/.bashrc" "$TREE/home/user/"
	ln -s /proc/self/mounts "$TREE/etc/mtab"
	ln -sf mawk "$TREE/usr/bin/awk"
	ln -sf which.debianutils "$TREE/usr/bin/which"
	printf '%s\n' "$PACKAGES" >"$TREE/etc/r10kvm-packages"
}

# Who runs this owns the files of the tree; in the image root does, or the user.
owners() {
	local mine

	mine=$(id -u)
	if [ "$mine" -ne 0 ]; then
		(cd "$TREE" && find . -mindepth 1 \
			-printf 'sif "%P" uid 0\nsif "%P" gid 0\n')
	fi
	(cd "$TREE" && find home/user \
		-printf "sif \"%p\" uid $USER_ID\nsif \"%p\" gid $USER_ID\n")
}

image() {
	local mb said

	mb=$(du -sm "$TREE" | cut -f 1)
	export E2FSPROGS_FAKE_TIME=1
	mke2fs "${EXT4[@]}" -d "$TREE" "$1" $((mb * 11 / 10 + FREE_MB))M
	owners >"$1.owners"
	said=$(debugfs -w -f "$1.owners" "$1" 2>&1 | grep -v '^debugfs' || :)
	rm "$1.owners"
	chmod a-w "$1"
	[ -z "$said" ] || { printf '%s\n' "$said"; return 1; }
}

make_image() {
	local names=("$@") NAME=debian

	need_space "$NAME" 1500
	use_suite "$DEBIAN_SUITE" "$DEBIAN_ARCH"
	resolve "${names[@]}"
	DEBS=$CACHE/apt/$DEBIAN_SUITE-$DEBIAN_ARCH/cache/archives
	TREE=$RESULT.tree
	rm -rf "$RESULT.tmp"
	mkdir -p "$RESULT.tmp"
	step "$NAME" "fetching $(wc -l <<<"$PACKAGES") packages" download "${names[@]}"
	step "$NAME" "unpacking them" unpack
	step "$NAME" "finishing the system" finish
	step "$NAME" "making the image" image "$RESULT.tmp/root.img"
	rm -rf "$TREE"
	mv "$RESULT.tmp" "$RESULT"
}

check_names "$@"
PATH=$PATH:/usr/sbin:/sbin
mapfile -t all < <({ base_packages; [ $# -eq 0 ] || printf '%s\n' "$@"; } | sort -u)
RESULT=$CACHE/result/debian-$DEBIAN_SUITE-$(hash_text "$DEBIAN_ARCH" "${all[@]}" \
	"$(hash_of "$0" "$PARTS/etc")")
if [ ! -d "$RESULT" ]; then
	lock debian
	[ -d "$RESULT" ] || make_image "${all[@]}"
fi
printf '%s\n' "$RESULT/root.img"
