// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex's drawings: where each label lies, whatever the numbers and the
 * command are, and what becomes of words that XML does not have. Widths are
 * those of DejaVu Sans, the widest of the usual fonts.
 */
#include "fake.h"
#include "perfex.h"
#include "unit.h"
#include "utf8.h"

#define FFFD	"\xef\xbf\xbd"

/* More than labels and bars of 32 panels */
#define MAX_BOXES	1024

/* Thousandths of the font's size, from the blank on */
static const unsigned short advance[] = {
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838,
	318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
	636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698,
	770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
	603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390,
	337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
	634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
	392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
};

#define ADVANCE_OTHER	1026
#define ASCENT		0.76
#define DESCENT		0.24

/**
 * struct box - what a label or a bar takes
 * @left: its edges
 * @right: its edges
 * @top: its edges
 * @bottom: its edges
 * @text: what is written there, with the rest of the file; NULL for a bar
 */
struct box {
	double left, right, top, bottom;
	const char *text;
};

static struct box box[MAX_BOXES];
static unsigned int nr_boxes;
static double width, height;

static char *svg;

static double width_of(const char *text, const char *end, double size)
{
	double sum = 0;

	for (; text < end; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= ' ' && c < 0x7f)
			sum += advance[c - ' '];
		else if ((c & 0xc0) != 0x80)
			sum += ADVANCE_OTHER;
		if (c == '&')
			text = strchr(text, ';');
	}

	return sum * size / 1000;
}

static void add_label(const char *tag)
{
	struct box *one = &box[nr_boxes++];
	double x, y, size, wide;
	char anchor[8];
	int found;

	assert_true(nr_boxes < MAX_BOXES);
	found = sscanf(tag, "<text x=\"%lf\" y=\"%lf\" text-anchor=\"%7[a-z]\" font-size=\"%lf\">",
		       &x, &y, anchor, &size);
	assert_int_equal(found, 4);
	one->text = strchr(tag, '>') + 1;
	wide = width_of(one->text, strstr(one->text, "</text>"), size);
	one->left = anchor[0] == 's' ? x :
		    anchor[0] == 'm' ? x - wide / 2 : x - wide;
	one->right = one->left + wide;
	one->top = y - ASCENT * size;
	one->bottom = y + DESCENT * size;
}

static void add_bar(const char *tag)
{
	struct box *one = &box[nr_boxes++];
	double x, y, w, h;
	int found;

	assert_true(nr_boxes < MAX_BOXES);
	found = sscanf(tag, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
		       &x, &y, &w, &h);
	assert_int_equal(found, 4);
	*one = (struct box){ x, x + w, y, y + h, NULL };
}

static void check_line(const char *tag)
{
	double x1, y1, x2, y2;
	int found;

	found = sscanf(tag, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
		       &x1, &y1, &x2, &y2);
	assert_int_equal(found, 4);
	assert_true(x1 >= 0 && x1 <= width && x2 >= 0 && x2 <= width);
	assert_true(y1 >= 0 && y1 <= height && y2 >= 0 && y2 <= height);
}

static void draw(const struct perfex_report *report)
{
	const char *at;
	size_t size;
	FILE *out;
	int found;

	free(svg);
	out = open_memstream(&svg, &size);
	perfex_plot(out, report);
	fclose(out);
	assert_null(strstr(svg, "nan"));
	assert_null(strstr(svg, "inf\""));
	at = strstr(svg, "viewBox=\"0 0 ");
	found = sscanf(at, "viewBox=\"0 0 %lf %lf\"", &width, &height);
	assert_int_equal(found, 2);

	nr_boxes = 0;
	for (at = svg; (at = strchr(at, '<')); at++)
		if (strncmp(at, "<text ", 6) == 0)
			add_label(at);
		else if (strncmp(at, "<rect x", 7) == 0)
			add_bar(at);
		else if (strncmp(at, "<line ", 6) == 0)
			check_line(at);
}

static bool overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right &&
	       a->top < b->bottom && b->top < a->bottom;
}

static void show(const char *what, const struct box *one)
{
	print_message("# %s: %.1f to %.1f, %.1f to %.1f: %.60s\n", what,
		      one->left, one->right, one->top, one->bottom,
		      one->text ? one->text : "(bar)");
}

static void nothing_lies_over_anything(void)
{
	unsigned int i, j;

	for (i = 0; i < nr_boxes; i++) {
		const struct box *one = &box[i];
		bool inside = one->left >= 0 && one->right <= width &&
			      one->top >= 0 && one->bottom <= height;

		if (!inside)
			show("outside", one);
		assert_true(inside);
		for (j = 0; j < i; j++) {
			if (overlap(one, &box[j])) {
				show("this", one);
				show("over", &box[j]);
			}
			assert_false(overlap(one, &box[j]));
		}
	}
}

static char many[2000];

static char *no_command[] = { NULL };
static char *short_command[] = { "wl-matmul", "50", NULL };
static char *long_command[] = {
	"/opt/some/where/bin/simulate", "--steps=100000", "--grid",
	"1024x1024x1024", "--input", "/data/runs/2026-11-22/first/input.dat",
	"--output", "/data/runs/2026-11-22/first/output.dat", NULL
};
static char *many_words[] = { many, NULL };

