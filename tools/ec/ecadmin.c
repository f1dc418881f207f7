// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ecadmin: enable and disable events for all CPUs and all programs. A work-alike
 * of IRIX's command of this name, on the system mode of libirixperf.
 */
#include <stdlib.h>
#include <string.h>
#include "ecadmin.h"

/*
 * Change @control as the command line says. The counters change later, when all
 * arguments are known to be valid.
 */
static int apply_changes(struct ec_control *control,
			 const struct ec_machine *machine,
			 const struct admin_options *opt)
{
	uint32_t events;
	unsigned int i, event;
	int status;

	for (i = 0; i < opt->nr; i++) {
		status = ec_events_parse(&events, machine, opt->change[i].list);
		if (status)
			return status;
		for (event = 0; event < IRIXPERF_EVENTS; event++) {
			unsigned char *mode = &control->mode[event];

			if (!(events & EC_BIT(event)))
				continue;
			if (!opt->change[i].enable)
				*mode = 0;
			else if (!*mode)
				*mode = HWPERF_CNTEN_A;
		}
	}

	return EC_OK;
}

static const char *mode_text(unsigned char mode)
{
	static char text[48];

	if (mode == HWPERF_CNTEN_A)
		return "";
	snprintf(text, sizeof(text), " [only%s%s%s%s]",
		 mode & HWPERF_CNTEN_U ? " user" : "",
		 mode & HWPERF_CNTEN_K ? " kernel" : "",
		 mode & HWPERF_CNTEN_E ? " exception" : "",
		 mode & HWPERF_CNTEN_S ? " supervisor" : "");

	return text;
}

static void list_enabled(const struct ec_machine *machine,
			 const struct ec_control *control)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (control->mode[i])
			ec_event_print(stdout,
				       irixperf_event_get(machine->chip, i),
				       mode_text(control->mode[i]));
}

static int fail(const char *what, int err)
{
	char text[1024];

	tool_error("cannot %s: %s", what,
		   tool_system_explain(err, text, sizeof(text)));

	return EC_FAILED;
}

static int release(const struct ec_control *now)
{
	int ret;

	if (!now->on) {
		tool_error("no events are enabled: there is nothing to release");
		return EC_OK;
	}
	ret = ec_control_release();

	return ret < 0 ? fail("release the counters", ret) : EC_OK;
}

static bool has_kernel_mode(const struct ec_control *control)
{
	unsigned int i = 0;

	while (i < IRIXPERF_EVENTS && !(control->mode[i] & HWPERF_CNTEN_K))
		i++;

	return i < IRIXPERF_EVENTS;
}

/* IRIX has no system mode without events: if none is left, release the counters */
static int change(const struct ec_control *from, const struct ec_control *to)
{
	uint32_t events = ec_control_events(to);
	int ret;

	if (events == ec_control_events(from)) {
		tool_error("%s: nothing is changed",
			   events ? "exactly these events are enabled already" :
				    "no events are enabled");
		return EC_OK;
	}
	if (events == 0) {
		tool_error("no events are left: the counters are released");
		return release(from);
	}
	if (!has_kernel_mode(to)) {
		tool_error("cannot leave only events of pctr, in user mode; to release the "
			   "counters: ecadmin -r");
		return EC_FAILED;
	}
	ret = ec_control_set(from, to);

	return ret < 0 ? fail("enable events", ret) : EC_OK;
}

/* The largest number of events that one counter has to count */
static unsigned int turns(enum irixperf_chip chip, uint32_t events)
{
	unsigned int low = ec_events_count(events & 0xffff);
	unsigned int high = ec_events_count(events >> 16);

	if (chip == IRIXPERF_R12000)
		return (low + high + 1) / 2;

	return low > high ? low : high;
}

static int check(const struct ec_machine *machine,
		 const struct ec_control *control)
{
	uint32_t events = ec_control_events(control);
	unsigned int nr = ec_events_count(events);
	unsigned int shares = turns(machine->chip, events);
	bool one = nr == 1;

	if (machine->chip == IRIXPERF_MAPPED)
		printf("%u event%s; how many counters this CPU has is not "
		       "known\n", nr, one ? "" : "s");
	else if (shares <= 1)
		printf("%u %s the two counters: exact counts\n", nr,
		       one ? "event fits" : "events fit");
	else
		printf("%u events share two counters: up to %u take turns on "
		       "each, and counts are scaled\n", nr, shares);

	return EC_OK;
}

static int mixed_refused(void)
{
	tool_error("this machine has CPUs of several types, whose events differ\n"
		   "-M allows the events that mean the same on all of them");

	return EC_FAILED;
}

static int administer(const struct ec_machine *machine,
		      const struct admin_options *opt)
{
	struct ec_control now, wanted;
	int ret, status;

	ret = ec_control_get(&now);
	if (ret < 0)
		return fail("find out which events are enabled", ret);

	wanted = now;
	status = apply_changes(&wanted, machine, opt);
	if (status == EC_OK && opt->check)
		return check(machine, &wanted);
	if (status == EC_OK && opt->release)
		status = release(&now);
	if (status == EC_OK && opt->nr > 0)
		status = change(&now, &wanted);
	if (status || !opt->list)
		return status;

	ret = ec_control_get(&now);
	if (ret < 0)
		return fail("find out which events are enabled", ret);
	list_enabled(machine, &now);
	if (now.on && !ec_control_events(&now))
		tool_error(EC_NO_NUMBERS);

	return EC_OK;
}

static int run(const struct admin_options *opt)
{
	struct ec_machine machine;
	int status;

	ec_machine_look(&machine);
	if (opt->nr == 1 && opt->change[0].enable &&
	    strcmp(opt->change[0].list, "?") == 0) {
		ec_events_print_all(stdout, &machine);
		return EC_OK;
	}
	status = ec_machine_check(&machine);
	if (status == EC_OK && machine.mixed && opt->nr > 0 && !opt->mixed)
		status = mixed_refused();

	return status ? status : administer(&machine, opt);
}

int main(int argc, char **argv)
{
	struct admin_options opt;
	int status;

	tool_name = "ecadmin";
	status = admin_options_parse(&opt, argc, argv);
	if (status == EC_OK) {
		if (opt.help)
			admin_help(stdout);
		else if (opt.version)
			printf("ecadmin (r10kperf) %s\n", EC_VERSION);
		else
			status = run(&opt);
	}
	free(opt.change);

	return tool_flush_stdout() ? EC_FAILED : status;
}
