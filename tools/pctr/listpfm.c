// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pctr -l on x86 CPUs: the events that libpfm4 knows. See pfm_get_event_info(3) and
 * pfm_get_event_attr_info(3).
 */
#include <stdint.h>
#include <string.h>
#include "command.h"
#include "libpfm4.h"

#define PFM_OS_NONE		0
#define PFM_ATTR_UMASK		1

struct pfm_event_info {
	const char *name;
	const char *desc;
	const char *equiv;
	size_t size;
	uint64_t code;
	int pmu;
	int dtype;
	int idx;
	int nattrs;
	int reserved;
	unsigned int flags;
};

struct pfm_attr_info {
	const char *name;
	const char *desc;
	const char *equiv;
	size_t size;
	uint64_t code;
	int type;
	int idx;
	int ctrl;
	unsigned int flags;
	uint64_t value;
};

static struct {
	int (*initialize)(void);
	int (*pmu_info)(int pmu, struct pfm_pmu_info *info);
	int (*event_info)(int event, int os, struct pfm_event_info *info);
	int (*event_next)(int event);
	int (*attr_info)(int event, int attr, int os, struct pfm_attr_info *info);
} pfm;

static bool load(void)
{
	void *lib = dlopen ? dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!lib)
		return false;
	*(void **)&pfm.initialize = dlsym(lib, "pfm_initialize");
	*(void **)&pfm.pmu_info = dlsym(lib, "pfm_get_pmu_info");
	*(void **)&pfm.event_info = dlsym(lib, "pfm_get_event_info");
	*(void **)&pfm.event_next = dlsym(lib, "pfm_get_event_next");
	*(void **)&pfm.attr_info = dlsym(lib, "pfm_get_event_attr_info");

	return pfm.initialize && pfm.pmu_info && pfm.event_info && pfm.event_next &&
	       pfm.attr_info && pfm.initialize() == PFM_SUCCESS;
}

static bool has_name(const char *name, const char *const names[2])
{
	return strcmp(name, names[0]) == 0 || strcmp(name, names[1]) == 0;
}

/* What pctr(4) marks: an event has states of lines, or an agent other than this CPU */
static const char *marks(const struct pfm_event_info *event)
{
	static const char *const states[2] = { "MESI", "M_STATE" };
	static const char *const agents[2] = { "ALL_AGENTS", "ANY" };
	bool mesi = false, any = false;
	int i;

	for (i = 0; i < event->nattrs; i++) {
		struct pfm_attr_info attr = { .size = sizeof(attr) };

		if (pfm.attr_info(event->idx, i, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		mesi |= has_name(attr.name, states) &&
			(attr.code << PCTR_UM_SHIFT & PCTR_UM_M);
		any |= has_name(attr.name, agents) &&
		       attr.code << PCTR_UM_SHIFT == PCTR_UM_A;
	}

	return mesi ? any ? " (MESI) (A)" : " (MESI)" : any ? " (A)" : "";
}

static void list_pmu(const struct pfm_pmu_info *pmu)
{
	int i;

	for (i = pmu->first_event; i >= 0; i = pfm.event_next(i)) {
		struct pfm_event_info event = { .size = sizeof(event) };

		/* A longer code has no place in a function, or has a unit mask in it */
		if (pfm.event_info(i, PFM_OS_NONE, &event) == PFM_SUCCESS &&
		    event.code <= 0xff)
			printf("%02x    %s%s: %s\n", (unsigned int)event.code,
			       event.name, marks(&event), event.desc);
	}
}

int list_libpfm4(void)
{
	bool found = false;
	int i;

	if (!load()) {
		tool_error("the list of this CPU's events is libpfm4's, which is not "
			   "installed: libpfm.so.4\nits manuals have the numbers");
		return PCTR_FAILED;
	}
	for (i = 0; i < PFM_PMUS; i++) {
		struct pfm_pmu_info info = { .size = sizeof(info) };

		if (pfm.pmu_info(i, &info) != PFM_SUCCESS ||
		    info.type != PFM_PMU_TYPE_CORE || !info.flags.is_present)
			continue;
		list_pmu(&info);
		found = true;
	}
	if (found)
		return PCTR_OK;
	tool_error("libpfm4 does not know this CPU; the CPU's manuals have the numbers of "
		   "its events");

	return PCTR_FAILED;
}
