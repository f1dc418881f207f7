# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2207 # words of ours have no blanks
#
# Completion of ssrun(1) and prof(1) for bash.

_ssrun_experiments="gi_hwc cy_hwc ic_hwc isc_hwc dc_hwc dsc_hwc tlb_hwc gfp_hwc
	fsc_hwc fgi_hwc fcy_hwc fic_hwc fisc_hwc fdc_hwc fdsc_hwc ftlb_hwc
	fgfp_hwc ffsc_hwc prof_hwc"

_ssrun()
{
	local word=${COMP_WORDS[COMP_CWORD]} i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-exp | --exp)	((i++)) ;;
		-*)		;;
		*)		# The command's own words
				declare -F _command_offset >/dev/null &&
					_command_offset "$i"
				return ;;
		esac
	done
	if [[ ${COMP_WORDS[COMP_CWORD - 1]} == -exp ||
		${COMP_WORDS[COMP_CWORD - 1]} == --exp ]]; then
		COMPREPLY=($(compgen -W "$_ssrun_experiments" -- "$word"))
	elif [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "-exp -list -v -verbose -keep -mpi
			-help -version" -- "$word")
			$(compgen -P - -W "$_ssrun_experiments" -- "${word#-}"))
	else
		COMPREPLY=($(compgen -c -- "$word"))
	fi
}

_prof()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "-l -lines -h -heavy -q -quit -help -version" \
			-- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}

complete -F _ssrun ssrun
complete -o filenames -F _prof prof
