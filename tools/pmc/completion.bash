# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of pmc's options, events and commands, for bash.

_pmc()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-c) mapfile -t COMPREPLY < <(compgen -W "$(pmc -h 2>/dev/null | awk '{ print $1 }')" -- "$word") ;;
	*)
		if [[ $word == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "-c -C -h -k -u --help --version" -- "$word")
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
		fi
		;;
	esac
}

complete -F _pmc pmc
