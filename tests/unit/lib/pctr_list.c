// SPDX-License-Identifier: GPL-2.0-only
/* pctr -l of an x86 CPU, on any machine: LIBPFM_FORCE_PMU says of which. */
#include "../../../tools/pctr/command.h"

int main(void)
{
	tool_name = "pctr";

	return list_libpfm4();
}
