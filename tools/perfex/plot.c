// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drawings, as SVG 1.1 without scripts or embedded fonts: the costs as bars, the
 * most expensive event first, or the series of -p as a panel for each event. Texts
 * never overlap: each label has a line or a column to itself.
 */
#include <math.h>
#include <string.h>
#include "perfex.h"
#include "utf8.h"

#define WIDTH		1050
#define MARGIN		16
#define TITLE_SIZE	18
#define HEAD		64
#define LABELS		500
#define RIGHT		140
#define BAR_STEP	24
#define BAR		14
#define FOOT		52
#define NOTE		20
#define PANEL		112
#define PANEL_PLOT	64
#define PANEL_TOP	26
#define SCALE		90
#define TICKS		5

#define INK		"#222222"
#define PALE		"#d8d8d8"
#define FILL		"#3b6ea5"

/* XML allows only these three control characters, and neither U+FFFE nor U+FFFF */
static bool xml_has(const char *text)
{
	if ((unsigned char)*text < ' ')
		return strchr("\t\n\r", *text);

	return strncmp(text, "\xef\xbf\xbe", 3) != 0 &&
	       strncmp(text, "\xef\xbf\xbf", 3) != 0;
}

static void svg_text(FILE *out, const char *text)
{
	size_t length;

	for (; *text; text += length ? length : 1) {
		length = utf8_length(text);
		if (!length || !xml_has(text))
			fputs(UTF8_UNKNOWN, out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else
			fwrite(text, 1, length, out);
	}
}

/* @anchor: start, middle or end */
static void label(FILE *out, double x, double y, const char *anchor, int size,
		  const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">",
		x, y, anchor, size);
	svg_text(out, text);
	fputs("</text>\n", out);
}

static void line(FILE *out, double x1, double y1, double x2, double y2,
		 const char *colour)
{
	fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
		x1, y1, x2, y2, colour);
}

/* In the widest of the usual fonts, where a wide character is as wide as high */
static double width_of(const char *text, size_t length, int size)
{
	static const char narrow[] = "abcdefghijklnopqrstuvxyz0123456789"
				     " !\"$'()*,-./:;?[\\]_`{|}";

	return (length == 1 && strchr(narrow, *text) ? 0.65 : 1.03) * size;
}

/* Cut a text that is too wide, and append "...": it may become a byte longer */
static void cut(char *text, double room, int size)
{
	double dots = 3 * width_of(".", 1, size);
	char *at, *end = text;
	size_t length;

	for (at = text; *at; at += length) {
		length = utf8_length(at);
		if (!length)
			length = 1;
		room -= width_of(at, length, size);
		if (room >= dots)
			end = at + length;
		if (room < 0) {
			memcpy(end, "...", sizeof("..."));
			return;
		}
	}
}

/* The words of the command, cut to the width of the drawing */
static void title_of(char *buf, size_t size, const struct perfex_report *report)
{
	char *const *argv;
	size_t at;

	size--;
	at = (size_t)snprintf(buf, size, "perfex%s",
			      report->opt->command[0] ? ":" : "");
	for (argv = report->opt->command; *argv && at < size; argv++)
		at += (size_t)snprintf(buf + at, size - at, " %s", *argv);
	cut(buf, WIDTH - 2 * MARGIN, TITLE_SIZE);
}

/* @height: without the line of a note, which is the last */
static void begin(FILE *out, const struct perfex_report *report, int height,
		  const char *subtitle)
{
	const char *note = perfex_note(report);
	char title[512];

	if (note)
		height += NOTE;
	title_of(title, sizeof(title), report);
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" fill=\"%s\">\n",
		WIDTH, height, WIDTH, height, INK);
	fputs("<title>", out);
	svg_text(out, title);
	fprintf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
		WIDTH, height);
	label(out, MARGIN, 26, "start", TITLE_SIZE, title);
	label(out, MARGIN, 48, "start", 13, subtitle);
	if (note)
		label(out, MARGIN, height - 6, "start", 12, note);
}

