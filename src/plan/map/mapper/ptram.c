/* ptram.c - PTRAM's greedy heuristic: each process goes where the hybrid metric stays least */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/problem/fit.h"
#include "map/problem/hybrid_metric.h"
#include "map/problem/problem.h"
#include "map/team/team.h"
#include "base/mem.h"

/* One member's view: all keep the whole state, and weigh every nmembers-th node. */
struct greedy {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *reverse; /* who sends to a part */
	int member, nmembers;
	double *to_mapped, *to_rest; /* [nparts] bytes to and from mapped, unmapped parts */
	int *node_of;                /* [nparts]; -1: not mapped */
	bool *is_used;               /* [nnodes] */
	double heaviest;             /* bytes of the heaviest edge: w(p, q) is relative to it */
	struct hybrid hybrid;
	struct map_fit fit;
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

/* The unoccupied node with the lowest metric (weights: NULL are the paper's), of those that leave
 * room for the other parts; the lowest leader among equals. */
static int best_node(struct greedy *g, int part, const struct hybrid_weights *weights)
{
	struct team_offer best = {0, -1};
	int size = g->parts->size[part], most = map_fit_most(&g->fit, size);

	for (int v = g->member; v < g->in->nnodes; v += g->nmembers) {
		struct hybrid_terms terms;
		double value;

		if (g->is_used[v] || g->in->room[v] < size || g->in->room[v] > most)
			continue;
		book_part(g, part, v);
		terms = hybrid_look(&g->hybrid);
		hybrid_settle(&g->hybrid, false);
		value = weights != NULL ? hybrid_value(&terms, weights)
					: hybrid_relative(&g->hybrid, &terms, g->heaviest);
		if (best.number < 0 || value < best.value)
			best = (struct team_offer){value, v};
	}
	return (int)team_least(g->in->team, g->member, best).number;
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

/* What all members are given, and where the first one puts its result, which is everybody's. */
struct task {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *reverse;
	bool is_printed; /* α as Algorithm 1 is printed */
	int *node_of;
};

static void start(struct greedy *g, struct routes *routes)
{
	const struct map_parts *parts = g->parts;

	g->to_mapped = xcalloc((size_t)parts->nparts, sizeof(*g->to_mapped));
	g->to_rest = xcalloc((size_t)parts->nparts, sizeof(*g->to_rest));
	g->is_used = xcalloc((size_t)g->in->nnodes, sizeof(*g->is_used));
	g->node_of = xmalloc((size_t)parts->nparts * sizeof(*g->node_of));
	hybrid_init(&g->hybrid, routes, comm_unit(parts->comm));
	hybrid_count_whole(&g->hybrid);
	for (int64_t e = 0; e < parts->comm->nedges; e++)
		g->heaviest = fmax(g->heaviest, parts->comm->bytes[e]);
	map_fit_open(&g->fit, g->in, parts);
	sum_rest(g, parts->comm);
	sum_rest(g, g->reverse);
	for (int i = 0; i < parts->nparts; i++)
		g->node_of[i] = -1;
}

static void place(struct greedy *g, bool is_printed)
{
	const struct hybrid_weights *weights =
		g->in->aim != NULL && map_aim_is_sum(g->in->aim) ? &g->in->aim->weights : NULL;

	for (int nmapped = 0; nmapped < g->parts->nparts; nmapped++) {
		int left = g->parts->nparts - nmapped;
		double alpha = 1.0 / (is_printed ? left + 1 : nmapped + 1);
		int part = next_part(g, alpha), node = best_node(g, part, weights);

		book_part(g, part, node);
		hybrid_settle(&g->hybrid, true);
		g->node_of[part] = node;
		g->is_used[node] = true;
		map_fit_take(&g->fit, g->parts->size[part], g->in->room[node]);
		now_mapped(g, g->parts->comm, part);
		now_mapped(g, g->reverse, part);
	}
}

static int work(void *context, int member, struct err *err)
{
	struct task *task = context;
	struct greedy g = {.in = task->in,
			   .parts = task->parts,
			   .reverse = task->reverse,
			   .member = member,
			   .nmembers = team_nmembers(task->in->team)};
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);

	if (status == 0) {
		start(&g, routes.routes);
		place(&g, task->is_printed);
		if (map_is_own(task->in, member))
			memcpy(task->node_of, g.node_of,
			       (size_t)g.parts->nparts * sizeof(*g.node_of));
		hybrid_free(&g.hybrid);
		map_fit_close(&g.fit);
	}
	map_routes_close(&routes);
	free(g.node_of);
	free(g.to_mapped);
	free(g.to_rest);
	free(g.is_used);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	struct comm *reverse = comm_reversed(parts->comm);
	struct task task = {in, parts, reverse, pick_is(pick, "alpha", "printed"), node_of};
	int status = team_run(in->team, work, &task, err);

	comm_free(reverse);
	return status;
}

static char *refine_of(const struct pick *pick)
{
	return xasprintf("ptram:ends=%s", pick_word(pick, "ends"));
}

const struct map_policy map_policy_ptram = {
	.entry =
		{
			.name = "ptram",
			.example = "ptram",
			.summary = "the process that communicates most goes where the "
				   "hybrid metric is least",
			.paper = "Mirsadeghi, Afsahi: PTRAM, Algorithm 1",
			.params =
				(const struct param[]){
					{.key = "alpha",
					 .type = PARAM_WORD,
					 .choices = "text|printed",
					 .def = "text",
					 .meaning = "weight of unmapped neighbours: falls "
						    "from 1 as in the paper's text, or rises "
						    "to 1/2 as printed in Algorithm 1"},
					{.key = "ends",
					 .type = PARAM_WORD,
					 .choices = "out|both",
					 .def = "out",
					 .meaning = "which messages on the most loaded link "
						    "make a process a candidate for swapping:"
						    " those it sends, or also those it "
						    "receives"},
					{0}},
		},
	.partition = "scotch",
	.refine_of = refine_of,
	.takes_weights = true,
	.run = run,
};
