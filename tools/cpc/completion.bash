# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of the options and events of cpctrace, cpustat and cputrack, for bash.

# Events; what stands before the last comma or "picN=" is kept
_cpc_events()
{
	local head="" names word=$1

	[[ $word != *[,=]* ]] || head=${word%"${word##*[,=]}"}
	names=$(cpustat -h | sed -n '/event0:/,/^$/p; /generic:/,/^$/p' |
		sed 's/[a-z0-9]*://')
	mapfile -t COMPREPLY < <(compgen -P "${head##*[= ]}" -W "$names nouser sys" -- \
		"${word##*[,=]}")
	compopt -o nospace
}

_cpustat()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-c) _cpc_events "$word" ;;
	-T) mapfile -t COMPREPLY < <(compgen -W "u d" -- "$word") ;;
	-p) COMPREPLY=() ;;
	*) mapfile -t COMPREPLY < <(compgen -W "-c -D -h -n -p -s -t -T -V --help \
		--version" -- "$word") ;;
	esac
}

_cputrack()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-c) _cpc_events "$word" ;;
	-o) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	-N | -p | -T) COMPREPLY=() ;;
	*) mapfile -t COMPREPLY < <(compgen -c -W "-c -D -e -f -h -n -N -o -p -t -T -v \
		-V --help --version" -- "$word") ;;
	esac
}

_cpctrace()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-o | -s) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	-P) COMPREPLY=(cpc) ;;
	-x) mapfile -t COMPREPLY < <(compgen -W "minoverflow= quiet" -- "$word") ;;
	-c | -n | -p) COMPREPLY=() ;;
	*) mapfile -t COMPREPLY < <(compgen -W "-c -h -l -n -o -p -P -q -s -v -V -x \
		--help --version" -- "$word") ;;
	esac
}

complete -F _cpctrace cpctrace
complete -F _cpustat cpustat
complete -F _cputrack cputrack
