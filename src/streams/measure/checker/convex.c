/* convex.c - whether a job's messages stay among its own nodes (Def. 4) */
#include <stdlib.h>

#include "measure/checker/geometry.h"
#include "model/topo_type.h"

struct convex {
	bool is_literal;
	/* Links of the job's routes: number of the job, and the pair that takes it. */
	int *job_of, *from, *to; /* [nlinks] */
};

static int convex_open(struct checker *checker, struct err *err)
{
	struct convex *convex = xcalloc(1, sizeof(*convex));
	size_t nlinks = (size_t)checker->geometry->topo->graph->nlinks + 1;

	(void)err;
	checker->state = convex;
	convex->is_literal = pick_bool(checker->pick, "literal");
	if (!convex->is_literal)
		return 0;
	convex->job_of = xcalloc(nlinks, sizeof(int));
	convex->from = xcalloc(nlinks, sizeof(int));
	convex->to = xcalloc(nlinks, sizeof(int));
	return 0;
}

static void close(struct checker *checker)
{
	struct convex *convex = checker->state;

	free(convex->job_of);
	free(convex->from);
	free(convex->to);
	free(convex);
}

/* ---- the closed reading ---- */

/* A compute node that the job does not have, or -1. */
static int outsider(const struct geometry *geometry)
{
	for (int node = 0; node < geometry->topo->nnodes; node++)
		if (geometry_computes(geometry, node) && !geometry_has(geometry, node))
			return node;
	return -1;
}

/* Where messages between two routers may take any detour, no other job may be anywhere. */
static enum verdict check_detours(struct geometry *geometry, const struct region *region,
				  struct buf *witness)
{
	const int *router_of = geometry->topo->router_of;
	int other = outsider(geometry);

	for (int i = 1; i < region->n && other >= 0; i++) {
		if (router_of[region->nodes[i]] == router_of[region->nodes[0]])
			continue;
		buf_str(witness, "a message from ");
		geometry_say_node(geometry, region->nodes[0], witness);
		buf_str(witness, " to ");
		geometry_say_node(geometry, region->nodes[i], witness);
		buf_str(witness, " may go via ");
		geometry_say_router(geometry, router_of[other], witness);
		buf_str(witness, ", where ");
		geometry_say_node(geometry, other, witness);
		buf_str(witness, " is not the job's");
		return VERDICT_BROKEN;
	}
	return other < 0 ? VERDICT_HOLDS : VERDICT_OPEN;
}

/* One route between two members. */
static enum verdict check_route(struct geometry *geometry, int a, int b, struct buf *witness)
{
	int before = -1;

	geometry->path.n = 0;
	if (route_path(geometry->routing, a, b, &geometry->path) < 0) {
		buf_str(witness, "there is none: ");
		geometry_say_route(geometry, a, b, witness);
		return VERDICT_OPEN;
	}
	for (size_t i = 0; i + 1 < geometry->path.n; i++) {
		int router = geometry_router_at(geometry, geometry->path.at[i]);
		enum router_state state = geometry_router(geometry, router);

		if (state == ROUTER_FOREIGN && geometry->path.n > 2) {
			geometry_say_route(geometry, a, b, witness);
			buf_str(witness, " visits ");
			geometry_say_router(geometry, router, witness);
			buf_str(witness, ", where ");
			geometry_say_node(geometry, geometry_stranger(geometry, router), witness);
			buf_str(witness, " is not the job's");
			return VERDICT_BROKEN;
		}
		if (before >= 0 && state == ROUTER_NOBODYS &&
		    geometry_router(geometry, before) == ROUTER_NOBODYS) {
			geometry_say_route(geometry, a, b, witness);
			buf_str(witness, " takes the link of the I/O nodes at ");
			geometry_say_router(geometry, before, witness);
			buf_str(witness, " and ");
			geometry_say_router(geometry, router, witness);
			return VERDICT_BROKEN;
		}
		before = router;
	}
	return VERDICT_HOLDS;
}

struct closing {
	struct geometry *geometry;
	struct buf *witness;
};

static int is_not_kept(void *context, int a, int b)
{
	const struct closing *closing = context;

	return check_route(closing->geometry, a, b, closing->witness) != VERDICT_HOLDS;
}

static int is_step_not_kept(void *context, int router, int next, int link)
{
	struct geometry *geometry = context;
	enum router_state from = geometry_router(geometry, router);
	enum router_state to = geometry_router(geometry, next);

	(void)link;
	return from == ROUTER_FOREIGN || to == ROUTER_FOREIGN ||
	       (from == ROUTER_NOBODYS && to == ROUTER_NOBODYS);
}

/* The verdict on the first pair whose route is not kept. */
static enum verdict check_pairs(struct geometry *geometry, const struct region *region,
				struct buf *witness)
{
	for (int i = 0; i < region->n; i++)
		for (int k = 0; k < region->n; k++) {
			enum verdict verdict = i == k ? VERDICT_HOLDS
						      : check_route(geometry, region->nodes[i],
								    region->nodes[k], witness);

			if (verdict != VERDICT_HOLDS)
				return verdict;
		}
	return VERDICT_HOLDS;
}

