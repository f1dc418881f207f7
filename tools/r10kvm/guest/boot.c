// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Set up the machine before the first command, and end it after the last.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "boot.h"
#include "protocol.h"

#define PORTS		"/sys/class/virtio-ports"
#define WAIT_MS		5000

/*
 * The kernel puts "r10kvm_root=/dev/vda" of its command line into the environment
 * of PID 1. This disk becomes the root; ROOT_OLD on it shows the old root.
 */
#define ROOT_VARIABLE	"r10kvm_root"
#define ROOT_NEW	"/mnt"
#define ROOT_OLD	"/r10kperf"

struct mount_point {
	const char *type;
	const char *path;
	const char *data;
	mode_t mode;
	bool optional;		/* the kernel may have been built without it */
};

static const struct mount_point mount_points[] = {
	{ .type = "proc", .path = "/proc", .mode = 0555 },
	{ .type = "sysfs", .path = "/sys", .mode = 0555 },
	{ .type = "devtmpfs", .path = "/dev", .mode = 0755 },
	{ .type = "devpts", .path = "/dev/pts", .mode = 0755,
	  .data = "mode=620,ptmxmode=666" },
	{ .type = "tmpfs", .path = "/dev/shm", .mode = 01777,
	  .data = "mode=1777" },
	{ .type = "tmpfs", .path = "/tmp", .mode = 01777, .data = "mode=1777" },
	{ .type = "tmpfs", .path = "/run", .mode = 0755, .data = "mode=755" },
	{ .type = "debugfs", .path = "/sys/kernel/debug", .mode = 0700,
	  .optional = true },
	{ .type = "tracefs", .path = "/sys/kernel/tracing", .mode = 0700,
	  .optional = true },
};

/* Shells rely on these links, but devtmpfs does not make them */
static const struct {
	const char *path;
	const char *target;
} links[] = {
	{ "/dev/fd", "/proc/self/fd" },
	{ "/dev/stdin", "/proc/self/fd/0" },
	{ "/dev/stdout", "/proc/self/fd/1" },
	{ "/dev/stderr", "/proc/self/fd/2" },
};

/* Write to the kernel's log, which works even without stdout and stderr. */
void boot_log(const char *what, int err)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "r10kvm agent: %s: %s\n", what, strerror(err));
	close(fd);
}

/*
 * By default a tmpfs may grow to half of the memory. The root file system may
 * leave less than that, and then the kernel would kill the program that fills
 * the tmpfs. With half of the free memory as limit, the program gets ENOSPC.
 */
static const char *mount_data(const struct mount_point *m, char *buf, size_t size)
{
	unsigned long long free_kib;
	struct sysinfo info;

	if (strcmp(m->type, "tmpfs") || sysinfo(&info) < 0)
		return m->data;
	free_kib = (unsigned long long)info.freeram * info.mem_unit / 1024;
	snprintf(buf, size, "%s,size=%lluk", m->data, free_kib / 2);

	return buf;
}

static void mount_all(void)
{
	const struct mount_point *m = mount_points;
	const struct mount_point *end = m + sizeof(mount_points) / sizeof(*m);
	char data[64];

	for (; m < end; m++) {
		mkdir(m->path, m->mode);
		if (!mount(m->type, m->path, m->type, 0,
			   mount_data(m, data, sizeof(data))))
			continue;
		if (errno != EBUSY && !m->optional)
			boot_log(m->path, errno);
	}
}

static void make_links(void)
{
	size_t i;

	for (i = 0; i < sizeof(links) / sizeof(*links); i++) {
		if (symlink(links[i].target, links[i].path) && errno != EEXIST)
			boot_log(links[i].path, errno);
	}
}

static void sleep_ms(void)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
}

/*
 * PID 1 has no stdin, stdout and stderr if the initramfs has no /dev/console, or if
 * the console's driver has not started yet: that of an Octane is behind PCI, whose
 * driver waits until a thread has read the board's part number.
 */
static void open_console(void)
{
	int i, fd = -1;

	for (i = 0; i < WAIT_MS; i++) {
		fd = open("/dev/console", O_RDWR | O_NOCTTY);
		if (fd >= 0 || errno != ENODEV)
			break;
		sleep_ms();
	}
	if (fd < 0)
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 2)
		fd = dup(fd);
	if (fd > 2)
		close(fd);
}

static bool is_our_port(const char *entry)
{
	char path[sizeof(PORTS) + 64], name[sizeof(PORT_NAME) + 1] = "";
	int fd, n = -1;

	snprintf(path, sizeof(path), PORTS "/%.50s/name", entry);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, name, sizeof(name) - 1);
		close(fd);
	}
	return n >= (int)strlen(PORT_NAME) &&
	       !strncmp(name, PORT_NAME, strlen(PORT_NAME));
}

static int open_port_once(void)
{
	DIR *dir = opendir(PORTS);
	struct dirent *e;
	char path[64];
	int fd = -1;

	if (!dir)
		return -1;
	while (fd < 0 && (e = readdir(dir))) {
		if (!is_our_port(e->d_name))
			continue;
		snprintf(path, sizeof(path), "/dev/%.50s", e->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	closedir(dir);
	return fd;
}

/* The kernel learns of the port and its name by messages, after some time. */
static int open_port(void)
{
	int i, fd;

	for (i = 0; i < WAIT_MS; i++) {
		fd = open_port_once();
		if (fd >= 0)
			return fd;
		sleep_ms();
	}
	return -ENODEV;
}

static int mount_bind(const char *from, const char *to)
{
	mkdir(to, 0755);
	return mount(from, to, NULL, MS_BIND, NULL);
}

/*
 * Make the disk the root. The initramfs stays mounted in ROOT_OLD, for its
 * programs, and its pushed files stay in SCRIPT_DIR, where requests name them.
 */
static int change_root(const char *disk)
{
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	if (mount(disk, ROOT_NEW, "ext4", 0, NULL))
		return -errno;
	if (mount_bind("/", ROOT_NEW ROOT_OLD))
		return -errno;
	if (!access(SCRIPT_DIR, F_OK) &&
	    mount_bind(SCRIPT_DIR, ROOT_NEW SCRIPT_DIR))
		return -errno;
	if (chdir(ROOT_NEW) || mount(".", "/", NULL, MS_MOVE, NULL) ||
	    chroot(".") || chdir("/"))
		return -errno;
	return 0;
}

/*
 * Programs of a distribution reach their servers over the loopback interface.
 * Our own kernel may have no network at all.
 */
static void loopback_up(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	if (ioctl(fd, SIOCSIFFLAGS, &lo))
		boot_log("lo", errno);
	close(fd);
}

/* Return the descriptor of the channel to the host, or a negative errno. */
int boot_machine(void)
{
	const char *disk = getenv(ROOT_VARIABLE);
	int err, fd;

	umask(0);
	err = disk ? change_root(disk) : 0;
	if (err) {
		boot_log(disk, -err);
		return err;
	}
	mount_all();
	make_links();
	open_console();
	if (disk)
		loopback_up();
	umask(022);
	fd = open_port();
	if (fd < 0)
		boot_log("no port " PORT_NAME, -fd);
	return fd;
}

uint32_t boot_milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * By a restart, which ends the emulator (-no-reboot), because Linux cannot switch off
 * an Octane.
 */
void boot_end(void)
{
	sync();
	reboot(RB_AUTOBOOT);
	for (;;)		/* the kernel panics if PID 1 exits */
		pause();
}
