/* rehearsal_state.c - what a rehearsal begins with, and what it costs */
#include "map/problem/rehearsal_state.h"

#include <math.h>
#include <stdlib.h>

enum { HOPS = 64 }; /* of a route, at most: VCs are no more, and a bit each in waiting */

const struct travel travel_of_large = {.eager = 0, .packet = 0, .room = 0.5, .hop = 0.01};

int64_t rehearsal_cost(const struct map_input *in, struct routes *routes, const int *node_of,
		       const struct rehearsal_size *size)
{
	const struct comm *comm = in->comm;
	int64_t nhops = 0;

	if (routes->split != NULL || comm->nedges > INT32_MAX / PHASES)
		return -1;
	for (int rank = 0; rank < comm->nranks; rank++)
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++) {
			int a = node_of[rank], b = node_of[comm->peer[e]];

			nhops += rehearsal_copies(rehearsal_travel(in), comm, node_of, rank, e);
			if (!rehearsal_sends(comm, node_of, rank, e))
				continue;
			if (routes->up[a] < 0 || routes->up[b] < 0 ||
			    routes_rest(routes, a, b)[0] >= HOPS ||
			    routes_rest(routes, b, a)[0] >= HOPS)
				return -1;
			nhops += 1 + routes_rest(routes, a, b)[0];
		}
	return nhops > 0 && !routes->is_broken ? nhops * (size->npackets + 2) * size->nrounds : -1;
}

/* One more than the highest of a route's. */
static int nvcs_of(struct rehearsal *r, int a, int b)
{
	const int32_t *rest = routes_rest(r->routes, a, b);
	int state = 0, most = 0;

	for (int hop = 1; hop < rest[0]; hop++) {
		int vc = vc_classes_next(r->classes, r->routes->channels.at[rest[hop]], &state);

		most = vc > most ? vc : most;
	}
	return most + 1;
}

static struct cut cut_message(const struct rehearsal *r, double bytes)
{
	double n = fmax(ceil(bytes / r->unit - 1e-9), 1);

	return (struct cut){(int32_t)n, (int32_t)(bytes / n / r->unit * TICKS / r->npackets + 0.5)};
}

/* VCs of any message's route, and back; all senders are known, and all routes have been asked for.
 */
static void look(struct rehearsal *r)
{
	for (int rank = 0; rank < r->comm->nranks; rank++)
		for (int64_t e = r->comm->first[rank]; e < r->comm->first[rank + 1]; e++) {
			int a = r->node_of[rank], b = r->node_of[r->comm->peer[e]];
			bool is_far = rehearsal_sends(r->comm, r->node_of, rank, e);

			r->rank_of[e] = rank;
			r->cuts[e] = cut_message(r, r->comm->bytes[e]);
			if (!is_far && !rehearsal_copies(r->travel, r->comm, r->node_of, rank, e))
				continue;
			r->ranks[rank].nsent++;
			r->ranks[r->comm->peer[e]].nreceived++;
			if (!is_far)
				continue;
			for (int turn = 0; turn < 2; turn++) {
				int n = nvcs_of(r, turn ? b : a, turn ? a : b);

				r->nvcs = n > r->nvcs ? n : r->nvcs;
			}
		}
}

/* Of small messages a hop and a setup take many. */
static int32_t ticks_for(double messages)
{
	return (int32_t)(fmin(messages, INT16_MAX) * TICKS);
}

/* What in->travel says, in packets, bytes and ticks; returns what a buffer takes, in ticks: a
 * packet at least. What is sent in small packets is not whole in its buffer when it goes on. So
 * there is room for what packets have here more than in the network, and as much is under way. */
static int32_t learn_travel(struct rehearsal *r, const struct map_input *in)
{
	const struct travel *travel = r->travel;
	double largest = comm_largest(in->comm), packet, room;

	r->npackets = r->size->npackets;
	if (travel->packet * r->npackets > 1)
		r->npackets = (int)ceil(1 / travel->packet - 1e-9);
	r->unit = largest / r->npackets;
	r->eager = travel->eager * largest;
	r->hop_ticks = ticks_for(travel->hop);
	r->setup_ticks = ticks_for(travel->setup);
	packet = ceil((double)TICKS / r->npackets);
	room = fmin(travel->room, INT16_MAX) * TICKS + fmax(packet - travel->packet * TICKS, 0);
	return (int32_t)fmax(floor(room + 1e-9), packet);
}

void rehearsal_start(struct rehearsal *r, const struct map_input *in)
{
	size_t nchannels, nplaces;
	int32_t room = learn_travel(r, in);

	r->rank_of = xmalloc((size_t)in->comm->nedges * sizeof(*r->rank_of));
	r->cuts = xmalloc((size_t)in->comm->nedges * sizeof(*r->cuts));
	r->ranks = xcalloc((size_t)in->comm->nranks, sizeof(*r->ranks));
	r->nbegun = xcalloc((size_t)in->comm->nedges, sizeof(*r->nbegun));
	for (int rank = 0; rank < in->comm->nranks; rank++)
		r->ranks[rank].round = NONE;
	look(r);
	nchannels = r->routes->channels.n;
	nplaces = nchannels * (size_t)r->nvcs;
	r->nodes = xcalloc((size_t)in->nnodes, sizeof(*r->nodes));
	r->copied_at =
		xcalloc((size_t)in->nnodes * (size_t)r->travel->ncopies + 1, sizeof(*r->copied_at));
	r->lines = xmalloc(nplaces * sizeof(*r->lines));
	r->room = xmalloc(nplaces * sizeof(*r->room));
	r->free_at = xcalloc(nchannels, sizeof(*r->free_at));
	r->waiting = xcalloc(nchannels, sizeof(*r->waiting));
	r->turn = xcalloc(nchannels, sizeof(*r->turn));
	r->node_at = xmalloc(nchannels * sizeof(*r->node_at));
	for (size_t i = 0; i < nplaces; i++) {
		r->lines[i] = (struct line){NONE, NONE};
		r->room[i] = room;
	}
	for (size_t c = 0; c < nchannels; c++)
		r->node_at[c] = NONE;
	for (int v = 0; v < in->nnodes; v++)
		if (r->routes->up[v] >= 0)
			r->node_at[r->routes->up[v]] = v;
}

void rehearsal_finish(struct rehearsal *r, int nnodes)
{
	for (int rank = 0; rank < r->comm->nranks; rank++)
		vec_free(&r->ranks[rank].early);
	for (int v = 0; v < nnodes; v++)
		vec_free(&r->nodes[v].waiting);
	vec_free(&r->packets);
	event_queue_free(&r->events);
	free(r->rank_of);
	free(r->cuts);
	free(r->ranks);
	free(r->nbegun);
	free(r->nodes);
	free(r->copied_at);
	free(r->lines);
	free(r->room);
	free(r->free_at);
	free(r->turn);
	free(r->waiting);
	free(r->node_at);
}
