/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: host access to the state of a running CPU, and events
 * that the host can make in its caches.
 *
 * Properties of the CPU objects (QMP qom-get and qom-set) and the monitor
 * command "info r10k". All of this runs in the CPU's own thread between two
 * translation blocks, where the CPU's state is complete and up to date.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "cpu.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "monitor/hmp-target.h"
#include "monitor/monitor.h"
#include "r10k_branch.h"
#include "r10k_mem_internal.h"
#include "r10k_models.h"
#include "r10k_pmu_internal.h"
#include "trace.h"

#define PA_BITS 40

/* The state of the caches in numbers */

/**
 * R10kTally: how many entries of a cache are in a state
 * @lines: all entries
 * @valid: entries in use
 * @inconsistent: modified ones, in the primary data cache
 * @state: entries in each state R10K_L2_*, in the secondary cache
 * @ecc: entries with an ECC error, in the secondary cache
 */
typedef struct R10kTally {
    unsigned lines;
    unsigned valid;
    unsigned inconsistent;
    unsigned state[R10K_L2_STATE + 1];
    unsigned ecc;
} R10kTally;

static R10kTally tally_l1(const uint64_t *line, unsigned lines)
{
    R10kTally tally = { .lines = lines };
    unsigned i;

    for (i = 0; line && i < lines; i++) {
        tally.valid += !!(line[i] & R10K_L1_VALID);
        tally.inconsistent += !!(line[i] & R10K_L1_INCONSISTENT);
    }
    return tally;
}

/* The caches that a CPU has used, or NULL if they are as reset leaves them. */
static const R10kMem *caches(const CPUMIPSState *env)
{
    return env->r10k_pmu.mem_valid ? env->r10k_mem : NULL;
}

static R10kTally tally_l1i(const CPUMIPSState *env)
{
    const R10kMem *mem = caches(env);

    return tally_l1(mem ? mem->l1i[0] : NULL, R10K_L1I_SETS * R10K_WAYS);
}

static R10kTally tally_l1d(const CPUMIPSState *env)
{
    const R10kMem *mem = caches(env);

    return tally_l1(mem ? mem->l1d[0] : NULL, R10K_L1D_SETS * R10K_WAYS);
}

static R10kTally tally_l2(const CPUMIPSState *env)
{
    const R10kConfig *config = &env->r10k_config;
    const R10kMem *mem = caches(env);
    R10kTally tally = { .lines = config->l2_size / config->l2_line };
    unsigned i;

    for (i = 0; mem && i < tally.lines; i++) {
        const R10kL2Set *set = &mem->l2[i / R10K_WAYS];
        unsigned state = r10k_l2_state(set->block[i % R10K_WAYS]);

        tally.state[state]++;
        tally.valid += state != R10K_L2_INVALID;
        tally.ecc += state != R10K_L2_INVALID && set->ecc[i % R10K_WAYS];
    }
    return tally;
}

/* The names of the models that are awake, as a list of words */
static char *awake_models(const CPUMIPSState *env)
{
    static const struct {
        uint8_t bit;
        const char *name;
    } models[] = {
        { R10K_AWAKE_MEM, "caches" },
        { R10K_AWAKE_BRANCH, "branches" },
        { R10K_AWAKE_TLB, "tlb" },
    };
    GString *names = g_string_new(NULL);
    int i;

    for (i = 0; i < ARRAY_SIZE(models); i++) {
        if (env->r10k_pmu.awake & models[i].bit) {
            g_string_append_printf(names, "%s%s", names->len ? " " : "",
                                   models[i].name);
        }
    }
    return g_string_free(names, FALSE);
}

/* Properties */

/**
 * R10kLook: a request to a CPU, and its result
 * @number: which control register or counter to read
 * @value: its value
 * @awake: names of the models that are awake
 * @count: a function that counts a cache's entries
 * @tally: the result of @count
 * @pa: physical address for @inject
 * @inject: what to do to the caches
 * @errp: set to the reason if that is not possible
 */
typedef struct R10kLook {
    int number;
    uint32_t value;
    char *awake;
    R10kTally (*count)(const CPUMIPSState *env);
    R10kTally tally;
    uint64_t pa;
    const struct R10kInjection *inject;
    Error **errp;
} R10kLook;

/* Run @work in the CPU's thread, which a CPU has only after it is realized. */
static bool ask(Object *obj, run_on_cpu_func work, R10kLook *look,
                Error **errp)
{
    if (!DEVICE(obj)->realized) {
        error_setg(errp, "the CPU does not run yet: this property cannot be "
                   "given on the command line");
        return false;
    }
    look->errp = errp;
    run_on_cpu(CPU(obj), work, RUN_ON_CPU_HOST_PTR(look));
    return true;
}

