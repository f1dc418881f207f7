/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock of a processor in MHz, or 0 */
#ifndef IXP_CLOCK_H
#define IXP_CLOCK_H

unsigned int ixp_clock_mhz(unsigned int cpu, const char *cpuinfo);
unsigned int ixp_clock_measure(void);

#endif
