# SPDX-License-Identifier: GPL-2.0-or-later
"""bash's completion of r10kvm's options, made from their table."""
from r10kvmlib import options
from r10kvmlib.cpu import MODELS
from r10kvmlib.speeds import SPEEDS

# Names of values, in --help, that are completed as files
FILES = ("FILE", "HOST:GUEST", "GUEST:HOST")
ALWAYS = ("-h", "--help", "--version")

# {valued}: the options with a value; {values}: cases for some of these
SCRIPT = """\
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of r10kvm's options for bash. r10kvm --completion has made it.

_r10kvm()
{{
	local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${{COMP_WORDS[i]}} in
		--) return ;;
		{valued} | : | =) ((i++)) ;;
		-*) ;;
		*) return ;;	# words of the command, which is the guest's
		esac
	done
	case $before in
{values}	{valued}) ;;
	*) mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word") ;;
	esac
}}

complete -o filenames -F _r10kvm r10kvm
"""
WORDS = '\t{names}) mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word") ;;\n'
PATHS = '\t{names}) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;\n'


def value_case(names, details):
    """The case of one option's value, "" if nothing completes it."""
    words = {"--cpu": (*MODELS, "help"), "--machine-speed": (*SPEEDS, "help")}
    choices = words.get(names[-1], details.get("choices"))
    if choices:
        return WORDS.format(names=" | ".join(names), words=" ".join(choices))
    if details.get("metavar") in FILES:
        return PATHS.format(names=" | ".join(names))
    return ""


def script():
    """The whole of it."""
    table = [option for group in options.GROUPS.values() for option in group]
    valued = [option for option in table if "metavar" in option[1]]
    return SCRIPT.format(
        valued=" | ".join(name for names, _ in valued for name in names),
        values=PATHS.format(names=":") + "".join(value_case(*v) for v in valued),
        words=" ".join((*(name for names, _ in table for name in names), *ALWAYS)))
