/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For libraries on top of libirixperf that have files of their own, as libpctr has
 * /dev/pctr: define these functions in one file, and let the linker ask for one of them
 * (-u irixperf_door_open). The door, which gets a program's open(2) and ioctl(2), calls
 * them for what is not libirixperf's.
 */
#ifndef IRIXPERF_DOOR_H
#define IRIXPERF_DOOR_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * irixperf_door_open() - open a file of the library
 * @path: what the program opens, with open(2) or the like; it may be NULL
 * @flags: the flags of open(2)
 *
 * Return: a descriptor; -ENOTTY if the C library is to open @path; or another
 * negative errno value.
 */
int irixperf_door_open(const char *path, int flags);

/**
 * irixperf_door_ioctl() - carry out a request on such a file
 * @fd: any descriptor
 * @request: any request
 * @arg: the request's argument
 *
 * Return: the result; -ENOTTY if the C library is to carry out @request; or another
 * negative errno value.
 */
int irixperf_door_ioctl(int fd, unsigned int request, void *arg);

/* The door is also linked with programs that have no such library */
#pragma weak irixperf_door_open
#pragma weak irixperf_door_ioctl

#ifdef __cplusplus
}
#endif

#endif
