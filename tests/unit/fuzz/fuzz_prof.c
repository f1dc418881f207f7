// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what prof reads: files that anybody may have written, and what addr2line says
 * of programs that anybody may have made. The input is sections, of any bytes but the
 * one between them:
 *
 *   what there is	which options are given, and of each object that prof looks at
 *			what it is and how addr2line ends
 *   answers		those of addr2line
 *   files		one to three, of ssrun's or of somebody else's
 *
 * The promises: samples are added up without loss, no terminal obeys what prof prints,
 * and addr2line reads only programs that the user, root or the command line has chosen.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../../tools/speedshop/prof/prof.h"
#include "command.h"

#define FILES_MAX	3
#define PID		4711
#define EXECUTABLE	"/named"

static struct section answers;

/* The object that prof has looked at last */
static struct {
	bool there;
	bool named;
	mode_t mode;
	uid_t uid;
} object;

static int asked = -1;		/* where addr2line writes to */

/* Calls that the linker brings here */

__typeof__(access) __wrap_access;
__typeof__(stat) __wrap_stat64;
__typeof__(fork) __wrap_fork;
__typeof__(tmpfile) __wrap_tmpfile64;
__typeof__(waitpid) __wrap_waitpid;
int __real_pipe2(int pipes[2], int flags);
int __wrap_pipe2(int pipes[2], int flags);

int __wrap_access(const char *path, int mode)
{
	promise(path[0] == '/' && mode == R_OK, "an object has a whole path");
	object.there = take() < 0xe0;
	errno = ENOENT;

	return object.there ? 0 : -1;
}

int __wrap_stat64(const char *path, struct stat *st)
{
	static const mode_t modes[] = { S_IFREG, S_IFIFO, S_IFCHR, S_IFDIR };
	unsigned int what = take();

	memset(st, 0, sizeof(*st));
	object.named = strcmp(path, EXECUTABLE) == 0;
	object.mode = st->st_mode = modes[what % 4] | 0644;
	object.uid = st->st_uid = what & 0x10 ? geteuid() : what & 0x20 ? geteuid() + 1 : 0;

	return 0;
}

FILE *__wrap_tmpfile64(void)
{
	return fdopen(memfd_create("questions", MFD_CLOEXEC), "w+");
}

int __wrap_pipe2(int pipes[2], int flags)
{
	int ret = __real_pipe2(pipes, flags);

	asked = pipes[1];

	return ret;
}

/* A program that could be started has said all that it will */
pid_t __wrap_fork(void)
{
	promise(object.there && S_ISREG(object.mode), "addr2line reads files");
	promise(object.named || object.uid == 0 || object.uid == geteuid(),
		"addr2line reads no other user's file that nobody has named");
	if (take() >= 0xf0) {
		errno = EAGAIN;
		return -1;
	}
	promise(write(asked, answers.bytes, answers.size) == (ssize_t)answers.size,
		"the answers fit");

	return PID;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	promise(pid == PID && !(options & WNOHANG), "a child is waited for");
	*status = take() << 8;

	return pid;
}

/* What prof does */

static unsigned __int128 sum(const struct prof_data *data)
{
	unsigned __int128 total = 0;
	size_t i;

	for (i = 0; i < data->nr; i++)
		total += data->sample[i].count;

	return total;
}

/*
 * The last row of a list is all that was read. A whole list adds up to it, one that
 * -quit ends to no more
 */
static void check_list(const char *text, const char *title, const struct prof_data *data,
		       const struct prof_how *how)
{
	bool whole = how->quit == PROF_ALL;
	unsigned __int128 counts = 0, samples = 0;
	unsigned long long row_counts, row_samples;
	const char *row = strstr(text, title);
	unsigned int rows = 0;
	int used = 0;

	promise(row, "there is a list");
	row = strstr(row, "\n\n") + 1;
	do {
		counts += used ? row_counts : 0;
		samples += used ? row_samples : 0;
		row = strchr(row, '\n') + 1;
		rows++;
		promise(sscanf(row, "%*7c %llu %*f%% %*f%% %llu %n", &row_counts,
			       &row_samples, &used) == 2, "a row is a row");
	} while (strncmp(row + used, "TOTAL\n", 6));
	promise(row_samples == data->total && (whole ? samples == row_samples :
						       samples <= row_samples),
		"rows add up to all samples");
	promise(how->quit != PROF_ROWS || rows - 1 <= how->at, "-quit ends a list");
	promise(row_counts == (unsigned __int128)row_samples * data->interval &&
		counts == samples * data->interval, "rows add up to all counts");
}

static int report(FILE *out, struct prof_data *data, const struct prof_how *how,
		  bool named)
{
	char *const argv[] = { (char *)"prof", NULL };
	const char *reason;

	promise(sum(data) == data->total, "no sample is lost as it is read");
	prof_data_merge(data);
	promise(sum(data) == data->total, "no sample is lost as they are added up");
	reason = prof_source(data, named ? EXECUTABLE : NULL);
	promise(!reason || reason[0], "there is a reason");

	return prof_report(out, data, argv, how);
}

static void run_prof(char *const *paths)
{
	unsigned int options = take();
	const struct prof_how how = {
		.lines = options & 1, .heavy = options & 4,
		.quit = options >> 3 & 3, .at = take() & 127,
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct prof_data data;
	int ret;

	command_begin();
	ret = prof_data_read(&data, paths);
	if (ret == 0)
		ret = report(out, &data, &how, options & 2);
	fclose(out);
	fflush(stderr);
	promise(ret == 0 || (ret == TOOL_FAILED && errors_size), "what fails says why");
	check_text(text, size);
	if (ret == 0)
		check_list(text, "\nFunction list, in descending order by counts\n", &data,
			   &how);
	if (ret == 0 && how.lines)
		check_list(text, "\nLine list, in descending order by function-counts ",
			   &data, &how);
	if (ret == 0 && how.heavy)
		check_list(text, "\nLine list, in descending order by counts\n", &data,
			   &how);
	command_end();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct section rest = { data, size }, facts = cut(&rest), file;
	char path[FILES_MAX][32], *paths[FILES_MAX + 1] = { NULL };
	unsigned int nr = 0;
	int fd[FILES_MAX];

	input = facts.bytes;
	input_left = facts.size;
	answers = cut(&rest);
	do {
		file = cut(&rest);
		fd[nr] = memfd_create("file", MFD_CLOEXEC);
		promise(fd[nr] >= 0 && write(fd[nr], file.bytes, file.size) ==
			(ssize_t)file.size, "there is a file");
		snprintf(path[nr], sizeof(path[nr]), "/proc/self/fd/%d", fd[nr]);
		paths[nr] = path[nr];
	} while (++nr < FILES_MAX && rest.size > 0);
	tool_name = "prof";
	run_prof(paths);
	while (nr-- > 0)
		close(fd[nr]);

	return 0;
}
