/* ptram.c - PTRAM's greedy heuristic: each process goes where the hybrid metric stays least */
#include <stdlib.h>

#include "algo/map/hybrid.h"
#include "algo/map/map.h"
#include "base/mem.h"

struct greedy {
	const struct map_input *in;
	const struct map_parts *parts;
	struct comm *reverse;        /* who sends to a part */
	double *to_mapped, *to_rest; /* [nparts] bytes to and from mapped, unmapped parts */
	int *node_of;                /* [nparts]; -1: not mapped */
	bool *is_used;               /* [nnodes] */
	struct hybrid hybrid;
};

/* The unmapped part with the greatest δ = Σ mapped CP + α Σ unmapped CP; ties to the lowest. */
static int next_part(const struct greedy *g, double alpha)
{
	int best = -1;
	double best_delta = 0;

	for (int q = 0; q < g->parts->nparts; q++) {
		double delta = g->to_mapped[q] + alpha * g->to_rest[q];

		if (g->node_of[q] < 0 && (best < 0 || delta > best_delta)) {
			best = q;
			best_delta = delta;
		}
	}
	return best;
}

static void book_part(struct greedy *g, int part, int node)
{
	const struct comm *out = g->parts->comm, *in = g->reverse;

	for (int64_t e = out->first[part]; e < out->first[part + 1]; e++)
		if (g->node_of[out->peer[e]] >= 0)
			hybrid_book(&g->hybrid, node, g->node_of[out->peer[e]], out->bytes[e]);
	for (int64_t e = in->first[part]; e < in->first[part + 1]; e++)
		if (g->node_of[in->peer[e]] >= 0)
			hybrid_book(&g->hybrid, g->node_of[in->peer[e]], node, in->bytes[e]);
}

/* The unoccupied node with the lowest metric; the lowest leader among equals. */
static int best_node(struct greedy *g, int part, const struct hybrid_weights *weights)
{
	int best = -1;
	double best_value = 0;

	for (int v = 0; v < g->in->nnodes; v++) {
		struct hybrid_terms terms;
		double value;

		if (g->is_used[v] || !map_fits(g->in, g->parts, part, v))
			continue;
		book_part(g, part, v);
		terms = hybrid_look(&g->hybrid);
		hybrid_settle(&g->hybrid, false);
		value = hybrid_value(&terms, weights);
		if (best < 0 || value < best_value) {
			best = v;
			best_value = value;
		}
	}
	return best;
}

static void now_mapped(struct greedy *g, const struct comm *comm, int part)
{
	for (int64_t e = comm->first[part]; e < comm->first[part + 1]; e++) {
		g->to_mapped[comm->peer[e]] += comm->bytes[e];
		g->to_rest[comm->peer[e]] -= comm->bytes[e];
	}
}

static void sum_rest(struct greedy *g, const struct comm *comm)
{
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			g->to_rest[r] += comm->bytes[e];
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	const struct hybrid_weights weights = {1, 1, 1, 1, false};
	struct greedy g = {.in = in, .parts = parts, .node_of = node_of};
	int status = 0;

	g.reverse = comm_reversed(parts->comm);
	g.to_mapped = xcalloc((size_t)parts->nparts, sizeof(*g.to_mapped));
	g.to_rest = xcalloc((size_t)parts->nparts, sizeof(*g.to_rest));
	g.is_used = xcalloc((size_t)in->nnodes, sizeof(*g.is_used));
	hybrid_init(&g.hybrid, in->routes, comm_unit(parts->comm));
	sum_rest(&g, parts->comm);
	sum_rest(&g, g.reverse);
	for (int i = 0; i < parts->nparts; i++)
		node_of[i] = -1;
	for (int nmapped = 0; nmapped < parts->nparts && status == 0; nmapped++) {
		int left = parts->nparts - nmapped;
		double alpha = 1.0 / (pick_is(pick, "alpha", "printed") ? left + 1 : nmapped + 1);
		int part = next_part(&g, alpha), node = best_node(&g, part, &weights);

		if (node < 0) {
			status = err_set(err, "no free node has room for %d ranks",
					 parts->size[part]);
			break;
		}
		book_part(&g, part, node);
		hybrid_settle(&g.hybrid, true);
		node_of[part] = node;
		g.is_used[node] = true;
		now_mapped(&g, parts->comm, part);
		now_mapped(&g, g.reverse, part);
	}
	hybrid_free(&g.hybrid);
	comm_free(g.reverse);
	free(g.to_mapped);
	free(g.to_rest);
	free(g.is_used);
	return status;
}

const struct map_policy map_policy_ptram = {
	.entry =
		{
			.name = "ptram",
			.example = "ptram",
			.summary = "the process that talks most goes where the hybrid metric stays "
				   "least",
			.paper = "Mirsadeghi, Afsahi: PTRAM, Algorithm 1",
			.params =
				(const struct param[]){
					{.key = "alpha",
					 .type = PARAM_WORD,
					 .choices = "text|printed",
					 .def = "text",
					 .meaning =
						 "weight of unmapped neighbours: falls from 1 as "
						 "the paper's text "
						 "says, or rises to 1/2 as Algorithm 1 is printed"},
					{.key = "ends",
					 .type = PARAM_WORD,
					 .choices = "out|both",
					 .def = "out",
					 .meaning = "which messages on the most loaded link make a "
						    "process a candidate "
						    "for swapping: those it sends, or those it "
						    "receives too"},
					{0}},
		},
	.partition = "scotch",
	.refine = "ptram",
	.run = run,
};