/* Step of the ticks: 1, 2 or 5 times a power of ten, at most TICKS of them to @most */
static double tick_of(double most)
{
	double power = pow(10, floor(log10(most / TICKS)));
	double part = most / TICKS / power;

	return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* "12.3 M" and the like; a number that rounds to 1000 takes the next unit */
static void short_number(char *buf, size_t size, double value)
{
	static const char *const units[] = { "", " k", " M", " G", " T", " P",
					     " E" };
	unsigned int i = 0;

	while (value >= 999.5 && i + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1000;
		i++;
	}
	snprintf(buf, size, "%.3g%s", value, units[i]);
}

/* With six decimals as in the report, if the time is neither too short nor too long */
static void time_of(char *buf, size_t size, double time)
{
	bool plain = time <= 0 || (time >= 1e-6 && time < 1e6);

	if (irixperf_time_note())
		short_number(buf, size, time);
	else
		snprintf(buf, size, plain ? "%.6f s" : "%.3g s", time);
}

struct bars {
	const struct cost_table *table;
	unsigned int nr;
	struct cost_count row[IRIXPERF_EVENTS];
	double most;
};

/* In a user's table of costs the "maximum" may be less than the other two */
static double longest(const struct cost_table *table,
		      const struct perfex_row *row)
{
	double most = 0;
	int kind;

	for (kind = 0; kind < COST_KINDS; kind++)
		most = fmax(most, costs_shown(table, row->event, kind,
					      (double)row->value));

	return most;
}

/* Collect the events that have a known cost, and find the longest time */
static void collect(struct bars *bars, const struct perfex_report *report)
{
	struct perfex_row row[IRIXPERF_EVENTS];
	unsigned int i;

	memset(bars, 0, sizeof(*bars));
	bars->table = report->table;
	perfex_rows_of_runs(row, report);
	for (i = 0; i < report->choice->nr; i++) {
		double time = longest(report->table, &row[i]);

		if (!row[i].counted || time <= 0)
			continue;
		bars->row[bars->nr++] = (struct cost_count){
			row[i].event, row[i].value, true,
		};
		if (time > bars->most)
			bars->most = time;
	}
	costs_sort(bars->table, bars->row, bars->nr);
}

static void draw_scale(FILE *out, double tick, unsigned int ticks, double unit,
		       double bottom)
{
	char text[32];
	unsigned int i;

	for (i = 0; i <= ticks; i++) {
		double x = LABELS + i * tick * unit;

		line(out, x, HEAD, x, bottom, PALE);
		if (irixperf_time_note())
			short_number(text, sizeof(text), i * tick);
		else
			snprintf(text, sizeof(text), "%g", i * tick);
		label(out, x, bottom + 18, "middle", 12, text);
	}
	label(out, LABELS + ticks * tick * unit / 2, bottom + 38, "middle", 13,
	      irixperf_time_note() ? "clocks" : "time (s)");
}

/* A bar to the typical time, a line from the minimum to the maximum */
static void draw_bar(FILE *out, const struct bars *bars, unsigned int at,
		     double unit)
{
	const struct cost_count *row = &bars->row[at];
	const struct irixperf_event *event =
		irixperf_event_get(bars->table->machine.chip, row->event);
	double y = HEAD + at * BAR_STEP + BAR_STEP / 2.0;
	double time[COST_KINDS] = { 0 };
	char text[96];
	int kind;

	for (kind = 0; kind < COST_KINDS; kind++)
		time[kind] = costs_shown(bars->table, row->event, kind,
					 (double)row->count);
	snprintf(text, sizeof(text), "%u %s", event->num, event->label);
	label(out, LABELS - 8, y + 4, "end", 12, text);
	fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
		LABELS, y - BAR / 2.0, time[COST_TYPICAL] * unit, BAR, FILL);
	line(out, LABELS + time[COST_MINIMUM] * unit, y,
	     LABELS + time[COST_MAXIMUM] * unit, y, INK);
	line(out, LABELS + time[COST_MINIMUM] * unit, y - 5,
	     LABELS + time[COST_MINIMUM] * unit, y + 5, INK);
	line(out, LABELS + time[COST_MAXIMUM] * unit, y - 5,
	     LABELS + time[COST_MAXIMUM] * unit, y + 5, INK);
	time_of(text, sizeof(text), time[COST_TYPICAL]);
	label(out, WIDTH - MARGIN, y + 4, "end", 12, text);
}

static void plot_costs(FILE *out, const struct perfex_report *report)
{
	struct bars bars;
	double tick, unit, bottom;
	unsigned int i, ticks;
	char text[160];

	collect(&bars, report);
	snprintf(text, sizeof(text), "%s by event at %.0f MHz, costs of %s: bar typical, line minimum to maximum",
		 irixperf_time_note() ? "Clocks" : "Time",
		 report->table->machine.mhz, report->table->board);
	bottom = HEAD + (bars.nr ? bars.nr : 1) * BAR_STEP;
	begin(out, report, (int)bottom + FOOT, text);
	tick = tick_of(bars.most > 0 ? bars.most : 1);
	ticks = bars.most > 0 ? (unsigned int)ceil(bars.most / tick) : TICKS;
	unit = (WIDTH - LABELS - RIGHT) / (ticks * tick);
	draw_scale(out, tick, ticks, unit, bottom);
	for (i = 0; i < bars.nr; i++)
		draw_bar(out, &bars, i, unit);
	if (!bars.nr)
		label(out, LABELS + 8, HEAD + BAR_STEP / 2.0 + 4, "start", 12,
		      "no event that was counted has a cost to show");
	fputs("</svg>\n", out);
}

