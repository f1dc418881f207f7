// SPDX-License-Identifier: GPL-2.0-or-later
/* The requests of system mode, syssgi(SGI_EVENTCTR, ...). */
#include <errno.h>
#include <string.h>
#include <sys/syssgi.h>
#include "ec.h"

/* -D: each request and its result */
bool ec_verbose;

static int request(int command, const char *name, void *arg)
{
	int ret = (int)irixperf_syssgi(SGI_EVENTCTR, (uintptr_t)command,
				       (uintptr_t)arg, 0, 0);

	if (ec_verbose && ret < 0)
		tool_error("%s: %s", name, strerror(-ret));
	else if (ec_verbose)
		tool_error("%s: %s %d", name,
			   ret ? "generation" : "status", ret);

	return ret;
}

#define REQUEST(command, arg)	request(command, #command, arg)

int ec_control_get(struct ec_control *control)
{
	hwperf_eventctrl_t ctrl;
	unsigned int i;
	int ret;

	memset(control, 0, sizeof(*control));
	ret = REQUEST(HWPERF_GET_SYSEVCTRL, &ctrl);
	if (ret == -EINVAL)
		return 0;
	if (ret < 0)
		return ret;

	control->on = true;
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		control->mode[i] = ctrl.hwp_evctrl[i].hwperf_creg.hwp_mode;

	return ret;
}

/* Count the events of @to in place of those of @from; all counts start from zero */
int ec_control_set(const struct ec_control *from, const struct ec_control *to)
{
	hwperf_profevctrarg_t arg = { .hwp_ovflw_sig = 0 };
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		struct hwperf_ctrlreg *reg =
			&arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg;

		if (!to->mode[i])
			continue;
		reg->hwp_ev = i % HWPERF_CNTEVENTMAX;
		reg->hwp_ie = 1;
		reg->hwp_mode = to->mode[i] & HWPERF_MODEMASK;
	}

	return from->on ? REQUEST(HWPERF_SET_SYSEVCTRL, &arg) :
			  REQUEST(HWPERF_ENSYSCNTRS, &arg);
}

int ec_control_release(void)
{
	return REQUEST(HWPERF_RELSYSCNTRS, NULL);
}

uint32_t ec_control_events(const struct ec_control *control)
{
	uint32_t events = 0;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (control->mode[i])
			events |= EC_BIT(i);

	return events;
}
