// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any sequence of requests to /dev/pctr, on each kind of CPU, beside programs that have
 * system mode or change it at any moment. A model of the device says what each request
 * has to do. The input is the kind of CPU, and then operations: see act().
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/hwperfmacros.h>
#include <irixperf.h>
#include <irixperf-door.h>
#include <machine/pctr.h>
#include "input.h"

#define FORTY_BITS	((UINT64_C(1) << 40) - 1)
#define OTHERS		UINT32_C(77)	/* a label of another program */

/* The machine, and system mode as another program could see it */
static struct {
	enum irixperf_chip chip;	/* IRIXPERF_CHIP_NONE: no counters */
	bool raw;
	unsigned int counters;
	bool on;
	bool ever;
	int generation;
	struct irixperf_system_attr attr;
	int lost;			/* the error of reading counts */
	bool starved;			/* events get no counter */
	int refuses;			/* the error of the next change */
	bool rival;			/* another program is faster, once */
	uid_t user;
} m;

/* What the device must say that it counts */
static unsigned int functions[PCTR_NUM];

static int rw, ro, other;
static char *edge;			/* the last byte that can be accessed */

__typeof__(irixperf_cpu_detect) __wrap_irixperf_cpu_detect;
__typeof__(irixperf_event_counterpart) __wrap_irixperf_event_counterpart;
__typeof__(irixperf_system_read) __wrap_irixperf_system_read;
__typeof__(irixperf_system_read_cpu) __wrap_irixperf_system_read_cpu;
__typeof__(irixperf_system_set) __wrap_irixperf_system_set;
__typeof__(irixperf_system_release) __wrap_irixperf_system_release;
__typeof__(access) __wrap_access;
__typeof__(geteuid) __wrap_geteuid;

int __wrap_irixperf_cpu_detect(struct irixperf_cpu *cpu)
{
	*cpu = (struct irixperf_cpu){ .chip = m.chip };

	return m.chip == IRIXPERF_CHIP_NONE ? -ENODEV : 0;
}

const char *__wrap_irixperf_event_counterpart(enum irixperf_chip chip, unsigned int num)
{
	return chip == IRIXPERF_MAPPED && num % 3 == 0 ? NULL : "event";
}

int __wrap_access(const char *path, int mode)
{
	(void)mode;

	return m.raw && strstr(path, "cmask") ? 0 : -1;
}

uid_t __wrap_geteuid(void)
{
	return m.user;
}

/* The objects for other unit tests call this */
uid_t fake_euid(void);
uid_t fake_euid(void)
{
	return m.user;
}

/* Each event has a count of its own in each mode */
static uint64_t count_of(unsigned int kind, uint32_t code, unsigned int mode)
{
	return (UINT64_C(5) << 40) + kind * UINT64_C(0x900000000) + code * UINT64_C(16) + mode;
}

static int system_state(struct irixperf_system *system)
{
	unsigned int i;

	promise(system->size == sizeof(*system), "structures have their size");
	if (!m.ever)
		return -EINVAL;
	*system = (struct irixperf_system){
		.size = sizeof(*system), .on = m.on, .generation = m.generation,
	};
	memcpy(system->label, m.attr.label, sizeof(system->label));
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		bool coded = i < IRIXPERF_CODES && m.attr.code[i].kind;

		system->mode[i] = coded ? 0 : m.attr.mode[i];
		if (!m.attr.mode[i])
			continue;
		system->count[i] = (struct irixperf_count){
			.value = count_of(coded ? m.attr.code[i].kind : IRIXPERF_CODE_EVENT,
					  coded ? m.attr.code[i].code : i, m.attr.mode[i]),
			.enabled = 1000, .running = m.starved ? 0 : 1000,
		};
	}

	return m.lost;
}

int __wrap_irixperf_system_read(struct irixperf_system *system)
{
	return system_state(system);
}

int __wrap_irixperf_system_read_cpu(struct irixperf_system *system, int cpu)
{
	promise(cpu >= 0, "there is such a CPU");

	return system_state(system);
}

