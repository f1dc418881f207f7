// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The worked example of r10k_evcntrs(5), pages 15 and 16: it counts instruction
 * cache misses (event 9) and data cache misses (event 25) of its own process.
 *
 *	cc $(pkg-config --cflags --libs irixperf) evcntrs-example.c
 *
 * The page prints the body of a function only; the headers, the declarations
 * and something to count are added around it. Two typing errors are mended:
 *
 * 1. What the typesetting swallowed: "\n" and the closing quote came out as
 *    "0" or "/0" in three strings, and the parentheses are missing around the
 *    argument of three calls of exit(). None of it compiles.
 * 2. The second loop runs from 16 to 31 and looks for i == 9, which never comes,
 *    so that the data cache misses would always be 0. Event 9 of counter 1 has
 *    the number HWPERF_CNT1BASE + 9 = 25, which the last line rightly reads.
 *
 * All else is as printed, "%d" for a 64-bit count included: a compiler with
 * -Wformat rightly objects to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>

static volatile unsigned char memory[4 << 20];

static void body_of_program(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(memory); i += 32)
		memory[i]++;
}

int main(void)
{
	hwperf_profevctrarg_t evctr_args;
	hwperf_cntr_t cnts;
	char pfile[32];
	int generation1, generation2;
	int fd, i, pid;

	/* clang-format off */
     pid = getpid();
     sprintf(pfile, "/proc/%05d", pid);
     fd = open(pfile, O_RDWR);
     for (i = 0; i < HWPERF_CNTEVENTMAX; i++) {
         if (i == 9) {
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_ie = 1;
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_ev = i;
             evctr_args.hwp_ovflw_freq[i] = 0;
         } else {
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_spec = 0;
             evctr_args.hwp_ovflw_freq[i] = 0;
         }
     }

     for (i = HWPERF_CNT1BASE; i < HWPERF_EVENTMAX; i++) {
         if (i == 25) {
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_ie = 1;
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_ev = i - HWPERF_CNT1BASE;
             evctr_args.hwp_ovflw_freq[i] = 0;
         } else {
             evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_spec = 0;
             evctr_args.hwp_ovflw_freq[i] = 0;
         }
     }
     evctr_args.hwp_ovflw_sig = 0;
     generation1 = ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args);
     if (generation1 < 0) {
         perror("failed to acquire counters");
         exit(errno);
     }

     body_of_program();

     /* now read the counter values */
     if ((generation2 = ioctl(fd, PIOCGETEVCTRS, (void *)&cnts)) < 0) {
         perror("PIOCGETEVCTRS returns error");
         exit(errno);
     }

     /* generation number should be the same */
     if (generation1 != generation2) {
         printf("program lost event counters\n");
         exit(0);
     }

     /* release the counters */
     if ((ioctl(fd, PIOCRELEVCTRS)) < 0) {
         perror("prioctl PIOCRELEVCTRS returns error");
         exit(errno);
     }

     /* print out the counts */
     printf("instruction cache misses: %d\n", cnts.hwp_evctr[9]);
     printf("data cache misses: %d\n", cnts.hwp_evctr[25]);
     exit(0);
	/* clang-format on */
}
