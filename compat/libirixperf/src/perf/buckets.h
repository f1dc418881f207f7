/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The buckets of a profile. */
#ifndef IXP_BUCKETS_H
#define IXP_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/profil.h>
#include <irixperf.h>

struct ixp_profile;

#define IXP_PROFILE_REGIONS	4096	/* at most */

int ixp_profile_new(struct ixp_profile **profile, const struct prof *profp,
		    int profcnt);
void ixp_profile_free(struct ixp_profile *profile);
void ixp_profile_hit(struct ixp_profile *profile, uint64_t pc);
void ixp_profile_missed(struct ixp_profile *profile, uint64_t lost, bool throttled);
struct irixperf_profile_stat ixp_profile_stat(const struct ixp_profile *profile);

#endif
