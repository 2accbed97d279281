/* scotch.c - Scotch's source graphs as communication graphs */
#include "convert/reader/graph_reader.h"

/*
 * Scotch user's guide, "Graph format": version 0; vertices and arcs; base and a flag whose digits
 * say whether there are labels, edge loads and vertex loads; then for each vertex [label] [load]
 * degree, and degree times [load] neighbour. An edge is listed at both ends, and its load is what
 * both directions carry: each gets half.
 */
struct head {
	int64_t nvertices, narcs, base, flag;
};

static int read_head(struct tokens *tokens, struct head *head, struct err *err)
{
	int64_t version;

	if (tokens_int(tokens, "version 0 of a Scotch graph", 0, 0, &version, err) != 0 ||
	    tokens_int(tokens, "the number of vertices", 0, INT32_MAX, &head->nvertices, err) !=
		    0 ||
	    tokens_int(tokens, "the number of arcs", 0, INT64_MAX, &head->narcs, err) != 0 ||
	    tokens_int(tokens, "the base, 0 or 1", 0, 1, &head->base, err) != 0 ||
	    tokens_int(tokens, "a flag from 000 to 111", 0, 111, &head->flag, err) != 0)
		return -1;
	return 0;
}

static int read_vertex(struct tokens *tokens, const struct head *head, int64_t i,
		       struct edges *edges, int64_t *narcs, struct err *err)
{
	int64_t last = head->base + head->nvertices - 1, vertex = i + head->base, load, degree, end;
	double weight = 1;

	if (head->flag / 100 % 10 != 0 &&
	    tokens_int(tokens, "a vertex's label", head->base, last, &vertex, err) != 0)
		return -1;
	if (head->flag % 10 != 0 &&
	    tokens_int(tokens, "a vertex's load", 0, INT64_MAX, &load, err) != 0)
		return -1;
	if (tokens_int(tokens, "a vertex's degree", 0, INT32_MAX, &degree, err) != 0)
		return -1;
	for (; degree > 0; degree--) {
		if (head->flag / 10 % 10 != 0 &&
		    tokens_real(tokens, "an edge's load", 0, &weight, err) != 0)
			return -1;
		if (tokens_int(tokens, "a neighbour", head->base, last, &end, err) != 0 ||
		    edges_put(edges, tokens->in, vertex - head->base, end - head->base, weight / 2,
			      err) != 0)
			return -1;
		++*narcs;
	}
	return 0;
}

static int read_graph(struct edges *edges, struct in *in, struct err *err)
{
	struct tokens tokens = {.in = in};
	struct head head;
	int64_t narcs = 0;

	if (read_head(&tokens, &head, err) != 0)
		return -1;
	edges_ranks(edges, head.nvertices);
	for (int64_t i = 0; i < head.nvertices; i++)
		if (read_vertex(&tokens, &head, i, edges, &narcs, err) != 0)
			return -1;
	if (narcs != head.narcs)
		return in_error(in, err, "has %lld arcs, its head says %lld", (long long)narcs,
				(long long)head.narcs);
	return 0;
}

static int read_scotch(const struct reader_input *input, struct flow *flow, bool *whole,
		       struct err *err)
{
	(void)whole;
	return graph_read(input, flow, read_graph, err);
}

static const struct table_kind *const makes[] = {&kind_comm, NULL};

const struct reader reader_scotch = {
	.entry = {.name = "scotch",
		  .example = "scotch",
		  .summary = "Scotch source graphs; each direction gets half of an edge's"
			     " load"},
	.makes = makes,
	.read = read_scotch,
};
