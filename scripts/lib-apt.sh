# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# An apt configuration of our own in the cache, with the machine's sources. apt
# checks the signatures; the system's lists and packages stay as they are. Sourced
# after lib.sh.

# The #clear lines keep hooks of the system's configuration from running.
write_apt_conf() {
	local dir=$1

	cat <<-END
	Dir::Etc::sourcelist "/dev/null";
	Dir::Etc::sourceparts "$dir/parts";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	Dir::State "$dir/state";
	Dir::State::Lists "$dir/lists";
	Dir::State::status "/var/lib/dpkg/status";
	Dir::Cache "$dir/cache";
	APT::Sandbox::User "$(id -un)";
	APT::Get::Download-Only "false";
	Acquire::Languages "none";
	Acquire::Retries "3";
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	#clear DPkg::Post-Invoke;
	END
}

# For another machine's packages: binary ones only, which are never installed. It
# uses nothing that the system's locks protect, and only root could take these.
write_foreign_conf() {
	local dir=$1

	: >"$dir/status"
	cat <<-END
	Dir::State::status "$dir/status";
	APT::Architecture "$2";
	#clear APT::Architectures;
	APT::Architectures { "$2"; };
	APT::Install-Recommends "false";
	Debug::NoLocking "true";
	END
}

write_apt_sources() {
	/usr/bin/python3 "$ROOT/scripts/apt_sources.py" "$1" |
		if [ -n "$2" ]; then
			sed 's/^Types: .*/Types: deb/'
			printf 'Architectures: %s\n' "$2"
		else
			cat
		fi
}

# use_suite SUITE [ARCHITECTURE]: sets APT, the configuration for one suite, and
# updates its lists, but not again within 20 minutes: a build fetches several
# packages.
use_suite() {
	local name=$1${2:+-$2} dir

	dir=$CACHE/apt/$name
	APT=$dir/apt.conf
	[ -z "$(find "$dir/updated" -mmin -20 2>/dev/null)" ] || return 0
	mkdir -p "$dir/parts" "$dir/state" "$dir/lists/partial" \
		"$dir/cache/archives/partial"
	write_apt_conf "$dir" >"$APT"
	[ $# -eq 1 ] || write_foreign_conf "$dir" "$2" >>"$APT"
	write_apt_sources "$1" "${2:-}" >"$dir/parts/debian.sources"
	step apt "reading the lists of $name" apt-get -c "$APT" -q \
		-o APT::Update::Error-Mode=any update
	touch "$dir/updated"
}
