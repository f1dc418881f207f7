// SPDX-License-Identifier: GPL-2.0-or-later
/* Why system mode, which counts all programs, cannot be started, changed or read. */
#include <string.h>
#include <unistd.h>
#include <sys/hwperfmacros.h>
#include "tool.h"

/* The errors that irixperf-syssgi(3) lists, and what the user can do */
static const struct {
	int err;
	const char *text;
} texts[] = {
	{ EINVAL, "another program has just ended system mode: try again" },
	{ ENOSYS, "irixperf-holder, which keeps the counters, is not installed, or "
	  "the kernel is older than 5.6\nsee irixperf-holder(8)" },
	{ ENOSPC, "/run is full" },
	{ EROFS, "/run cannot be written" },
	{ EPROTO, "an irixperf-holder of another version keeps the counters\n"
	  "end it: pkill -f 'irixperf-holder system'" },
	{ EIO, "irixperf-holder was killed\nrelease the counters, and enable "
	  "events again: ecadmin -r; ecadmin -e EVENT" },
};

/* Who has the counters of all CPUs, and what helps */
static const char claimed[] = "a program has the counters of all CPUs for itself\n"
	"they are free again when it ends";
static const char taken[] = "ecadmin or pctr has given the counters to events of all "
	"programs\necadmin -l lists the events, ecstats shows their counts; as root, "
	"ecadmin -r releases the counters";

int tool_system_is_on(void)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int ret = irixperf_system_read(&system);

	return ret == -EBUSY || (ret == 0 && system.on);
}

bool tool_counters_claimed(void)
{
	struct irixperf_system system = { .size = sizeof(system) };

	return irixperf_system_read(&system) == -EBUSY && !system.on;
}

char *tool_system_explain(int err, char *buf, size_t size)
{
	size_t i;

	if (err == -EPERM && geteuid() != 0) {
		snprintf(buf, size, "permission denied\n"
			 "only root can change the counters of all CPUs");
		return buf;
	}
	if (err == -EBUSY && tool_system_is_on()) {
		snprintf(buf, size, "%s", tool_counters_claimed() ? claimed : taken);
		return buf;
	}
	/* Or another program has just started system mode, and has ended it again */
	if (err == -EBUSY)
		return tool_neighbours_explain(buf, size);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].err != -err)
			continue;
		snprintf(buf, size, "%s", texts[i].text);
		return buf;
	}

	return irixperf_strerror(err, HWPERF_CNTEN_A, buf, size);
}