static char **const commands[] = {
	no_command, short_command, long_command, many_words,
};

static const enum irixperf_chip chips[] = {
	IRIXPERF_R10000_V2, IRIXPERF_R10000_V3, IRIXPERF_R12000,
	IRIXPERF_MAPPED,
};

static struct perfex_options opt;
static struct perfex_choice choice;
static struct perfex_result result;
static struct perfex_sample sample[100];
static struct cost_table table;

static const struct perfex_report report = {
	.opt = &opt, .choice = &choice, .table = &table, .runs = 1,
	.result = &result,
};

/* All events that a chip has, each with a cost */
static void choose_all(enum irixperf_chip chip)
{
	struct cost_machine machine = {
		.chip = chip, .model = "R10000", .board = "IP35", .mhz = 196,
	};
	unsigned int i;

	costs_builtin(&table, &machine);
	memset(&opt, 0, sizeof(opt));
	memset(&result, 0, sizeof(result));
	choice = (struct perfex_choice){ .chip = chip, .project = true };
	opt.command = short_command;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		if (!irixperf_event_get(chip, i))
			continue;
		choice.event[choice.nr++] = i;
		table.row[i] = (struct cost_row){
			true, { { 3, COST_NSEC }, { 1, COST_NSEC },
				{ 7, COST_NSEC } },
		};
	}
}

static const struct {
	uint64_t value;
	uint64_t step;
	double nsec;
} counts[] = {
	{ 1, 0, 1e-9 },
	{ 1, 1000, 1 },
	{ 1000000, 999999937, 17 },
	{ UINT64_MAX, 0, 1e9 },
};

static void count(size_t at)
{
	unsigned int i;

	for (i = 0; i < choice.nr; i++) {
		table.row[choice.event[i]].cost[COST_MAXIMUM].value =
			7 * counts[at].nsec;
		table.row[choice.event[i]].cost[COST_TYPICAL].value =
			7 * counts[at].nsec;
		result.count[i] = (struct irixperf_count){
			counts[at].value + i * counts[at].step, 50, 50,
		};
	}
}

/* @fill for each kind of counts, and at least @labels of each event */
static void draw_all(void (*fill)(size_t at), size_t nr, unsigned int labels)
{
	size_t i, j, k;

	for (i = 0; i < ARRAY_SIZE(chips); i++) {
		choose_all(chips[i]);
		for (j = 0; j < nr; j++)
			for (k = 0; k < ARRAY_SIZE(commands); k++) {
				opt.command = commands[k];
				fill(j);
				draw(&report);
				assert_true(nr_boxes >= labels * choice.nr + 2);
				nothing_lies_over_anything();
			}
	}
}

CASE(labels_of_costs)
{
	draw_all(count, ARRAY_SIZE(counts), 3);
}

CASE(costs_of_nothing)
{
	choose_all(IRIXPERF_R10000_V3);
	draw(&report);
	assert_non_null(strstr(svg, "no event that was counted has a cost to show"));
	nothing_lies_over_anything();
}

static const struct {
	unsigned int nr;
	double time;
	uint64_t step;
} series[] = {
	{ 1, 1e-6, UINT64_MAX },
	{ 1, 1, 0 },
	{ 3, 0.333, 1 },
	{ 100, 0.01, 999600 },
	{ 100, 1e-6, 3 },
	{ 100, 86400, 12345678901234 },
	{ 99, 1e7, 1 },
};

static void count_series(size_t at)
{
	unsigned int i, j;

	opt.periodic = true;
	result.sample = sample;
	result.nr_samples = series[at].nr;
	for (i = 0; i < series[at].nr; i++) {
		sample[i].time = series[at].time * (i + 1);
		for (j = 0; j < choice.nr; j++)
			sample[i].count[j] = (struct irixperf_count){
				series[at].step * (i + 1), i + 1, i + 1,
			};
	}
}

CASE(labels_of_series)
{
	draw_all(count_series, ARRAY_SIZE(series), 4);
}

/* As r10kvm's machines: the notes are the library's */
static void emulate(void)
{
	fake_file("/proc/cmdline", "r10kperf.cycles=unmodelled\n");
}

static int emulate_no_more(void **state)
{
	(void)state;
	fake_remove_file("/proc/cmdline");

	return 0;
}

CASE_WITH(nothing_of_cycles_without_a_clock, NULL, emulate_no_more)
{
	emulate();
	draw_all(count, ARRAY_SIZE(counts), 2);
	draw_all(count_series, ARRAY_SIZE(series), 3);
	choose_all(IRIXPERF_R10000_V3);
	count(1);
	draw(&report);
	assert_null(strstr(svg, " Cycles<"));
	assert_null(strstr(svg, "time (s)"));
	assert_non_null(strstr(svg, ">clocks<"));
	assert_non_null(strstr(svg, ">cycles and seconds are the emulator's, not a CPU's: "
			       "no times or rates<"));
}