/* The same where routes are walked: those that are kept are only stepped along, from one node of
 * each router, and to one where they are the same to all there. */
static enum verdict check_walks(struct geometry *geometry, const struct region *region,
				struct buf *witness)
{
	const struct topo *topo = geometry->topo;

	for (size_t i = 0; i < geometry->from.n; i++) {
		int from = geometry->from.at[i], single = ++geometry->npassed;

		for (int k = 0; k < region->n; k++) {
			int node = region->nodes[k], to = topo->router_of[node];
			int router = topo->router_of[from], next, cable;
			bool is_kept, is_single = topo->type->choices != NULL;

			if (router == to || geometry->single_of[to] == single)
				continue;
			is_kept = topo->type->distance(topo, router, to) >= 0;
			for (; is_kept && router != to; router = next) {
				next = topo->type->next(topo, router, to, node, &cable);
				is_kept = !is_step_not_kept(geometry, router, next, -1);
				is_single = is_single && topo->type->choices(topo, router, to) == 1;
			}
			if (!is_kept)
				return check_route(geometry, from, node, witness);
			if (is_single)
				geometry->single_of[to] = single;
		}
	}
	return VERDICT_HOLDS;
}

/* Every route between two members visits only routers of the job or of no job, and takes
 * no link between two of no job. Nodes of one router exchange their messages there. */
static enum verdict check_closed(struct checker *checker, const struct region *region,
				 struct buf *witness)
{
	struct geometry *geometry = checker->geometry;

	if (geometry->is_adaptive) {
		enum verdict verdict = check_detours(geometry, region, witness);

		if (verdict != VERDICT_OPEN)
			return verdict;
	}
	if (geometry->is_walked && geometry->ndims <= 0) {
		if (geometry_steps(geometry, region, is_step_not_kept, geometry) == 0)
			return VERDICT_HOLDS;
		return check_walks(geometry, region, witness);
	}
	if (geometry_cover(geometry, region, is_not_kept, &(struct closing){geometry, witness}) ==
	    0)
		return VERDICT_HOLDS;
	/* the first such pair is named */
	buf_clear(witness);
	return check_pairs(geometry, region, witness);
}

/* ---- the literal reading: L(π) ∩ L(V^C ∖ π) = ∅ ---- */

/* The links of one route: noted for the job, or looked for among its. Returns one it has, or -1. */
static int pass_links(struct checker *checker, int a, int b, bool is_job)
{
	struct geometry *geometry = checker->geometry;
	struct convex *convex = checker->state;

	geometry->path.n = 0;
	route_path(geometry->routing, a, b, &geometry->path);
	for (size_t i = 0; i < geometry->path.n; i++) {
		int link = geometry->path.at[i] / 2;

		if (is_job && convex->job_of[link] != geometry->job) {
			convex->job_of[link] = geometry->job;
			convex->from[link] = a;
			convex->to[link] = b;
		} else if (!is_job && convex->job_of[link] == geometry->job) {
			return link;
		}
	}
	return -1;
}

static enum verdict check_literal(struct checker *checker, const struct region *region,
				  struct buf *witness)
{
	struct geometry *geometry = checker->geometry;
	const struct convex *convex = checker->state;
	int nnodes = geometry->topo->nnodes;

	for (int i = 0; i < region->n; i++)
		for (int k = 0; k < region->n; k++)
			if (i != k)
				pass_links(checker, region->nodes[i], region->nodes[k], true);
	for (int a = 0; a < nnodes; a++)
		for (int b = 0; b < nnodes; b++) {
			int link;

			if (a == b || geometry_has(geometry, a) || geometry_has(geometry, b) ||
			    !geometry_computes(geometry, a) || !geometry_computes(geometry, b))
				continue;
			link = pass_links(checker, a, b, false);
			if (link < 0)
				continue;
			geometry_say_route(geometry, convex->from[link], convex->to[link], witness);
			buf_str(witness, " shares a link with ");
			geometry_say_route(geometry, a, b, witness);
			return VERDICT_BROKEN;
		}
	return VERDICT_HOLDS;
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	const struct convex *convex = checker->state;

	return convex->is_literal ? check_literal(checker, region, witness)
				  : check_closed(checker, region, witness);
}

const struct param geometry_params_convex[] = {{.key = "literal",
						.type = PARAM_BOOL,
						.def = "no",
						.meaning =
							"as the definition reads: no link shared "
							"with routes among all other nodes"},
					       {.key = "pad",
						.type = PARAM_BOOL,
						.def = "no",
						.meaning = "for allocate; ignored by checks"},
					       CHECKER_PARAMS,
					       {0}};

const struct checker_type checker_convex = {
	.entry = {.name = "convex",
		  .example = "convex",
		  .summary = "nodes whose messages to each other use only their own "
			     "routers, so that they never share a link with other jobs",
		  .paper = "Bleuse et al., Def. 4",
		  .params = geometry_params_convex},
	.open = convex_open,
	.close = close,
	.check = check,
};
