# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of pctr's options and events, for bash.

_pctr()
{
	local word=${COMP_WORDS[COMP_CWORD]} names

	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-f)
		names=$(pctr -l 2>/dev/null | awk '/^[0-9a-f]+ / {
			print $1; if ($2 ~ /^([01]|any)$/) print $3 }')
		mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
		;;
	-s) mapfile -t COMPREPLY < <(compgen -W "0 1 2 3" -- "$word") ;;
	-m | -t) COMPREPLY=() ;;
	*) mapfile -t COMPREPLY < <(compgen -W "-a -A -E -e -f -I -i -k -l -M -m -r \
		-S -s -t -u --help --version" -- "$word") ;;
	esac
}

complete -F _pctr pctr