/*
 * Events between sample @at and the one before, or with @rates per second; negative if
 * they were not counted
 */
static double events_at(const struct perfex_report *report, unsigned int at,
			unsigned int event, bool rates)
{
	const struct perfex_sample *sample = report->result[0].sample;
	struct irixperf_count count[IRIXPERF_EVENTS];
	double from = at ? sample[at - 1].time : 0;

	perfex_sample_between(count, at ? &sample[at - 1] : NULL, &sample[at],
			      report->choice->nr);
	if (!perfex_counted(&count[event]) || sample[at].time <= from)
		return -1;

	return (double)irixperf_count_scale(&count[event]) /
	       (rates ? sample[at].time - from : 1);
}

/* A step for each period; a period in which the event had no turn is a gap, not 0 */
static void draw_steps(FILE *out, const struct perfex_report *report,
		       unsigned int event, bool rates, double bottom,
		       double most)
{
	const struct perfex_result *result = &report->result[0];
	double end = result->sample[result->nr_samples - 1].time;
	double unit = (WIDTH - SCALE - 24) / end, x = SCALE;
	bool gap = true;
	unsigned int i;

	fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"",
		FILL);
	for (i = 0; i < result->nr_samples; i++) {
		double events = events_at(report, i, event, rates);
		double y = bottom - events / most * PANEL_PLOT;
		double to = SCALE + result->sample[i].time * unit;

		if (events >= 0)
			fprintf(out, "%s%.1f %.1f L %.1f %.1f ",
				gap ? "M " : "L ", x, y, to, y);
		gap = events < 0;
		x = to;
	}
	fputs("\"/>\n", out);
}

static void draw_times(FILE *out, double end, double top, double bottom)
{
	double tick = tick_of(end), unit = (WIDTH - SCALE - 24) / end;
	char text[32];
	unsigned int i;

	for (i = 0; i * tick <= end; i++) {
		double x = SCALE + i * tick * unit;

		line(out, x, top, x, bottom, PALE);
		snprintf(text, sizeof(text), "%g", i * tick);
		label(out, x, bottom + 15, "middle", 11, text);
	}
}

static void draw_panel(FILE *out, const struct perfex_report *report,
		       unsigned int at, bool rates)
{
	const struct perfex_result *result = &report->result[0];
	const struct irixperf_event *event =
		irixperf_event_get(report->choice->chip,
				   report->choice->event[at]);
	double top = HEAD + at * PANEL + PANEL_TOP, most = 0;
	char text[128];
	unsigned int i;

	for (i = 0; i < result->nr_samples; i++)
		most = fmax(most, events_at(report, i, at, rates));
	snprintf(text, sizeof(text), "%u %s", event->num, event->label);
	label(out, SCALE, top - 7, "start", 13, text);
	draw_times(out, result->sample[result->nr_samples - 1].time, top,
		   top + PANEL_PLOT);
	short_number(text, sizeof(text), most);
	if (most > 0)
		label(out, SCALE - 8, top + 10, "end", 11, text);
	label(out, SCALE - 8, top + PANEL_PLOT, "end", 11, "0");
	line(out, SCALE, top, WIDTH - 24, top, PALE);
	line(out, SCALE, top + PANEL_PLOT, WIDTH - 24, top + PANEL_PLOT, INK);
	draw_steps(out, report, at, rates, top + PANEL_PLOT,
		   most > 0 ? most : 1);
}

static void plot_series(FILE *out, const struct perfex_report *report)
{
	bool rates = !perfex_note(report);
	char text[96];
	unsigned int i;

	snprintf(text, sizeof(text), "Events %s, over time (s)%s",
		 rates ? "a second" : "in each period",
		 report->choice->project ? "; in a gap the event had no turn" : "");
	begin(out, report, HEAD + (int)report->choice->nr * PANEL + 16, text);
	for (i = 0; i < report->choice->nr && report->result[0].nr_samples; i++)
		draw_panel(out, report, i, rates);
	fputs("</svg>\n", out);
}

void perfex_plot(FILE *out, const struct perfex_report *report)
{
	if (report->opt->periodic)
		plot_series(out, report);
	else
		plot_costs(out, report);
}
