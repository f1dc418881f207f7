/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fields of the processor identification register (PRId, CP0 register 15)
 * and of its floating-point counterpart (FCR0). The inventory has these registers
 * in inv_state of INV_CPUCHIP and INV_FPUCHIP:
 *
 *	15 [ implementation | major revision | minor revision ] 0
 *	          8 bits           4 bits           4 bits
 *
 * The processors' manuals are the source, under "Processor Revision Identifier".
 */
#ifndef _SYS_SBD_H
#define _SYS_SBD_H

#define C0_IMPMASK		0xff00
#define C0_IMPSHIFT		8
#define C0_REVMASK		0x00ff
#define C0_MAJREVMASK		0x00f0
#define C0_MAJREVSHIFT		4
#define C0_MINREVMASK		0x000f
#define C0_MINREVSHIFT		0

#define C0_IMP_R4000		0x04
#define C0_IMP_R10000		0x09
#define C0_IMP_R12000		0x0e
#define C0_IMP_R14000		0x0f	/* and the R16000, from revision 3 on */
#define C0_IMP_R4600		0x20
#define C0_IMP_R4700		0x21
#define C0_IMP_R5000		0x23
#define C0_IMP_RM7000		0x27

#endif
