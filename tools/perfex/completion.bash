# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion of perfex(1)

# The names of events, as perfex itself lists them
_perfex_events() {
	perfex --list --csv 2>/dev/null | sed '1d; s/^\([0-9]*\),\([^,]*\),.*/\1 \2/'
}

# Print the index of the command's first word, after the options and their arguments
_perfex_command() {
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-e | -o | -c | -l | --interval | --repeat | --pid | --mhz | \
			--plot | --cpu) ((i++)) ;;
		-p | -pp) [[ ${COMP_WORDS[i + 1]} != +([0-9]) ]] || ((i++)) ;;
		--) echo $((i + 1)); return ;;
		-*) ;;
		*) echo "$i"; return ;;
		esac
	done
}

_perfex() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local at words=

	COMPREPLY=()
	at=$(_perfex_command)
	if [ -n "$at" ]; then
		if declare -F _command_offset >/dev/null; then
			_command_offset "$at"
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	fi
	case $prev in
	-e) words=$(_perfex_events) ;;
	-o | -c | --plot)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	--cpu) words="R10000-v2.6 R10000 R12000 R14000 R16000" ;;
	--pid) words=$(cd /proc && echo [0-9]*) ;;
	-l | --interval | --repeat | --mhz) return ;;
	*)
		case $cur in
		-*) words="-a -e -mp -pp -s -p -x -k -y -t -T -o -c -l --json
			--csv --list --cpu --check --interval --repeat --pid
			--mhz --plot --help --version" ;;
		*)
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
			return ;;
		esac ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _perfex -o default perfex
