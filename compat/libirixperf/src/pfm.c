// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libpfm4, where it is installed: the names of the CPU's own events, and that
 * of the CPU. It is looked for when a map is read, so that neither this library
 * nor what is linked with it depends on it. What stands here of its interface
 * is that of libpfm.so.4, pfm_get_os_event_encoding(3) and pfm_get_pmu_info(3);
 * it tells its versions apart by the sizes in the structures.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "map.h"

/* A static program has no dlopen() that could work: then there is no libpfm4 */
#pragma weak dlopen
#pragma weak dlsym

#define PFM_SUCCESS		0
#define PFM_PLM0		0x01
#define PFM_PLM3		0x08
#define PFM_OS_PERF_EVENT	1
#define PFM_PMU_TYPE_CORE	1
#define PFM_PMUS		1024	/* numbers to ask for; 4.13 ends at 535 */

struct pfm_pmu_info {
	const char *name;
	const char *desc;
	size_t size;
	int pmu;
	int type;
	int nevents;
	int first_event;
	int max_encoding;
	int num_cntrs;
	int num_fixed_cntrs;
	struct {
		unsigned int is_present:1;
		unsigned int is_dfl:1;
		unsigned int reserved_bits:30;
	} flags;
};

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

/* The library behind ixp_kernel.pfm; it stays loaded */
const struct ixp_pfm *ixp_pfm_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, real_load);

	return real_there ? &real : NULL;
}

/**
 * ixp_pfm_pmus() - ask libpfm4 which CPU this is
 * @pmus: the PMUs that it has for it
 */
void ixp_pfm_pmus(struct ixp_pmus *pmus)
{
	const struct ixp_pfm *pfm = ixp_kernel.pfm();
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

/*
 * Its event and nothing else: modes are the program's, which the map must not
 * narrow. A PMU that knows no modes has all exclude bits clear.
 */
static int take_code(struct ixp_code *code, const struct perf_event_attr *attr,
		     char *why, size_t size)
{
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_host) {
		snprintf(why, size, "modifiers such as :u and :k cannot be in a "
			 "map: modes are the program's to choose");
		return -EINVAL;
	}
	*code = (struct ixp_code){
		.type = attr->type,
		.config = { attr->config, attr->config1, attr->config2 },
	};

	return 0;
}

static int encode(const struct ixp_pfm *pfm, struct perf_event_attr *attr,
		  const char *name, const char *pmu)
{
	struct pfm_encode_arg arg = { .attr = attr, .size = sizeof(arg) };
	char full[2 * IXP_NAME_SIZE];

	/* Another PMU of this machine may have an event of the same name */
	snprintf(full, sizeof(full), "%s%s%s", pmu ? pmu : "", pmu ? "::" : "",
		 name);
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);

	return pfm->encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
}

int ixp_pfm_name(struct ixp_code *code, const char *name, const char *pmu,
		 char *why, size_t size)
{
	const struct ixp_pfm *pfm = ixp_kernel.pfm();
	struct perf_event_attr attr;
	int ret;

	if (!pfm) {
		snprintf(why, size, "perf has no event of this name, and "
			 "libpfm4, which may have it, is not installed (or the "
			 "program is static)");
		return -ENOENT;
	}
	ret = encode(pfm, &attr, name, strstr(name, "::") ? NULL : pmu);
	if (ret != PFM_SUCCESS) {
		snprintf(why, size, "neither perf nor libpfm4 has this event "
			 "(libpfm4: %s)", pfm->strerror(ret));
		return -ENOENT;
	}

	return take_code(code, &attr, why, size);
}
