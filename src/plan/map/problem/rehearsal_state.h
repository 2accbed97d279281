/* rehearsal_state.h - what a rehearsal begins with */
#ifndef MAP_PROBLEM_REHEARSAL_STATE_H
#define MAP_PROBLEM_REHEARSAL_STATE_H

#include "base/mem.h"
#include "map/problem/event_queue.h"
#include "map/problem/rehearsal.h"

enum {
	NONE = -1,
	TICKS = 4096 /* of the largest message, on a link of capacity 1 */
};

/* Of a message, in their order. */
enum phase { ASK, ANSWER, DATA, PHASES };

/* By the dense numbers of channels. */
struct packet {
	int32_t edge;
	int32_t next;    /* behind it, or among the free ones */
	int32_t behind;  /* the last link */
	int32_t channel; /* the one that it waits for, or has got */
	int32_t onward;  /* the one after that; NONE: its receiver */
	int32_t route;   /* where it stays in routes->pool; NONE: it may not stay */
	int32_t ticks;
	int32_t vc_state;
	int16_t hop;           /* links before channel */
	uint8_t vc, vc_behind; /* of channel, and of behind */
	int8_t phase;
	bool is_last; /* of its message */
};

/* Of a message's data. */
struct cut {
	int32_t npackets, ticks; /* of each, on a link of capacity 1 */
};

/* A request, or eager data, for a round to which its receiver has not come. */
struct early {
	int32_t edge, round;
};

typedef VEC(struct early) early_list;

struct rank {
	int round;            /* NONE: it has not begun */
	int nsent, nreceived; /* in a round; to and from others of its node, if copies take time */
	int npending;         /* of both, in this round */
	early_list early;     /* in the order they came */
};

struct line {
	int32_t first, last;
};

struct node {
	int_vec waiting; /* edge · PHASES + phase */
	size_t nsent;    /* of them */
	int npackets;    /* of the next one, that have been sent */
	bool is_called;  /* there is an event for when its link is free */
};

/* All by the dense numbers of channels. */
struct rehearsal {
	const struct comm *comm;
	struct routes *routes;
	const int *node_of;
	const struct rehearsal_size *size;
	const struct vc_classes *classes;
	int32_t *rank_of; /* [nedges] who sends */
	struct cut *cuts; /* [nedges] */
	struct rank *ranks;
	int32_t *nbegun; /* [nedges] requests, or eager data, that have come */
	double eager;    /* bytes */
	int npackets;    /* of the largest message */
	double unit;     /* bytes of a packet */
	int32_t hop_ticks, setup_ticks;
	int nvcs; /* that routes have */
	const struct travel *travel;
	int64_t *copied_at; /* [nnodes · travel->ncopies] when the copy that is made there ends */
	struct node *nodes;
	int32_t *node_at;   /* [nchannels] whose own link it is; NONE */
	struct line *lines; /* [nchannels · nvcs] packets that wait for the link */
	int32_t *room;      /* [nchannels · nvcs] ticks of packets, at the far end */
	int64_t *free_at;   /* [nchannels] ticks */
	uint8_t *turn;      /* [nchannels] the VC that is served first, if several wait */
	uint64_t *waiting;  /* [nchannels] VCs of which packets wait, between routers */
	VEC(struct packet) packets;
	int32_t spare;
	struct event_queue events;
	int64_t now;
	int64_t end; /* when the last message came */
};

static inline bool rehearsal_sends(const struct comm *comm, const int *node_of, int rank, int64_t e)
{
	return comm->bytes[e] > 0 && node_of[rank] != node_of[comm->peer[e]];
}

static inline const struct travel *rehearsal_travel(const struct map_input *in)
{
	return in->travel != NULL ? in->travel : &travel_of_large;
}

/* To another rank of the node, which takes time. */
static inline bool rehearsal_copies(const struct travel *travel, const struct comm *comm,
				    const int *node_of, int rank, int64_t e)
{
	int peer = comm->peer[e];

	return travel->ncopies > 0 && comm->bytes[e] > 0 && peer != rank &&
	       node_of[rank] == node_of[peer];
}

/* Of what rehearsal_time is told; then nothing has happened. */
void rehearsal_start(struct rehearsal *r, const struct map_input *in);
void rehearsal_finish(struct rehearsal *r, int nnodes);

#endif
