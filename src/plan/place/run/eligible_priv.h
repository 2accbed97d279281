/* eligible_priv.h - what is known of nodes, shared by the parts of eligible */
#ifndef PLACE_RUN_ELIGIBLE_PRIV_H
#define PLACE_RUN_ELIGIBLE_PRIV_H

#include "place/run/eligible.h"
#include "place/run/eligible_sets.h"
#include "place/run/segment_domains.h"
#include "place/run/stock.h"

struct eligible {
	int nnodes, nwords;
	int nislands;   /* 1: one network */
	int *island_of; /* [nnodes], or NULL */
	int *nidle;     /* [nislands], of the set that is looked at */
	bool has_partitions, has_features, has_reservations;
	struct name_sets partitions, features, reservations;
	uint64_t *reserved;   /* [nwords] by any reservation; NULL: none are */
	int64_t *weight_of;   /* [nnodes], or NULL: all alike */
	VEC(int64_t) weights; /* each once, ascending */

	/* Of the choice at hand. */
	struct share share;
	feature_count_vec counts;
	uint64_t *candidates; /* [nwords] idle or with room, and able to serve */
	uint64_t *allowed, *wanted, *left, *among; /* [nwords] */
	int_vec part;
	struct segment_domains segments;
};

/* A choice at hand. */
struct eligible_choice {
	struct schedule *schedule;
	struct eligible *eligible;
	const struct alloc_request *request;
	int64_t now_ns;
	int_vec *nodes;
	struct buf *reason;
	struct err *err;
};

/* The job's nodes of the set left: counted features, then the rest; or segments. 1, 0, -1 */
int eligible_choose_parts(const struct eligible_choice *choosing);
/* Whether the segments of a job are looked for here, in the lowest domains that are
 * large enough. */
bool eligible_has_segments(const struct schedule *schedule, const struct job *job);

#endif
