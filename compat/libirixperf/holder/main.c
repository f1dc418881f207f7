// SPDX-License-Identifier: LGPL-2.1-or-later
/* main() has a file of its own so that unit tests can give the holder a fake kernel. */
#include "holder.h"

int main(int argc, char **argv)
{
	return holder_main(argc, argv);
}