/* Another program starts system mode, or makes it its own */
static void others_have_it(void)
{
	unsigned int i;

	memset(&m.attr, 0, sizeof(m.attr));
	for (i = 0; i < IRIXPERF_LABELS; i++)
		m.attr.label[i] = i * (OTHERS << (8 * take() % 32));
	m.attr.label[IRIXPERF_LABELS - 1] = OTHERS;
	m.attr.mode[7] = HWPERF_CNTEN_K;
	m.on = m.ever = true;
	m.generation++;
	memset(functions, 0, sizeof(functions));
}

static void nobody_has_it(void)
{
	m.on = false;
	memset(functions, 0, sizeof(functions));
}

static bool is_others(void)
{
	return m.on && m.attr.label[IRIXPERF_LABELS - 1] == OTHERS;
}

static bool is_stale(int generation)
{
	if (m.rival) {
		m.rival = false;
		if (m.on)
			nobody_has_it();
		else
			others_have_it();
	}

	return generation != (m.on ? m.generation : 0);
}

static void check_attr(const struct irixperf_system_attr *attr)
{
	unsigned int i, events = 0;

	promise(attr->size == sizeof(*attr), "a request has its size");
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		promise(!(attr->mode[i] & ~HWPERF_CNTEN_A), "modes are valid");
		events += attr->mode[i] != 0;
	}
	promise(events <= m.counters, "each event has a function");
	for (i = 0; i < IRIXPERF_CODES; i++) {
		const struct irixperf_code *code = &attr->code[i];

		promise(!code->kind || attr->mode[i], "a code is counted");
		promise(code->kind != IRIXPERF_CODE_RAW || m.raw, "codes are for x86 CPUs");
		promise(code->kind != IRIXPERF_CODE_EVENT ||
			(m.chip != IRIXPERF_R10000_V3 && code->code < IRIXPERF_EVENTS),
			"an event in two ways needs two counters");
		promise(code->kind <= IRIXPERF_CODE_RAW, "kinds are known");
	}
}

int __wrap_irixperf_system_set(const struct irixperf_system_attr *attr)
{
	int refuses = m.refuses;

	check_attr(attr);
	if (is_stale(attr->generation))
		return -ESTALE;
	m.refuses = 0;
	if (refuses)
		return refuses;
	m.attr = *attr;
	m.on = m.ever = true;

	return ++m.generation;
}

int __wrap_irixperf_system_release(int generation)
{
	promise(generation > 0, "only a system mode that is on is ended");
	if (is_stale(generation))
		return -ESTALE;
	m.on = false;

	return 0;
}

/* The model */

static bool counts(unsigned int ctr)
{
	return (functions[0] & PCTR_EN) && (functions[ctr] & (PCTR_U | PCTR_K));
}

static bool has(unsigned int ctr, unsigned int event)
{
	if (event >= IRIXPERF_EVENTS || !__wrap_irixperf_event_counterpart(m.chip, event))
		return false;

	return m.chip != IRIXPERF_R10000_V3 || event / 16 == ctr;
}

static int expected(unsigned int ctr, unsigned int fn)
{
	const unsigned int modes = PCTR_U | PCTR_K, masks = 0xff00ff00U | PCTR_E | PCTR_I;
	unsigned int what = fn & (masks | 0xff);

	if (m.chip == IRIXPERF_CHIP_NONE && !m.raw)
		return -ENODEV;
	if (ctr >= m.counters || (fn & ~(modes | PCTR_EN | what)) || (!m.raw && (fn & masks)))
		return -EINVAL;
	if ((fn & (modes | what)) && (m.raw ? !what : !has(ctr, what)))
		return -EINVAL;
	if (m.user != 0)
		return -EPERM;

	return is_others() ? -EBUSY : 0;
}

static void check_state(void)
{
	bool starved = false;
	struct pctrst st;
	unsigned int ctr;
	int ret = irixperf_door_ioctl(ro, PCIOCRD, &st);

	for (ctr = 0; ctr < PCTR_NUM; ctr++)
		starved |= m.starved && counts(ctr);
	/* Those of other programs are nothing to the device */
	if (m.on && m.lost && !is_others()) {
		promise(ret == m.lost, "lost counts are an error");
		return;
	}
	promise(ret == (starved ? -EBUSY : 0), "the state can be read");
	for (ctr = 0; ctr < PCTR_NUM && ret == 0; ctr++) {
		unsigned int fn = functions[ctr], mode = (fn & PCTR_U ? HWPERF_CNTEN_U : 0) |
			(fn & PCTR_K ? HWPERF_CNTEN_K | HWPERF_CNTEN_E : 0);
		uint64_t count = count_of(m.raw ? IRIXPERF_CODE_RAW : IRIXPERF_CODE_EVENT,
					  fn & (m.raw ? 0xff00ffff | PCTR_E | PCTR_I : 31), mode);

		promise(st.pctr_fn[ctr] == fn, "functions are those last set");
		promise(st.pctr_hwc[ctr] == (counts(ctr) ? count & FORTY_BITS : 0),
			"a count is that of its function");
		promise(rdpmc(ctr) == st.pctr_hwc[ctr], "rdpmc() has the same");
	}
	promise(rdpmc(PCTR_NUM) == ~(pctrval)0, "there is no fifth counter");
}

