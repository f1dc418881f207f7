/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers of SGI's processor boards, for programs that use them in addition to
 * INV_IPnnBOARD of <sys/invent.h>. They are macros because programs test for
 * them with #ifdef.
 */
#ifndef _SYS_CPU_H
#define _SYS_CPU_H

#define CPU_IP19	19
#define CPU_IP20	20
#define CPU_IP21	21
#define CPU_IP22	22
#define CPU_IP25	25
#define CPU_IP26	26
#define CPU_IP27	27
#define CPU_IP28	28
#define CPU_IP30	30
#define CPU_IP32	32
#define CPU_IP33	33
#define CPU_IP35	35

#endif
