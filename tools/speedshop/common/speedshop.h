/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ssrun writes and prof reads: a text file for each process and thread,
 * lines of a key and values, with a tab between them. Numbers are decimal,
 * addresses hexadecimal. ssrun(1) describes the keys.
 */
#ifndef SPEEDSHOP_H
#define SPEEDSHOP_H

#define SPEEDSHOP_VERSION	"0.1.0"

/* The first line of each file; the number goes up if old programs cannot read it */
#define SPEEDSHOP_MAGIC		"ssrun\t1"

/* What perf calls a function that has no name */
#define SPEEDSHOP_UNKNOWN	"[unknown]"

#endif
