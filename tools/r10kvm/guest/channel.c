// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames in and out of the agent. Sending blocks until the host has taken the
 * frame. The host takes frames at any time, so the wait is short.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "protocol.h"

static int port = -1;
static char rx[FRAME_MAX + FRAME_HEADER];
static size_t rx_start, rx_end;
static char tx[FRAME_HEADER + FRAME_DATA_MAX];

uint32_t get_be32(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;

	return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

void put_be32(char *p, uint32_t v)
{
	p[0] = v >> 24;
	p[1] = v >> 16;
	p[2] = v >> 8;
	p[3] = v;
}

void channel_init(int fd)
{
	port = fd;
}

int channel_fd(void)
{
	return port;
}

/* Read what has arrived. Return 1, 0 if there is nothing yet, or -errno. */
int channel_fill(int fd)
{
	ssize_t n;

	if (rx_start) {
		memmove(rx, rx + rx_start, rx_end - rx_start);
		rx_end -= rx_start;
		rx_start = 0;
	}
	n = read(fd, rx + rx_end, sizeof(rx) - rx_end);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	if (n == 0)
		return -EPIPE;
	rx_end += n;
	return 1;
}

/* Return 1 and the next frame, 0 if it is incomplete, -EPROTO if it is invalid. */
int channel_next(struct frame *f)
{
	const char *p = rx + rx_start;

	if (rx_end - rx_start < FRAME_HEADER)
		return 0;
	f->type = p[0];
	f->stream = p[1];
	f->len = get_be32(p + 4);
	f->data = p + FRAME_HEADER;
	if (f->len > FRAME_MAX || f->stream > STREAM_ERR)
		return -EPROTO;
	if (rx_end - rx_start < FRAME_HEADER + f->len)
		return 0;
	rx_start += FRAME_HEADER + f->len;
	return 1;
}

/* Return the buffer for the next frame's payload, FRAME_DATA_MAX bytes. */
char *channel_payload(void)
{
	return tx + FRAME_HEADER;
}

int channel_send(uint8_t type, uint8_t stream, size_t len)
{
	size_t done = 0;
	ssize_t n;

	memset(tx, 0, FRAME_HEADER);
	tx[0] = type;
	tx[1] = stream;
	put_be32(tx + 4, len);
	while (done < FRAME_HEADER + len) {
		n = write(port, tx + done, FRAME_HEADER + len - done);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += n;
	}
	return 0;
}

int channel_send_word(uint8_t type, uint8_t stream, uint32_t word)
{
	put_be32(channel_payload(), word);
	return channel_send(type, stream, sizeof(word));
}

int channel_send_text(uint8_t type, const char *text, int err)
{
	int n = snprintf(channel_payload(), 256, "%s: %s", text, strerror(err));

	return channel_send(type, 0, n < 256 ? n : 255);
}