/* Ten million events in each hundredth of a second */
CASE_WITH(series_have_rates_where_these_mean_something, NULL, emulate_no_more)
{
	unsigned int i;

	choose_all(IRIXPERF_R10000_V3);
	count_series(3);
	for (i = 0; i < result.nr_samples; i++)
		sample[i].count[1].value = 10000000 * (i + 1);
	draw(&report);
	assert_non_null(strstr(svg, ">Events a second, over time (s); in a gap"));
	assert_non_null(strstr(svg, ">1 G<"));
	emulate();
	draw(&report);
	assert_non_null(strstr(svg, ">Events in each period, over time (s); in a gap"));
	assert_non_null(strstr(svg, ">10 M<"));
	assert_null(strstr(svg, ">1 G<"));
	assert_non_null(strstr(svg, ">0 Cycles<"));
	assert_non_null(strstr(svg, ">cycles and seconds are the emulator's, not a CPU's: "
			       "no times or rates<"));
}

static const struct {
	uint64_t rate;
	const char *label;
} scales[] = {
	{ 1, ">1<" }, { 999, ">999<" }, { 1000, ">1 k<" },
	{ 999400, ">999 k<" }, { 999600, ">1 M<" },
	{ 123456789, ">123 M<" }, { 999600000, ">1 G<" },
	{ 999600000000000000, ">1 E<" },
};

CASE(short_numbers)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scales); i++) {
		choose_all(IRIXPERF_R10000_V3);
		count_series(1);
		choice.nr = 1;
		sample[0].count[0].value = scales[i].rate;
		draw(&report);
		assert_non_null(strstr(svg, scales[i].label));
	}
}

static const struct {
	const char *board;
	enum irixperf_chip chip;
	const char *whose;
} owners[] = {
	{ "IP27", IRIXPERF_R10000_V3, "at 250 MHz, costs of IP27: bar" },
	{ "IP30", IRIXPERF_R10000_V3, "at 250 MHz, costs of IP27: bar" },
	{ "IP27", IRIXPERF_R12000, "at 250 MHz, costs of IP27 (R10000): bar" },
};

CASE(whose_costs)
{
	struct cost_machine machine = { .mhz = 250 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(owners); i++) {
		choose_all(owners[i].chip);
		machine.chip = owners[i].chip;
		snprintf(machine.board, sizeof(machine.board), "%s",
			 owners[i].board);
		costs_builtin(&table, &machine);
		draw(&report);
		assert_non_null(strstr(svg, owners[i].whose));
	}
}

/* The first label: the second is what the drawing is */
static const char *title(void)
{
	static char text[2000];

	assert_true(nr_boxes > 2);
	snprintf(text, sizeof(text), "%.*s",
		 (int)(strstr(box[0].text, "</text>") - box[0].text),
		 box[0].text);

	return text;
}

CASE(odd_words)
{
	static char *words[] = {
		"a\xfc\x01\x1b\t\n<&>", "\xef\xbf\xbe\xef\xbf\xbf",
		"\xed\xa0\x80 \xe2\x82\xac\xe2\x82", NULL
	};

	choose_all(IRIXPERF_R10000_V3);
	opt.command = words;
	draw(&report);
	assert_string_equal(title(),
		"perfex: a" FFFD FFFD FFFD "\t\n&lt;&amp;&gt; " FFFD FFFD " "
		FFFD FFFD FFFD " \xe2\x82\xac" FFFD FFFD);
	assert_non_null(strstr(svg, "<title>perfex: a" FFFD));
}

static const char *const characters[] = {
	"x", "W", "<", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xb5", "\xfc",
	"\x01",
};

/* Whatever stands before them; then the drawing is as wide as it can be */
CASE(titles_are_cut_between_characters)
{
	size_t i, before, at, length;

	choose_all(IRIXPERF_R10000_V3);
	opt.command = many_words;
	for (i = 0; i < ARRAY_SIZE(characters); i++)
		for (before = 0; before < 12; before++) {
			memset(many, 'i', before);
			many[before] = '\0';
			length = strlen(characters[i]);
			for (at = before; at + length < sizeof(many); at += length)
				memcpy(many + at, characters[i], length + 1);
			draw(&report);
			nothing_lies_over_anything();
			assert_true(box[0].right > width * 0.6);
			for (at = 0; title()[at]; at += length) {
				length = utf8_length(title() + at);
				assert_true(length > 0);
			}
			assert_string_equal(title() + at - 3, "...");
			assert_null(strstr(title(), i == 6 || i == 7 ? "\xc3" :
								       FFFD));
		}
}

/* Of few or none nothing is cut */
CASE(titles_that_fit)
{
	choose_all(IRIXPERF_R10000_V3);
	draw(&report);
	assert_string_equal(title(), "perfex: wl-matmul 50");
	opt.command = no_command;
	draw(&report);
	assert_string_equal(title(), "perfex");
}

static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	memset(many, 'W', sizeof(many) - 1);

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(svg);

	return 0;
}

int main(void)
{
	return run_cases(setup, teardown);
}
