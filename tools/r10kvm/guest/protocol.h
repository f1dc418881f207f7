/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames between r10kvm (host) and its agent (guest), over a byte stream.
 *
 *   0        1        2                 4                                   8
 *   +--------+--------+-----------------+-----------------------------------+----
 *   |  type  | stream |      zero       |         length of payload         | ...
 *   +--------+--------+-----------------+-----------------------------------+----
 *
 * All numbers are big-endian. The sender of a stream may be at most STREAM_WINDOW
 * bytes ahead of what the receiver has acknowledged. This bounds the memory that
 * either side needs for a stream, and no stream can block another one or the
 * control frames. The receiver acknowledges half a window at a time: for a short
 * output the host sends nothing to the guest, where each frame is an interrupt
 * at an unpredictable moment.
 *
 * r10kvmlib/protocol.py holds the same numbers; a test compares the two.
 */
#ifndef R10KVM_PROTOCOL_H
#define R10KVM_PROTOCOL_H

#define PROTOCOL_VERSION	3
#define PORT_NAME		"r10kvm.agent"
#define SCRIPT_DIR		"/.r10kvm/"
#define SCRIPT_PATH		SCRIPT_DIR "script"

#define FRAME_HELLO		1	/* to host: version (always first), ms since
					 * boot, bytes of script
					 */
#define FRAME_RUN		2	/* to guest: see below */
#define FRAME_DATA		3	/* bytes of a stream */
#define FRAME_ACK		4	/* bytes of a stream consumed since the last */
#define FRAME_CLOSE		5	/* no more data follow, or are wanted */
#define FRAME_WINSIZE		6	/* to guest: rows, columns */
#define FRAME_EXIT		7	/* to host: exit status, 128 + N for signal N */
#define FRAME_ERROR		8	/* to host: text; the request failed */
#define FRAME_POWEROFF		9	/* to guest */
#define FRAME_SIGNAL		10	/* to guest: number, for the command's processes */

#define FRAME_HEADER		8
#define FRAME_DATA_MAX		32752	/* with its header < the port's 32 KiB */
#define FRAME_MAX		2097152	/* RUN: as much as Linux takes by default */

#define STREAM_IN		0
#define STREAM_OUT		1
#define STREAM_ERR		2
#define STREAM_WINDOW		262144

/*
 * RUN: flags, uid, rows, columns, argc, envc (32 bits each), then strings, each
 * with its NUL: working directory, file to take stdin from (empty: the stream),
 * arguments, environment.
 */
#define RUN_TTY			1	/* stdin, stdout and stderr are a terminal */
#define RUN_MERGE		2	/* stderr goes where stdout goes */

#endif
