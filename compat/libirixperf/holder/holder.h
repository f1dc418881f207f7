/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * irixperf-holder: holds the counters of all CPUs in system mode (src/share/sysfile.h),
 * or those of one target (src/share/remote.h). Functions return a negative errno value
 * if they fail.
 */
#ifndef IXP_HOLDER_H
#define IXP_HOLDER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include "counters.h"
#include "remote.h"
#include "sysfile.h"

/* What a client may ask for */
enum holder_rights {
	HOLDER_NONE,		/* nothing */
	HOLDER_OWNERS,		/* what the target's owner could do without it */
	HOLDER_ALL,		/* all that the holder can do */
};

/* How many clients can be connected */
#define HOLDER_CLIENTS	64

/* The first entries of @wait in struct holder_clients */
enum { HOLDER_LISTEN, HOLDER_TARGET, HOLDER_CLIENT };

/**
 * struct holder_clients - the clients of a holder
 * @serve: carries out the request @ask; @reply has the result -EPERM before the call
 * @place: directory of the socket
 * @address: address of the socket
 * @folder: the target's directory; -1 for system mode
 * @starter: the client that has started this holder, or -1
 * @wait: what the holder waits for: new clients, the end of the target, and requests
 *	of clients, in the order in which these have connected
 * @user: the user of each client
 * @nr: how many entries @wait has
 */
struct holder_clients {
	void (*serve)(struct holder_clients *c, int fd,
		      struct ixp_remote_request *ask, struct ixp_remote_reply *reply);
	int place;
	struct sockaddr_un address;
	int folder;
	int starter;
	struct pollfd wait[HOLDER_CLIENT + HOLDER_CLIENTS];
	uid_t user[HOLDER_CLIENT + HOLDER_CLIENTS];
	nfds_t nr;
};

/* clients.c */
int holder_clients_listen(struct holder_clients *c, int place, pid_t pid,
			  int folder, int starter);
void holder_clients_leave(const struct holder_clients *c);
int holder_clients_serve(struct holder_clients *c, int ms);

/* rights.c */
enum holder_rights holder_rights(const struct holder_clients *c, int socket);
bool holder_owner_may(int socket, int folder, const hwperf_profevctrarg_t *arg);

/* walk.c: visit the pages of programs that count in user mode */
struct holder_walk;

#define HOLDER_MS	1000000ULL	/* a millisecond of holder_used() */

uint64_t holder_used(void);
int holder_walk(int (*page)(struct holder_walk *walk, int fd, pid_t pid,
			    uint64_t until),
		const void *data, uint64_t ns, bool everywhere);
const void *holder_walk_data(const struct holder_walk *walk);
int holder_walk_keep(struct holder_walk *walk);
int holder_take(pid_t pid, int number);
long holder_process_uid(pid_t pid);

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
 * @shared: the mapped file, which others read
 * @page: the copy that holder_page_show() writes into the file
 * @starved: nanoseconds in which the events had no counter, as far as @losses tells
 */
struct holder_page {
	int fd;
	size_t size;
	struct ixp_system_page *shared;
	struct ixp_system_page *page;
	uint64_t starved;
};

/* page.c */
int holder_page_create(struct holder_page *p, unsigned int nr_cpus);
int holder_page_publish(struct holder_page *p);
void holder_page_events(struct holder_page *p,
			const hwperf_profevctrarg_t *arg,
			const struct ixp_system_words *words);
int holder_page_counts(struct holder_page *p, const struct ixp_counters *c);
void holder_page_lose(struct holder_page *p);
void holder_page_show(const struct holder_page *p);
void holder_page_remove(void);
void holder_page_close(struct holder_page *p);

/**
 * struct holder - the state of the holder of system mode
 * @clients: its clients
 * @page: the file "system"
 * @counters: the counters of all CPUs
 * @fresh: the file has counts that were read for the requests served now
 * @over: system mode has ended
 */
struct holder {
	struct holder_clients clients;
	struct holder_page page;
	struct ixp_counters *counters;
	bool fresh;
	bool over;
};

/* serve.c */
int holder_generation_after(int generation);
int holder_counters_open(struct ixp_counters **counters,
			 const hwperf_profevctrarg_t *arg,
			 const struct ixp_system_words *words);
int holder_serve(struct holder *h);

/* begin.c */
int holder_begin(struct holder *h, const struct ixp_system_request *request);

/* holder.c */
int holder_request(void *request, size_t size);
void holder_answer(int32_t value);
void holder_let_go(void);
int holder_main(int argc, char **argv);

/* process.c */
int holder_process(void);

#endif