static void look_at_control(CPUState *cs, run_on_cpu_data data)
{
    R10kLook *look = data.host_ptr;

    look->value = helper_r10k_mfps(cpu_env(cs), look->number);
}

static void look_at_counter(CPUState *cs, run_on_cpu_data data)
{
    R10kLook *look = data.host_ptr;

    look->value = helper_r10k_mfpc(cpu_env(cs), look->number);
}

static void look_at_awake(CPUState *cs, run_on_cpu_data data)
{
    R10kLook *look = data.host_ptr;

    look->awake = awake_models(cpu_env(cs));
}

static void look_at_cache(CPUState *cs, run_on_cpu_data data)
{
    R10kLook *look = data.host_ptr;

    look->tally = look->count(cpu_env(cs));
}

static void get_control(Object *obj, Visitor *v, const char *name,
                        void *opaque, Error **errp)
{
    R10kLook look = { .number = (uintptr_t)opaque };

    if (ask(obj, look_at_control, &look, errp)) {
        visit_type_uint32(v, name, &look.value, errp);
    }
}

static void get_counter(Object *obj, Visitor *v, const char *name,
                        void *opaque, Error **errp)
{
    R10kLook look = { .number = (uintptr_t)opaque };

    if (ask(obj, look_at_counter, &look, errp)) {
        visit_type_uint32(v, name, &look.value, errp);
    }
}

static char *get_awake(Object *obj, Error **errp)
{
    R10kLook look = { };

    return ask(obj, look_at_awake, &look, errp) ? look.awake : NULL;
}

static void visit_tally(Visitor *v, const char *name, unsigned value)
{
    uint32_t n = value;

    visit_type_uint32(v, name, &n, &error_abort);
}

/* A dictionary with the states that the cache has */
static void get_tally(Object *obj, Visitor *v, const char *name,
                      R10kTally (*count)(const CPUMIPSState *env),
                      Error **errp)
{
    R10kLook look = { .count = count };

    if (!ask(obj, look_at_cache, &look, errp) ||
        !visit_start_struct(v, name, NULL, 0, errp)) {
        return;
    }
    visit_tally(v, "lines", look.tally.lines);
    visit_tally(v, "valid", look.tally.valid);
    if (count == tally_l1d) {
        visit_tally(v, "inconsistent", look.tally.inconsistent);
    }
    if (count == tally_l2) {
        visit_tally(v, "shared", look.tally.state[R10K_L2_SHARED]);
        visit_tally(v, "clean", look.tally.state[R10K_L2_CLEAN]);
        visit_tally(v, "dirty", look.tally.state[R10K_L2_DIRTY]);
        visit_tally(v, "ecc", look.tally.ecc);
    }
    visit_check_struct(v, errp);
    visit_end_struct(v, NULL);
}

static void get_l1i(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    get_tally(obj, v, name, tally_l1i, errp);
}

static void get_l1d(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    get_tally(obj, v, name, tally_l1d, errp);
}

static void get_l2(Object *obj, Visitor *v, const char *name, void *opaque,
                   Error **errp)
{
    get_tally(obj, v, name, tally_l2, errp);
}

/* Injection */

static bool inject_ecc(CPUMIPSState *env, uint64_t pa)
{
    return r10k_mem_inject_ecc(env, pa);
}

static bool inject_intervention(CPUMIPSState *env, uint64_t pa)
{
    r10k_mem_intervention(env, pa, false);
    return true;
}

static bool inject_intervention_exclusive(CPUMIPSState *env, uint64_t pa)
{
    r10k_mem_intervention(env, pa, true);
    return true;
}

static bool inject_invalidate(CPUMIPSState *env, uint64_t pa)
{
    r10k_mem_invalidate(env, pa);
    return true;
}

/**
 * R10kInjection: something that happens to a cache from outside
 * @name: the property
 * @what: what writing it does
 * @run: do it; returns false if the address is not in the secondary cache,
 *       where it has to be
 */
static const struct R10kInjection {
    const char *name;
    const char *what;
    bool (*run)(CPUMIPSState *env, uint64_t pa);
} injections[] = {
    { "inject-ecc",
      "give the quadword at this physical address in L2 a single-bit error",
      inject_ecc },
    { "inject-intervention",
      "another CPU wants to read the block at this physical address",
      inject_intervention },
    { "inject-intervention-exclusive",
      "another CPU wants to own the block at this physical address",
      inject_intervention_exclusive },
    { "inject-invalidate",
      "another CPU owns the block at this physical address now",
      inject_invalidate },
};

