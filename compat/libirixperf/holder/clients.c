// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The clients of a holder: each connects to its socket, sends one request at a time,
 * and gets one answer (src/share/remote.h). No client can block the holder: if it
 * cannot read or write at once, it drops the client.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "holder.h"

static const char *name_of(const struct holder_clients *c)
{
	return strrchr(c->address.sun_path, '/') + 1;
}

static void client_add(struct holder_clients *c, int fd)
{
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(peer);

	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	c->user[c->nr] = peer.uid;
	c->wait[c->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/**
 * holder_clients_listen() - open the socket where clients look for this holder
 * @c: gets the socket; cleared by the caller
 * @place: directory of the socket, which stays open
 * @pid: the target; 0 for system mode
 * @folder: its directory; -1 for system mode
 * @starter: a client that is connected already, or -1
 *
 * Callers have a lock, so no other holder does the same at that time.
 *
 * Return: 0; -EADDRINUSE if another holder of that target listens; or another
 * negative errno value.
 */
int holder_clients_listen(struct holder_clients *c, int place, pid_t pid,
			  int folder, int starter)
{
	const struct sockaddr *address = (const struct sockaddr *)&c->address;
	socklen_t len = ixp_place_address(&c->address, place, pid);
	int fd, try, ret = 0;
	mode_t mask;

	c->place = place;
	c->folder = folder;
	c->starter = starter;
	c->nr = HOLDER_CLIENT;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	try = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || try < 0)
		return -errno;

	/* If no holder listens, one that was killed has left the socket: replace it */
	if (connect(try, address, len) == 0 || errno == EAGAIN)
		ret = -EADDRINUSE;
	close(try);
	if (ret < 0)
		return ret;
	unlinkat(place, name_of(c), 0);
	/* Any user that can reach the directory may connect; each request is checked */
	mask = umask(0);
	if (bind(fd, address, len) < 0 || listen(fd, HOLDER_CLIENTS) < 0)
		ret = -errno;
	umask(mask);

	c->wait[HOLDER_LISTEN] = (struct pollfd){ .fd = fd, .events = POLLIN };
	c->wait[HOLDER_TARGET] = (struct pollfd){ .fd = -1 };
	if (starter >= 0)
		client_add(c, starter);

	return ret;
}

/* Remove the socket's name; clients that have connected stay */
void holder_clients_leave(const struct holder_clients *c)
{
	unlinkat(c->place, name_of(c), 0);
}

static void client_drop(struct holder_clients *c, nfds_t at)
{
	nfds_t behind = --c->nr - at;

	if (c->wait[at].fd == c->starter)
		c->starter = -1;
	close(c->wait[at].fd);
	memmove(&c->wait[at], &c->wait[at + 1], behind * sizeof(c->wait[at]));
	memmove(&c->user[at], &c->user[at + 1], behind * sizeof(c->user[at]));
}

static unsigned int clients_of(const struct holder_clients *c, uid_t user)
{
	unsigned int nr = 0;
	nfds_t at;

	for (at = HOLDER_CLIENT; at < c->nr; at++)
		nr += c->user[at] == user;

	return nr;
}

/*
 * Choose the client to drop: of the clients with the least rights, the oldest one of
 * the user with the most clients.
 */
static nfds_t client_to_go(const struct holder_clients *c)
{
	enum holder_rights least = HOLDER_ALL, rights;
	nfds_t ret = HOLDER_CLIENT, at;
	unsigned int most = 0, nr;

	for (at = HOLDER_CLIENT; at < c->nr; at++) {
		rights = holder_rights(c, c->wait[at].fd);
		nr = clients_of(c, c->user[at]);
		if (rights < least || (rights == least && nr > most)) {
			least = rights;
			most = nr;
			ret = at;
		}
	}

	return ret;
}

/* Accept all new clients. If there is no room, drop a client: it can connect again */
static void clients_accept(struct holder_clients *c)
{
	int fd;

	if (c->nr == HOLDER_CLIENT + HOLDER_CLIENTS)
		client_drop(c, client_to_go(c));
	while (c->nr < HOLDER_CLIENT + HOLDER_CLIENTS) {
		fd = accept4(c->wait[HOLDER_LISTEN].fd, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			break;
		client_add(c, fd);
	}
}

/*
 * Serve one request of a client; false if the caller has to drop the client. In another
 * version of the library requests may have another size.
 */
static bool client_serve(struct holder_clients *c, int fd)
{
	struct ixp_remote_reply reply = { .ret = -EPERM };
	struct ixp_remote_request ask;
	ssize_t n = recv(fd, &ask, sizeof(ask), MSG_DONTWAIT);

	if (n <= 0)
		return n < 0 && errno == EAGAIN;
	if (n == (ssize_t)sizeof(ask))
		c->serve(c, fd, &ask, &reply);
	else
		reply.ret = -ENOTTY;

	return send(fd, &reply, sizeof(reply), MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)sizeof(reply);
}

/**
 * holder_clients_serve() - wait for requests, and serve each client once
 * @c: the clients
 * @ms: how long to wait for a request, or for the end of the target; -1: forever
 *
 * Return: how many entries of @wait were ready; 0 if none was in that time; or a
 * negative errno value.
 */
int holder_clients_serve(struct holder_clients *c, int ms)
{
	nfds_t at = HOLDER_CLIENT;
	int calls;

	do {
		calls = poll(c->wait, c->nr, ms);
	} while (calls < 0 && errno == EINTR);
	if (calls < 0)
		return -errno;

	while (calls > 0 && at < c->nr) {
		if (c->wait[at].revents && !client_serve(c, c->wait[at].fd))
			client_drop(c, at);
		else
			at++;
	}
	if (calls > 0 && c->wait[HOLDER_LISTEN].revents)
		clients_accept(c);

	return calls;
}
