// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the parser of event maps, and what makes events of the names in them,
 * on a machine whose /sys and libpfm4 are fakes. Beyond crashes, what comes out
 * has to keep its promises.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <irixperf.h>
#include "evname.h"
#include "fake.h"
#include "fakepfm.h"
#include "mapparse.h"

#define DEVICES	"/sys/bus/event_source/devices/"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_machine(void)
{
	static bool made;

	if (made)
		return;
	made = true;
	fake_install_other();
	fake.pfm = &fake_pfm4;
	fake_file(DEVICES "cpu/type", "4\n");
	fake_file(DEVICES "cpu/format/event", "config:0-7,32-35\n");
	fake_file(DEVICES "cpu/format/umask", "config:8-15\n");
	fake_file(DEVICES "cpu/format/ldlat", "config1:0-15\n");
	fake_file(DEVICES "cpu/format/all", "config2:0-63\n");
	fake_file(DEVICES "cpu/events/mem-loads", "event=0xcd,ldlat=3\n");
	fake_file(DEVICES "cpu/events/l1d_cache_refill", "event=0x0003\n");
}

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void resolve(const char *name, const char *pmu)
{
	char why[IXP_WHY_SIZE] = "";
	struct ixp_code code;
	int ret = ixp_name_resolve(&code, name, pmu, why, sizeof(why));

	promise(ret <= 0);
	promise(ret == 0 || why[0]);
	promise(strlen(why) < sizeof(why));
}

static void check_rows(const struct ixp_map_rows *rows, unsigned int lines)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct ixp_map_row *row = &rows->row[i];

		if (!row->line)
			continue;
		promise(rows->holds);
		promise(row->line > 1 && row->line <= lines);
		promise(strlen(row->name) - 1 < IXP_NAME_SIZE - 1);
		resolve(row->name, row->pmu);
	}
}

static unsigned int nr_lines(const uint8_t *data, size_t size)
{
	unsigned int nr = 1;

	for (; size > 0; size--)
		nr += *data++ == '\n';

	return nr;
}

static void fuzz_map(const uint8_t *data, size_t size,
		     const struct ixp_pmus *pmus)
{
	/* No byte more than was promised, so that AddressSanitizer sees it */
	char *text = malloc(size + 1);
	struct ixp_trouble trouble = { 0 };
	struct ixp_map_rows rows;
	int ret;

	memcpy(text, data, size);
	ret = ixp_map_parse(&rows, text, size, pmus, &trouble);
	promise(ret == 0 || ret == -EINVAL);
	if (ret == 0)
		check_rows(&rows, nr_lines(data, size));
	else
		promise(trouble.line > 0 && trouble.what[0] &&
			trouble.line <= nr_lines(data, size));
	free(text);
}

/* The whole input as one name */
static void fuzz_name(const uint8_t *data, size_t size)
{
	char *name = malloc(size + 1);

	memcpy(name, data, size);
	name[size] = '\0';
	resolve(name, NULL);
	free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct ixp_pmus pmus[] = {
		{ .nr = 0 },
		{ .nr = 1, .name = { "skl" } },
		{ .nr = 2, .name = { "fakecpu", "arm_n1" } },
	};
	size_t i;

	make_machine();
	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		fuzz_map(data, size, &pmus[i]);
	fuzz_name(data, size);

	return 0;
}
