/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * irixperf-holder: keeps the counters of all CPUs while they are in system
 * mode. src/system.h tells how it is asked. Functions return a negative errno
 * value on failure.
 */
#ifndef IXP_HOLDER_H
#define IXP_HOLDER_H

#include <limits.h>
#include "internal.h"
#include "system.h"

/* counters.c: the same events on each CPU */
struct holder_counters;

int holder_counters_open(struct holder_counters **counters,
			 const hwperf_profevctrarg_t *arg);
int holder_counters_start(struct holder_counters *c);
void holder_counters_stop(struct holder_counters *c);
int holder_counters_follow(struct holder_counters *c);
unsigned int holder_counters_cpus(const struct holder_counters *c);
int holder_counters_read(const struct holder_counters *c,
			 struct ixp_system_page *page);
void holder_counters_close(struct holder_counters *c);

/* cpus.c */
int holder_cpus(int **cpu, const char *which);

/* users.c: programs that count in user mode */
int holder_users_reach(void);
int holder_users_running(pid_t caller);
int holder_users_revoke(void);

/* running.c */
int holder_process_running(pid_t pid);
int holder_event_running(int fd);

/**
 * struct holder_page - the file "system"
 * @fd: the file
 * @size: its size
 * @shared: what all see of it
 * @page: what they are to see when holder_page_show() is called
 */
struct holder_page {
	int fd;
	size_t size;
	struct ixp_system_page *shared;
	struct ixp_system_page *page;
};

/* page.c */
int holder_page_create(struct holder_page *p, unsigned int nr_cpus);
int holder_page_publish(struct holder_page *p);
void holder_page_show(const struct holder_page *p);
void holder_page_remove(void);
int holder_page_round(const struct holder_page *p, uint64_t round);
void holder_page_close(struct holder_page *p);

/* generation.c: numbers that nobody has seen yet */
int holder_generation_next(int after);

/**
 * struct holder - all that a holder has
 * @page: what it shows
 * @counters: what it counts
 * @control: the file "control"
 * @notify: tells when somebody wants something
 */
struct holder {
	struct holder_page page;
	struct holder_counters *counters;
	int control;
	int notify;
};

/* serve.c */
int holder_serve(struct holder *h);

/* begin.c */
int holder_begin(struct holder *h, const struct ixp_system_request *request);

/* holder.c */
int holder_request(void *request, size_t size);
void holder_answer(int32_t value);
void holder_let_go(void);
void holder_close_from(int first);
int holder_main(int argc, char **argv);

/* Who asks the holder of a process */
enum holder_peer {
	HOLDER_NOBODY,		/* somebody who gets nothing */
	HOLDER_OWNER,		/* the owner of the process, who has fewer rights */
	HOLDER_LIKE_US,		/* one who has all rights that this process has */
};

/* peer.c */
enum holder_peer holder_peer(int socket, int folder, bool starter);
bool holder_owner_may(int socket, int folder, const hwperf_profevctrarg_t *arg);

/* process.c */
int holder_process(void);

#endif
