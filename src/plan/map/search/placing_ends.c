/* placing_ends.c - the graph of the items, both directions at each end */
#include <math.h>
#include <stdlib.h>

#include "map/search/placing_priv.h"

/* The power of two of which all bytes together are 2^50 at most, a part of a message counted. */
static double quantum_of(const struct comm *comm, bool is_spread)
{
	double all = 0;
	int exponent;

	for (int64_t e = 0; e < comm->nedges; e++)
		all += comm->bytes[e];
	frexp(all, &exponent);
	return ldexp(1, exponent - 50 + (is_spread ? PART_BITS : 0));
}

/* What goes to and comes from the peers of item i, by ascending peer; in: the graph with each edge
 * turned round. Returns how many peers. */
static int64_t merge_ends(const struct placing *s, const struct comm *out, const struct comm *in,
			  int i, struct placing_end *ends)
{
	int64_t a = out->first[i], b = in->first[i], n = 0;

	while (a < out->first[i + 1] || b < in->first[i + 1]) {
		int to = a < out->first[i + 1] ? out->peer[a] : INT32_MAX;
		int from = b < in->first[i + 1] ? in->peer[b] : INT32_MAX;
		struct placing_end end = {.peer = to < from ? to : from};

		if (to == end.peer)
			end.out = rint(out->bytes[a++] / s->quantum) * s->quantum;
		if (from == end.peer)
			end.in = rint(in->bytes[b++] / s->quantum) * s->quantum;
		if (end.peer != i)
			ends[n++] = end;
	}
	return n;
}

void placing_make_ends(struct placing *s, const struct comm *comm)
{
	struct comm *reversed = comm_reversed(comm);

	s->quantum = quantum_of(comm, s->routes->split != NULL);
	s->nitems = comm->nranks;
	s->first = xcalloc((size_t)s->nitems + 1, sizeof(*s->first));
	s->ends = xmalloc((size_t)(2 * comm->nedges + 1) * sizeof(*s->ends));
	s->degree = xcalloc((size_t)s->nitems + 1, sizeof(*s->degree));
	for (int i = 0; i < s->nitems; i++) {
		s->first[i + 1] =
			s->first[i] + merge_ends(s, comm, reversed, i, s->ends + s->first[i]);
		for (int64_t e = comm->first[i]; e < comm->first[i + 1]; e++)
			if (comm->peer[e] != i) {
				s->degree[i]++;
				s->degree[comm->peer[e]]++;
				s->nedges++;
			}
	}
	comm_free(reversed);
}
