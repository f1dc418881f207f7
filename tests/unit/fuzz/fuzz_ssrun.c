// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what ssrun reads of "perf script", in which programs can write what they like,
 * and of the files that it says are mapped. The input is sections, of any bytes but the
 * one between them:
 *
 *   what there is	how ssrun is called, and of each file that is to be read or
 *			written what happens
 *   program		what is in a file that is mapped
 *   text		perf's
 *
 * The promises: files are written to the current directory, each once and under a name
 * of its own, whatever a program is called; no device is opened; and prof reads in these
 * files all samples that ssrun has counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "../../../tools/speedshop/ssrun/object.c"
#include "../../../tools/speedshop/prof/prof.h"
#include "command.h"

#define FILES_MAX	256	/* an input has no room for so many processes */

static struct section program;

/* The files that were written */
static struct {
	char name[NAME_MAX + 1];
	int fd;
} file[FILES_MAX];

static unsigned int nr_files;
static bool disk_full;		/* a file could not be written */

/* Calls that the linker brings here */

__typeof__(open) __real_open64, __wrap_open64;
__typeof__(unlink) __real_unlink, __wrap_unlink;
__typeof__(irixperf_map_file) __wrap_irixperf_map_file;

/* A name in the current directory, without a newline */
static void check_name(const char *name)
{
	unsigned int i;

	promise(name[0] && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, ".."),
		"a file is in the current directory");
	promise(strstr(name, ".gi_hwc."), "a file is called as what it is");
	check_text(name, strlen(name));
	promise(!strpbrk(name, "\n\t"), "a name is on one line");
	for (i = 0; i < nr_files; i++)
		promise(strcmp(file[i].name, name), "no file takes another one's place");
}

static int write_file(const char *name)
{
	check_name(name);
	promise(strlen(name) <= NAME_MAX, "a name is not too long for a file system");
	if (nr_files == FILES_MAX || take() >= 0xf8) {
		disk_full = true;
		errno = ENOSPC;
		return -1;
	}
	snprintf(file[nr_files].name, sizeof(file[nr_files].name), "%s", name);
	file[nr_files].fd = memfd_create("file", 0);

	return fcntl(file[nr_files++].fd, F_DUPFD_CLOEXEC, 0);
}

/* A path is first looked at, and then opened by the descriptor, if it is a file */
static int look_at(void)
{
	unsigned int what = take();
	int fd;

	if (what >= 0xe0)
		return __real_open64("/dev/null", O_PATH | O_CLOEXEC);
	if (what >= 0xc0)
		return __real_open64("/", O_PATH | O_CLOEXEC);
	if (what >= 0xa0) {
		errno = ENOENT;
		return -1;
	}
	fd = memfd_create("program", MFD_CLOEXEC);
	promise(write(fd, program.bytes, program.size) == (ssize_t)program.size,
		"there is a program");

	return fd;
}

int __wrap_open64(const char *path, int flags, ...)
{
	static const char own[] = "/proc/self/fd/";
	struct stat st;

	if (!runs)
		return __real_open64(path, flags);
	if ((flags & O_ACCMODE) != O_RDONLY) {
		promise((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL),
			"a file that is there is not written to");
		return write_file(path);
	}
	promise(path[0] == '/', "a mapped file has a whole path");
	if (flags & O_PATH)
		return look_at();
	promise(strncmp(path, own, strlen(own)) == 0 &&
		fstat(atoi(path + strlen(own)), &st) == 0 && S_ISREG(st.st_mode),
		"what is opened is a file and no device");

	return __real_open64(path, flags);
}

int __wrap_unlink(const char *name)
{
	if (!runs)
		return __real_unlink(name);
	check_name(name);
	errno = ENOENT;

	return -1;
}

const char *__wrap_irixperf_map_file(void)
{
	return NULL;
}

/* What ssrun does */

static int read_lines(struct ssrun_run *run, struct section text)
{
	FILE *in = fmemopen((void *)text.bytes, text.size, "r");
	uint64_t lost, lost_samples;
	struct ssrun_line line;
	char *words = NULL;
	size_t size = 0;
	int ret = 0;

	while (in && ret == 0 && getline(&words, &size, in) > 0) {
		lost = run->lost;
		lost_samples = run->lost_samples;
		ssrun_line_parse(&line, words);
		ret = ssrun_run_line(run, &line);
		promise(run->lost >= lost && run->lost_samples >= lost_samples,
			"no line hides what others have lost");
	}
	free(words);
	if (in)
		fclose(in);

	return ret;
}

static int write_files(struct ssrun_run *run)
{
	static char *command[] = { (char *)"./true", NULL };
	static const struct ssrun_choice choice = {
		.experiment = "gi_hwc", .event = 17, .interval = 32771,
		.counter = "Graduated instructions", .perf_event = "cpu/event=0x11/u",
	};
	const struct ssrun_about about = {
		.cpu = { .chip = IRIXPERF_R10000_V3, .model = "R10000" },
		.mhz = 195, .choice = &choice, .command = command,
	};

	return ssrun_write(run, &about, false);
}

/* Does prof read it? How many samples are in it */
static uint64_t read_file(int fd)
{
	struct prof_data data;
	char path[32], *paths[] = { path, NULL };
	struct stat st;
	char *text;

	promise(fstat(fd, &st) == 0 && st.st_size > 0, "something is in a file");
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	promise(text != MAP_FAILED, "a file can be read");
	check_text(text, (size_t)st.st_size);
	munmap(text, (size_t)st.st_size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	promise(prof_data_read(&data, paths) == 0, "prof reads what ssrun writes");

	return data.total;
}

static void check_files(const struct ssrun_run *run)
{
	const struct ssrun_profile *profile;
	uint64_t counted = 0, written = 0;
	unsigned int i;

	for (profile = run->profiles; profile; profile = profile->next)
		counted += profile->forgotten ? 0 : profile->samples;
	for (i = 0; i < nr_files; i++)
		written += read_file(file[i].fd);
	promise(written == counted || disk_full, "all samples are written");
}

static void forget_sample(void *sample)
{
	(void)sample;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct section rest = { data, size }, facts = cut(&rest);
	struct ssrun_run run = { 0 };
	struct ssrun_profile *profile;
	unsigned int options;
	bool starved;
	int ret;

	input = facts.bytes;
	input_left = facts.size;
	program = cut(&rest);
	tool_name = "ssrun";
	disk_full = false;
	options = take();
	run.from_exec = options & 1;
	run.master = options & 2 ? "a-long-name-for-a\n-program" : "true";
	command_begin();
	starved = fails_at > 0;
	ret = read_lines(&run, rest);
	promise(ret == 0 || (ret == -ENOMEM && starved),
		"what is not understood is left out");
	if (ret == 0 && ssrun_run_master(&run)) {
		ret = write_files(&run);
		fails_at = 0;
		promise(ret == 0 || (ret == TOOL_FAILED && disk_full),
			"no program keeps the files of others from being written");
		check_files(&run);
	}
	for (profile = run.profiles; profile; profile = profile->next)
		tdestroy(profile->tree, forget_sample);
	command_end();
	objects = NULL;
	while (nr_files > 0)
		close(file[--nr_files].fd);

	return 0;
}
