/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading without the lock. A signal handler that reads counters may have interrupted
 * a thread that holds the lock, or another reader. So readers never wait, and no thread
 * waits for them. Memory and descriptors that readers may still use are retired, and
 * freed when no reader can use them any more.
 *
 * There are two counts of readers, and each reader increments one of them. A retired
 * item is freed after each count has been zero once. Whenever the counts are checked,
 * new readers change over to the other count, so that each reaches zero in time.
 */
#ifndef IXP_GRACE_H
#define IXP_GRACE_H

#include <stdatomic.h>

/**
 * struct ixp_retired - member of an item that is freed when no reader uses it
 * @next: the next item
 * @seen: which counts of readers have been zero since it was retired
 * @free: frees the item
 */
struct ixp_retired {
	struct ixp_retired *next;
	unsigned int seen;
	void (*free)(struct ixp_retired *item);
};

/* Callers hold the lock */
void ixp_retire(struct ixp_retired *item, void (*free)(struct ixp_retired *));
void ixp_retired_free(void);

/* Called in a child: retired items belong to the parent; no other thread is left */
void ixp_retired_forget(void);
void ixp_read_fork_child(void);

#define READER_TURNS	2

/* Static thread-local storage: dynamic one could be allocated in a signal handler */
#define READER_TLS	__attribute__((tls_model("initial-exec")))

extern atomic_uint ixp_readers[READER_TURNS];
extern atomic_uint ixp_reader_turn;

/* This thread's part of @ixp_readers: more than 1 if a handler interrupts a reader */
extern _Thread_local unsigned int ixp_reader_mine[READER_TURNS] READER_TLS;

/* Start to read: nothing is freed until ixp_read_end(), which takes the result */
static inline unsigned int ixp_read_begin(void)
{
	unsigned int which = atomic_load(&ixp_reader_turn);

	ixp_reader_mine[which]++;
	atomic_fetch_add(&ixp_readers[which], 1);

	return which;
}

/* Stop reading: what was read may be freed from now on */
static inline void ixp_read_end(unsigned int which)
{
	atomic_fetch_sub(&ixp_readers[which], 1);
	ixp_reader_mine[which]--;
}

#endif
