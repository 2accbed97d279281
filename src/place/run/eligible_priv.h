/* eligible_priv.h - what is known of nodes, shared by the parts of eligible */
#ifndef PLACE_RUN_ELIGIBLE_PRIV_H
#define PLACE_RUN_ELIGIBLE_PRIV_H

#include "place/run/eligible.h"
#include "place/run/eligible_sets.h"
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
};

#endif
