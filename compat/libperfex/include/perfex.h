/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libperfex: count two events around a piece of a program, as IRIX's library of
 * this name did. IRIX had no header: programs that declare these functions
 * themselves need none. libperfex(3) describes what the functions do.
 *
 * A function that fails writes a message to stderr, sets errno and returns a
 * negative number. The environment variables T5_EVENT0 and T5_EVENT1 replace the
 * events e0 and e1.
 */
#ifndef PERFEX_H
#define PERFEX_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * start_counters() - start to count two events, from zero, in user mode
 * @e0: an event, 0 to 31
 * @e1: the same event or another; on the R10000, of two events one is below 16, and the
 *	other is not
 *
 * Return: a positive generation number, or -1.
 */
int start_counters(int e0, int e1);

/**
 * read_counters() - stop the counters and read them
 * @e0: the event that was given to start_counters() first
 * @c0: gets its count
 * @e1: the second one
 * @c1: gets its count
 *
 * Return: a generation number, or -1. If the number is not that of
 * start_counters(), the program has lost the counters meanwhile, and the counts
 * are too low.
 */
int read_counters(int e0, long long *c0, int e1, long long *c1);

/**
 * print_counters() - write two counts to stderr, as perfex(1) does
 * @e0: an event
 * @c0: its count
 * @e1: the second one
 * @c1: its count
 *
 * Return: 0, or -1.
 */
int print_counters(int e0, long long c0, int e1, long long c1);

/**
 * print_costs() - write two counts to stderr, with the time that they cost
 * @e0: an event
 * @c0: its count
 * @e1: the second one
 * @c1: its count
 *
 * Return: 0, or -1.
 */
int print_costs(int e0, long long c0, int e1, long long c1);

/**
 * load_costs() - replace the costs of events by those in a file
 * @file: the file, in the format of perfex -t
 *
 * Return: 0, or -1; then the costs are unchanged.
 */
int load_costs(const char *file);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
