# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of the options and events of cpctrace, cpustat and cputrack, for bash.

# bash ends a word at "=", but an event specification goes on
_cpc()
{
	local line=${COMP_LINE:0:COMP_POINT} options="-c -h -n --help --version"
	local word=${line##* } names kept

	[[ $1 != *cputrack ]] || options+=" -e -f -N -o -p -T -v"
	if [[ ${line% *} == *" -c" ]]; then
		names=$(cpustat -h 2>/dev/null | sed -n '/event0:/,/^$/p; /generic:/,/^$/p' |
			sed 's/[a-z0-9]*://')
		kept=${word%"${word##*[,=]}"}
		mapfile -t COMPREPLY < <(compgen -P "${kept##*=}" -W "$names nouser sys" -- \
			"${word##*[,=]}")
		compopt -o nospace
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	elif [[ $1 == *cputrack ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
	fi
}

complete -F _cpc cpustat cputrack

# Options, and the names of files, which come after most of them
_cpctrace()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	[[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W \
		"-c -l -n -o -p -P -q -s -v -x --help --version" -- "$word")
}

complete -o default -F _cpctrace cpctrace
