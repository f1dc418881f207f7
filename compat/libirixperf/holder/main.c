// SPDX-License-Identifier: LGPL-2.1-or-later
/* Apart, so that unit tests can put another kernel below the holder. */
#include "holder.h"

int main(int argc, char **argv)
{
	return holder_main(argc, argv);
}
