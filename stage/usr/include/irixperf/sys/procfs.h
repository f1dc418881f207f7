/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event counter requests of the IRIX /proc interface, added to what the
 * system's own <sys/procfs.h> declares.
 *
 * The request numbers are ours: IRIX programs are meant to be recompiled. They
 * carry no size or direction, so that they fit the int that some C libraries
 * declare as ioctl()'s second parameter.
 */
#pragma GCC system_header
#include_next <sys/procfs.h>

#ifndef _IRIXPERF_SYS_PROCFS_H
#define _IRIXPERF_SYS_PROCFS_H

#include <sys/ioctl.h>
#include <sys/hwperftypes.h>

#define PIOCENEVCTRS	(('q' << 8) | 0xe0)	/* hwperf_profevctrarg_t * */
#define PIOCGETEVCTRS	(('q' << 8) | 0xe1)	/* hwperf_cntr_t * */
#define PIOCGETPREVCTRS	(('q' << 8) | 0xe2)	/* hwperf_prusage_t * */
#define PIOCGETEVCTRL	(('q' << 8) | 0xe3)	/* hwperf_eventctrl_t * */
#define PIOCSETEVCTRL	(('q' << 8) | 0xe4)	/* hwperf_profevctrarg_t * */
#define PIOCRELEVCTRS	(('q' << 8) | 0xe5)	/* no argument */
#define PIOCSAVECCNTRS	(('q' << 8) | 0xe6)	/* pid_t of the child */

#endif
