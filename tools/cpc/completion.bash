# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of the options and events of cpustat, for bash.

# bash ends a word at "=", but an event specification goes on
_cpustat()
{
	local line=${COMP_LINE:0:COMP_POINT} names word kept

	word=${line##* }
	if [[ ${line% *} == *" -c" ]]; then
		names=$(cpustat -h 2>/dev/null | sed -n '/event0:/,/^$/p; /generic:/,/^$/p' |
			sed 's/[a-z0-9]*://')
		kept=${word%"${word##*[,=]}"}
		mapfile -t COMPREPLY < <(compgen -P "${kept##*=}" -W "$names nouser sys" -- \
			"${word##*[,=]}")
		compopt -o nospace
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "-c -h -n --help --version" -- "$word")
	fi
}

complete -F _cpustat cpustat
