/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef R10KVM_CHANNEL_H
#define R10KVM_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
	uint8_t type;
	uint8_t stream;
	uint32_t len;
	const char *data;	/* valid until the next channel_fill() */
};

void channel_init(int fd);
int channel_fd(void);
int channel_fill(int fd);
int channel_next(struct frame *f);

char *channel_payload(void);
int channel_send(uint8_t type, uint8_t stream, size_t len);
int channel_send_word(uint8_t type, uint8_t stream, uint32_t word);
int channel_send_text(uint8_t type, const char *text, int err);

uint32_t get_be32(const char *p);
void put_be32(char *p, uint32_t v);

#endif
