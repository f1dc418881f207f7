// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "tool.h"

/* True if the option takes no value, or a number that the user may leave out */
static bool stands_alone(const struct cmdline_option *option)
{
	return option->kind == CMDLINE_FLAG || option->kind == CMDLINE_WORD ||
	       option->kind == CMDLINE_MAYBE_NUMBER ||
	       option->kind == CMDLINE_REFUSED;
}

/*
 * A value may be part of the same word: -e5 and --repeat=5, but not -ax and --repeat5.
 * @dashes: the user typed two
 */
static bool is_option(const struct cmdline_option *option, const char *word,
		      bool dashes)
{
	size_t len;

	if (option->kind == CMDLINE_WORD)
		return option->is(word + 1);
	if (strcmp(word, option->word) == 0)
		return true;
	len = strlen(option->word);
	if (stands_alone(option) || strncmp(word, option->word, len) != 0)
		return false;

	return dashes ? word[len] == '=' : len == 2;
}

/* If either one or two dashes are allowed, *@word loses the one that is too many */
static const struct cmdline_option *find(const struct cmdline_option *option,
					 size_t nr, bool either,
					 const char **word)
{
	bool dashes = (*word)[1] == '-';
	size_t i;

	for (i = 0; i < nr; i++) {
		if (is_option(&option[i], *word, dashes))
			return &option[i];
		if (either && dashes && is_option(&option[i], *word + 1, true)) {
			++*word;
			return &option[i];
		}
	}

	return NULL;
}

/* What follows "-e" in "-e5", or "--repeat" in "--repeat=5"; or the next word */
static const char *value_of(const struct cmdline_option *option,
			    const char *word, char ***argv)
{
	size_t len = strlen(option->word);

	if (word[len])
		return word + len + ((**argv)[1] == '-');
	if (!(*argv)[1])
		return NULL;

	return *++*argv;
}

static int add_text(const struct cmdline_option *option, const char *value)
{
	if (*option->number == option->max) {
		tool_error("%s", option->say);
		return TOOL_FAILED;
	}
	option->text[(*option->number)++] = value;

	return 0;
}

static int take_number(const struct cmdline_option *option, const char *value)
{
	if (tool_number(option->number, value, option->max))
		return 0;
	tool_error("option %s needs a number from 1 to %u, not '%s'",
		   option->word, option->max, value);

	return TOOL_FAILED;
}

static int take_value(const struct cmdline_option *option, const char *value)
{
	if (!value) {
		tool_error("option %s needs %s; see %s --help", option->word,
			   option->kind == CMDLINE_TEXT && option->say ?
			   option->say : "an argument", tool_name);
		return TOOL_FAILED;
	}
	if (option->flag)
		*option->flag = true;
	if (option->kind == CMDLINE_NUMBER)
		return take_number(option, value);
	if (option->kind == CMDLINE_TEXTS)
		return add_text(option, value);
	*option->text = value;

	return 0;
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A number belongs to the option: before a command whose name is a number, write "--" */
static int take_alone(const struct cmdline_option *option, const char *word,
		      char ***argv)
{
	const char *next = (*argv)[1];

	if (option->kind == CMDLINE_REFUSED) {
		tool_error("option %s is not supported: %s", **argv,
			   option->say);
		return TOOL_FAILED;
	}
	if (option->kind == CMDLINE_WORD)
		*option->text = word + 1;
	if (option->flag)
		*option->flag = true;
	if (option->kind != CMDLINE_MAYBE_NUMBER || !next || !is_number(next))
		return 0;
	(*argv)++;

	return take_number(option, next);
}

int cmdline_parse(const struct cmdline_option *option, size_t nr, bool either,
		  char ***argv)
{
	const struct cmdline_option *found;
	const char *word;
	int ret = 0;

	for (++*argv; ret == 0 && **argv && (**argv)[0] == '-' && (**argv)[1];
	     ++*argv) {
		if (strcmp(**argv, "--") == 0) {
			++*argv;
			break;
		}
		word = **argv;
		found = find(option, nr, either, &word);
		if (!found) {
			tool_error("unknown option %s; see %s --help", **argv,
				   tool_name);
			return TOOL_FAILED;
		}
		ret = stands_alone(found) ?
		      take_alone(found, word, argv) :
		      take_value(found, value_of(found, word, argv));
	}

	return ret;
}
