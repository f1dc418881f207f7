/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef R10KVM_COMMAND_H
#define R10KVM_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The contents of a RUN frame. One free() frees all of it. */
struct request {
	uint32_t flags;
	uint32_t uid;
	uint32_t rows;
	uint32_t columns;
	const char *cwd;
	const char *input;
	char **argv;
	char **envp;
	struct request *next;
};

struct command {
	pid_t pid;
	bool tty;
	int fd[3];		/* our ends of its streams, -1 when closed */
};

struct request *request_parse(const char *data, uint32_t len);
int command_start(struct command *c, const struct request *r);
void command_signal(const struct command *c, uint32_t number);
void command_winsize(const struct command *c, uint32_t rows, uint32_t columns);

#endif