static unsigned int some_function(void)
{
	unsigned int fn = take() << 16;

	fn |= take();

	return take() % 4 ? fn & (m.raw ? 0xffffU | PCTR_EN | PCTR_U | PCTR_K :
				  0x1fU | PCTR_EN | PCTR_U | PCTR_K) :
			    fn << (take() % 24);
}

static void request_set(void)
{
	unsigned int ctr = take() % PCTR_NUM, fn = some_function(), where = take();
	const int fd = where % 16 == 0 ? ro : where % 16 == 1 ? other : rw;
	bool bad = where % 16 == 2, rival = m.rival;
	int want, ret, refuses = m.refuses;

	ret = irixperf_door_ioctl(fd, PCIOCS0 + ctr, bad ? edge - 2 : (void *)&fn);
	want = expected(ctr, fn);
	if (fd == other) {
		promise(ret == -ENOTTY, "other descriptors are not the device's");
		return;
	}
	if (fd == ro || bad) {
		promise(ret == (bad ? -EFAULT : -EPERM), "a bad request is refused");
		return;
	}
	/* If another program was faster, system mode is now as it has left it */
	if (rival && !m.rival && ret != want)
		promise(ret == 0 || ret == -EBUSY || ret == refuses, "a rival is no error");
	else if (want != 0 || ret != refuses || refuses == m.refuses)
		promise(ret == want, "a request does what the model does");
	if (ret < 0)
		return;
	functions[ctr] = fn;
	for (ctr = 0; ctr < PCTR_NUM && !functions[ctr]; ctr++)
		;
	promise(m.on == (ctr < PCTR_NUM), "without functions counters are free");
}

static void act(void)
{
	switch (take() % 8) {
	case 0:
		m.lost = take() % 4 ? 0 : -EIO;
		m.starved = take() % 4 == 1;
		break;
	case 1:
		m.refuses = take() % 4 ? 0 : -ENOMEM;
		m.rival = take() % 4 == 1;
		m.user = take() % 8 ? 0 : 1000;
		break;
	case 2:
		if (take() % 2)
			others_have_it();
		else
			nobody_has_it();
		break;
	case 3:
		promise(irixperf_door_ioctl(rw, take() << 8, edge) == -ENOTTY,
			"other requests are not the device's");
		break;
	default:
		request_set();
	}
	check_state();
}

static void begin(void)
{
	static const struct {
		enum irixperf_chip chip;
		bool raw;
		unsigned int counters;
	} machines[] = {
		{ IRIXPERF_R10000_V3, false, 2 }, { IRIXPERF_R12000, false, 2 },
		{ IRIXPERF_MAPPED, false, 4 }, { IRIXPERF_MAPPED, true, 4 },
		{ IRIXPERF_CHIP_NONE, true, 4 }, { IRIXPERF_CHIP_NONE, false, 4 },
	};
	unsigned int kind = take() % 6;

	memset(&m, 0, sizeof(m));
	memset(functions, 0, sizeof(functions));
	m.chip = machines[kind].chip;
	m.raw = machines[kind].raw;
	m.counters = machines[kind].counters;
	if (edge)
		return;
	edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	edge += 4096;
	munmap(edge, 4096);
	rw = irixperf_door_open(_PATH_PCTR, O_RDWR);
	ro = irixperf_door_open(_PATH_PCTR, O_RDONLY);
	other = open("/dev/null", O_RDWR);
	promise(rw >= 0 && ro >= 0 && other >= 0, "the device opens");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = data;
	input_left = size;
	begin();
	while (input_left)
		act();

	return 0;
}
