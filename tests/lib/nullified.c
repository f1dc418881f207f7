// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A QEMU plugin that counts how often a branch-likely was not taken and so
 * nullified its delay slot. QEMU's own plugins see the slot start, and count it.
 *
 * If the slot was nullified, the next block starts right after it. Otherwise the
 * branch was taken, or an exception came in between. A branch over nothing but its
 * own slot goes there either way: such branches are counted as undecided.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <qemu-plugin.h>

#define NOWHERE	1	/* no instruction has this address */

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static qemu_plugin_u64 behind, nullified, undecided;

static bool is_branch_likely(const uint8_t *b)
{
	unsigned int rt = b[1] & 31;

	switch (b[0] >> 2) {
	case 1:				/* bltzl, bgezl, bltzall, bgezall */
		return rt == 2 || rt == 3 || rt == 18 || rt == 19;
	case 17:			/* bc1fl, bc1tl */
		return ((b[0] & 3) << 3 | b[1] >> 5) == 8 && rt & 2;
	case 20 ... 23:			/* beql, bnel, blezl, bgtzl */
		return true;
	}
	return false;
}

static void count(unsigned int cpu, void *unused)
{
	qemu_plugin_u64_add(nullified, cpu, 1);
}

static void watch(struct qemu_plugin_insn *branch,
		  struct qemu_plugin_insn *slot)
{
	uint8_t b[4];

	if (qemu_plugin_insn_data(branch, b, sizeof(b)) != sizeof(b) ||
	    !is_branch_likely(b))
		return;
	if (b[2] == 0 && b[3] == 1)
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(branch,
				QEMU_PLUGIN_INLINE_ADD_U64, undecided, 1);
	else
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(slot,
				QEMU_PLUGIN_INLINE_STORE_U64, behind,
				qemu_plugin_insn_vaddr(slot) + 4);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i;

	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, count,
			QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_COND_EQ, behind,
			qemu_plugin_tb_vaddr(tb), NULL);
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb,
			QEMU_PLUGIN_INLINE_STORE_U64, behind, NOWHERE);
	for (i = 0; i + 1 < qemu_plugin_tb_n_insns(tb); i++)
		watch(qemu_plugin_tb_get_insn(tb, i),
		      qemu_plugin_tb_get_insn(tb, i + 1));
}

static void report(qemu_plugin_id_t id, void *unused)
{
	char line[80];

	snprintf(line, sizeof(line),
		 "nullified: %" PRIu64 "\nundecided: %" PRIu64 "\n",
		 qemu_plugin_u64_sum(nullified),
		 qemu_plugin_u64_sum(undecided));
	qemu_plugin_outs(line);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
					   const qemu_info_t *info,
					   int argc, char **argv)
{
	struct qemu_plugin_scoreboard *state =
		qemu_plugin_scoreboard_new(3 * sizeof(uint64_t));

	behind = (qemu_plugin_u64) { state, 0 };
	nullified = (qemu_plugin_u64) { state, sizeof(uint64_t) };
	undecided = (qemu_plugin_u64) { state, 2 * sizeof(uint64_t) };
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_atexit_cb(id, report, NULL);
	return 0;
}
