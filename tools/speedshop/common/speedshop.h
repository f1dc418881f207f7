/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of the files that ssrun writes and prof reads: one text file for
 * each process and thread. A line is a key and its values, separated by tabs.
 * Numbers are decimal, addresses hexadecimal. ssrun(1) describes the keys.
 */
#ifndef SPEEDSHOP_H
#define SPEEDSHOP_H

#define SPEEDSHOP_VERSION	"0.1.0"

/* The first line of each file. Raise the number if old programs cannot read it */
#define SPEEDSHOP_MAGIC		"ssrun\t1"

/* What perf calls a function that has no name */
#define SPEEDSHOP_UNKNOWN	"[unknown]"

#endif
