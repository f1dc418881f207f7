// SPDX-License-Identifier: GPL-2.0-or-later
/* ecstats -C: the last report on the whole screen, and keys that change it. */
#include <curses.h>
#include <stdlib.h>
#include <unistd.h>
#include "ecstats.h"

#define CTRL_L		'\f'

/* Lines that show no event: heading, columns, NOTE or a blank one, the last one */
#define FRAME_LINES	4

static SCREEN *screen;
static unsigned int top;

int stats_screen_begin(void)
{
	if (!isatty(STDOUT_FILENO)) {
		tool_error("-C needs a terminal");
		return EC_FAILED;
	}
	if (!isatty(STDIN_FILENO)) {
		tool_error("-C needs a terminal to read keys from");
		return EC_FAILED;
	}
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		const char *term = getenv("TERM");

		tool_error("-C cannot use this terminal: TERM is %s",
			   term ? term : "not set");
		return EC_FAILED;
	}
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	curs_set(0);

	return EC_OK;
}

void stats_screen_end(void)
{
	endwin();
	delscreen(screen);
}

static void put_line(int y, const char *text)
{
	mvaddnstr(y, 0, text, COLS);
	clrtoeol();
}

static unsigned int lines_for_rows(void)
{
	int lines = LINES - FRAME_LINES;

	return lines > 0 ? (unsigned int)lines : 0;
}

/* The report may have become shorter, or the terminal larger */
static void limit_top(unsigned int nr)
{
	unsigned int room = lines_for_rows();
	unsigned int last = nr > room ? nr - room : 0;

	if (top > last)
		top = last;
}

static void put_rows(const struct stats_report *report)
{
	unsigned int room = lines_for_rows();
	unsigned int i;
	char line[128];

	limit_top(report->nr);
	for (i = 0; i < room && top + i < report->nr; i++) {
		stats_row_text(line, sizeof(line), &report->row[top + i]);
		put_line((int)i + 2, line);
	}
}

static void put_last(const struct stats_report *report,
		     const struct stats_options *opt, const char *note)
{
	unsigned int room = lines_for_rows();
	char line[160];
	char more[32] = "";

	if (report->nr > room)
		snprintf(more, sizeof(more), "  %u-%u of %u", top + 1,
			 top + room, report->nr);
	snprintf(line, sizeof(line), "%s, %s%s  q quits%s%s",
		 opt->absolute ? "[a]bsolute or r" : "a or [r]ates",
		 opt->all ? "e or [f]ull" : "[e]nabled or f", more,
		 note ? "  " : "", note ? note : "");
	put_line(LINES - 1, line);
}

void stats_screen_show(const struct stats_report *report,
		       const struct stats_options *opt, const char *note)
{
	char line[128];

	erase();
	stats_heading(line, sizeof(line), report);
	put_line(0, line);
	stats_columns(line, sizeof(line), report);
	put_line(1, line);
	put_rows(report);
	if (report->note && LINES >= FRAME_LINES) {
		snprintf(line, sizeof(line), "NOTE: %s.", report->note);
		put_line(LINES - 2, line);
	}
	put_last(report, opt, note);
	refresh();
}

static enum stats_key key_meaning(struct stats_options *opt, int key)
{
	switch (key) {
	case 'a':
	case 'r':
		opt->absolute = key == 'a';
		return STATS_KEY_SHOW;
	case 'e':
	case 'f':
		opt->all = key == 'f';
		return STATS_KEY_SHOW;
	case KEY_DOWN:
		top++;
		return STATS_KEY_SHOW;
	case KEY_UP:
		top -= top > 0;
		return STATS_KEY_SHOW;
	case CTRL_L:
		clearok(stdscr, TRUE);
		return STATS_KEY_SHOW;
	case KEY_RESIZE:
		return STATS_KEY_SHOW;
	case 'q':
		return STATS_KEY_QUIT;
	default:
		return STATS_KEY_NONE;
	}
}

/* Wait for a key, for at most @seconds */
enum stats_key stats_screen_key(struct stats_options *opt, double seconds)
{
	int key;

	timeout(seconds > 0 ? (int)(seconds * 1000) + 1 : 0);
	key = getch();

	return key == ERR ? STATS_KEY_NONE : key_meaning(opt, key);
}
