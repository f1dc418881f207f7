/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters that a process has acquired for itself, as others see them. They
 * stay where they are, and cost their owner nothing but to write down what has
 * changed, in the page that it has for the arbiter (arbiter.h). Who may trace
 * the owner finds this page in its folder, and takes the descriptors that it
 * names: these are the same events, to read and to stop.
 *
 * What others do is one number of the page, @epoch, which they change in one
 * step. It says that the counters have been released, or that the holder has
 * them now (remote.h), and is true from then on: who finds it stops the events
 * that are still on, as whoever has written it may have been killed before he
 * could. The owner finds it when it looks next, and after each change that it
 * has shown; so no change is missed by either.
 */
#ifndef IXP_OWN_H
#define IXP_OWN_H

#include "arbiter.h"
#include "internal.h"

/* own.c: the owner's side; the lock is held */
void ixp_own_show(struct ixp_target *t);
void ixp_own_hide(pid_t pid);

/**
 * struct ixp_view - the counters of another process
 * @page: what it shows, in our memory
 * @process: a descriptor that stands for it
 * @seq: of which writing what follows is; odd if of none
 * @own: what it has written; its events are in @set
 * @set: descriptors of these events
 * @epoch: of the page, when it was looked at
 * @state: what others have made of @own.state
 * @generation: what they have made of @own.generation
 */
struct ixp_view {
	struct ixp_user_page *page;
	int process;
	uint32_t seq;
	struct {
		uint32_t list;
		uint32_t epoch;
		int32_t state;
		int32_t generation;
		hwperf_eventctrl_t ctrl;
		hwperf_cntr_t base;
	} own;
	struct irixperf_set *set;
	uint32_t epoch;
	enum ixp_own_state state;
	int generation;
};

/* foreign.c: the others' side; the lock is held. -EPIPE: there are none (any more) */
int ixp_view_open(struct ixp_view **view, int folder, pid_t pid);
void ixp_view_close(struct ixp_view *view);
int ixp_view_look(struct ixp_view *view);
int ixp_view_read(struct ixp_view *view, hwperf_cntr_t *counts);
int ixp_view_release(struct ixp_view *view);
int ixp_view_take(struct ixp_view *view);
void ixp_view_give_back(struct ixp_view *view);

#endif
