// SPDX-License-Identifier: GPL-2.0-only
/* open() and ioctl() on files and requests that are not the library's. */
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <termios.h>
#include "fake.h"
#include "ident.h"
#include "path.h"
#include "unit.h"

CASE(names_of_process_files)
{
	static const struct {
		const char *path;
		int ret;
		const char *name;
	} cases[] = {
		{ "/proc/1", 0, "/proc/1" },
		{ "/proc/00001", 0, "/proc/1" },
		{ "/proc/12345", 0, "/proc/12345" },
		{ "/proc/pinfo/00042", 0, "/proc/42" },
		{ "/proc/000000000000000000007", 0, "/proc/7" },
		{ "/proc/4294967295", 0, "/proc/4294967295" },
		{ "//proc/1", 0, "/proc/1" },
		{ "/proc//00012", 0, "/proc/12" },
		{ "///proc///pinfo///00012", 0, "/proc/12" },
		{ "/proc/0", -ENOENT, "" },
		{ "/proc/00000", -ENOENT, "" },
		{ "/proc/12345678901", -ENOENT, "" },
		{ "/proc/", -ENOTTY, "" },
		{ "/proc", -ENOTTY, "" },
		{ "/proc/self", -ENOTTY, "" },
		{ "/proc/1/", -ENOTTY, "" },
		{ "/proc/1/stat", -ENOTTY, "" },
		{ "/proc/-1", -ENOTTY, "" },
		{ "/proc/1a", -ENOTTY, "" },
		{ "/proc/pinfo/", -ENOTTY, "" },
		{ "/proc/pinfo/x", -ENOTTY, "" },
		{ "/proc/1/pinfo/2", -ENOTTY, "" },
		{ "/proc//", -ENOTTY, "" },
		{ "/proc/pinfo", -ENOTTY, "" },
		{ "/proc/pinfo1", -ENOTTY, "" },
		{ "/proc/pinfo/1/", -ENOTTY, "" },
		{ "/procs/1", -ENOTTY, "" },
		{ "/proc/./1", -ENOTTY, "" },
		{ "/", -ENOTTY, "" },
		{ "proc/1", -ENOTTY, "" },
		{ "1", -ENOTTY, "" },
		{ "", -ENOTTY, "" },
	};
	char name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		name[0] = '\0';
		assert_int_equal(ixp_proc_path(cases[i].path, name,
					       sizeof(name)), cases[i].ret);
		assert_string_equal(name, cases[i].name);
	}
}

CASE(descriptors_tell_their_process)
{
	char name[32];
	struct ixp_ident a, b;
	int one, two, init;

	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	one = open(name, O_RDWR);
	two = open(name, O_RDONLY);
	init = open("/proc/1", O_RDONLY);
	assert_int_equal(ixp_ident_of_fd(&a, one), 0);
	assert_int_equal(ixp_ident_of_fd(&b, two), 0);
	assert_true(a.ino == b.ino && a.dev == b.dev);
	assert_int_equal(ixp_ident_of_fd(&b, init), 0);
	assert_false(a.ino == b.ino && a.dev == b.dev);
	assert_int_equal(ixp_ident_pid(one), getpid());
	assert_int_equal(ixp_ident_pid(init), 1);
	close(one);
	close(two);
	close(init);
	assert_int_equal(ixp_ident_of_fd(&a, one), -ENOTTY);
}

CASE(process_files_open_for_writing)
{
	char name[32], linkname[64], target[32] = "";
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "/proc/%010d", getpid());
	fd = open(name, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	snprintf(linkname, sizeof(linkname), "/proc/self/fd/%d", fd);
	assert_true(readlink(linkname, target, sizeof(target) - 1) > 0);
	snprintf(name, sizeof(name), "/proc/%d", getpid());
	assert_string_equal(target, name);
	assert_int_equal(fcntl(fd, F_GETFD), 0);
	close(fd);

	snprintf(name, sizeof(name), "/proc/pinfo/%05d", getpid());
	fd = open64(name, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

CASE(other_files_open_as_ever)
{
	char name[] = "/tmp/irixperf-door-XXXXXX";
	mode_t mask = umask(0);
	struct stat st;
	int fd;

	assert_non_null(mkdtemp(name));
	assert_int_equal(chdir(name), 0);
	fd = open("a", O_CREAT | O_EXCL | O_WRONLY, 0640);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	fd = open64("b", O_CREAT | O_RDWR, 0600);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	close(fd);
	unlink("a");
	unlink("b");
	assert_int_equal(chdir("/"), 0);
	rmdir(name);
	umask(mask);
}

CASE(errors_of_open_are_the_kernels)
{
	assert_int_equal(open("/no/such/file", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(open("/proc", O_RDWR), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(open("/proc/2147483647", O_RDWR), -1);
	assert_int_equal(errno, ENOENT);
}

CASE(other_requests_pass)
{
	int fds[2];
	int pending = -1;

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "12345", 5), 5);
	assert_int_equal(ioctl(fds[0], FIONREAD, &pending), 0);
	assert_int_equal(pending, 5);
	close(fds[0]);
	close(fds[1]);
}

/* Our request numbers on descriptors of other files */
CASE(our_requests_elsewhere)
{
	static const char *const names[] = {
		"/dev/null", "/proc", "/tmp", "/proc/self/stat", "/proc/sys",
	};
	hwperf_cntr_t counts;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		int fd = open(names[i], O_RDONLY);

		assert_true(fd >= 0);
		assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), -1);
		assert_true(errno == ENOTTY || errno == ESRCH);
		close(fd);
	}
	assert_int_equal(ioctl(-1, PIOCGETEVCTRS, &counts), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(ioctl(AT_FDCWD, PIOCGETEVCTRS, &counts), -1);
	assert_int_equal(errno, EBADF);
}

UNIT_MAIN()
