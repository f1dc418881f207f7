/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests on counters that another process has acquired for itself */
#ifndef IXP_PROC_PEER_H
#define IXP_PROC_PEER_H

#include "target.h"

struct ixp_ident;

extern const struct ixp_target_ops ixp_ops_peer;

int ixp_proc_peer_find(struct ixp_target **t, const struct ixp_ident *id,
		       int fd);

#endif
