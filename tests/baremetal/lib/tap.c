// SPDX-License-Identifier: GPL-2.0-only
/* TAP output. A case fails if one of its expectations has failed. */
#include <stdarg.h>
#include "bm.h"

/* Print no more than this many lines about one case. */
#define MAX_NOTES	12

static u32 tap_number, tap_failures;
static const char *argument = "";

static void put_string(const char *s)
{
	while (*s)
		put_char(*s++);
}

static void put_number(u64 value, u32 base, int width)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	for (; width > n; width--)
		put_char('0');
	while (n)
		put_char(digits[--n]);
}

static void put_signed(s64 value)
{
	if (value < 0)
		put_char('-');
	put_number(value < 0 ? -(u64)value : (u64)value, 10, 0);
}

/* Supports %s %c %d %u %x %ld %lu %lx and a width for zero-padded numbers. */
static void put_format(const char *fmt, va_list ap)
{
	for (; *fmt; fmt++) {
		int width = 0, wide = 0;

		if (*fmt != '%') {
			put_char(*fmt);
			continue;
		}
		for (fmt++; *fmt >= '0' && *fmt <= '9'; fmt++)
			width = width * 10 + *fmt - '0';
		if (*fmt == 'l')
			wide = *fmt++;
		if (*fmt == 's')
			put_string(va_arg(ap, const char *));
		else if (*fmt == 'c')
			put_char(va_arg(ap, int));
		else if (*fmt == 'd')
			put_signed(wide ? va_arg(ap, s64) : va_arg(ap, s32));
		else if (*fmt == 'u' || *fmt == 'x')
			put_number(wide ? va_arg(ap, u64) : va_arg(ap, u32),
				   *fmt == 'x' ? 16 : 10, width);
	}
}

static void put_line(const char *prefix, const char *fmt, va_list ap)
{
	put_string(prefix);
	put_format(fmt, ap);
	put_char('\n');
}

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line("# ", fmt, ap);
	va_end(ap);
}

void bail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line("Bail out! ", fmt, ap);
	va_end(ap);
	power_off();
}

static int failed(void)
{
	if (++tap_failures == MAX_NOTES)
		note("(more of the same not shown)");
	return tap_failures < MAX_NOTES;
}

int expect(const char *what, u64 want, u64 got)
{
	if (want != got && failed())
		note("%s: expected %lu (0x%lx), got %lu (0x%lx)", what, want, want, got, got);
	return want == got;
}

int expect_range(const char *what, u64 low, u64 high, u64 got)
{
	int good = low <= got && got <= high;

	if (!good && failed())
		note("%s: expected %lu to %lu, got %lu", what, low, high, got);
	return good;
}

int expect_true(const char *what, int got)
{
	if (!got && failed())
		note("expected: %s; it is not so", what);
	return got;
}

/* Every case starts from stopped counters, no hook and no pending timer. */
void tap_begin(void)
{
	tap_failures = 0;
	pmu_stop();
	exc_reset();
	tlb_flush();
	c0_write(C0_STATUS, ST_NORMAL);
	timer_off();
}

void tap_end(const char *fmt, ...)
{
	va_list ap;

	put_string(tap_failures ? "not ok " : "ok ");
	put_number(++tap_number, 10, 0);
	put_string(" - ");
	va_start(ap, fmt);
	put_format(fmt, ap);
	va_end(ap);
	put_char('\n');
}

void tap_run(const struct tap_case *cases, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		tap_begin();
		cases[i].run();
		tap_end("%s", cases[i].name);
	}
}

/* Whether the emulator was started with "-append word" */
int bm_argument(const char *word)
{
	const char *given = argument;

	while (*word && *word == *given)
		word++, given++;
	return *word == *given;
}

/* Called by start.S, with the counters as reset has left them */
void bm_main(int argc, const s32 *argv)
{
	if (argc > 1)
		argument = (const char *)(s64)argv[1];
	pmu_note_reset();
	pmu_stop();
	tlb_init();
	exc_init();
	tests();
	put_string("1..");
	put_number(tap_number, 10, 0);
	put_char('\n');
	power_off();
}
