// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libpfm4, if it is installed, knows the names of the CPU and of its events. This file
 * loads it when a map is read. See pfm_get_os_event_encoding(3).
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>
#include "libpfm4.h"
#include "pfm.h"
#include "kernel.h"
#include "map.h"

#define PFM_PLM0		0x01
#define PFM_PLM3		0x08
#define PFM_OS_PERF_EVENT	1

struct pfm_encode_arg {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int idx;
	int cpu;
	int flags;
	int pad0;
};

static struct ixp_pfm real;
static bool real_there;

static void real_load(void)
{
	void *lib = dlopen ? dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!lib)
		return;
	*(void **)&real.initialize = dlsym(lib, "pfm_initialize");
	*(void **)&real.pmu_info = dlsym(lib, "pfm_get_pmu_info");
	*(void **)&real.encode = dlsym(lib, "pfm_get_os_event_encoding");
	*(void **)&real.strerror = dlsym(lib, "pfm_strerror");
	real_there = real.initialize && real.pmu_info && real.encode &&
		     real.strerror && real.initialize() == PFM_SUCCESS;
}

/* Load libpfm4; it stays loaded */
const struct ixp_pfm *ixp_pfm_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, real_load);

	return real_there ? &real : NULL;
}

static const struct ixp_pfm *pfm_now(void)
{
	return ixp_kernel.pfm ? ixp_kernel.pfm() : ixp_pfm_load();
}

/**
 * ixp_pfm_pmus() - ask libpfm4 for the PMUs of this machine
 * @pmus: gets the PMUs
 */
void ixp_pfm_pmus(struct ixp_pmus *pmus)
{
	const struct ixp_pfm *pfm = pfm_now();
	int i;

	pmus->nr = 0;
	for (i = 0; pfm && i < PFM_PMUS && pmus->nr < IXP_PMUS_MAX; i++) {
		struct pfm_pmu_info info = { .size = sizeof(info) };
		char *name = pmus->name[pmus->nr];

		if (pfm->pmu_info(i, &info) != PFM_SUCCESS ||
		    info.type != PFM_PMU_TYPE_CORE || !info.flags.is_present ||
		    strlen(info.name) >= sizeof(pmus->name[0]))
			continue;
		snprintf(name, sizeof(pmus->name[0]), "%s", info.name);
		pmus->nr++;
	}
}

int ixp_pfm_name(struct ixp_code *code, const char *name, const char *pmu,
		 char *why, size_t size)
{
	const struct ixp_pfm *pfm = pfm_now();
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct pfm_encode_arg arg = { .attr = &attr, .size = sizeof(arg) };
	char full[2 * IXP_NAME_SIZE];
	int ret;

	if (!pfm) {
		snprintf(why, size, "perf has no event of this name, and "
			 "libpfm4, which may have it, is not installed (or the "
			 "program is static)");
		return -ENOENT;
	}
	/* Name the PMU: another one of this machine may have an event of that name */
	if (pmu && !strstr(name, "::"))
		snprintf(full, sizeof(full), "%s::%s", pmu, name);
	else
		snprintf(full, sizeof(full), "%s", name);
	ret = pfm->encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (ret != PFM_SUCCESS) {
		snprintf(why, size, "neither perf nor libpfm4 has this event "
			 "(libpfm4: %s)", pfm->strerror(ret));
		return -ENOENT;
	}

	/*
	 * Refuse modifiers: the program chooses the modes, and a map must not restrict
	 * them. Without modifiers all exclude bits are clear, even if the PMU has no
	 * modes.
	 */
	if (attr.exclude_user || attr.exclude_kernel || attr.exclude_host) {
		snprintf(why, size, "modifiers such as :u and :k cannot be in a "
			 "map: the program chooses the modes");
		return -EINVAL;
	}
	*code = (struct ixp_code){
		.type = attr.type,
		.config = { attr.config, attr.config1, attr.config2 },
	};

	return 0;
}
