/* dragonfly_gates.h - which of several global links between two groups of a dragonfly a packet
 * takes */
#ifndef SIM_NETWORK_DRAGONFLY_GATES_H
#define SIM_NETWORK_DRAGONFLY_GATES_H

#include <stddef.h>
#include <stdint.h>

#include "machine/kind/dragonfly.h"
#include "model/topo.h"

struct place {
	int32_t group, in; /* router in is the in-th of its group */
};

/* One end of a global link. */
struct gate {
	int32_t channel; /* leaves by it */
	int32_t in;      /* from this router of its group */
};

/*
 * Which gates towards another group are so many links away from a router, within its group: bit i
 * of near[hops] is gate i of a word of 64. No two routers of a group are more than two links apart;
 * the fourth makes a row half a cache line.
 */
struct gate_row {
	uint64_t near[4];
};

struct gates {
	int groups, routers, links; /* of the dragonfly */
	struct gate *at;            /* [(from · groups + to) · links + i] */
	uint8_t *local_hops;        /* [routers · routers] */
	/* [(router · groups + to) · nwords], where there are several links; NULL: too large, they
	 * are made when they are asked for */
	struct gate_row *rows;
	int nwords;
};

void gates_open(struct gates *gates, const struct dragonfly *df, const struct topo *topo);
void gates_close(struct gates *gates);
/* As gates_choose, of any number of links. */
int gates_choose_among(const struct gates *gates, struct place from, int to, int in_b, int node,
		       int *hops);

static inline int gates_local_hops(const struct gates *gates, int a, int b)
{
	return gates->local_hops[a * gates->routers + b];
}

static inline const struct gate *gates_between(const struct gates *gates, int from, int to)
{
	return &gates->at[((size_t)from * (size_t)gates->groups + (size_t)to) *
			  (size_t)gates->links];
}

static inline const struct gate_row *gates_row(const struct gates *gates, struct place from, int to)
{
	size_t router = (size_t)from.group * (size_t)gates->routers + (size_t)from.in;

	return &gates->rows[(router * (size_t)gates->groups + (size_t)to) * (size_t)gates->nwords];
}

/* The gates of two rows that are fewest links away from both routers together; not none. */
static inline uint64_t gates_nearest(const struct gate_row *a, const struct gate_row *b, int *hops)
{
	const uint64_t *there = a->near, *back = b->near;
	uint64_t gates = there[0] & back[0];

	for (*hops = 0; gates == 0; ++*hops)
		switch (*hops) {
		case 0:
			gates = (there[0] & back[1]) | (there[1] & back[0]);
			break;
		case 1:
			gates = (there[0] & back[2]) | (there[1] & back[1]) | (there[2] & back[0]);
			break;
		case 2:
			gates = (there[1] & back[2]) | (there[2] & back[1]);
			break;
		case 3:
			gates = there[2] & back[2];
			break;
		default:
			return 0;
		}
	return gates;
}

/* The same of one row. */
static inline uint64_t gates_near(const struct gate_row *row, int *hops)
{
	for (*hops = 0; *hops < 3 && row->near[*hops] == 0;)
		++*hops;
	return row->near[*hops];
}

/* Number k of the gates in a word. */
static inline int gates_kth(uint64_t gates, int k)
{
	for (; k > 0; k--)
		gates &= gates - 1;
	return __builtin_ctzll(gates);
}

/*
 * Of the links to another group the one on the shortest path from a router to router in_b there
 * (−1: to any), of equally short ones the one that the node's number picks. *hops: links within the
 * two groups.
 */
static inline int gates_choose(const struct gates *gates, struct place from, int to, int in_b,
			       int node, int *hops)
{
	const struct gate_row *row;
	uint64_t nearest;

	if (gates->links == 1) {
		*hops = gates_local_hops(gates, from.in, gates_between(gates, from.group, to)->in);
		if (in_b >= 0)
			*hops += gates_local_hops(gates, gates_between(gates, to, from.group)->in,
						  in_b);
		return 0;
	}
	if (gates->rows == NULL || gates->nwords > 1)
		return gates_choose_among(gates, from, to, in_b, node, hops);
	row = gates_row(gates, from, to);
	nearest = in_b < 0 ? gates_near(row, hops)
			   : gates_nearest(row,
					   gates_row(gates, (struct place){to, in_b}, from.group),
					   hops);
	if ((nearest & (nearest - 1)) == 0)
		return __builtin_ctzll(nearest);
	return gates_kth(nearest, node % __builtin_popcountll(nearest));
}

#endif