static void inject(CPUState *cs, run_on_cpu_data data)
{
    const R10kLook *look = data.host_ptr;
    CPUMIPSState *env = cpu_env(cs);

    if (!(env->r10k_pmu.awake & R10K_AWAKE_MEM)) {
        error_setg(look->errp, "the caches of this CPU sleep: first let the "
                   "guest select an event that needs them (see info r10k)");
    } else if (!look->inject->run(env, look->pa)) {
        error_setg(look->errp, "physical address 0x%010" PRIx64 " is not in "
                   "the secondary cache: let the guest load it first",
                   look->pa);
    } else {
        trace_r10k_inject(cs->cpu_index, look->inject->name, look->pa);
    }
}

static void set_inject(Object *obj, Visitor *v, const char *name,
                       void *opaque, Error **errp)
{
    R10kLook look = { .inject = opaque };

    if (!visit_type_uint64(v, name, &look.pa, errp)) {
        return;
    }
    if (look.pa >> PA_BITS) {
        error_setg(errp, "0x%" PRIx64 " is not a physical address: these "
                   "have %d bits", look.pa, PA_BITS);
        return;
    }
    ask(obj, inject, &look, errp);
}

static void add_pmu_properties(ObjectClass *oc)
{
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        g_autofree char *control = g_strdup_printf("pmu-control%d", i);
        g_autofree char *counter = g_strdup_printf("pmu-counter%d", i);

        object_class_property_add(oc, control, "uint32", get_control, NULL,
                                  NULL, (void *)(uintptr_t)i);
        object_class_property_set_description(oc, control,
                                              "control register");
        object_class_property_add(oc, counter, "uint32", get_counter, NULL,
                                  NULL, (void *)(uintptr_t)i);
        object_class_property_set_description(oc, counter, "counter");
    }
    object_class_property_add_str(oc, "pmu-awake", get_awake, NULL);
    object_class_property_set_description(oc, "pmu-awake",
                                          "models that are awake now");
}

/* Called for every CPU type. */
void r10k_monitor_class_init(ObjectClass *oc, const mips_def_t *def)
{
    int i;

    if (!(def->insn_flags & INSN_R10K)) {
        return;
    }
    add_pmu_properties(oc);
    object_class_property_add(oc, "l1i", "R10kCache", get_l1i, NULL, NULL,
                              NULL);
    object_class_property_add(oc, "l1d", "R10kCache", get_l1d, NULL, NULL,
                              NULL);
    object_class_property_add(oc, "l2", "R10kCache", get_l2, NULL, NULL, NULL);
    for (i = 0; i < ARRAY_SIZE(injections); i++) {
        object_class_property_add(oc, injections[i].name, "uint64", NULL,
                                  set_inject, NULL, (void *)&injections[i]);
        object_class_property_set_description(oc, injections[i].name,
                                              injections[i].what);
    }
}

/* info r10k */

static void print_counter(GString *out, CPUMIPSState *env, int i)
{
    uint32_t control = env->r10k_pmu.ctl[i];
    unsigned num;
    const char *event = r10k_pmu_event(env, i, &num);

    g_string_append_printf(out, "  counter %d: 0x%08x, control 0x%03x: "
                           "event %u (%s) in", i, helper_r10k_mfpc(env, i),
                           control, num, event);
    if (!(control & R10K_PMU_CTL_MODES)) {
        g_string_append(out, " no mode");
    }
    g_string_append_printf(out, "%s%s%s%s%s\n",
                           control & R10K_PMU_CTL_U ? " U" : "",
                           control & R10K_PMU_CTL_S ? " S" : "",
                           control & R10K_PMU_CTL_K ? " K" : "",
                           control & R10K_PMU_CTL_EXL ? " EXL" : "",
                           control & R10K_PMU_CTL_IE ? ", interrupts" : "");
}

static const char *mode_name(const CPUMIPSState *env)
{
    static const char * const names[] = {
        "kernel", "supervisor", "user", "none (KSU is 3)"
    };

    if (env->CP0_Status & (1 << CP0St_ERL)) {
        return "error level";
    }
    if (env->CP0_Status & (1 << CP0St_EXL)) {
        return "exception level";
    }
    return names[extract32(env->CP0_Status, CP0St_KSU, 2)];
}

