// SPDX-License-Identifier: GPL-2.0-only
/* irixperf-holder on the machine of the program that has started it. */
#include "../../../compat/libirixperf/holder/holder.h"
#include "fake.h"

int main(int argc, char **argv)
{
	fake_join();
	fake_take();

	return holder_main(argc, argv);
}
