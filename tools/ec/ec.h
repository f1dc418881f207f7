/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ecadmin and ecstats share: access to the event counters of all CPUs. A
 * function that returns a status other than EC_OK has printed a message.
 */
#ifndef EC_H
#define EC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "tool.h"

#ifndef EC_VERSION
#define EC_VERSION	"0.1.0"
#endif

/* The usual 1 and 2: these commands run no other command, whose status could be the same */
enum ec_status {
	EC_OK = 0,
	EC_FAILED = 1,
	EC_USAGE = 2
};

#define EC_BIT(event)	(UINT32_C(1) << (event))

/**
 * struct ec_machine - the CPUs whose events are counted
 * @chip: the kind of CPU; R10000 if there are no counters
 * @error: why there are no counters, a negative errno value; or 0
 * @mixed: the CPUs are of several types, whose events differ
 * @usable: events that mean the same on all CPUs and can be counted
 */
struct ec_machine {
	enum irixperf_chip chip;
	int error;
	bool mixed;
	uint32_t usable;
};

/* machine.c */
void ec_machine_look(struct ec_machine *machine);
int ec_machine_check(const struct ec_machine *machine);

/* events.c: names of events */
int ec_events_parse(uint32_t *events, const struct ec_machine *machine,
		    const char *list);
void ec_event_print(FILE *out, const struct irixperf_event *event,
		    const char *more);
void ec_events_print_all(FILE *out, const struct ec_machine *machine);
unsigned int ec_events_count(uint32_t events);

/**
 * struct ec_control - what system mode counts
 * @on: the counters are in system mode
 * @mode: for each event the modes in which it counts
 */
struct ec_control {
	bool on;
	unsigned char mode[IRIXPERF_EVENTS];
};

/* control.c: requests of system mode; they return 0, a generation number or -errno */
extern bool ec_verbose;

int ec_control_get(struct ec_control *control);
int ec_control_set(const struct ec_control *from, const struct ec_control *to);
int ec_control_release(void);
uint32_t ec_control_events(const struct ec_control *control);

/* System mode is on, and none of its events has a number: irixperf_system_set() */
#define EC_NO_NUMBERS	"system mode counts nothing that has a number here; pctr -a shows functions"

#endif
