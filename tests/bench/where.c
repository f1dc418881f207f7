// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A QEMU plugin: how many instructions each function of the guest's kernel has
 * begun, between two marks.
 *
 * A mark is "lui $0, N", which does nothing: N = 0xbe00 + w begins window w
 * (1 to 127), N = 0xbe80 + w ends it. At the end of a window each function's
 * count goes to the log as "where W FUNCTION COUNT". Code that is not below a
 * symbol of the kernel or the program is "user" or, in the kernel's space, "vectors".
 *
 * One CPU only. Arguments: symbols=System.map[,program=FILE], which names the
 * functions of a static program as "nm -n" does.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <qemu-plugin.h>

#define WINDOWS	128
#define KERNEL	(1ull << 63)

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

enum { USER, VECTORS, FIRST };

struct symbol {
	uint64_t start;
	char *name;
};

static GArray *symbols;		/* by address, after USER and VECTORS */
static uint64_t program_end, kernel_start, kernel_end;
static struct qemu_plugin_scoreboard *counts;
static uint64_t *at_begin;

static struct symbol *symbol(size_t i)
{
	return &g_array_index(symbols, struct symbol, i);
}

static qemu_plugin_u64 count_of(size_t i)
{
	return (qemu_plugin_u64) { counts, i * sizeof(uint64_t) };
}

static size_t find(uint64_t address)
{
	size_t low = FIRST, high = symbols->len;

	if (address & KERNEL) {
		if (address < kernel_start || address >= kernel_end)
			return VECTORS;
	} else if (address < symbol(FIRST)->start || address >= program_end) {
		return USER;
	}
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (symbol(middle)->start <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void begin(unsigned int cpu, void *unused)
{
	size_t i;

	for (i = 0; i < symbols->len; i++)
		at_begin[i] = qemu_plugin_u64_get(count_of(i), cpu);
}

static void end(unsigned int cpu, void *window)
{
	char line[256];
	size_t i;

	for (i = 0; i < symbols->len; i++) {
		uint64_t n = qemu_plugin_u64_get(count_of(i), cpu) - at_begin[i];

		if (!n)
			continue;
		snprintf(line, sizeof(line), "where %zu %s %" PRIu64 "\n",
			 (size_t)window, symbol(i)->name, n);
		qemu_plugin_outs(line);
	}
}

static void look_for_mark(struct qemu_plugin_insn *insn)
{
	uint8_t b[4];
	size_t window;

	if (qemu_plugin_insn_data(insn, b, sizeof(b)) != sizeof(b) ||
	    b[0] != 0x3c || b[1] != 0 || b[2] != 0xbe)
		return;
	window = b[3] % WINDOWS;
	qemu_plugin_register_vcpu_insn_exec_cb(insn,
			b[3] < WINDOWS ? begin : end, QEMU_PLUGIN_CB_NO_REGS,
			(void *)window);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i;

	for (i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t function = find(qemu_plugin_insn_vaddr(insn));

		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn,
				QEMU_PLUGIN_INLINE_ADD_U64, count_of(function), 1);
		look_for_mark(insn);
	}
}

static void add_symbol(uint64_t start, const char *name)
{
	struct symbol s = { start, g_strdup(name) };

	if (symbols->len > FIRST && symbol(symbols->len - 1)->start == start)
		symbol(symbols->len - 1)->name = s.name;
	else
		g_array_append_val(symbols, s);
}

static void note_end(uint64_t address)
{
	if (address & KERNEL)
		kernel_end = address;
	else
		program_end = address;
}

/* Both files are sorted by address, the program's first */
static bool read_symbols(const char *path)
{
	char line[512], name[256], type;
	uint64_t address;
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type,
			   name) != 3)
			continue;
		if (!strcmp(name, "_end"))
			note_end(address);
		if (!strchr("tTwW", type))
			continue;
		if (!kernel_start && (address & KERNEL))
			kernel_start = address;
		add_symbol(address, name);
	}
	fclose(file);
	return symbols->len > FIRST && kernel_end;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
					   const qemu_info_t *info,
					   int argc, char **argv)
{
	symbols = g_array_new(false, false, sizeof(struct symbol));
	add_symbol(0, "user");
	add_symbol(0, "vectors");
	if (argc == 2 && !strncmp(argv[1], "program=", 8))
		read_symbols(argv[1] + 8);
	if (argc < 1 || strncmp(argv[0], "symbols=", 8) ||
	    !read_symbols(argv[0] + 8)) {
		fprintf(stderr, "where: symbols=System.map is needed\n");
		return 1;
	}
	counts = qemu_plugin_scoreboard_new(symbols->len * sizeof(uint64_t));
	at_begin = g_new0(uint64_t, symbols->len);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
