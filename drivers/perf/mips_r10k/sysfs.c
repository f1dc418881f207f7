// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/bus/event_source/devices/cpu/: events, format, caps.
 */
#include <linux/device.h>
#include <linux/init.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>

#include "attr.h"
#include "event.h"
#include "sysfs.h"

/* events/: this CPU's events by name, filled in by r10k_sysfs_init() */

static ssize_t r10k_sysfs_event_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct perf_pmu_events_attr *event;

	event = container_of(attr, struct perf_pmu_events_attr, attr);
	return sysfs_emit(page, "event=%#04llx\n", event->id);
}

static struct perf_pmu_events_attr r10k_sysfs_event_attrs[R10K_EVENTS];
static struct attribute *r10k_sysfs_events[R10K_EVENTS + 1];

static const struct attribute_group r10k_sysfs_events_group = {
	.name = "events",
	.attrs = r10k_sysfs_events,
};

/* format/ */

PMU_FORMAT_ATTR(event, R10K_CFG_EVENT_TEXT);
PMU_FORMAT_ATTR(exl, R10K_CFG_EXL_TEXT);

static struct attribute *r10k_sysfs_formats[] = {
	&format_attr_event.attr,
	&format_attr_exl.attr,
	NULL
};

static const struct attribute_group r10k_sysfs_format_group = {
	.name = "format",
	.attrs = r10k_sysfs_formats,
};

/* caps/ */

static ssize_t counters_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%u\n", R10K_COUNTERS);
}
static DEVICE_ATTR_RO(counters);

static ssize_t revision_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%u.%u\n", r10k_model.prid >> 4 & 0xf, r10k_model.prid & 0xf);
}
static DEVICE_ATTR_RO(revision);

static ssize_t pmu_name_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", r10k_chip_name(r10k_model.prid));
}
static DEVICE_ATTR_RO(pmu_name);

static struct attribute *r10k_sysfs_caps[] = {
	&dev_attr_counters.attr,
	&dev_attr_pmu_name.attr,
	&dev_attr_revision.attr,
	NULL
};

static const struct attribute_group r10k_sysfs_caps_group = {
	.name = "caps",
	.attrs = r10k_sysfs_caps,
};

static const struct attribute_group *r10k_sysfs_groups[] = {
	&r10k_sysfs_events_group,
	&r10k_sysfs_format_group,
	&r10k_sysfs_caps_group,
	NULL
};

/**
 * r10k_sysfs_init() - fill in the attributes of this CPU's events
 *
 * Return: the attribute groups for struct pmu.
 */
const struct attribute_group ** __init r10k_sysfs_init(void)
{
	const struct r10k_event *event;
	struct perf_pmu_events_attr *to;
	unsigned int num, used = 0;

	for (num = 0; num < R10K_EVENTS; num++) {
		event = r10k_event_find(r10k_model.chip, num);
		if (!event)
			continue;
		to = &r10k_sysfs_event_attrs[used];
		to->id = num;
		to->attr.attr.name = event->name;
		to->attr.attr.mode = 0444;
		to->attr.show = r10k_sysfs_event_show;
		r10k_sysfs_events[used++] = &to->attr.attr;
	}
	return r10k_sysfs_groups;
}