static void print_caches(GString *out, const CPUMIPSState *env)
{
    const R10kConfig *config = &env->r10k_config;
    R10kTally l1i = tally_l1i(env);
    R10kTally l1d = tally_l1d(env);
    R10kTally l2 = tally_l2(env);

    g_string_append_printf(out, "  L1I: 32 KB, %u-way, lines of %u bytes: %u "
                           "of %u valid\n", R10K_WAYS, R10K_L1I_LINE,
                           l1i.valid, l1i.lines);
    g_string_append_printf(out, "  L1D: 32 KB, %u-way, lines of %u bytes: %u "
                           "of %u valid, %u inconsistent\n", R10K_WAYS,
                           R10K_L1D_LINE, l1d.valid, l1d.lines,
                           l1d.inconsistent);
    g_string_append_printf(out, "  L2: %" PRIu64 " KB, %u-way, lines of %u "
                           "bytes: %u of %u valid: %u shared, %u clean, %u "
                           "dirty; %u with an ECC error\n",
                           config->l2_size / (uint64_t)KiB, R10K_WAYS,
                           config->l2_line, l2.valid, l2.lines,
                           l2.state[R10K_L2_SHARED], l2.state[R10K_L2_CLEAN],
                           l2.state[R10K_L2_DIRTY], l2.ecc);
}

static void print_ways(GString *out, const CPUMIPSState *env)
{
    const R10kMem *mem = caches(env);
    unsigned entries = r10k_pmu_is_r10000(env) ? R10K_PREDICTIONS / 2
                                               : R10K_PREDICTIONS;
    unsigned second = 0;
    unsigned i;

    for (i = 0; mem && i < entries; i++) {
        second += mem->way[i];
    }
    g_string_append_printf(out, "  way prediction: %u entries, %u of them "
                           "for way 1\n", entries, second);
}

static void print_branches(GString *out, const CPUMIPSState *env)
{
    unsigned entries = r10k_pmu_is_r10000(env) ? R10K_BRANCH_ENTRIES / 4
                                               : R10K_BRANCH_ENTRIES;
    unsigned n[4] = { };
    unsigned i;

    for (i = 0; i < entries; i++) {
        n[env->r10k_branch.counter[i] / R10K_BRANCH_STEP]++;
    }
    g_string_append_printf(out, "  branch predictor: %u counters: %u are 0, "
                           "%u are 1, %u are 2, %u are 3\n", entries, n[0],
                           n[1], n[2], n[3]);
    if (env->r10k_pmu.diag & R10K_DIAG_E_GHIST) {
        g_string_append_printf(out, "  branch history: 0x%02x\n",
                               env->r10k_branch.history &
                               R10K_BRANCH_HISTORY);
    }
}

static void print_mht(GString *out, CPUMIPSState *env)
{
    const R10kMem *mem = caches(env);
    uint64_t now = r10k_pmu_cycles_now(env);
    unsigned busy = 0;
    int i;

    for (i = 0; mem && i < R10K_MHT_ENTRIES; i++) {
        busy += mem->mht_until[i] > now;
    }
    g_string_append_printf(out, "  miss handling table: %u of %u entries in "
                           "use\n", busy, R10K_MHT_ENTRIES);
}

/* Runs in the CPU's thread. */
static void print_cpu(CPUState *cs, run_on_cpu_data data)
{
    CPUMIPSState *env = cpu_env(cs);
    GString *out = data.host_ptr;
    g_autofree char *awake = awake_models(env);
    int i;

    g_string_append_printf(out, "  mode: %s, awake: %s\n", mode_name(env),
                           *awake ? awake : "nothing");
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        print_counter(out, env, i);
    }
    print_caches(out, env);
    print_ways(out, env);
    if (!r10k_pmu_is_r10000(env)) {
        print_mht(out, env);
    }
    print_branches(out, env);
}

void hmp_info_r10k(Monitor *mon, const QDict *qdict)
{
    CPUState *cs;

    CPU_FOREACH(cs) {
        const CPUMIPSState *env = cpu_env(cs);
        g_autoptr(GString) out = g_string_new(NULL);
        g_autofree char *type =
            cpu_model_from_type(object_get_typename(OBJECT(cs)));

        g_string_append_printf(out, "CPU %d: %s", cs->cpu_index, type);
        if (r10k_pmu_present(env)) {
            g_string_append_printf(out, ", PRId 0x%04x\n", env->CP0_PRid);
            run_on_cpu(cs, print_cpu, RUN_ON_CPU_HOST_PTR(out));
        } else {
            g_string_append(out, " is not a CPU of the R10000 family\n");
        }
        monitor_puts(mon, out->str);
    }
}
