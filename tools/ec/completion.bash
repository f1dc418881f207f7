# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of ecadmin's and ecstats' options and events, for bash.

# Events by number and name; what stands before the last comma is kept
_ec_events()
{
	local head="" names

	[[ $1 != *,* ]] || head=${1%,*},
	names=$(ecadmin -e '?' 2>/dev/null | awk '{ print $1, $2 }')
	mapfile -t COMPREPLY < <(compgen -P "$head" -W "$names" -- "${1##*,}")
	compopt -o nospace
}

_ecadmin()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-d | -e) _ec_events "$word" ;;
	*) mapfile -t COMPREPLY < <(compgen -W "-a -D -d -e -l -M -r -T \
		--check --help --version" -- "$word") ;;
	esac
}

_ecstats()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	-s) COMPREPLY=() ;;
	*) mapfile -t COMPREPLY < <(compgen -W "-a -C -D -e -f -o -r -s --csv \
		--json --output --help --version" -- "$word") ;;
	esac
}

complete -F _ecadmin ecadmin
complete -F _ecstats ecstats
